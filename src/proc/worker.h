/* worker.h - what the files of the worker share: worker.c (start and end), worker_client.c (its socket), worker_time.c
 * (its clocks), worker_orders.c (the listener and other workers). */
#ifndef SMB1D_PROC_WORKER_H
#define SMB1D_PROC_WORKER_H
#include "proc/inner.h"

#define REST_AFTER 200   /* ms without a request until buffers, heap and stack are given back */

struct worker {
	struct daemon *d;
	struct loop loop;
	TALLOC_CTX *mem;         /* all of the connection's small things, next to each other */
	struct conn *c;
	struct fastio *io;
	struct srv_host host;
	struct door_client door;
	struct watch_client watch;
	struct broker_client broker;
	int ctl;
	enum rest { AWAKE, RESTED, IDLE } rest; /* what was given back since the last request */
	unsigned eager;          /* > 0: the client sends before it has its answer */
	unsigned calm;           /* requests since the last vain receive */
	uint64_t last_frame;     /* keepalive frame sent at */
	struct {
		uint64_t since;  /* clock_ms() */
		uint64_t bytes, requests; /* that had passed then */
		bool stuck;      /* half a message is here, or a reply cannot go out */
	} stall;
};

static inline void worker_end(struct worker *w) { w->loop.over = true; }
static inline void worker_schedule(struct worker *w, uint64_t ms) { loop_at(&w->loop, LOOP_TICK, clock_ms() + ms); }

/* ---- worker.c ---- */
void worker_file_rules(const struct conf_globals *g); /* what rooms that know no connection take from the globals */

/* ---- worker_client.c ---- */
bool worker_hear_term(struct worker *w); /* SIGTERM ends the wait for the client, not the request being worked on */
uint64_t worker_stall_limit(const struct worker *w); /* ms */
/* False: for too long only half a message has been here, or a reply could not go out. */
bool worker_moves(struct worker *w);
void worker_await_reader(struct worker *w); /* its replies are here still: no more work before it has read */
/* After anything that may have changed what requests wait for; and when their time has come. */
void worker_look_again(struct worker *w);
void worker_pump(struct worker *w); /* works on what is in the buffer, and on what has come since */
void worker_on_wake(void *arg);     /* arg, here and below: the struct worker */
void worker_on_readable(int fd, void *arg);
bool worker_client_alone(void *arg, uint64_t now); /* loop.client */

/* ---- worker_time.c ---- */
void worker_on_tick(void *arg);

/* ---- worker_orders.c ---- */
void worker_on_listener(int fd, void *arg);
void worker_on_box(int fd, void *arg); /* other workers */
void worker_send_why(void *arg, const uint8_t *record, size_t len); /* a why_to() sink */
/* struct srv_host call-backs; arg is the worker's door. */
void worker_on_print(void *arg, const struct spool_order *order);
int worker_on_command(void *arg, const struct srv_command *c);
#endif
