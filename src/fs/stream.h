/* stream.h - alternate streams, for the files of this room.  See stream.c. */
#ifndef SMB1D_FS_STREAM_H
#define SMB1D_FS_STREAM_H
#include "fs/inner.h"

/* "file:stream:$DATA" -> its two parts; both NULL if there is no colon.  A stream of "" is the file itself. */
status_t stream_split(TALLOC_CTX *mem, const char *last, char **base, char **stream);

/* Where the streams of a file lie; text "" = nowhere. */
struct stream_key {
	char text[64];
	uid_t uid;
	bool last_link; /* the file has no other name */
};
/* Has any file of the share streams?  Almost free while the answer is no. */
bool stream_here(struct fs_share *s);
/* False: this cannot have streams. */
bool stream_key(struct fs_node *n, struct stream_key *k);
/* All streams of a file that is gone, or cut to nothing. */
void stream_forget(struct fs_share *s, const struct stream_key *k);

/* ---- inside the store (stream_store.c) ---- */
/* The store's folder of a file belongs to the file's owner, and to nobody else. */
struct stream_owner {
	uid_t uid;
	bool changed;
};
void stream_owner_begin(struct stream_owner *w, uid_t uid);
void stream_owner_end(const struct stream_owner *w);
/* The folder must be the file owner's: another could have been put there to listen. */
int stream_key_open(struct fs_share *s, const struct stream_key *k, bool make);
/* A store that was removed under us is made anew. */
int stream_key_make(struct fs_share *s, const struct stream_key *k);
/* visit() returning false ends it. */
int stream_each(int fd, bool (*visit)(void *arg, int dir, const char *file), void *arg);

/* n->st and n->exists are those of the file and become those of the stream; -errno or 0. */
int stream_stat(struct fs_node *n);
int stream_fstat(struct fs_node *n, int fd, struct fs_stat *out);
status_t stream_open(struct fs_node *n, const struct fs_open_want *w, int *fd, bool *created);
status_t stream_unlink(struct fs_node *n);
status_t stream_rename(struct fs_node *from, struct fs_node *to, bool replace);
void stream_store_close(struct fs_share *s);
#endif
