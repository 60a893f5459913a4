/* keeper.h - what the files of the keeper share: keeper.c (start, the listener) and keeper_door.c (its clients). */
#ifndef SMB1D_PROC_KEEPER_H
#define SMB1D_PROC_KEEPER_H
#include "proc/inner.h"

#define HOME_MAX 1024

enum phase { IN_PORCH = 1, IN_WORKER = 2 };

struct door {
	struct door *next, *prev;
	struct keeper *k;
	int fd;
	struct event *ev;
	uint32_t id;
	enum phase phase;
	uint8_t challenge[AUTH_CHALLENGE_LEN];
	char client[ADDR_TEXT], server[ADDR_TEXT];
	unsigned told;      /* refusals passed on */
	unsigned failed;    /* logins of this connection that failed since the last that did not */
	struct event *later; /* a question of an address that has to wait: answered then */
	struct msg question;
	bool again;         /* in a worker: its first question is the porch's last one, which has waited already */
	bool proved;        /* the last question was answered with yes: */
	uid_t uid;          /* ...for this account */
	gid_t gid;
	char user[AUTH_MAX_NAME], home[HOME_MAX];
	uint32_t key[TICKET_KEY]; /* in a worker: of its tickets (ticket.c) */
};

struct keeper {
	struct event_base *base;
	struct conf *conf;
	struct auth_keeper *auth;
	int ctl;                /* to the listener; -1 when it is gone */
	struct event *ctl_ev;
	struct door *doors;
};

/* ---- keeper_door.c ---- */
void keeper_new_client(struct keeper *k, struct msg *m, struct rd *r); /* KEEPER_CLIENT has come */
#endif
