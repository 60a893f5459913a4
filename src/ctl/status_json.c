/* status_json.c - `smb1ctl status --json`: the keys are those of `smbstatus --json`. */
#include "base/clock.h"
#include "base/str.h"
#include "base/util.h"
#include "ctl/json.h"
#include "ctl/status.h"
#include "smb1d_version.h"
#include <time.h>

/* 2024-05-01T12:00:00.123456+0200 in local time; "" for an unknown one */
static void put_time(struct json *j, const char *key, uint64_t when)
{
	struct timespec ts = nttime_to_ts(when);
	char text[96] = "", day[40], zone[16];
	struct tm tm;

	if (when != 0 && localtime_r(&ts.tv_sec, &tm)) {
		strftime(day, sizeof(day), "%Y-%m-%dT%H:%M:%S", &tm);
		strftime(zone, sizeof(zone), "%z", &tm);
		snprintf(text, sizeof(text), "%s.%06ld%s", day, ts.tv_nsec / 1000, zone);
	}
	json_str(j, key, text);
}

static void put_owner(struct json *j, const struct db_owner *o)
{
	char text[32];

	json_open(j, "server_id");
	snprintf(text, sizeof(text), "%ld", (long)o->pid);
	json_str(j, "pid", text);
	snprintf(text, sizeof(text), "%llu", (unsigned long long)o->start_time);
	json_str(j, "unique_id", text);
	json_close(j);
}

static void put_safety(struct json *j, const struct db_session *s)
{
	json_open(j, "encryption");
	json_str(j, "cipher", status_encryption(s));
	json_str(j, "degree", s && s->encrypted ? "full" : "none");
	json_close(j);
	json_open(j, "signing");
	json_str(j, "cipher", status_signing(s));
	json_str(j, "degree", s && s->signing ? "full" : "none");
	json_close(j);
}

static void put_session(struct json *j, const struct db_session *s, TALLOC_CTX *mem)
{
	const char *id = talloc_asprintf(mem, "%ld/%u", (long)s->owner.pid, s->uid);

	json_open(j, id);
	json_str(j, "session_id", id);
	put_owner(j, &s->owner);
	json_num(j, "uid", s->unix_uid);
	json_num(j, "gid", s->unix_gid);
	json_str(j, "username", s->user);
	json_str(j, "groupname", status_group(mem, s->unix_gid));
	json_str(j, "domain", s->domain);
	json_str(j, "remote_machine", s->client_name);
	json_str(j, "hostname", s->client_addr);
	json_str(j, "session_dialect", s->dialect);
	json_bool(j, "guest", s->guest);
	put_time(j, "connected_at", s->since);
	put_safety(j, s);
	json_close(j);
}

static void put_tree(struct json *j, const struct status *all, const struct db_tree *t, TALLOC_CTX *mem)
{
	const char *id = talloc_asprintf(mem, "%ld/%u", (long)t->owner.pid, t->tid);

	json_open(j, id);
	json_str(j, "service", t->share);
	put_owner(j, &t->owner);
	json_str(j, "tcon_id", id);
	json_str(j, "session_id", talloc_asprintf(mem, "%ld/%u", (long)t->owner.pid, t->uid));
	json_str(j, "machine", *t->client_name ? t->client_name : t->client_addr);
	json_str(j, "address", t->client_addr);
	put_time(j, "connected_at", t->since);
	put_safety(j, status_session_of(all, t));
	json_close(j);
}

static void put_access(struct json *j, uint32_t access)
{
	static const struct { uint32_t bit; const char *name; } bits[] = {
		{ 0x1, "READ_DATA" }, { 0x2, "WRITE_DATA" }, { 0x4, "APPEND_DATA" }, { 0x8, "READ_EA" },
		{ 0x10, "WRITE_EA" }, { 0x20, "EXECUTE" }, { 0x80, "READ_ATTRIBUTES" },
		{ 0x100, "WRITE_ATTRIBUTES" }, { 0x40, "DELETE_CHILD" }, { 0x10000, "DELETE" },
		{ 0x20000, "READ_CONTROL" }, { 0x40000, "WRITE_DAC" }, { 0x80000, "WRITE_OWNER" },
		{ 0x100000, "SYNCHRONIZE" }, { 0x1000000, "ACCESS_SYSTEM_SECURITY" },
	};

	json_open(j, "access_mask");
	json_hex(j, "hex", access);
	for (size_t i = 0; i < ARRAY_LEN(bits); i++)
		json_bool(j, bits[i].name, access & bits[i].bit);
	json_close(j);
}

static void put_opener(struct json *j, const struct db_opener *o, TALLOC_CTX *mem)
{
	char share[4];

	json_open(j, talloc_asprintf(mem, "%ld/%llu", (long)o->owner.pid, (unsigned long long)o->open_id));
	put_owner(j, &o->owner);
	json_num(j, "uid", o->unix_uid);
	json_num(j, "share_file_id", o->open_id);
	json_open(j, "sharemode");
	json_hex(j, "hex", o->share);
	json_bool(j, "READ", o->share & 1);
	json_bool(j, "WRITE", o->share & 2);
	json_bool(j, "DELETE", o->share & 4);
	snprintf(share, sizeof(share), "%s%s%s", o->share & 1 ? "R" : "", o->share & 2 ? "W" : "",
		 o->share & 4 ? "D" : "");
	json_str(j, "text", share);
	json_str(j, "deny", status_deny(o));
	json_close(j);
	put_access(j, o->access);
	json_str(j, "read_write", status_rw(o));
	json_open(j, "oplock");
	json_bool(j, "EXCLUSIVE", o->oplock == 1 || o->oplock == 2);
	json_bool(j, "BATCH", o->oplock == 2);
	json_bool(j, "LEVEL_II", o->oplock == 3);
	json_str(j, "text", status_oplock(o));
	json_close(j);
	json_bool(j, "delete_on_close", o->flags & DB_OPEN_DELETE_ON_CLOSE);
	put_time(j, "opened_at", o->opened);
	json_close(j);
}

static void put_file(struct json *j, const struct status *all, const struct db_file *f, TALLOC_CTX *mem)
{
	const char *root, *name;

	status_split(all, mem, f->path, &root, &name);
	json_open(j, str_from_disk(mem, f->path));
	json_str(j, "service_path", str_from_disk(mem, root));
	json_str(j, "filename", str_from_disk(mem, name));
	json_open(j, "fileid");
	json_num(j, "devid", f->id.dev);
	json_num(j, "inode", f->id.ino);
	json_close(j);
	json_bool(j, "delete_pending", f->delete_pending);
	json_open(j, "opens");
	for (size_t i = 0; i < f->n; i++)
		put_opener(j, &f->openers[i], mem);
	json_close(j);
	json_close(j);
}

void status_print_json(FILE *to, const struct status *s)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct json j = { .to = to };

	json_open(&j, NULL);
	put_time(&j, "timestamp", clock_now());
	json_str(&j, "version", SMB1D_VERSION);
	json_str(&j, "smb_conf", s->conffile);
	if (s->show_sessions) {
		json_open(&j, "sessions");
		for (size_t i = 0; i < s->nsessions; i++)
			put_session(&j, &s->sessions[i], mem);
		json_close(&j);
	}
	if (s->show_trees) {
		json_open(&j, "tcons");
		for (size_t i = 0; i < s->ntrees; i++)
			put_tree(&j, s, &s->trees[i], mem);
		json_close(&j);
	}
	if (s->show_files) {
		json_open(&j, "open_files");
		for (size_t i = 0; i < s->nfiles; i++)
			put_file(&j, s, &s->files[i], mem);
		json_close(&j);
	}
	json_close(&j);
	talloc_free(mem);
}
