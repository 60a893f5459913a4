/* play.h - playing a story: clients, messages, results, expectations.
 *
 *   step -> command row -> build the request -> send -> receive, check the layout -> parse into fields -> compare
 */
#ifndef SMB1D_PLAY_PLAY_H
#define SMB1D_PLAY_PLAY_H
#include "cover.h"
#include "story.h"
#include "world.h"

#define CLIENTS 10u
#define MESSAGE_MAX 0x110000u

/* A request under construction: frame head, then SMB. */
struct message {
	uint8_t *buf;
	struct wr w;           /* offsets count from the SMB header */
	uint32_t block, bcc;   /* of the block being written */
	uint32_t link;         /* where the block before has its AndX words, 0 none */
};

/* One block of a reply. */
struct block {
	uint8_t wct;
	uint32_t off, end;
	struct rd words, bytes; /* offsets count from the SMB header */
};

struct reply {
	uint8_t *msg;
	uint32_t len;
	uint32_t status;
	uint16_t flags2, tid, uid, mid;
	uint8_t command;
	bool closed;           /* there is none: the connection is over */
};

struct client {
	unsigned n;
	int fd;                /* -1 not connected */
	pid_t pid;
	bool unicode, ntstatus, trickle, ext, lanman, core;
	uint16_t uid, tid, mid, smb_pid, max_buffer;
	uint8_t challenge[8];
	uint8_t *sent;         /* everything since connect, for the recordings */
	size_t sent_len;
	uint8_t *held;         /* a batch */
	size_t held_len;
	bool hold;
	const struct step *later;  /* sent, its reply is not taken yet */
	struct message later_msg;
	uint64_t later_at;         /* clock_ms() */
	struct cover_conn cover;
	struct client_crypt *crypt; /* frames are sealed; NULL: not (crypt.h) */
	bool bare;             /* this frame is not */
	bool sign_wanted;        /* sign.c: Flags2 asks for it */
	bool sign_bad, sign_not, sign_again; /* every signature is wrong; is zeros; has the number of the request before */
	uint8_t sign_key[16 + 1024];
	size_t sign_len;           /* 0: no signing yet */
	uint32_t sign_next;        /* number of the next request */
	uint32_t sign_of[65536];   /* of the request with this MID */
};

struct field {
	const char *name;
	bool is_bytes;
	uint64_t num;
	const uint8_t *p;
	size_t n;
};

struct bound {
	const char *name;
	uint64_t num;
};

/* What the clients sent, connection by connection, and for each story all of it in order (fuzz/fuzz_many.c has the form). */
struct recording {
	char *name;            /* story and client */
	uint8_t *p;
	size_t len;
};
struct recordings {
	struct recording *r, *whole;
	size_t n, nwhole;
	struct coverage *cover; /* NULL: not wanted */
};

struct play {
	TALLOC_CTX *mem;       /* of the story */
	TALLOC_CTX *step_mem;
	const struct story *story;
	struct world *world;
	struct client clients[CLIENTS];
	struct client *c;      /* of this step */
	struct step *step;
	struct bound *bound;
	size_t nbound;
	struct field *fields;
	size_t nfields;
	struct reply reply;
	struct recordings *record; /* NULL: not wanted */
	uint8_t *script;           /* of all clients, for record->whole */
	size_t script_len;
	struct coverage *cover;    /* of this story; NULL: not wanted */
	char *why;             /* what went wrong, NULL so far nothing */
};

struct command {
	const char *name;
	uint8_t smb;
	uint64_t words;        /* word counts a good reply may have; 0 = a command without a message of its own */
	void (*build)(struct play *p, const struct step *s, struct message *m);
	void (*parse)(struct play *p, const struct step *s, const struct block *b); /* may be NULL */
	void (*run)(struct play *p, const struct step *s); /* instead of the three above */
};
extern const struct command session_commands[], file_commands[], name_commands[], trans_commands[],
	host_commands[], raw_commands[], old_commands[], oplock_commands[], lock_commands[], rpc_commands[],
	fsctl_commands[], crypt_commands[];

/* ---- play.c ---- */
/* The first complaint stays. */
void play_fail(struct play *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* ---- run.c ---- */
/* True if the story went as told; else *why (a child of st) and *line (of the step).  loud: shows the server's log
 * of a story that failed. */
bool play_story(const struct story *st, struct recordings *rec, bool loud, char **why, unsigned *line);
const struct command *play_command(const char *name);
/* Sends one request of `cmd` and takes its reply: for commands of several messages.  False: it failed or closed. */
bool play_exchange(struct play *p, struct message *m, struct reply *r);

/* ---- quota.c ---- */
void quota_forget(void);
/* For workers that are born later. */
void quota_set(uint32_t uid, uint64_t used, uint64_t soft, uint64_t hard);

/* ---- args.c ---- */
const struct arg *arg_find(const struct step *s, const char *name);
bool arg_has_word(const struct step *s, const char *word);
uint64_t arg_num(struct play *p, const struct step *s, const char *name, uint64_t otherwise);
uint64_t arg_pos_num(struct play *p, const struct step *s, unsigned i, uint64_t otherwise);
const char *arg_text(struct play *p, const struct step *s, const char *name, const char *otherwise);
const char *arg_pos(const struct step *s, unsigned i, const char *otherwise); /* NULL if there is none and no otherwise */
const uint8_t *arg_bytes(struct play *p, const struct step *s, const char *name, size_t *n);
uint64_t value_num(struct play *p, const struct value *v, const char *what);
bool bound_find(const struct play *p, const char *word, uint64_t *num);

/* ---- fields.c ---- */
void field_num(struct play *p, const char *name, uint64_t v);
void field_bytes(struct play *p, const char *name, const void *b, size_t n);
void field_text(struct play *p, const char *name, const char *s);
void bind_word(struct play *p, const char *word, uint64_t num);
/* name=value and its kin; binds words. */
void field_expect(struct play *p, const struct arg *e);

/* ---- client.c ---- */
#define SCRIPT_CLIENT 0xc0u /* + its number: what follows is this client's */
#define SCRIPT_HANG_UP 0xd4u
void client_script(struct play *p, const struct client *c, const uint8_t *b, size_t n); /* into the recording of the whole */
void client_connect(struct play *p, struct client *c);
void client_close(struct play *p, struct client *c);
void client_wait(struct play *p, struct client *c); /* until its worker has ended */
void sign_begin(struct play *p, struct client *c, const uint8_t *key, size_t len, const uint8_t *response, size_t n);
void sign_out(struct client *c, uint8_t *b, size_t n);
void sign_in(struct play *p, struct client *c, const struct reply *r);
bool client_send(struct play *p, struct client *c, const uint8_t *b, size_t n);
/* The next frame that is no keepalive; closed is set when the connection ended. */
bool client_recv(struct play *p, struct client *c, struct reply *r);
bool client_recv_head(struct play *p, struct client *c, uint8_t head[4]); /* bare frame without a body */

/* ---- message.c ---- */
void msg_start(struct play *p, struct message *m, uint8_t cmd);
void msg_block(struct message *m);  /* a block begins: write its words to m->w */
void msg_andx(struct message *m);   /* the four AndX bytes at the beginning of the words */
void msg_bytes(struct message *m);  /* words done, bytes follow */
void msg_done(struct message *m);   /* bytes done */
void msg_next(struct message *m, uint8_t cmd); /* links the next block */
void msg_str(struct play *p, struct message *m, const char *s);      /* aligned, with NUL */
void msg_str_fmt(struct play *p, struct message *m, const char *s);  /* 04 in front */
void msg_name(struct play *p, struct wr *w, const char *s, bool nul); /* in the client's charset, not aligned */
void msg_ascii(struct message *m, const char *s);
size_t msg_finish(struct play *p, const struct step *s, struct message *m); /* frame head; tid=, wct=, cut= ... */
/* The block at `off`; checks that it fits the reply. */
bool reply_block(struct play *p, const struct reply *r, uint32_t off, bool last, struct block *b);
/* Strings of a reply in the charset of its Flags2. */
char *reply_str(struct play *p, struct rd *r);
/* Command, MID, PID, flags of a reply to `m`. */
bool reply_matches(struct play *p, const struct message *m, const struct reply *r);
#endif
