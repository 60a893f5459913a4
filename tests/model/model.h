/* model.h - what a file server must answer when clients open, lock, read, write, delete and close: a model so simple
 * that it can be read at one sitting.  Lists, no numbers of bytes; one step after the other, nobody waits.
 *
 *   open: a doomed file lets nobody in; two openers get along if each shares what the other does; who only looks at
 *         attributes is in nobody's way.
 *   lock: owner is (open, client PID).  Exclusive stands beside nothing; shared beside shared, and beside its owner's
 *         own exclusive.  An empty range has something in common with what it lies strictly inside of.
 *   unlock: exactly such a range of that owner; of stacked ones an exclusive one, then the oldest.
 *   read, write: an exclusive lock keeps all but its owner away, a shared one everybody from writing.
 *   delete: asked for by a flag of an open, when that closes, or by setting it; the name goes with the last opener. */
#ifndef SMB1D_MODEL_H
#define SMB1D_MODEL_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define M_READ 0x1u
#define M_WRITE 0x2u
#define M_ATTRIBUTES 0x80u
#define M_DELETE 0x10000u
#define M_SHARE_READ 1u
#define M_SHARE_WRITE 2u
#define M_SHARE_DELETE 4u

#define M_FILES 4u
#define M_OPENS 64u
#define M_LOCKS 512u

enum answer { A_OK, A_VIOLATION, A_DOOMED, A_NO_FILE, A_DENIED, A_BAD_RANGE, A_LOCKED, A_NOT_LOCKED, A_ROOM };

struct m_open {
	bool used, on_close;
	unsigned client, file;
	uint32_t access, share;
};

struct m_lock {
	unsigned open;
	uint16_t pid;
	uint64_t start, length;
	bool exclusive;
};

struct model {
	struct { bool exists, doomed; } file[M_FILES];
	struct m_open open[M_OPENS];
	struct m_lock lock[M_LOCKS]; /* in the order they were granted */
	size_t nlocks;
};

/* A_ROOM: the model is full, do not ask the server.  *at: the new open. */
enum answer m_open(struct model *m, const struct m_open *o, bool create, unsigned *at);
void m_close(struct model *m, unsigned at);
/* The client is gone.  killed: its server too, without a word, so that what it wanted deleted stays. */
void m_leave(struct model *m, unsigned client, bool killed);
enum answer m_lock(struct model *m, const struct m_lock *l, size_t n);
enum answer m_unlock(struct model *m, const struct m_lock *l);
enum answer m_io(const struct model *m, unsigned open, uint16_t pid, uint64_t at, uint64_t n, bool write);
enum answer m_doom(struct model *m, unsigned open, bool doom);
#endif
