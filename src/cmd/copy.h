/* copy.h - files copied on the server, in pieces: between two of them the worker answers other requests.
 *
 *   copy_work  one request's list of what is left to do, kept in its struct parked    copy_work.c
 *   copy_file  one file: opened, copied, its source removed if it moves, closed       copy_file.c
 *   copy_data  the bytes                                                              copy_data.c
 *
 * Each of them is asked again until it says something else than ST_PENDING. */
#ifndef SMB1D_CMD_COPY_H
#define SMB1D_CMD_COPY_H
#include "cmd/cmd.h"
#include "srv/park.h"

/* What the request wants, decoded anew whenever it runs again. */
struct copy_how {
	struct tree *to_tree;
	uint32_t disposition; /* of the copy */
	bool append;          /* behind what is there */
	bool text_from, text_to, verify; /* copy_data.c */
	bool move;            /* the source goes when its copy is there */
	bool whole_tree;      /* folders with all that is in them */
	uint64_t until;       /* clock_ms(): then others have their turn */
};

/* ---- the bytes ---- */
struct copy_data {
	enum copy_phase { COPY_LOOK_FOR_END, COPY_BYTES, COPY_COMPARE, COPY_OVER } phase;
	uint64_t size, at; /* bytes to copy, to where */
	uint64_t was;      /* the target's size before */
	uint64_t off;      /* how far this phase has come */
};
status_t copy_data_begin(struct open *in, struct open *out, const struct copy_how *how, struct copy_data *d);
/* Until clock_ms() is how->until: ST_PENDING. */
status_t copy_data_go_on(struct req *q, struct open *in, struct open *out, const struct copy_how *how, struct copy_data *d);
/* What was appended is taken off again. */
void copy_data_undo(struct open *out, const struct copy_data *d);

/* ---- one file ---- */
struct copy_file {
	bool begun;
	uint16_t in, out;         /* FIDs; the client may close them, so they are looked up each time */
	uint64_t in_id, out_id;   /* open_id; 0 closed */
	bool appended;
	nttime_t written;         /* the source's write time */
	struct copy_data d;
};
/* Contents, attributes and write time, as this user may; obeys share modes on both sides.  ST_PENDING with q->parking: an
 * oplock or a share mode is waited for; without: more is left to copy. */
status_t copy_file_run(struct req *q, const char *from, const char *to, const struct copy_how *how, struct copy_file *f);
/* Ends what is begun.  Not ST_OK: nothing half-done stays, the target is removed or as long as it was. */
void copy_file_end(struct conn *c, status_t st, struct copy_file *f);

/* ---- all of a request ---- */
struct copy_work;
/* That of a request that runs again, or a new one (*fresh).  many: what is in use is left out, nothing is waited for.  NULL:
 * out of memory. */
struct copy_work *copy_work_of(struct req *q, bool many, bool *fresh);
/* One more source; they are worked on in the order they were added. */
status_t copy_work_add(struct copy_work *w, const char *from, const char *to);
/* The answer, or ST_PENDING.  *count: files copied. */
status_t copy_work_run(struct req *q, struct copy_work *w, struct copy_how *how, uint32_t *count);
/* RENAME in place of a copy, where a MOVE need not copy. */
static inline bool copy_renames(const struct req *q, const struct copy_how *how)
{
	return how->move && how->to_tree == q->t && how->disposition != DISP_OVERWRITE_IF && how->disposition != DISP_OVERWRITE;
}
bool copy_is_folder(struct req *q, struct tree *t, const char *name);
#endif
