/* exec.h - commands of the configuration: `preexec` and `postexec` around the use of a share, `dfree command`. */
#ifndef SMB1D_SRV_EXEC_H
#define SMB1D_SRV_EXEC_H
#include "srv/conn.h"

#define SRV_ANSWER_MAX 200

/* What the host runs outside this process, with the rights this process has right now and the strings as macros. */
struct srv_command {
	enum srv_command_kind { SRV_PREEXEC = 1, SRV_POSTEXEC, SRV_DFREE } kind;
	const char *share;               /* as configured: whose command */
	const struct conf_macros *macros;
	bool wait;                       /* for its end */
	char *answer;                    /* what it writes, cut to SRV_ANSWER_MAX bytes with the NUL; NULL: nobody reads it */
};

/* Runs `preexec`, as the user in force, and notes what `postexec` will need.  ST_ACCESS_DENIED if it failed and
 * `preexec close` is set. */
status_t exec_before(struct tree *t, const struct session *s, const struct ident *id);
void exec_after(struct tree *t); /* the tree is being freed */
#endif
