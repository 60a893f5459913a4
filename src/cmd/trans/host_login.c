/* host_login.c - a login inside a pipe (an authenticated DCE/RPC bind), answered by the keeper like any other. */
#include "cmd/trans/host.h"
#include "base/log.h"

static status_t verdict(struct view *v, TALLOC_CTX *mem, struct auth_talk *t, const struct auth_question *question,
			struct rpc_login_answer *out)
{
	const struct conn *c = v->q->c;
	struct auth_verdict *yes = c->host->ask(c->host->arg, v->q->mem, question);

	if (!yes)
		return ST_INTERNAL_ERROR;
	if (yes->status != ST_OK) {
		session_refused(c, question->user, yes);
		return yes->status;
	}
	if (!auth_talk_finish(t, mem, yes, &out->reply, &out->reply_len))
		return ST_LOGON_FAILURE;
	auth_talk_seal(t, yes, &out->seal);
	out->user_known = !yes->guest && !yes->anonymous;
	out->user = talloc_strdup(mem, yes->account ? yes->account : "");
	return out->user ? ST_OK : ST_NO_MEMORY;
}

static status_t login(void *arg, TALLOC_CTX *mem, void **state, const uint8_t *token, size_t len,
		      struct rpc_login_answer *out)
{
	struct view *v = arg;
	const struct auth_question *question = NULL;
	struct auth_talk_server who;
	status_t st;

	if (!*state) {
		session_server(v->q->c, &who);
		*state = auth_talk_new(mem, &who);
	}
	if (!*state)
		return ST_NO_MEMORY;
	st = auth_talk_step(*state, mem, token, len, &out->reply, &out->reply_len, &question);
	return st == ST_OK ? verdict(v, mem, *state, question, out) : st;
}

void host_login(struct rpc_host *h) { h->login = login; }
