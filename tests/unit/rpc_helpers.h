/* rpc_helpers.h - a made-up server and a client's side of the wire, for the tests of the rpc room. */
#ifndef SMB1D_TEST_RPC_HELPERS_H
#define SMB1D_TEST_RPC_HELPERS_H
#include "base/cursor.h"
#include "base/log.h"
#include "base/str.h"
#include "base/util.h"
#include "rpc/rpc.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#define SERVER_TYPE 0x00009a03u

struct fake {
	const struct rpc_share_info *share;
	size_t count;
	size_t generated; /* in place of the table: share000, share001, ... */
	char name[32], comment[64];
	TALLOC_CTX *mem;
};

static const struct rpc_share_info some_shares[] = {
	{ "data", "Main data", "C:\\data", 0, 0xffffffff, 2 },
	{ "hp", "Printer", "C:\\spool", 1, 0xffffffff, 0 },
	{ "a-very-long-share-name", "long", "C:\\long", 0, 0xffffffff, 0 },
	{ "secret$", NULL, "C:\\secret", 0x80000000, 10, 1 },
	{ "IPC$", "IPC Service", "", 0x80000003, 0xffffffff, 1 },
};

static bool fake_share(void *arg, size_t i, struct rpc_share_info *out)
{
	struct fake *f = arg;

	if (f->generated != 0) {
		if (i >= f->generated)
			return false;
		*out = (struct rpc_share_info){ .max_uses = 0xffffffff };
		out->name = talloc_asprintf(f->mem, "share%03zu", i);
		out->comment = talloc_asprintf(f->mem, "comment of %zu", i);
		out->path = "C:\\x";
		return true;
	}
	if (i >= f->count)
		return false;
	*out = f->share[i];
	return true;
}

static bool fake_by_name(void *arg, const char *name, struct rpc_share_info *out)
{
	for (size_t i = 0; fake_share(arg, i, out); i++)
		if (str_caseeq(out->name, name))
			return true;
	return false;
}

static const struct rpc_account some_accounts[] = {
	{ "root", "", 0, false }, { "anna", "Anna Nym", 1000, false }, { "bert", "", 1001, false },
	{ "users", "", 100, true },
};

static bool fake_account_by_name(void *arg, const char *name, struct rpc_account *out)
{
	(void)arg;
	for (size_t i = 0; i < ARRAY_LEN(some_accounts); i++) {
		*out = some_accounts[i];
		if (str_caseeq(out->name, name))
			return true;
	}
	return false;
}

static bool fake_account_by_id(void *arg, bool group, uint32_t id, struct rpc_account *out)
{
	(void)arg;
	for (size_t i = 0; i < ARRAY_LEN(some_accounts); i++) {
		*out = some_accounts[i];
		if (out->id == id && out->group == group)
			return true;
	}
	return false;
}

static bool fake_account(void *arg, size_t i, struct rpc_account *out)
{
	(void)arg;
	if (i > 2)
		return false;
	*out = some_accounts[i];
	return true;
}

static bool fake_session(void *arg, size_t i, struct rpc_session_info *out)
{
	static const struct rpc_session_info some[] = { { "PC", "anna", 2, 60, 0, false }, { "OTHER", "bert", 0, 9, 0, true } };

	(void)arg;
	if (i >= ARRAY_LEN(some))
		return false;
	*out = some[i];
	return true;
}

static bool fake_file(void *arg, size_t i, struct rpc_file_info *out)
{
	static const struct rpc_file_info some[] = { { "C:\\data\\a", "anna", 7, 3, 0 }, { "C:\\x", "bert", 8, 1, 0 } };

	(void)arg;
	if (i >= ARRAY_LEN(some))
		return false;
	*out = some[i];
	return true;
}

static bool fake_tree(void *arg, size_t i, struct rpc_tree_info *out)
{
	static const struct rpc_tree_info some[] = { { "data", "PC", "anna", 1, 0, 2, 60 } };

	(void)arg;
	if (i >= ARRAY_LEN(some))
		return false;
	*out = some[i];
	return true;
}

static bool fake_job(void *arg, const char *printer, size_t i, struct rpc_job_info *out)
{
	static const struct rpc_job_info some[] = {
		{ "anna", "letter.txt", 3, 1000, 0, false }, { "bert", "page", 4, 20, 0, true },
	};

	(void)arg;
	if (!str_caseeq(printer, "hp") || i >= ARRAY_LEN(some))
		return false;
	*out = some[i];
	return true;
}

static struct fake fake;
static struct rpc_host host;

static int fake_setup(void **state)
{
	const char *why;

	(void)state;
	log_level[LOG_RPC] = -1; /* refusals are what we are here for */
	if (!str_setup("CP850", "UTF-8", &why))
		return -1;
	fake = (struct fake){ .share = some_shares, .count = ARRAY_LEN(some_shares), .mem = talloc_new(NULL) };
	host = (struct rpc_host){
		.server_name = "REF", .domain = "WORKGROUP", .comment = "A server", .user = "anna",
		.client_name = "PC", .server_type = SERVER_TYPE, .major = 6, .minor = 1, .zone = -60,
		.user_known = true, .share = fake_share, .share_by_name = fake_by_name, .arg = &fake,
		.account_by_name = fake_account_by_name, .account_by_id = fake_account_by_id,
		.account = fake_account, .session = fake_session, .file = fake_file, .tree = fake_tree,
		.job = fake_job,
	};
	return 0;
}

static int fake_teardown(void **state)
{
	(void)state;
	TALLOC_FREE(fake.mem);
	return 0;
}
#endif
