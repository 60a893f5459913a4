/* exec.h - commands of the configuration: `preexec` and `postexec` around the use of a share, `dfree command`. */
#ifndef SMB1D_SRV_EXEC_H
#define SMB1D_SRV_EXEC_H
#include "srv/conn.h"
#include "srv/req.h"

#define SRV_ANSWER_MAX 200
#define SRV_UNKNOWN (-1)        /* how a command ended */
#define SRV_RUNNING (-2)        /* it has not */
#define EXEC_AT_ONCE_MS 50      /* most have by then: so long the worker itself waits */

/* What the host runs outside this process, with the rights this process has right now and the strings as macros. */
struct srv_command {
	enum srv_command_kind { SRV_PREEXEC = 1, SRV_POSTEXEC, SRV_DFREE } kind;
	const char *share;               /* as configured: whose command */
	const struct conf_macros *macros;
};

/* Runs `preexec`, as the user in force, and notes what `postexec` will need.  ST_PENDING: it takes its time, the request is
 * parked and everything else of this client served; to be called again when it is resumed.  ST_ACCESS_DENIED if it failed and
 * `preexec close` is set.  q NULL: a tree for the moment of a question, without commands (and not of such a share). */
status_t exec_before(struct req *q, struct tree *t, const struct session *s, const struct ident *id);
void exec_after(struct tree *t); /* the tree is being freed */
/* The command that this request needs is not through (SRV_RUNNING): it is parked, looks again in a moment (q->resumed), and must
 * do without when q->resumed->over is set, after most_ms.  ST_PENDING; ST_CANCELLED, or no room for it: its answer. */
status_t exec_wait(struct req *q, uint32_t most_ms);
#endif
