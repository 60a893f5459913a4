/* host.h - the inside of what the rpc room is told, for host.c (names and shares), host_users.c
 * (accounts) and host_lists.c (who is here, with what open, and print jobs), host_login.c, host_refused.c.
 *
 * A list is made at the first question of a request and belongs to its memory. */
#ifndef SMB1D_CMD_TRANS_HOST_H
#define SMB1D_CMD_TRANS_HOST_H
#include "cmd/pipe.h"

struct host_sessions { struct rpc_session_info *list; struct db_session *who; size_t n; };
struct host_files { struct rpc_file_info *list; size_t n; };
struct host_trees { struct rpc_tree_info *list; size_t n; };
struct host_users { struct rpc_account *list; size_t n; };
struct host_jobs { struct rpc_job_info *list; size_t n; const char *printer; };

struct view {
	struct req *q;
	struct conf_macros m;
	const struct conf_share **shown; /* in lists */
	size_t n;
	struct host_sessions *sessions;
	struct host_files *files;
	struct host_trees *trees;
	struct host_users *users;
	struct host_jobs *jobs;
};

/* Fills in the members of *h they are about.  v is its arg, never NULL. */
void host_users(struct rpc_host *h);
void host_lists(struct rpc_host *h);
void host_login(struct rpc_host *h);
void host_refused(struct rpc_host *h);
#endif
