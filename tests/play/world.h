/* world.h - a server for tests, without the processes around it: a fresh folder with a share, a configuration, three
 * accounts, and workers as children that serve one end of a socket pair - or a connection right here.
 *
 * Folders of a world: share/ (the share "share" and "ro", which is read-only), lock/, private/, log.
 * Accounts: anna (secret1), bob (secret2), daemon (secret3: it is in a Unix group).  The challenge is always CHALLENGE, so recorded logins can be played again. */
#ifndef SMB1D_PLAY_WORLD_H
#define SMB1D_PLAY_WORLD_H
#include "auth/auth.h"
#include "cmd/cmd.h"
#include "db/db.h"

#define WORLD_CHALLENGE "\x01\x23\x45\x67\x89\xab\xcd\xef"
#define WORLD_ADDR "192.0.2.7"

struct world {
	char dir[200];
	char share[220];
	struct conf *conf;
	struct db *db;
	struct auth_keeper *keeper; /* opened at first use in each process */
	struct srv_host host;
	unsigned flags;
};

/* Root would see other errors than everybody: tests run as an ordinary user. */
void world_drop_root(void);

#define WORLD_QUIET 1u    /* no log at all */
/* `extra`: lines of smb.conf (global ones first), or NULL; `@DIR@` in them is the world's folder.  NULL with a
 * sentence in *why on failure. */
struct world *world_new(TALLOC_CTX *mem, const char *extra, unsigned flags, char **why);
/* Another configuration in the same folder, child of w; NULL with a sentence in *why. */
struct conf *world_conf(struct world *w, const char *extra, char **why);
/* Removes its folder. */
void world_free(struct world **w);
/* Empties the share. */
void world_clean_share(struct world *w);

/* A child that serves fd (closed here) until the client leaves.  keep_out: descriptors the child must close. */
pid_t world_worker(struct world *w, int fd, const int *keep_out, size_t n);

/* In this process: a connection on fd; serve until everything received is answered.  False: it is over. */
struct conn *world_conn(struct world *w, int fd);
bool world_serve(struct conn *c);
#endif
