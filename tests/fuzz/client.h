/* client.h - what the harnesses with a whole connection in them share: a world, a client's first words, and what must
 * hold of every answer. */
#ifndef SMB1D_FUZZ_CLIENT_H
#define SMB1D_FUZZ_CLIENT_H
#include "play/local.h"

#define FUZZ_MEMORY_MAX (8u << 20) /* bytes of one connection */

extern struct world *fuzz_world;

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Becomes an ordinary user, makes fuzz_world with these lines of smb.conf.  Ends the program with a sentence on failure. */
void fuzz_start(const char *conf);
/* A fresh connection; the share is as at the beginning from time to time. */
void fuzz_connect(struct local *l);
/* Aborts if the answer is no row of messages, or the connection has taken too much memory. */
void fuzz_check(const struct local *l, bool raw);

/* A message with its frame's head, from w->msg on. */
void fuzz_begin(struct wr *w, uint8_t cmd, uint16_t uid, uint16_t tid);
void fuzz_finish(const struct wr *w);
/* NEGOTIATE, SESSION_SETUP as guest, TREE_CONNECT: UID 1 and TID 1 from then on. */
void fuzz_login(struct local *l);
#endif
