/* fuzz_rpc.c - what comes through IPC$: the first byte chooses RAP or a pipe, and whether we know the user;
 * the second cuts what follows into pieces (pipes) or limits the answer (RAP). */
#include "base/str.h"
#include "rpc/rpc.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct rpc_share_info shares[] = {
	{ "share", "the share", "C:\\share", 0, 0xffffffff, 1 },
	{ "a name too long for RAP", "", "C:\\x", 0, 10, 0 },
	{ "printer", "paper", "C:\\spool", 1, 0xffffffff, 0 },
	{ "IPC$", "pipes", "", 0x80000003, 0xffffffff, 1 },
};

static const char *const pipes[] = {
	"srvsvc", "wkssvc", "lsarpc", "samr", "winreg", "netlogon", "lsass", "svcctl",
};

static bool nth(void *arg, size_t i, struct rpc_share_info *out)
{
	(void)arg;
	if (i >= sizeof(shares) / sizeof(shares[0]))
		return false;
	*out = shares[i];
	return true;
}

static bool by_name(void *arg, const char *name, struct rpc_share_info *out)
{
	for (size_t i = 0; nth(arg, i, out); i++)
		if (strcasecmp(out->name, name) == 0)
			return true;
	return false;
}

static bool account(void *arg, size_t i, struct rpc_account *out)
{
	(void)arg;
	*out = (struct rpc_account){ .name = i ? "users" : "anna", .full_name = "", .id = 1000, .group = i != 0 };
	return i == 0;
}

static bool account_by_name(void *arg, const char *name, struct rpc_account *out)
{
	account(arg, strcasecmp(name, "anna") != 0, out);
	return strcasecmp(name, out->name) == 0;
}

static bool account_by_id(void *arg, bool group, uint32_t id, struct rpc_account *out)
{
	account(arg, group, out);
	return id == out->id;
}

static bool job(void *arg, const char *printer, size_t i, struct rpc_job_info *out)
{
	(void)arg;
	(void)printer;
	*out = (struct rpc_job_info){ .user = "anna", .title = "a letter", .id = (uint16_t)(i + 1), .bytes = 1000 };
	return i < 3;
}

static bool session(void *arg, size_t i, struct rpc_session_info *out)
{
	(void)arg;
	*out = (struct rpc_session_info){ .client = "PC", .user = i ? "bert" : "anna" };
	return i < 2;
}

static const uint8_t key[16] = { 1, 2, 3 };

/* Takes anybody at the second leg. */
static status_t login(void *arg, TALLOC_CTX *mem, void **state, const uint8_t *token, size_t len,
		      struct rpc_login_answer *out)
{
	static const uint8_t key[16] = { 1 };

	(void)arg;
	if (*state) {
		seal_start(&out->seal, key, 0x60080000u);
		out->user = "bert";
		return len > 0 && token[0] ? ST_OK : ST_LOGON_FAILURE;
	}
	*state = out->reply = talloc_memdup(mem, token, len);
	out->reply_len = *state ? len : 0;
	return ST_MORE_PROCESSING_REQUIRED;
}

static void rap(const struct rpc_host *host, const uint8_t *p, size_t n, size_t limit)
{
	struct rd params = rd_over(p, n), data = rd_over(p, n / 2);
	uint8_t *out_p = malloc(8 + limit % 64), *out_d = malloc(limit * 16 + 1);
	struct wr wp = wr_over(out_p, 8 + limit % 64), wd = wr_over(out_d, limit * 16);

	rpc_rap_call(host, params, data, &wp, &wd);
	free(out_p);
	free(out_d);
}

static void pipe_bytes(const struct rpc_host *host, const char *name, const uint8_t *p, size_t n, size_t piece)
{
	struct rpc_pipe *pipe = rpc_pipe_open(NULL, name);
	uint8_t out[700];
	size_t all, first;
	bool more;

	piece = piece ? piece * 8 : n;
	while (n > 0 && pipe) {
		size_t k = n < piece ? n : piece;

		if (rpc_pipe_write(pipe, host, p, k) != ST_OK)
			break;
		rpc_pipe_peek(pipe, &all, &first);
		if (all > 4u << 20 || first > all)
			abort();
		while (rpc_pipe_read(pipe, out, sizeof(out), &more) > 0)
			;
		p += k;
		n -= k;
	}
	talloc_free(pipe);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rpc_host host = { .server_name = "HOST", .domain = "WORKGROUP", .comment = "a test", .user = "anna",
				 .client_name = "PC", .server_type = 0x9a03, .major = 6, .minor = 1, .share = nth,
				 .share_by_name = by_name, .account = account, .account_by_name = account_by_name,
				 .account_by_id = account_by_id, .job = job, .session = session, .login = login };
	const char *why;

	if (size < 2)
		return 0;
	str_setup("CP850", "UTF-8", &why);
	host.may_administer = data[0] & 4;
	host.user_known = data[0] & 8;
	if ((data[0] & 3) == 0)
		rap(&host, data + 2, size - 2, data[1]);
	else
		pipe_bytes(&host, pipes[data[0] >> 5], data + 2, size - 2, data[1]);
	return 0;
}
