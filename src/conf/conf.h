/* conf.h - smb.conf: read once, converted once, then plain fields.
 *
 * One table (conf/params.def) declares each parameter: name, synonyms, scope, type, default,
 * limits, what a reload does, one line of help, and whether smb1d acts on it.  The two
 * structs below, `smb1ctl check`, the manual page and docs/options are made from that table.
 * Field names are the parameter's name with blanks and colons as underscores:
 * `read only` -> p.read_only, `smb1d: profile` -> p.smb1d_profile.
 *
 * Types: bool; int (int64_t); octal (int64_t); enum (int, constants CONF_<FIELD>_<VALUE> from
 * the table); string (const char *, never NULL); list (const char *const *, NULL-terminated,
 * never NULL).  Strings keep their %-macros; expand them at use with conf_expand().
 * Nothing here looks up a string while a request runs. */
#ifndef SMB1D_CONF_CONF_H
#define SMB1D_CONF_CONF_H
#include "base/ident.h"
#include "conf/params.h" /* struct conf_globals, struct conf_params and the enums: made from params.def */
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/socket.h>
#include <talloc.h>

/* A parameter that was set in a section: its row of the table, and where. */
struct conf_set {
	uint16_t param, file; /* file: of conf.files */
	uint32_t line;        /* 0: not by a line (--option, a profile) */
};
struct conf_sets {
	struct conf_set *v;
	size_t n;
};

struct conf_share {
	const char *name;      /* as written: "Data" */
	struct conf_params p;  /* its parameters, defaults of [global] filled in */
	const char *file;      /* where the section starts, for messages */
	unsigned line;
	const char *const *options; /* parametric ones as written: "recycle:keeptree", "yes", ..., NULL */
	struct conf_sets set;
	enum conf_share_kind { CONF_DISK, CONF_PRINTER, CONF_IPC, CONF_HOMES, CONF_PRINTERS } kind;
};

#define CONF_MEMBERS 64u

struct conf {
	struct conf_globals g;
	struct conf_params defaults; /* share parameters set in [global] */
	struct conf_share **shares;  /* in file order; IPC$ is always there, made if not written */
	size_t nshares;
	const char *const *options;  /* parametric ones of [global], as in a share */
	struct conf_sets set;        /* what [global] sets */
	const char **files;          /* NULL-terminated: where settings stand */
	struct conf_group {
		const char *name;
		gid_t gid;
		const char *const *members; /* of those in a `username` list, at most CONF_MEMBERS; else empty */
	} *groups;                   /* Unix groups named in user lists */
	size_t ngroups;
	bool per_client;             /* a file name has a macro of the client's: load again once it is known */
};

/* What is known of a client and a request, for %-macros.  NULL and "" both mean unknown and
 * expand to "" (or as smb.conf(5) says).  Text from the client is cleaned while expanding:
 * only [A-Za-z0-9_.-] and blanks stay, "..", "/" never. */
struct conf_macros {
	const char *client_name, *client_addr, *client_dns;  /* %m %I %M */
	const char *server_name, *server_addr, *host_name;   /* %L %i %h */
	const char *arch, *dialect;                          /* %a %R */
	const char *user_asked, *user, *group_asked, *group; /* %U %u %G %g */
	const char *home, *domain;                           /* %H %D */
	const char *service, *path;                          /* %S %P */
	long pid;                                            /* %d, 0 = this process */
	const struct conf *conf;  /* conf_user_in: knows its groups without asking the system; may be NULL */
};

/* A sentence about a file: "smb.conf:12: unknown parameter "wirtable"; did you mean "writable"?" */
struct conf_message {
	enum { CONF_MSG_ERROR, CONF_MSG_WARNING, CONF_MSG_NOTE } kind;
	const char *file;
	unsigned line;
	const char *text; /* all of it, file and line included */
};
struct conf_report {
	struct conf_message *msgs; /* talloc child of the `mem` given to conf_load */
	size_t n;
};
/* A copy of the text, talloc child of mem. */
char *conf_message_line(TALLOC_CTX *mem, const struct conf_message *m);
/* All of them, a line each, with "error: ", "warning: " or "note: " in front. */
void conf_report_print(FILE *to, const struct conf_report *rep, bool notes);

struct conf_source {
	const char *file;                 /* smb.conf */
	const char *const *overrides;     /* "name=value" of --option, NULL-terminated, or NULL */
	const struct conf_macros *client; /* for include = ...%m; NULL at start */
	bool anyway; /* a configuration even from a file with errors: to find a daemon that runs, not to serve */
};

/* Reads, checks and converts.  True: *out is a whole configuration (talloc child of mem) and the
 * report holds warnings and notes.  False: *out is NULL and the report has at least one error;
 * whatever configuration the caller had is untouched. */
bool conf_load(TALLOC_CTX *mem, const struct conf_source *src, struct conf **out, struct conf_report *rep);

/* The same configuration as one flat record (and back): how a reload reaches a worker, which
 * never opens smb.conf.  conf_unpack checks version and every length; NULL if malformed. */
uint8_t *conf_pack(TALLOC_CTX *mem, const struct conf *c, size_t *len);
struct conf *conf_unpack(TALLOC_CTX *mem, const uint8_t *p, size_t len);

/* Where the value comes from that a share (NULL: [global]) has for this parameter: "/etc/smb1d/smb.conf:12", "--option",
 * "profile ps2", or "default".  Talloc child of mem. */
char *conf_where(TALLOC_CTX *mem, const struct conf *c, const struct conf_share *share, const char *param);
/* The value itself as smb.conf would have it, "" for an unknown parameter.  Talloc child of mem. */
char *conf_value(TALLOC_CTX *mem, const struct conf *c, const struct conf_share *share, const char *param);

/* By name, blind to case; not [homes]/[printers] themselves.  NULL if there is none. */
const struct conf_share *conf_find(const struct conf *c, const char *name);
const struct conf_share *conf_homes(const struct conf *c); /* the [homes] template or NULL */

/* `value` with its macros replaced, talloc child of mem.  Unknown %x stays as it is. */
char *conf_expand(TALLOC_CTX *mem, const char *value, const struct conf_macros *m);

/* `hosts allow` / `hosts deny` of a share or of [global] as smb.conf(5) has them: networks
 * (192.168. , a.b.c.d/len, a/mask, IPv6), names, ALL, LOCAL, EXCEPT; localhost always passes unless
 * a `hosts deny` matches it and no `hosts allow`.  *rule (may be NULL) gets the deciding item for
 * the log, or "". */
bool conf_host_allowed(const char *const *allow, const char *const *deny, const char *addr, const char *name,
		       const char **rule);

/* What is known of a client: its address and name in the DNS, the NetBIOS names it claims and asks for (NULL: not
 * known), the port of ours it came to (0: not known). */
struct conf_peer { const char *addr, *dns, *claimed, *called; unsigned port; };
/* A list such as `smb1d: lanman clients`: 1 if it lets the client, -1 if an item with "!" in front refuses it, 0 if it does
 * not speak of it. */
int conf_client_rule(const char *const *list, const struct conf_peer *p);

/* Does a list hold names of hosts, so that the client's own has to be looked up? */
bool conf_hosts_need_name(const char *const *list);

/* The processors of `smb1d: cpu affinity`: numbers and ranges; *each: in front stood "each", every worker has one of
 * them.  Empty list: empty set.  False: *bad is the item that is none. */
bool conf_cpus(const char *const *list, cpu_set_t *set, bool *each, const char **bad);

/* True if the user is in a list such as `valid users`: plain names blind to case, @group,
 * +group, &group by Unix groups of the ident's gids; %S, %U, %u expanded first with m. */
bool conf_user_in(const char *const *list, const char *user, const gid_t *gids, size_t ngids,
		  const struct conf_macros *m, const char **rule);

/* Which parameter keeps this user out of a share, `invalid users` or `valid users`?  NULL: none.  *rule (may be NULL) gets the
 * item of `invalid users`, or "". */
const char *conf_kept_out(const struct conf_share *s, const struct ident *id, const struct conf_macros *m, const char **rule);
/* May the user write there, as `read only`, `read list` and `write list` say? */
bool conf_may_write(const struct conf_share *s, const struct ident *id, const struct conf_macros *m);

/* `smb1d: audit`: the operations of a list as bits; *unknown (may be NULL) is the first word that is none, or NULL. */
enum conf_audit { AUDIT_CONNECT = 1, AUDIT_DISCONNECT = 2, AUDIT_OPEN = 4, AUDIT_READ = 8, AUDIT_WRITE = 16,
		  AUDIT_CREATE = 32, AUDIT_RENAME = 64, AUDIT_DELETE = 128, AUDIT_ATTRIBUTES = 256 };
unsigned conf_audit_mask(const char *const *list, const char **unknown);
const char *conf_audit_word(enum conf_audit op);

/* `smb1d: profile`: the first item that means this address ("" never matches a network) gives its settings, where
 * smb.conf itself does not set them.  conf_profile_apply: for a process of one client, to its own copy of c; what it puts
 * in is a child of c.  conf_profile_globals: the same for a copy of c's globals alone, children of mem. */
void conf_profile_apply(struct conf *c, const char *addr);
void conf_profile_globals(TALLOC_CTX *mem, const struct conf *c, const char *addr, struct conf_globals *g);
/* May any client of any profile or list log in by LM with this account, which is in these Unix groups?  Then its LM hash is
 * stored. */
bool conf_wants_lm(const struct conf *c, const char *user, const gid_t *gids, size_t ngids);
/* docs/profiles.md, made from profiles.def. */
void conf_print_profiles_md(FILE *to);

/* `smb1ctl check`: prints the effective configuration as testparm does.  verbose: defaults too. */
void conf_print(FILE *to, const struct conf *c, bool verbose, const char *section, const char *parameter);
/* Is it a parameter, or a synonym of one? */
bool conf_is_parameter(const char *name);
/* Is it a share of c, [homes], [printers] or [global]?  Blind to case and blanks. */
bool conf_is_section(const struct conf *c, const char *section);
/* Manual page smb.conf(5) in man(7) form, and the table of docs/options, from params.def. */
void conf_print_manual(FILE *to);
void conf_print_options_md(FILE *to);

#endif
