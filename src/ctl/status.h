/* status.h - what `smb1ctl status` knows: a picture of the databases, and its two forms. */
#ifndef SMB1D_CTL_STATUS_H
#define SMB1D_CTL_STATUS_H
#include "conf/conf.h"
#include "db/db.h"

struct status {
	const char *conffile;
	const struct conf *conf;
	struct db_session *sessions;
	struct db_tree *trees;
	struct db_file *files;
	size_t nsessions, ntrees, nfiles;
	bool show_sessions, show_trees, show_files;
};

/* Words both forms use.  Strings are static or talloc children of mem. */
const char *status_group(TALLOC_CTX *mem, uint32_t gid);
const char *status_deny(const struct db_opener *o);
const char *status_rw(const struct db_opener *o);
const char *status_oplock(const struct db_opener *o);
const char *status_encryption(const struct db_session *s); /* s may be NULL */
const char *status_signing(const struct db_session *s);
/* The session a tree was connected by, NULL if it has logged off. */
const struct db_session *status_session_of(const struct status *s, const struct db_tree *t);
/* The folder of the share the file lies in and its name below that; "/" if no share is known. */
void status_split(const struct status *s, TALLOC_CTX *mem, const char *path, const char **root,
		  const char **name);

void status_print(FILE *to, const struct status *s);
void status_print_json(FILE *to, const struct status *s);
#endif
