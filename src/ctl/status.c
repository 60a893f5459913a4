/* status.c - `smb1ctl status`: who is connected, to which shares, with which files open.
 *
 *   status [-j|--json] [-p|--processes] [-S|--shares] [-L|--locks]
 *
 * The tables look as those of smbstatus, so that scripts made for it find their columns.  With none of
 * -p, -S, -L all three are shown. */
#include "ctl/status.h"
#include "base/clock.h"
#include "base/str.h"
#include "base/util.h"
#include "ctl/ctl.h"
#include "smb1d_version.h"
#include <grp.h>
#include <popt.h>
#include <string.h>

/* ---- words ---- */

const char *status_group(TALLOC_CTX *mem, uint32_t gid)
{
	const struct group *g = getgrgid(gid);

	return g ? talloc_strdup(mem, g->gr_name) : talloc_asprintf(mem, "%u", gid);
}

const char *status_deny(const struct db_opener *o)
{
	static const char *const names[] = { "DENY_ALL", "DENY_WRITE", "DENY_READ", "DENY_NONE" };

	if (o->flags & DB_OPEN_DENY_DOS)
		return "DENY_DOS";
	return o->flags & DB_OPEN_FCB ? "DENY_FCB" : names[o->share & 3];
}

const char *status_rw(const struct db_opener *o)
{
	bool reads = o->access & 0x21, writes = o->access & 0x6;

	return reads && writes ? "RDWR" : writes ? "WRONLY" : reads ? "RDONLY" : "NONE";
}

const char *status_oplock(const struct db_opener *o)
{
	static const char *const names[] = { "NONE", "EXCLUSIVE", "EXCLUSIVE+BATCH", "LEVEL_II" };

	return names[o->oplock & 3];
}

const char *status_encryption(const struct db_session *s)
{
	return !s || !s->encrypted ? "-" : s->encrypted == DB_ENCRYPTED_AEAD ? "ChaCha20-Poly1305" : "RC4 (NTLMSSP)";
}

const char *status_signing(const struct db_session *s) { return s && s->signing ? "MD5" : "-"; }

const struct db_session *status_session_of(const struct status *s, const struct db_tree *t)
{
	for (size_t i = 0; i < s->nsessions; i++)
		if (s->sessions[i].uid == t->uid && s->sessions[i].owner.pid == t->owner.pid &&
		    s->sessions[i].owner.start_time == t->owner.start_time)
			return &s->sessions[i];
	return NULL;
}

/* How much of path the folder is; 0 if the file does not lie in it. */
static size_t covers(const char *folder, const char *path)
{
	size_t n = strlen(folder);

	while (n > 1 && folder[n - 1] == '/')
		n--;
	if (n < 2 || strncmp(folder, path, n) != 0 || (path[n] != '/' && path[n] != '\0'))
		return 0;
	return n;
}

void status_split(const struct status *s, TALLOC_CTX *mem, const char *path, const char **root,
		  const char **name)
{
	size_t best = 0;

	for (size_t i = 0; s->conf && i < s->conf->nshares; i++) {
		size_t n = covers(s->conf->shares[i]->p.path, path);

		best = n > best ? n : best;
	}
	*root = best ? talloc_strndup(mem, path, best) : "/";
	*name = path[best] == '/' ? path + best + 1 : path[best] ? path + best : ".";
}

/* ---- tables ---- */

/* Client names, users and file names could steer the terminal: control characters become '?'. */
static const char *clean(TALLOC_CTX *mem, const char *text)
{
	char *out = talloc_strdup(mem, text);

	for (unsigned char *p = (unsigned char *)out; p && *p; p++) {
		if (*p < 0x20 || *p == 0x7f)
			*p = '?';
		else if (*p == 0xc2 && p[1] >= 0x80 && p[1] < 0xa0)
			p[0] = p[1] = '?';
	}
	return out ? out : "?";
}

static const char *local_time(TALLOC_CTX *mem, uint64_t when)
{
	struct timespec ts = nttime_to_ts(when);
	char text[64];
	struct tm tm;

	if (when == 0 || !localtime_r(&ts.tv_sec, &tm) ||
	    strftime(text, sizeof(text), "%a %b %e %H:%M:%S %Y %Z", &tm) == 0)
		return "-";
	return talloc_strdup(mem, text);
}

static void line(FILE *to, unsigned n)
{
	while (n-- > 0)
		putc('-', to);
	putc('\n', to);
}

static void print_sessions(FILE *to, const struct status *s, TALLOC_CTX *mem)
{
	fprintf(to, "\nsmb1d version %s\n", SMB1D_VERSION);
	fprintf(to, "%-7s %-12s %-12s %-41s %-17s %-20s %-21s\n", "PID", "Username", "Group", "Machine",
		"Protocol Version", "Encryption", "Signing");
	line(to, 136);
	for (size_t i = 0; i < s->nsessions; i++) {
		const struct db_session *e = &s->sessions[i];
		const char *machine = talloc_asprintf(mem, "%s (%s)", e->client_name, e->client_addr);

		fprintf(to, "%-7ld %-12s %-12s %-41s %-17s %-20s %-21s\n", (long)e->owner.pid,
			clean(mem, e->user), clean(mem, status_group(mem, e->unix_gid)),
			clean(mem, machine), clean(mem, e->dialect), status_encryption(e),
			status_signing(e));
	}
}

static void print_trees(FILE *to, const struct status *s, TALLOC_CTX *mem)
{
	fprintf(to, "\n%-12s %-7s %-13s %-32s %-12s %-12s\n", "Service", "pid", "Machine", "Connected at",
		"Encryption", "Signing");
	line(to, 93);
	for (size_t i = 0; i < s->ntrees; i++) {
		const struct db_tree *t = &s->trees[i];
		const struct db_session *e = status_session_of(s, t);

		fprintf(to, "%-12s %-7ld %-13s %-32s %-12s %-12s\n", clean(mem, t->share), (long)t->owner.pid,
			clean(mem, *t->client_name ? t->client_name : t->client_addr),
			local_time(mem, t->since), status_encryption(e), status_signing(e));
	}
}

static void print_files(FILE *to, const struct status *s, TALLOC_CTX *mem)
{
	if (s->nfiles == 0) {
		fputs("\nNo locked files\n", to);
		return;
	}
	fputs("\nLocked files:\n", to);
	fprintf(to, "%-12s %-10s %-10s %-11s %-10s %-16s %-11s %-6s %s\n", "Pid", "User(ID)", "DenyMode",
		"Access", "R/W", "Oplock", "SharePath", "Name", "Time");
	line(to, 98);
	for (size_t i = 0; i < s->nfiles; i++) {
		const struct db_file *f = &s->files[i];
		const char *root, *name;

		status_split(s, mem, f->path, &root, &name);
		for (size_t j = 0; j < f->n; j++) {
			const struct db_opener *o = &f->openers[j];

			fprintf(to, "%-12ld %-10u %-10s 0x%-9x %-10s %-16s %s   %s   %s\n",
				(long)o->owner.pid, o->unix_uid, status_deny(o), o->access, status_rw(o),
				status_oplock(o), clean(mem, root), clean(mem, name),
				local_time(mem, o->opened));
		}
	}
}

void status_print(FILE *to, const struct status *s)
{
	TALLOC_CTX *mem = talloc_new(NULL);

	if (s->show_sessions)
		print_sessions(to, s, mem);
	if (s->show_trees)
		print_trees(to, s, mem);
	if (s->show_files)
		print_files(to, s, mem);
	putc('\n', to);
	talloc_free(mem);
}

/* ---- the picture ---- */

static bool take_session(const struct db_session *e, void *arg)
{
	struct status *s = arg;
	unsigned n = (unsigned)s->nsessions + 1;
	struct db_session *more = talloc_realloc(NULL, s->sessions, struct db_session, n);

	if (!more)
		return false;
	s->sessions = more;
	more += s->nsessions++;
	*more = *e;
	more->user = talloc_strdup(s->sessions, e->user);
	more->domain = talloc_strdup(s->sessions, e->domain);
	more->client_name = talloc_strdup(s->sessions, e->client_name);
	more->client_addr = talloc_strdup(s->sessions, e->client_addr);
	more->dialect = talloc_strdup(s->sessions, e->dialect);
	return more->user && more->domain && more->client_name && more->client_addr && more->dialect;
}

static bool take_tree(const struct db_tree *t, void *arg)
{
	struct status *s = arg;
	struct db_tree *more = talloc_realloc(NULL, s->trees, struct db_tree, (unsigned)s->ntrees + 1);

	if (!more)
		return false;
	s->trees = more;
	more += s->ntrees++;
	*more = *t;
	more->share = talloc_strdup(s->trees, t->share);
	more->client_addr = talloc_strdup(s->trees, t->client_addr);
	more->client_name = talloc_strdup(s->trees, t->client_name);
	return more->share && more->client_addr && more->client_name;
}

static bool take_file(const struct db_file *f, void *arg)
{
	struct status *s = arg;
	struct db_file *more = talloc_realloc(NULL, s->files, struct db_file, (unsigned)s->nfiles + 1);

	if (!more)
		return false;
	s->files = more;
	more += s->nfiles++;
	*more = *f;
	more->path = talloc_strdup(s->files, f->path);
	more->openers = talloc_memdup(s->files, f->openers, f->n * sizeof(f->openers[0]));
	return more->path && more->openers;
}

static const char *take_picture(struct status *s, TALLOC_CTX *mem)
{
	const char *why = NULL;
	struct db *db = db_open_reader(mem, s->conf->g.lock_directory, &why);
	bool ok;

	if (!db)
		return why;
	ok = db_session_each(db, take_session, s) && db_tree_each(db, take_tree, s) &&
	     (!s->show_files || db_share_each(db, take_file, s));
	talloc_steal(mem, s->sessions);
	talloc_steal(mem, s->trees);
	talloc_steal(mem, s->files);
	talloc_free(db);
	return ok ? NULL : "the databases cannot be read";
}

/* False after a sentence on standard error. */
static bool parse(int argc, const char **argv, struct status *s, int *json)
{
	int processes = 0, shares = 0, locks = 0, rc;
	struct poptOption table[] = {
		{ "json", 'j', POPT_ARG_NONE, json, 0, "JSON instead of tables", NULL },
		{ "processes", 'p', POPT_ARG_NONE, &processes, 0, "sessions only", NULL },
		{ "shares", 'S', POPT_ARG_NONE, &shares, 0, "connections to shares only", NULL },
		{ "locks", 'L', POPT_ARG_NONE, &locks, 0, "open files only", NULL },
		POPT_AUTOHELP POPT_TABLEEND
	};
	poptContext pc = poptGetContext("status", argc, argv, table, 0);

	while ((rc = poptGetNextOpt(pc)) > 0)
		;
	if (rc < -1) {
		fprintf(stderr, "smb1ctl status: %s: %s\n", poptBadOption(pc, 0), poptStrerror(rc));
	} else if (poptPeekArg(pc)) {
		fprintf(stderr, "smb1ctl status: \"%s\" is one word too many\n", poptPeekArg(pc));
		rc = 0;
	}
	poptFreeContext(pc);
	s->show_sessions = processes || !(shares || locks);
	s->show_trees = shares || !(processes || locks);
	s->show_files = locks || !(processes || shares);
	return rc == -1;
}

static const struct conf *load(TALLOC_CTX *mem, const char *conffile)
{
	struct conf_source src = { .file = conffile, .anyway = true };
	struct conf_report rep = { 0 };
	struct conf *c = NULL;
	const char *why;

	if (!conf_load(mem, &src, &c, &rep)) {
		for (size_t i = 0; i < rep.n; i++)
			if (rep.msgs[i].kind == CONF_MSG_ERROR)
				fprintf(stderr, "smb1ctl status: %s\n", rep.msgs[i].text);
		return NULL;
	}
	if (!str_setup(c->g.dos_charset, c->g.unix_charset, &why))
		fprintf(stderr, "smb1ctl status: %s\n", why);
	return c;
}

int ctl_status(int argc, const char **argv, const char *conffile)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct status s = { .conffile = conffile };
	int json = 0, status = 1;
	const char *why;

	if (parse(argc, argv, &s, &json) && (s.conf = load(mem, conffile)) != NULL) {
		why = take_picture(&s, mem);
		if (why) {
			fprintf(stderr, "smb1ctl status: %s\n", why);
		} else {
			if (json)
				status_print_json(stdout, &s);
			else
				status_print(stdout, &s);
			if (!json && s.show_sessions && s.show_trees && s.show_files)
				ctl_print_walls(stdout, s.conf->g.lock_directory);
			status = fflush(stdout) == 0 ? 0 : 1;
		}
	}
	talloc_free(mem);
	return status;
}
