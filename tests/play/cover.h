/* cover.h - what a story has asked for, and with what outcome, as the bytes on the wire say.
 *
 * A request is looked at when it is sent: its commands, and of transactions the sub-command, level, function, call.
 * Its reply is found by command and MID.  Only what a passed story has seen is kept.
 *
 * As a file, a line each, sorted:  table number story-with-success story-with-error status-of-that-error
 * with - for none.  Tables: command trans2 find query set query_fs set_fs nttrans fsctl pipe mailslot rap, and for RPC
 * the name of the interface. */
#ifndef SMB1D_PLAY_COVER_H
#define SMB1D_PLAY_COVER_H
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <talloc.h>

struct cover_row {
	const char *table;
	uint32_t number;
	const char *right, *wrong; /* stories; NULL for none */
	const char *status;        /* of the error in `wrong` */
};
struct coverage {
	struct cover_row *row;
	size_t n;
};

/* ---- of one story ---- */
#define COVER_KEYS 12u
struct cover_key {
	const char *table;
	uint32_t number;
	unsigned block;            /* of the chain */
};
struct cover_asked {               /* a request without its reply */
	uint8_t command;
	uint16_t mid;
	struct cover_key key[COVER_KEYS];
	unsigned n;
};
struct cover_pipe {                /* which interface was bound there */
	uint16_t fid;
	const char *iface;
};
struct cover_conn {                /* of one connection */
	struct cover_asked *asked;
	size_t nasked;
	struct cover_pipe pipe[16];
	unsigned npipes;
};

/* seen: outcomes of this story so far, with an empty right or wrong; NULL: nobody wants to know. */
void cover_sent(struct coverage *seen, struct cover_conn *c, const uint8_t *frames, size_t len);
void cover_got(struct coverage *seen, struct cover_conn *c, const uint8_t *msg, size_t len);
/* The story has passed. */
void cover_keep(struct coverage *all, const struct coverage *seen, const char *story);
void cover_write(struct coverage *all, FILE *to);
/* False: not such a file. */
bool cover_read(TALLOC_CTX *mem, FILE *from, struct coverage **out);
const struct cover_row *cover_find(const struct coverage *all, const char *table, uint32_t number);
#endif
