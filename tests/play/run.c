/* run.c - one step after the other. */
#include "play.h"
#include "base/util.h"
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void play_fail(struct play *p, const char *fmt, ...)
{
	va_list ap;

	if (p->why)
		return;
	va_start(ap, fmt);
	p->why = talloc_vasprintf(p->mem, fmt, ap);
	va_end(ap);
}

const struct command *play_command(const char *name)
{
	static const struct command *const tables[] = { session_commands, file_commands, name_commands,
							trans_commands, host_commands, raw_commands, old_commands, oplock_commands,
							lock_commands, rpc_commands, fsctl_commands, crypt_commands };

	for (size_t i = 0; i < ARRAY_LEN(tables); i++)
		for (const struct command *c = tables[i]; c->name; c++)
			if (strcmp(c->name, name) == 0)
				return c;
	return NULL;
}

/* ---- outcomes ---- */

static bool expects_word(const struct step *s, const char *word)
{
	for (size_t i = 0; i < s->nexpect; i++)
		if (!s->expect[i].name && strcmp(s->expect[i].v.text, word) == 0)
			return true;
	return false;
}

/* The word behind `error` or `warning`, NULL if neither is there.  *more: the one behind that. */
static const char *expected_status(const struct step *s, const char **more)
{
	*more = "";
	for (size_t i = 0; i + 1 < s->nexpect; i++) {
		const char *w = s->expect[i].name ? "" : s->expect[i].v.text;

		if (strcmp(w, "error") != 0 && strcmp(w, "warning") != 0)
			continue;
		if (i + 2 < s->nexpect && !s->expect[i + 2].name)
			*more = s->expect[i + 2].v.text;
		return s->expect[i + 1].v.text;
	}
	return NULL;
}

static bool status_of_name(const char *name, uint32_t *st)
{
	static const struct { const char *name; uint32_t nt; } known[] = {
#define ST(name, nt, cls, code) { #name, nt },
#include "base/status.def"
#undef ST
	};

	for (size_t i = 0; i < ARRAY_LEN(known); i++)
		if (strcmp(known[i].name, name) == 0) {
			*st = known[i].nt;
			return true;
		}
	return false;
}

static const char *shown_status(struct play *p, const struct reply *r)
{
	if (r->closed)
		return "the end of the connection";
	if (r->status == 0)
		return "ok";
	if (r->flags2 & FLAG2_NT_STATUS)
		return status_name(r->status);
	return talloc_asprintf(p->step_mem, "DOS %u/%u", r->status & 0xff, r->status >> 16);
}

static void check_status(struct play *p, const struct step *s, const struct reply *r)
{
	const char *more, *name = expected_status(s, &more);
	uint32_t want = 0;
	uint8_t cls;
	uint16_t code;
	unsigned a, b;

	if (!name && r->status == 0)
		return;
	if (name && strcmp(name, "DOS") == 0 && sscanf(more, "%u/%u", &a, &b) == 2) {
		if ((r->flags2 & FLAG2_NT_STATUS) || (r->status & 0xff) != a || r->status >> 16 != b)
			play_fail(p, "error DOS %s, got %s", more, shown_status(p, r));
		return;
	}
	if (name && !status_of_name(name, &want)) {
		play_fail(p, "a status smb1d knows, not %s", name);
		return;
	}
	if (want && !(r->flags2 & FLAG2_NT_STATUS)) {
		status_to_dos(want, &cls, &code);
		want = (uint32_t)cls | (uint32_t)code << 16;
	}
	if (r->status != want)
		play_fail(p, "%s, got %s", name ? name : "ok", shown_status(p, r));
}

static void check_fields(struct play *p, const struct step *s)
{
	for (size_t i = 0; i < s->nexpect && !p->why; i++)
		if (s->expect[i].name)
			field_expect(p, &s->expect[i]);
}

/* ---- replies ---- */

static void common_fields(struct play *p, const struct block *b)
{
	const struct reply *r = &p->reply;

	field_bytes(p, "reply", r->msg, r->len);
	field_num(p, "len", r->len);
	field_num(p, "flags", r->msg[9]);
	field_num(p, "flags2", r->flags2);
	field_num(p, "tid", r->tid);
	field_num(p, "uid", r->uid);
	field_num(p, "mid", r->mid);
	field_num(p, "wct", b->wct);
	field_num(p, "bcc", b->bytes.end - b->bytes.pos);
}

static bool is_error(const struct reply *r)
{
	if (r->flags2 & FLAG2_NT_STATUS)
		return status_is_error(r->status);
	return r->status != 0 && r->status != (1u | 234u << 16); /* "more data" has a body */
}

static void take_block(struct play *p, const struct step *s, const struct command *cmd, const struct block *b, bool failed)
{
	common_fields(p, b);
	if (failed) {
		if ((b->wct != 0 || b->end - b->off != 3) && cmd->smb != 0xa0)
			play_fail(p, "an error without words and bytes, got %u words", b->wct);
		if (b->wct >= 18 && cmd->smb == 0xa0 && cmd->parse)
			cmd->parse(p, s, b); /* these may have a body */
		return;
	}
	if (b->wct < 63 && !(cmd->words >> b->wct & 1) && !p->why) {
		play_fail(p, "a good word count of %s, got %u", cmd->name, b->wct);
		return;
	}
	if (cmd->parse)
		cmd->parse(p, s, b);
}

/* A worker that died of a signal is never what was expected. */
static void check_closed(struct play *p, const struct step *s)
{
	client_wait(p, p->c);
	if (!expects_word(s, "closed"))
		play_fail(p, "a reply, got the end of the connection");
}

static void take_reply(struct play *p, const struct step *s, const struct command *cmd, const struct message *m)
{
	struct block b;

	if (!client_recv(p, p->c, &p->reply))
		return;
	if (p->reply.closed) {
		check_closed(p, s);
		return;
	}
	if (expects_word(s, "closed")) {
		play_fail(p, "the end of the connection, got %s", shown_status(p, &p->reply));
		return;
	}
	if (!reply_matches(p, m, &p->reply) || !reply_block(p, &p->reply, SMB_HDR_LEN, true, &b))
		return;
	take_block(p, s, cmd, &b, is_error(&p->reply));
	check_status(p, s, &p->reply);
	check_fields(p, s);
}

/* Nothing comes: the next thing heard is the answer to an echo. */
static void take_nothing(struct play *p)
{
	struct message m;

	msg_start(p, &m, 0x2b);
	msg_block(&m);
	wr_u16(&m.w, 1);
	msg_bytes(&m);
	wr_bytes(&m.w, "quiet?", 6);
	msg_done(&m);
	wire_frame_write(m.buf, NBT_MESSAGE, m.w.pos);
	if (!client_send(p, p->c, m.buf, 4 + m.w.pos) || !client_recv(p, p->c, &p->reply))
		return;
	if (p->reply.closed)
		play_fail(p, "no reply, got the end of the connection");
	else if (p->reply.command != 0x2b || p->reply.mid != p->c->mid)
		play_fail(p, "no reply, got one to command 0x%02x: %s", p->reply.command, shown_status(p, &p->reply));
}

bool play_exchange(struct play *p, struct message *m, struct reply *r)
{
	wire_frame_write(m->buf, NBT_MESSAGE, m->w.pos);
	return client_send(p, p->c, m->buf, 4 + m->w.pos) && client_recv(p, p->c, r) && !r->closed &&
	       reply_matches(p, m, r);
}

/* ---- kinds of steps ---- */

static void run_single(struct play *p, const struct step *s, const struct command *cmd)
{
	struct message m;
	size_t n;

	msg_start(p, &m, cmd->smb);
	cmd->build(p, s, &m);
	n = msg_finish(p, s, &m);
	if (p->why || !client_send(p, p->c, m.buf, n))
		return;
	if (expects_word(s, "none"))
		take_nothing(p);
	else
		take_reply(p, s, cmd, &m);
}

static const struct command *inner_command(struct play *p, const struct step *s)
{
	const struct command *cmd = play_command(s->cmd);

	if (!cmd || !cmd->build)
		play_fail(p, "a command that makes one message, not %s", s->cmd);
	return cmd && cmd->build ? cmd : NULL;
}

static void take_chain(struct play *p, const struct step *s)
{
	uint32_t off = SMB_HDR_LEN;
	bool failed = is_error(&p->reply);

	for (size_t i = 0; i < s->ninner && !p->why; i++) {
		const struct step *in = &s->inner[i];
		const struct command *cmd = play_command(in->cmd);
		struct block b;
		const char *more;
		bool last = i + 1 == s->ninner || expects_word(&s->inner[i + 1], "skipped");

		p->nfields = 0;
		if (!reply_block(p, &p->reply, off, last, &b))
			return;
		take_block(p, in, cmd, &b, failed && last);
		if (last || expected_status(in, &more))
			check_status(p, in, &p->reply);
		check_fields(p, in);
		if (last)
			return;
		off = (uint32_t)(p->reply.msg[b.off + 3] | p->reply.msg[b.off + 4] << 8);
		if (p->reply.msg[b.off + 1] != play_command(s->inner[i + 1].cmd)->smb || off < b.end)
			play_fail(p, "the reply to %s to lead to the next block, got command 0x%02x at %u", in->cmd,
				  p->reply.msg[b.off + 1], off);
	}
}

/* All inner steps as one message; sent. */
static bool send_chain(struct play *p, const struct step *s, struct message *m)
{
	for (size_t i = 0; i < s->ninner; i++) {
		const struct command *cmd = inner_command(p, &s->inner[i]);

		if (!cmd)
			return false;
		if (i == 0)
			msg_start(p, m, cmd->smb);
		else
			msg_next(m, cmd->smb);
		cmd->build(p, &s->inner[i], m);
	}
	return !p->why && client_send(p, p->c, m->buf, msg_finish(p, s, m));
}

static void run_chain(struct play *p, const struct step *s)
{
	struct message m;

	if (!send_chain(p, s, &m) || !client_recv(p, p->c, &p->reply))
		return;
	if (p->reply.closed) {
		check_closed(p, s);
		return;
	}
	if (reply_matches(p, &m, &p->reply))
		take_chain(p, s);
}

/* Sent, and not waited for. */
static void run_later(struct play *p, const struct step *s)
{
	uint64_t before = clock_ms(); /* on a busy machine the server can be asleep already when send returns */
	struct message m;

	if (s->ninner == 0 || !send_chain(p, s, &m))
		return;
	p->c->later = s;
	p->c->later_at = before;
	p->c->later_msg = (struct message){ .buf = talloc_memdup(p->mem, m.buf, 4 + m.w.pos) };
}

/* The reply to the last of these.  Of a chain its own steps say what is expected. */
static void run_arrives(struct play *p, const struct step *s)
{
	const struct step *later = p->c->later;
	struct pollfd pf = { .fd = p->c->fd, .events = POLLIN };

	p->c->later = NULL;
	if (!later) {
		play_fail(p, "a request sent by `later` before");
	} else if (later->ninner == 1) {
		poll(&pf, 1, 30000);
		field_num(p, "waited", clock_ms() - p->c->later_at);
		take_reply(p, s, play_command(later->inner[0].cmd), &p->c->later_msg);
	} else if (client_recv(p, p->c, &p->reply)) {
		if (p->reply.closed)
			check_closed(p, s);
		else if (reply_matches(p, &p->c->later_msg, &p->reply))
			take_chain(p, later);
	}
}

/* A message of a batch: a chain, or a single one. */
static void send_inner(struct play *p, const struct step *s, struct message *m)
{
	const struct command *cmd = s->ninner ? NULL : inner_command(p, s);

	if (s->ninner) {
		(void)send_chain(p, s, m);
	} else if (cmd) {
		msg_start(p, m, cmd->smb);
		cmd->build(p, s, m);
		client_send(p, p->c, m->buf, msg_finish(p, s, m));
	}
}

static void run_batch(struct play *p, const struct step *s)
{
	struct message *m = talloc_array(p->step_mem, struct message, (unsigned)s->ninner);
	uint8_t *all;

	p->c->hold = true;
	for (size_t i = 0; i < s->ninner && !p->why; i++)
		send_inner(p, &s->inner[i], &m[i]);
	p->c->hold = false;
	all = p->c->held;
	p->c->bare = true;
	if (!p->why)
		client_send(p, p->c, all, p->c->held_len);
	p->c->bare = false;
	p->c->held = NULL;
	p->c->held_len = 0;
	for (size_t i = 0; i < s->ninner && !p->why; i++) {
		if (expects_word(&s->inner[i], "none"))
			continue;
		p->nfields = 0;
		if (s->inner[i].ninner == 0)
			take_reply(p, &s->inner[i], play_command(s->inner[i].cmd), &m[i]);
		else if (client_recv(p, p->c, &p->reply) && reply_matches(p, &m[i], &p->reply))
			take_chain(p, &s->inner[i]);
	}
}

static void run_step(struct play *p, struct step *s)
{
	const struct command *cmd = play_command(s->cmd);

	p->step = s;
	p->c = &p->clients[s->client];
	p->step_mem = talloc_new(p->mem);
	p->fields = NULL;
	p->nfields = 0;
	if (strcmp(s->cmd, "chain") == 0)
		run_chain(p, s);
	else if (strcmp(s->cmd, "batch") == 0)
		run_batch(p, s);
	else if (strcmp(s->cmd, "later") == 0)
		run_later(p, s);
	else if (strcmp(s->cmd, "arrives") == 0)
		run_arrives(p, s);
	else if (!cmd)
		play_fail(p, "a command, not %s", s->cmd);
	else if (cmd->run) {
		cmd->run(p, s);
		if (!p->why)
			check_fields(p, s);
	} else {
		run_single(p, s, cmd);
	}
	TALLOC_FREE(p->step_mem);
}

/* ---- a whole story ---- */

static void say_log(const struct world *w)
{
	char line[512];
	char *name = talloc_asprintf(NULL, "%s/log", w->dir);
	FILE *f = fopen(name, "r");

	while (f && fgets(line, sizeof(line), f))
		fprintf(stderr, "    %s", line);
	if (f)
		fclose(f);
	talloc_free(name);
}

static void play_steps(struct play *p, unsigned *line)
{
	for (size_t i = 0; i < p->story->n && !p->why; i++) {
		struct step *s = &p->story->steps[i];

		*line = s->line;
		if (strcmp(s->cmd, "config") != 0)
			run_step(p, s);
	}
	p->step_mem = p->mem;
	for (unsigned i = 1; i < CLIENTS; i++) {
		if (p->why && p->clients[i].pid > 0)
			kill(p->clients[i].pid, SIGTERM);
		p->c = &p->clients[i];
		client_close(p, p->c);
		client_wait(p, p->c);
	}
}

static void keep_script(struct play *p)
{
	struct recordings *r = p->record;
	const char *base = strrchr(p->story->file, '/');

	r->whole = talloc_realloc(r, r->whole, struct recording, (unsigned)r->nwhole + 1);
	r->whole[r->nwhole++] = (struct recording){
		.name = talloc_strdup(r, base ? base + 1 : p->story->file),
		.p = talloc_steal(r, p->script), .len = p->script_len,
	};
}

bool play_story(const struct story *st, struct recordings *rec, bool loud, char **why, unsigned *line)
{
	struct play p = { .mem = talloc_new(NULL), .story = st, .record = rec };
	const char *conf = NULL;
	bool ok;

	if (rec && rec->cover)
		p.cover = talloc_zero(p.mem, struct coverage);

	*line = 1;
	*why = NULL;
	for (unsigned i = 0; i < CLIENTS; i++)
		p.clients[i] = (struct client){ .n = i, .fd = -1 };
	for (size_t i = 0; i < st->n; i++)
		if (strcmp(st->steps[i].cmd, "config") == 0)
			conf = st->steps[i].text;
	quota_forget();
	setenv("TZ", "UTC0", 1);
	tzset();
	p.world = world_new(p.mem, conf, 0, why);
	if (!p.world) {
		*why = talloc_steal(st, *why);
		talloc_free(p.mem);
		return false;
	}
	play_steps(&p, line);
	ok = p.why == NULL;
	if (rec && p.script)
		keep_script(&p);
	if (ok && p.cover)
		cover_keep(rec->cover, p.cover, st->file);
	if (!ok)
		*why = talloc_strdup(st, p.why);
	if (!ok && loud)
		say_log(p.world);
	world_free(&p.world);
	talloc_free(p.mem);
	return ok;
}
