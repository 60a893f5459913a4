/* transact.h - transactions from the client's side: envelope, secondaries, fragments of replies. */
#ifndef SMB1D_PLAY_TRANSACT_H
#define SMB1D_PLAY_TRANSACT_H
#include "play.h"

struct transact {
	uint8_t cmd;           /* 0x25, 0x32, 0xa0 */
	uint16_t setup[8];
	unsigned nsetup;
	uint16_t function;     /* 0xa0 */
	const char *name;      /* 0x25 */
	struct wr p, d;        /* what is asked */
	uint32_t max_p, max_d;
	uint8_t *rp, *rd;      /* the answer */
	uint32_t rp_len, rd_len;
};

void transact_new(struct play *p, struct transact *t, uint8_t cmd);
/* Writes the primary; with split=N in the step only N bytes of each, the rest goes by secondaries. */
void transact_build(struct play *p, const struct step *s, struct message *m, struct transact *t);
/* Sends secondaries, collects fragments; fields params, data, fragments, largest.  False: it failed. */
bool transact_collect(struct play *p, const struct step *s, struct transact *t, const struct block *b);

/* levels.c */
void level_fields(struct play *p, uint32_t level, const uint8_t *d, uint32_t len);
void fs_level_fields(struct play *p, uint32_t level, const uint8_t *d, uint32_t len);
/* Names of find entries: fields names (sorted), order, last, and of the first entry size, attrs, short. */
void find_fields(struct play *p, uint32_t level, bool keys, const uint8_t *d, uint32_t len, uint32_t count);
#endif
