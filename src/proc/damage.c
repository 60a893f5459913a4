/* damage.c - the listener's part where a lock database is damaged under load, and the burial of the dead.
 *
 *   WORKER_SUSPECTS, a worker's violent end, a worker that stays inside a call
 *        └──> a probe (child) for the file ── sound ──> nothing
 *                └── it says no, dies, or hangs ──> db_renew(), WORKER_REJOIN to all, one line in the log
 *
 * The listener itself never calls into a database that may be damaged: an undertaker (child) takes the dead out.
 * Workers show in shared memory when they are inside a call, so one that waits for ever, at a lock or in a ring of
 * records, is seen without costing anybody a system call. */
#include "db/damage.h"
#include "db/msg.h"
#include "proc/inner.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define PULSES 8192u     /* workers that can be watched at a time */
#define CALM_MS 500      /* between two looks at the workers */
#define CLOSE_MS 100     /* ... while one of them stays inside a call, or a probe runs */
#define STUCK_MS 600     /* inside one call: the file is suspected */
#define HOPELESS_MS 6000 /* ... though it is sound, or was made anew: the worker is ended */
#define PROBE_MS 1500
#define SUSPECT_MS 500   /* between two words of a worker about one database */
#define JOIN_MS 3000     /* until a new file is closed to workers again */

struct pulse_line { /* a line of memory each: workers do not disturb each other */
	_Atomic uint32_t v;
	_Atomic uint64_t start_time; /* its own word about itself: one that is wrong names nobody */
	char alone[48];
};

struct helper {          /* a probe, or the undertaker */
	pid_t pid;       /* 0: none runs */
	bool again;      /* something new came while it ran */
	bool killed;     /* by us, because it hangs */
	uint64_t since;  /* clock_ms() */
};

struct dead { pid_t pid; uint64_t start_time; };

struct damage {
	struct pulse_line *pulses;
	bool taken[PULSES];
	unsigned next;
	struct helper probe[DB_FILES], undertaker;
	struct dead *dead; /* talloc: those the undertaker is told of next */
	size_t ndead;
	uint64_t renewed;  /* clock_ms(), 0: all is settled */
	uint64_t anew[DB_FILES]; /* clock_ms() when it was last made anew */
	struct event *tick;
};

static void look_in(struct daemon *d, unsigned ms)
{
	const struct timeval tv = { .tv_usec = ms * 1000 };

	event_add(d->damage->tick, &tv);
}

static void watch(struct daemon *d)
{
	if (!event_pending(d->damage->tick, EV_TIMEOUT, NULL))
		look_in(d, CALM_MS);
}

/* ---- children that may die of what they look at ---- */

static pid_t start_child(struct daemon *d, struct helper *h)
{
	h->again = h->killed = false;
	h->since = clock_ms();
	h->pid = fork();
	if (h->pid == 0) {
		accept_child();
		listener_close_for_child(d, NULL);
		(void)prctl(PR_SET_NAME, "smb1d-helper", 0, 0, 0);
		db_child_at_risk((PROBE_MS + 999) / 1000 + 2);
		return 0;
	}
	if (h->pid < 0) {
		listener_complain(d, "no process to look after the lock databases", errno);
		h->pid = 0;
		return -1;
	}
	watch(d);
	return h->pid;
}

static void probe(struct daemon *d, enum db_which which)
{
	struct helper *h = &d->damage->probe[which];

	if (d->ending)
		return;
	if (h->pid > 0)
		h->again = true;
	else if (start_child(d, h) == 0)
		_exit(db_probe(d->db, which) ? 0 : 1);
}

static void probe_all(struct daemon *d)
{
	(void)db_mend_grants(d->db);
	for (int i = 0; i < DB_FILES; i++)
		probe(d, (enum db_which)i);
}

static void bury(struct daemon *d)
{
	struct damage *g = d->damage;

	if (g->ndead == 0 || g->undertaker.pid > 0)
		return;
	if (start_child(d, &g->undertaker) == 0) {
		for (size_t i = 0; i < g->ndead; i++)
			db_forget(d->db, g->dead[i].pid, g->dead[i].start_time);
		_exit(0);
	}
	TALLOC_FREE(g->dead); /* whom he does not get to is buried by whoever meets him */
	g->ndead = 0;
}

/* ---- a new file ---- */

static uint32_t pulse_of(const struct daemon *d, const struct client *c)
{
	return c->pulse ? atomic_load(&d->damage->pulses[c->pulse - 1].v) : 0;
}

/* Those that sit in a call to the old file will not hear us. */
static unsigned end_the_stuck(struct daemon *d, enum db_which which)
{
	unsigned n = 0;

	for (struct client *c = d->clients; c; c = c->next) {
		uint32_t now = pulse_of(d, c);

		if (!c->worker || c->pid <= 0 || c->pulse_since == 0 || clock_ms() - c->pulse_since < CLOSE_MS ||
		    now != c->pulse_seen || db_pulse_inside(now) != which)
			continue;
		kill(c->pid, SIGKILL);
		n++;
	}
	return n;
}

static void renew(struct daemon *d, enum db_which which, const char *how)
{
	const uint8_t text[2] = { WORKER_REJOIN, (uint8_t)which };
	const char *why = "";
	unsigned stuck, told = 0;

	if (d->ending)
		return;
	if (!db_renew(d->db, which, &why)) {
		listener_complain(d, why, errno);
		return;
	}
	nursery_look(d);  /* behind it: who was forked with the old one has to be told, too */
	nursery_renew(d); /* it has the old one */
	stuck = end_the_stuck(d, which);
	for (struct client *c = d->clients; c; c = c->next) {
		if (!c->worker || c->pid <= 0)
			continue;
		told++;
		if (!msg_send(c->ctl, text, sizeof(text), NULL, 0, false))
			kill(c->pid, SIGTERM);
	}
	log_error(LOG_PROC, "%s: %s; %u workers were told to use the new one%s", db_file_name(which), how, told,
		  which == DB_OPENS ? ", those with open files end" : which == DB_LOCKS ? ", those with locks end" : "");
	if (stuck)
		log_error(LOG_PROC, "%s: %u workers that hung in it were ended", db_file_name(which), stuck);
	d->damage->renewed = d->damage->anew[which] = clock_ms();
	watch(d);
}

static void probe_ended(struct daemon *d, enum db_which which, int status)
{
	struct helper *h = &d->damage->probe[which];
	char how[80];

	h->pid = 0;
	if (d->damage->anew[which] >= h->since) { /* meanwhile: it has looked at the old one */
		probe(d, which);
		return;
	}
	if (h->killed || (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)) {
		renew(d, which, "whoever looks at it hangs");
	} else if (WIFSIGNALED(status) && WTERMSIG(status) != SIGKILL && WTERMSIG(status) != SIGTERM) {
		snprintf(how, sizeof(how), "whoever looks at it dies of signal %d", WTERMSIG(status));
		renew(d, which, how);
	} else if (WIFEXITED(status) && WEXITSTATUS(status) != 0) {
		renew(d, which, "it cannot be walked");
	} else if (h->again) {
		probe(d, which);
	}
}

bool damage_reaped(struct daemon *d, pid_t pid, int status)
{
	struct helper *u = &d->damage->undertaker;

	for (int i = 0; i < DB_FILES; i++) {
		if (d->damage->probe[i].pid != pid)
			continue;
		probe_ended(d, (enum db_which)i, status);
		return true;
	}
	if (u->pid != pid)
		return false;
	u->pid = 0;
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		probe_all(d);
	bury(d);
	return true;
}

/* ---- what workers say and do ---- */

void damage_suspected(struct daemon *d, const struct client *c, struct rd *r)
{
	uint8_t which = rd_u8(r), certain = rd_u8(r);

	if (rd_ok(r) && which == DB_GRANTS)
		(void)db_mend_grants(d->db);
	if (!rd_ok(r) || which >= DB_FILES)
		return;
	log_at(LOG_PROC, 2, "%s: its worker %ld says that %s fails", c->addr, (long)c->pid, db_file_name((enum db_which)which));
	if (certain && d->damage->renewed == 0)
		renew(d, (enum db_which)which, "a record in it is damaged");
	else
		probe(d, (enum db_which)which);
}

static bool of_damage(int status)
{
	int sig = WIFSIGNALED(status) ? WTERMSIG(status) : 0;

	return sig == SIGBUS || sig == SIGSEGV || sig == SIGABRT || sig == SIGFPE ||
	       (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_NO_DATABASE);
}

void damage_worker_died(struct daemon *d, const struct client *c, int status)
{
	struct damage *g = d->damage;
	struct dead *more;

	if (of_damage(status))
		probe_all(d);
	more = talloc_realloc(g, g->dead, struct dead, (unsigned)g->ndead + 1);
	if (!more)
		return;
	g->dead = more;
	g->dead[g->ndead++] = (struct dead){ c->pid, c->start_time };
	bury(d);
}

/* It hangs since about the time the file was made anew: looking at the new one would find nothing. */
static bool in_the_old_file(const struct damage *g, enum db_which which)
{
	return g->anew[which] != 0 && clock_ms() - g->anew[which] < STUCK_MS + 2 * CALM_MS;
}

/* True while the worker stays inside one call. */
static bool look_at(struct daemon *d, struct client *c)
{
	uint32_t now = pulse_of(d, c);
	enum db_which which = db_pulse_inside(now);
	uint64_t hangs;

	if (which == DB_FILES || now != c->pulse_seen || c->pulse_since == 0) {
		c->pulse_seen = now;
		c->pulse_since = which == DB_FILES ? 0 : clock_ms();
		c->pulse_asked = false;
		return which != DB_FILES;
	}
	hangs = clock_ms() - c->pulse_since;
	if (hangs >= HOPELESS_MS || (hangs >= STUCK_MS && in_the_old_file(d->damage, which))) {
		log_error(LOG_PROC, "%s: its worker %ld hangs in %s: it is ended", c->addr, (long)c->pid,
			  db_file_name(which));
		kill(c->pid, SIGKILL);
		c->pulse_since = clock_ms(); /* it may sit in the kernel still */
		c->pulse_asked = true;
	} else if (hangs >= STUCK_MS && !c->pulse_asked) {
		c->pulse_asked = true;
		probe(d, which);
	}
	return true;
}

static bool patience_over(struct helper *h)
{
	if (h->pid > 0 && !h->killed && clock_ms() - h->since > PROBE_MS) {
		h->killed = true;
		kill(h->pid, SIGKILL);
	}
	return h->pid > 0;
}

static void on_tick(evutil_socket_t fd, short what, void *arg)
{
	struct daemon *d = arg;
	struct damage *g = d->damage;
	bool busy = d->nworker > 0 || g->renewed, closely = false;

	(void)fd;
	(void)what;
	nursery_look(d);
	for (struct client *c = d->clients; c; c = c->next)
		if (c->worker && c->pid > 0)
			closely |= look_at(d, c);
	for (int i = 0; i < DB_FILES; i++)
		closely |= patience_over(&g->probe[i]);
	closely |= patience_over(&g->undertaker);
	if (g->renewed && clock_ms() - g->renewed > JOIN_MS) {
		(void)db_settle(d->db);
		g->renewed = 0;
	}
	if (closely || busy)
		look_in(d, closely ? CLOSE_MS : CALM_MS);
}

void damage_unmap(const struct daemon *d)
{
	if (d->damage)
		(void)munmap(d->damage->pulses, PULSES * sizeof(struct pulse_line));
}

/* ---- places in the table ---- */

bool damage_setup(struct daemon *d)
{
	struct damage *g = d->damage = talloc_zero(d, struct damage);
	void *p = mmap(NULL, PULSES * sizeof(struct pulse_line), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (!g || p == MAP_FAILED)
		return false;
	g->pulses = p;
	g->tick = evtimer_new(d->base, on_tick, d);
	if (!g->tick)
		return false;
	g->renewed = clock_ms(); /* the start may have made files anew beside workers of an earlier daemon */
	watch(d);
	return true;
}

void damage_worker_new(struct daemon *d, struct client *c)
{
	struct damage *g = d->damage;

	for (unsigned i = 0; i < PULSES && c->pulse == 0; i++) {
		unsigned at = g->next++ % PULSES;

		if (g->taken[at])
			continue;
		g->taken[at] = true;
		atomic_store(&g->pulses[at].v, 0);
		atomic_store(&g->pulses[at].start_time, 0);
		c->pulse = at + 1;
	}
	watch(d);
}

void damage_worker_free(struct daemon *d, struct client *c)
{
	if (c->pulse)
		d->damage->taken[c->pulse - 1] = false;
	c->pulse = 0;
}

uint64_t damage_start_time(const struct daemon *d, const struct client *c)
{
	return c->pulse ? atomic_load(&d->damage->pulses[c->pulse - 1].start_time) : 0;
}

/* ---- in the worker ---- */

/* Said by a database that fails, from inside its calls. */
static void on_suspect(void *arg, enum db_which which, bool certain)
{
	static uint64_t said[DB_GRANTS + 1];
	const uint8_t text[3] = { WORKER_SUSPECTS, (uint8_t)which, certain };
	const int *ctl = arg;
	uint64_t now = clock_ms();

	if (said[which] == 0 || now - said[which] > SUSPECT_MS)
		(void)msg_send(*ctl, text, sizeof(text), NULL, 0, false);
	said[which] = now;
}

void damage_watched(const struct daemon *d, const struct client *c, const int *ctl)
{
	if (c->pulse) {
		db_pulse_at(&d->damage->pulses[c->pulse - 1].v);
		atomic_store(&d->damage->pulses[c->pulse - 1].start_time, db_me().start_time);
	}
	db_on_suspect(on_suspect, (void *)(uintptr_t)ctl);
}

bool damage_rejoin(struct conn *c, uint8_t which)
{
	if (which >= DB_FILES)
		return true;
	switch (db_rejoin(c->host->db, (enum db_which)which)) {
	case DB_SAME:
		return true;
	case DB_JOINED:
		conn_put_again(c, (enum db_which)which);
		return true;
	case DB_LOST:
		log_error(LOG_PROC, "%s was damaged, and with it went what this client had open or locked: the "
			  "connection ends", db_file_name((enum db_which)which));
		return false;
	default:
		return false;
	}
}
