/* req.h - one request on its way through the house.
 *
 * The gate (cmd/dispatch.c) fills it, the command decodes from `words` and `bytes`, runs, and encodes with
 * the reply calls below.  A reply is built in the connection's out buffer; AndX links append to it.
 *
 *   status = decode; if ok status = run; if ok encode; return status
 *
 * A command that returns an error status has its reply made by the dispatcher (no words, no bytes). */
#ifndef SMB1D_SRV_REQ_H
#define SMB1D_SRV_REQ_H
#include "srv/conn.h"

struct open;
struct parked;

struct req {
	struct conn *c;
	struct smb_hdr h;        /* of the request; tid and uid follow the chain */
	const uint8_t *msg;      /* FF 'S' 'M' 'B' */
	uint32_t len;            /* bytes of the message really received */
	uint32_t seq;            /* signing number of the request */

	uint8_t cmd;             /* of this link */
	uint8_t wct;             /* word count of this link */
	struct rd words;         /* its words; for AndX commands behind the four AndX bytes */
	struct rd bytes;         /* its bytes: from behind the byte count to the end of the block (or message) */
	uint8_t andx_cmd;        /* next link, 0xff none */
	uint32_t andx_off;
	bool chained;            /* this is not the first link */

	uint32_t link_off;       /* offset of this link's word count in the request */
	uint32_t link_start;     /* offset of its block in the reply */

	struct session *s;       /* as the gate found them; NULL where the row needs none */
	struct tree *t;
	uint16_t chain_fid;      /* FID of an open earlier in the chain; 0xffff none */

	/* reply */
	struct wr out;           /* over c->out + 4: offsets count from the SMB header */
	uint32_t block;          /* offset of this link's word count in the reply */
	uint32_t bcc;            /* offset of its byte count, 0 = not written yet */
	int tail_fd;             /* file piece behind the reply, -1 none */
	uint64_t tail_off;
	uint32_t tail_len;
	bool no_reply;           /* nothing goes out (oplock acks, NT_CANCEL, secondaries) */
	bool raw_reply;          /* the command sent its own bytes */
	uint32_t reply_uid, reply_tid; /* header of the reply; 0x10000 = as in the request */
	uint8_t reply_flags;     /* extra bits for Flags of the reply */

	const char *asked;       /* the last name of a file that was decoded, for who explains a refusal; NULL none */
	bool no_write;           /* req_may_write() has said no, */
	bool no_admin;           /* req_is_admin() has */
	struct req_no { const char *rule, *because, *fix; } no; /* req_refuse(); because NULL: nobody has */

	struct parked *resumed;  /* this request has waited: NULL the first time (srv/park.h) */
	struct parked *parking;  /* set by req_park() */

	TALLOC_CTX *mem;         /* gone after the reply */
	char *room;              /* REQ_ROOM bytes for req_path_in(), as long as the request; NULL none */
#define REQ_ROOM 512u
};

/* ---- reply ---- */
/* Starts a block of `words` words; write exactly these through the returned writer. */
struct wr *req_words(struct req *q, unsigned words);
/* The same for an AndX command: the first two words (no next link) are written already. */
struct wr *req_words_andx(struct req *q, unsigned words);
/* All words written: starts the bytes.  Checks the word count. */
struct wr *req_bytes(struct req *q);
/* Ends the block (patches the byte count).  Call once per block, after req_bytes(). */
void req_done(struct req *q);
/* No words, no bytes. */
void req_empty(struct req *q);
/* Sends the reply built so far as a message of its own (status as given) and begins another with the same
 * header: ECHO, transaction fragments, interim replies. */
void req_send(struct req *q, status_t st);
/* The message is complete in q->out: header, signature, frame head, away.  Used by the dispatcher. */
void req_finish(struct req *q, status_t st);
/* Bytes of SMB a reply may have for this client. */
uint32_t req_max_reply(const struct req *q);
/* As many bytes of a file as there is room for.  Where that is not all, whole pages: the client asks for the rest next,
 * and goes on from there. */
uint32_t req_whole_pages(uint32_t want, uint32_t room);

/* ---- strings and names ---- */
static inline bool req_unicode(const struct req *q) { return q->h.flags2 & FLAG2_UNICODE; }
static inline bool req_nt(const struct req *q) { return q->c->dialect >= DIALECT_NT1; }
/* A string from the bytes, in the charset of this message. */
char *req_str(struct req *q, struct rd *r);
/* A buffer-format byte, then a string (core commands).  ST_INVALID_SMB-like errors if the byte is another. */
status_t req_str_fmt(struct req *q, struct rd *r, uint8_t format, char **out);
/* Client path to the form of fs.h: '\' and '/' separate, doubled ones count once, ".." goes up
 * (above the root: ST_OBJECT_PATH_SYNTAX_BAD), a DFS prefix (FLAG2_DFS) is cut off.  Result: talloc of q->mem. */
status_t req_path(struct req *q, const char *client, char **out);
/* The string at the cursor as a path, in q->room if it fits: for a request that has one path. */
status_t req_path_in(struct req *q, struct rd *r, char **out);
/* Has this path (as req_path() gave it) wildcards?  Never with POSIX names. */
bool req_wild(const struct req *q, const char *name);

/* ---- objects ---- */
/* File access of this request runs as its user in its tree.  ST_OK or why not. */
status_t req_become(struct req *q);
/* The open file of a FID (0xffff and a chained FID: the one opened earlier in this message).  NULL if there is none or
 * it belongs to another tree or user. */
struct open *req_open(struct req *q, uint16_t fid);
/* The request's tree ends, and with it the user who came in with the password of its share. */
void req_leave_tree(struct req *q);
bool req_may_write(struct req *q); /* the share and user allow changes */
bool req_is_admin(struct req *q);  /* `admin users` of the share name the user */
/* The status, with the reason that only its place knows: a parameter (NULL none), what a sentence about the file or share
 * ends with, and what would allow it (NULL nothing).  Literals. */
status_t req_refuse(struct req *q, status_t st, const char *rule, const char *because, const char *fix);
/* Tells the log and `smb1ctl why` why the last favour (fs/fs.h) was refused, which `what` of this file, as a sentence names it, needed (favour.c). */
void req_favour_refused(const struct req *q, const char *what, const char *path);
#endif
