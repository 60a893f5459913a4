/* host_refused.c - why a call of RAP or DCE/RPC was refused, in words of smb.conf. */
#include "cmd/trans/host.h"
#include "conf/why.h"

static const struct {
	const char *what, *fix, *param;
} reasons[] = {
	[RPC_FOR_ADMINS] = { "only administrators may ask this", "the user's name in `admin users` of [global]", "admin users" },
	[RPC_FOR_USERS] = { "guests and anonymous users are told nothing of accounts", "a login with name and password", NULL },
	[RPC_FOR_ITSELF] = { "users are told of themselves only", NULL, NULL },
	[RPC_FOR_NOBODY] = { "clients change nothing and see nothing of the server itself",
			     "nothing over the network; on the server there are smb.conf and `smb1ctl`", NULL },
	[RPC_NO_DOMAIN] = { "this is no domain controller", "a client that logs in at the server itself", NULL },
	[RPC_NO_LOGIN] = { "no such kind or level of login inside a pipe", "NTLM or SPNEGO with NTLM", NULL },
	[RPC_WEAK_LOGIN] = { "a login inside a pipe that cannot sign", "a client with extended session security", NULL },
	[RPC_NO_PROOF] = { "a request without the signature agreed on, or without a login that was accepted",
			   "a login inside the pipe that is accepted", NULL },
};

static void refused(void *arg, const char *user, const char *call, enum rpc_refusal why)
{
	const struct view *v = arg;
	const struct tree *t = v->q->t;
	struct why no = { LOG_RPC, .conf = reasons[why].param ? v->q->c->conf : NULL, .param = reasons[why].param, .user = user,
			  .fix = reasons[why].fix, .often = true };

	if (t) {
		no.share = t->share;
		no.where = t->share_name;
	}
	why_refused(&no, "%s: %s", call, reasons[why].what);
}

void host_refused(struct rpc_host *h) { h->refused = refused; }
