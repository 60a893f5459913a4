/* crypt.h - a client's side of the encrypted transport. */
#ifndef SMB1D_PLAY_CRYPT_H
#define SMB1D_PLAY_CRYPT_H
#include "base/aead.h"
#include "base/seal.h"
#include "play.h"

enum crypt_fault {
	FAULT_NONE, FAULT_PLAIN, FAULT_KEY, FAULT_CHANGED, FAULT_HEAD, FAULT_CUT, FAULT_REPLAY, FAULT_LOST, FAULT_SWAP,
	FAULT_CONTEXT, FAULT_SHORT,
};

struct client_crypt {
	bool aead;
	uint16_t context;
	struct seal seal; /* in: what the server sends */
	struct aead keys;
	enum crypt_fault fault; /* of the next frame */
};

/* The frame (head and message) sealed; child of the step.  With a fault it may be more or less than one. */
uint8_t *crypt_wrap(struct play *p, struct client_crypt *k, const uint8_t *frame, size_t len, size_t *out_len);
/* Opens the body of a frame in place; NULL and a complaint if it is none. */
uint8_t *crypt_unwrap(struct play *p, struct client_crypt *k, uint8_t *frame, uint32_t *len);
#endif
