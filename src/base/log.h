/* log.h - what happened, to whom.  Levels as in `log level`: 0 errors an admin must see,
 * 1 refusals and connections, 2 sessions and trees, 3 requests, 5 decisions, 10 bytes.
 * A line that is off costs one compare.  Each line carries time, level, class and the
 * connection's "who" (client address, user, share), which the owner of the connection sets. */
#ifndef SMB1D_BASE_LOG_H
#define SMB1D_BASE_LOG_H
#include <stdbool.h>
#include <stddef.h>

enum log_class { LOG_ALL, LOG_SMB, LOG_AUTH, LOG_FS, LOG_LOCKING, LOG_RPC, LOG_CONF, LOG_TDB, LOG_PROC, LOG_CLASSES };

extern signed char log_level[LOG_CLASSES]; /* a line is written when its level <= this */

#define log_on(cls, lvl) ((lvl) <= log_level[cls])
#define log_at(cls, lvl, ...) \
	do { \
		if (log_on(cls, lvl)) \
			log_write(cls, lvl, __VA_ARGS__); \
	} while (0)
#define log_error(cls, ...) log_at(cls, 0, __VA_ARGS__)

void log_write(enum log_class cls, int lvl, const char *fmt, ...) __attribute__((cold, format(printf, 3, 4)));

struct log_setup {
	const char *file;      /* path, macros already expanded; NULL or "" = none */
	long max_size_kib;     /* copied to FILE.old and cut above this; 0 = never */
	bool to_stderr, to_syslog;
	int syslog_level;      /* lines up to this level go to syslog */
	bool timestamp, hires, pid, uid;
};
/* Opens the file (close-on-exec, append) and keeps the descriptor; a file that cannot be
 * opened is said once on standard error and logging goes on to where it can.  A process in an
 * empty root keeps the descriptor it had. */
void log_open(const struct log_setup *how);
/* Cuts a file grown too large; for the process that may write FILE.old, every few seconds. */
void log_tidy(void);
/* The descriptor in use (-1 none), for sandboxes. */
int log_fd(void);

/* "1", "2 auth:5 smb:3" as in `log level`.  False, with nothing changed, if malformed. */
bool log_parse_level(const char *text, signed char level[LOG_CLASSES]);

/* Shown in front of each line: "192.0.2.7 anna@data".  Copied, at most 120 bytes. */
void log_who(const char *who);
#endif
