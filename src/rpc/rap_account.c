/* rap_account.c - users and groups as LAN Manager lists them: what NET USER and NET GROUP of DOS and OS/2 ask, and
 * Windows 9x when it shares by user.
 *
 *   53 users   47 groups   52 users of a group   59 groups of a user
 *
 * LAN Manager has three groups that every server has; here all users are USERS, and nobody is told who administers.  Only
 * who has logged in is told anything. */
#include "base/str.h"
#include "base/util.h"
#include "rpc/rap.h"

#define ACCOUNT_MAX 20u /* bytes of a name that fit "B21" */

static const char *const groups[] = { "ADMINS", "GUESTS", "USERS" };
#define USERS 2u

static void group_entry(struct rap_call *c, const void *list, size_t i, struct rap_value *v)
{
	v[0] = RAP_TEXT(c, ((const char *const *)list)[i], ACCOUNT_MAX);
}

static void user_entry(struct rap_call *c, const void *list, size_t i, struct rap_value *v)
{
	struct rpc_account a = { .name = "" };

	(void)list;
	if (!c->host->account(c->host->arg, i, &a))
		a.name = ""; /* gone meanwhile */
	v[0] = RAP_TEXT(c, a.name, ACCOUNT_MAX);
}

static size_t count_users(const struct rap_call *c)
{
	struct rpc_account a;
	size_t n = 0;

	while (n < 0xffff && c->host->account && c->host->account(c->host->arg, n, &a))
		n++;
	return n;
}

static bool is_user(const struct rap_call *c, const char *name)
{
	struct rpc_account a;

	return c->host->account_by_name && c->host->account_by_name(c->host->arg, name, &a) && !a.group;
}

uint16_t rap_user_enum(struct rap_call *c)
{
	return c->host->user_known ? rap_list(c, user_entry, NULL, count_users(c)) : rap_denied(c, RPC_FOR_USERS);
}

uint16_t rap_group_enum(struct rap_call *c)
{
	return c->host->user_known ? rap_list(c, group_entry, groups, ARRAY_LEN(groups)) : rap_denied(c, RPC_FOR_USERS);
}

uint16_t rap_group_get_users(struct rap_call *c)
{
	if (!c->host->user_known)
		return rap_denied(c, RPC_FOR_USERS);
	for (size_t i = 0; i < ARRAY_LEN(groups); i++)
		if (str_caseeq(c->text[0], groups[i]))
			return rap_list(c, user_entry, NULL, i == USERS ? count_users(c) : 0);
	return RAP_GROUP_NOT_FOUND;
}

uint16_t rap_user_get_groups(struct rap_call *c)
{
	if (!c->host->user_known)
		return rap_denied(c, RPC_FOR_USERS);
	return is_user(c, c->text[0]) ? rap_list(c, group_entry, &groups[USERS], 1) : RAP_USER_NOT_FOUND;
}
