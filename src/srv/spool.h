/* spool.h - print jobs: files in the folder of a printer share. */
#ifndef SMB1D_SRV_SPOOL_H
#define SMB1D_SRV_SPOOL_H
#include "srv/open.h"

struct spool_job { /* of an open file */
	uint16_t number;
	const char *title;
};

struct spool_entry { /* of the queue */
	uint16_t job;
	const char *file, *title;
	uint64_t size;
	nttime_t time;  /* submitted */
	bool spooling;  /* a client has it open */
};
/* The jobs of a printer, oldest first; all memory belongs to mem. */
status_t spool_list(struct tree *t, TALLOC_CTX *mem, struct spool_entry **list, size_t *n);

/* What srv_host.print gets, with this process being the file's owner: a job that is complete.  Whoever takes it runs the share's
 * `print command`. */
struct spool_order {
	const struct tree *tree;
	const struct session *session;
	const struct ident *ident; /* owner of the file */
	const char *file, *title;
	uint16_t number;
	uint64_t size;
};
/* The file of a job is about to be closed (srv/close.c): hands it on. */
void spool_close(struct open *o);
#endif
