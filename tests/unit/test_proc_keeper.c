/* A real keeper in a child, spoken to as the listener, as a porch and as a worker. */
#include "proc/inner.h"
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

static char dir[256];
static struct daemon *d;
static int ctl = -1;
static pid_t keeper;
static uint32_t ids;

static enum msg_event receive(int fd, struct msg *m)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	(void)poll(&p, 1, 5000);
	return msg_recv(d, fd, m);
}

static bool gone(int fd)
{
	struct msg m;
	enum msg_event e = receive(fd, &m);

	if (e == MSG_GOT)
		msg_drop(&m);
	return e == MSG_CLOSED;
}

/* A door for a new client, as the listener makes it. */
static int new_door(void)
{
	uint8_t text[200];
	struct wr w = wr_over(text, sizeof(text));
	int sv[2];

	assert_true(msg_pair(sv));
	wr_u8(&w, KEEPER_CLIENT);
	wr_u32(&w, ++ids);
	wr_bytes(&w, "challeng", 8);
	msg_put_str(&w, "192.0.2.7");
	msg_put_str(&w, "192.0.2.1");
	assert_true(msg_send(ctl, text, wr_tell(&w), &sv[1], 1, true));
	close(sv[1]);
	return sv[0];
}

static int start(void **state)
{
	struct conf_source src = { 0 };
	struct conf_report rep;
	char file[300];
	struct msg m;
	FILE *f;
	int sv[2];

	(void)state;
	snprintf(file, sizeof(file), "%s/smb.conf", dir);
	f = fopen(file, "w");
	if (!f)
		return -1;
	fprintf(f, "[global]\nprivate dir = %s/private\nlock directory = %s\nmap to guest = Never\n[s]\nforce group = +daemon\n"
		"[m]\nforce user = %%U\nforce group = %%G\n", dir, dir);
	fclose(f);
	d = talloc_zero(NULL, struct daemon);
	static const struct proc_options o = { .foreground = true };
	d->o = &o;
	src.file = file;
	if (!conf_load(d, &src, &d->conf, &rep) || !msg_pair(sv))
		return -1;
	(void)mkdir(d->conf->g.private_dir, 0700);
	keeper = fork();
	if (keeper == 0) {
		log_level[LOG_PROC] = log_level[LOG_AUTH] = -1;
		keeper_run(d, sv[1]);
	}
	close(sv[1]);
	ctl = sv[0];
	if (receive(ctl, &m) != MSG_GOT || m.p[0] != KEEPER_READY)
		return -1;
	msg_drop(&m);
	return 0;
}

static int stop(void **state)
{
	int status = -1;

	(void)state;
	close(ctl);
	waitpid(keeper, &status, 0);
	talloc_free(d);
	return status;
}

static void login(struct door_client *door)
{
	struct auth_question q = { .user = "", .domain = "", .workstation = "", .anonymous = true };
	struct auth_verdict *v = door_ask(door, d, &q);

	assert_non_null(v);
	assert_int_equal(v->status, ST_OK);
	talloc_free(v);
}

static void nonsense_closes_the_door(void **state)
{
	static const uint8_t bad[][3] = {
		{ 0 }, { 99, 1, 2 }, { DOOR_ASK, 0xff, 0xff }, { DOOR_IDENT, 'a', 'b' }, { DOOR_GROUP, 'a', 'b' }, { DOOR_HANDOFF },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		int door = new_door();

		assert_true(msg_send(door, bad[i], sizeof(bad[i]), NULL, 0, true));
		assert_true(gone(door));
		close(door);
	}
}

static void handoff_needs_a_login(void **state)
{
	struct door_client door = { .fd = new_door() };
	int null = open("/dev/null", O_RDWR);

	(void)state;
	assert_true(door_handoff(&door, null, null));
	assert_true(gone(door.fd));
	close(door.fd);
	close(null);
}

static void a_no_takes_the_login_back(void **state)
{
	struct door_client door = { .fd = new_door() };
	struct auth_question q = { .user = "", .domain = "", .workstation = "", .plaintext = true,
				   .lm = (const uint8_t *)"x", .lm_len = 1 };
	struct auth_verdict *v;
	int null = open("/dev/null", O_RDWR);

	(void)state;
	login(&door);
	q.user = "root"; /* plaintext is off: no */
	v = door_ask(&door, d, &q);
	assert_non_null(v);
	assert_int_not_equal(v->status, ST_OK);
	assert_true(door_handoff(&door, null, null));
	assert_true(gone(door.fd));
	talloc_free(v);
	close(door.fd);
	close(null);
}

static void from_login_to_worker(void **state)
{
	struct door_client porch = { .fd = new_door() }, worker;
	int record = msg_memfd("record", 6, false), null = open("/dev/null", O_RDWR);
	uint32_t key[TICKET_KEY], t[2];
	struct ident *id;
	struct msg m;
	struct rd r;

	(void)state;
	login(&porch);
	assert_true(door_handoff(&porch, null, record));
	close(null);
	close(record);
	assert_int_equal(receive(ctl, &m), MSG_GOT);
	r = rd_over(m.p, m.len);
	assert_int_equal(rd_u8(&r), KEEPER_SPAWN);
	assert_int_equal(rd_u32(&r), ids);
	assert_int_equal(m.nfds, 3);
	assert_true(gone(porch.fd)); /* the old end is worth nothing now */
	close(porch.fd);
	worker.fd = msg_take_fd(&m, 1);
	rd_skip(&r, 8);
	talloc_free(msg_get_str(d, &r));
	talloc_free(msg_get_str(d, &r));
	rd_copy(&r, key, sizeof(key));
	assert_true(rd_ok(&r) && rd_left(&r) == 0);
	msg_drop(&m);
	assert_null(door_ident(&worker, d, "root")); /* nobody is forced to be root */
	id = door_ident(&worker, d, "nobody");
	assert_non_null(id);
	if (geteuid() == 0) /* else every account is the one we run as */
		assert_string_equal(id->user, "nobody");
	ticket_make(key, TICKET_UID, id->uid, t);
	assert_memory_equal(t, id->uid_ticket, sizeof(t));
	ticket_make(key, TICKET_GID, id->gid, t);
	assert_memory_equal(t, id->gid_ticket, sizeof(t));
	assert_false(door_group(&worker, "root", id));
	assert_true(door_group(&worker, "daemon", id));
	ticket_make(key, TICKET_GID, id->gid, t);
	assert_memory_equal(t, id->gid_ticket, sizeof(t));
	talloc_free(id);
	assert_null(door_ident(&worker, d, "no-such-user-anywhere"));
	if (geteuid() == 0) { /* a macro may mean anybody, but nobody of the system's own */
		assert_null(door_ident(&worker, d, "daemon"));
		id = talloc_zero(d, struct ident);
		assert_false(door_group(&worker, "adm", id));
		talloc_free(id);
	}
	assert_true(worker.fd >= 0);
	login(&worker);
	assert_true(msg_send(worker.fd, (const uint8_t[]){ DOOR_HANDOFF }, 1, NULL, 0, true)); /* not its turn */
	assert_true(gone(worker.fd));
	close(worker.fd);
}

/* Listener dead: the keeper serves the workers that are left, then goes. */
static void outlives_the_listener(void **state)
{
	struct door_client door = { .fd = new_door() };

	(void)state;
	login(&door);
	close(ctl);
	ctl = -1;
	login(&door);
	assert_int_equal(waitpid(keeper, NULL, WNOHANG), 0);
	close(door.fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nonsense_closes_the_door),
		cmocka_unit_test(handoff_needs_a_login),
		cmocka_unit_test(a_no_takes_the_login_back),
		cmocka_unit_test(from_login_to_worker),
		cmocka_unit_test(outlives_the_listener),
	};
	const char *tmp = getenv("TMPDIR");
	char command[300];
	int rc;

	snprintf(dir, sizeof(dir), "%s/smb1d-keeper-XXXXXX", tmp ? tmp : "/tmp");
	if (!mkdtemp(dir))
		return 1;
	signal(SIGPIPE, SIG_IGN);
	alarm(60);
	rc = cmocka_run_group_tests(tests, start, stop);
	snprintf(command, sizeof(command), "rm -rf '%s'", dir);
	return system(command) == 0 ? rc : 1;
}
