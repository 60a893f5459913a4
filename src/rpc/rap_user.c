/* rap_user.c - what Win9x and WfW ask about the user who logs on.  MS-RAP 2.5.10, LAN Manager.
 *
 * The session is authenticated already; these calls decide nothing, they only tell the one who
 * is logged in about himself. */
#include "base/str.h"
#include "base/util.h"
#include "rpc/rap.h"

#define USER_NAME_MAX 20u
#define NEVER 0xffffffffu
#define USER_ENABLED 0x0001u /* UF_SCRIPT, always set with LAN Manager */
enum { PRIV_USER = 1, PRIV_ADMIN = 2 };

static uint32_t privilege(const struct rpc_host *h)
{
	return h->may_administer ? PRIV_ADMIN : PRIV_USER;
}

static const char *unc_server(struct rap_call *c)
{
	const char *unc = talloc_asprintf(c->mem, "\\\\%s", c->host->server_name);

	return unc ? unc : "";
}

/* 56: levels 0, 1, 10, 11 */
uint16_t rap_user_get_info(struct rap_call *c)
{
	const struct rpc_host *h = c->host;
	const struct rap_value name = RAP_TEXT(c, h->user, USER_NAME_MAX), nil = RAP_NUM(0);
	const struct rap_value full = RAP_TEXT(c, h->user, RAP_TEXT_MAX), none = RAP_TEXT(c, "", 0);
	const struct rap_value priv = RAP_NUM(privilege(h));
	const struct rap_value l1[] = {
		name, nil, nil, nil, priv, none, none, RAP_NUM(USER_ENABLED), none,
	};
	/* name, pad, comment, user's comment, full name; 11 goes on: privilege, rights, password age,
	 * home, parameters, last logon and logoff, bad passwords, logons, server, country,
	 * workstations, disk limit, hours a week and which (all), code page */
	const struct rap_value l11[] = {
		name, nil, none, none, full, priv, nil, nil, none, none, nil, nil, nil, nil,
		RAP_TEXT(c, unc_server(c), RAP_TEXT_MAX), nil, none, RAP_NUM(NEVER), RAP_NUM(168),
		RAP_NUM(0xff), nil,
	};

	if (!h->user_known || !str_caseeq(c->text[0], h->user)) {
		rpc_refused(h, c->name, h->user_known ? RPC_FOR_ITSELF : RPC_FOR_USERS);
		return RAP_USER_NOT_FOUND;
	}
	return rap_info(c, c->level == 1 ? l1 : l11);
}

/* 132: code, name, pad, privilege, rights, logons, bad passwords; last logon, last logoff, logoff
 * and kick-off times, password age, may and must change; server, domain, script, reserved. */
uint16_t rap_user_logon(struct rap_call *c)
{
	const struct rpc_host *h = c->host;
	const struct rap_value nil = RAP_NUM(0), never = RAP_NUM(NEVER);
	const struct rap_value v[] = {
		nil, RAP_TEXT(c, h->user, USER_NAME_MAX), nil, RAP_NUM(privilege(h)), nil, nil, nil,
		nil, nil, never, never, nil, nil, never,
		RAP_TEXT(c, unc_server(c), RAP_TEXT_MAX), RAP_TEXT(c, h->domain, RAP_TEXT_MAX),
		RAP_TEXT(c, "", 0), nil,
	};

	if (!h->user_known)
		return rap_denied(c, RPC_FOR_USERS);
	return rap_info(c, v);
}

/* 133: code, seconds logged on, logons */
uint16_t rap_user_logoff(struct rap_call *c)
{
	const struct rap_value v[] = { RAP_NUM(0), RAP_NUM(0), RAP_NUM(0) };

	return rap_info(c, v);
}

/* ---- 6 and 7: who is connected.  Administrators see all, others themselves ---- */

struct sessions {
	struct rpc_session_info *list;
	size_t count;
};

/* Client, user, connections, files, users; seconds, idle seconds, flags; client type.  Level 10 is short. */
static void session_entry(struct rap_call *c, const void *list, size_t i, struct rap_value *v)
{
	const struct sessions *all = list;
	const struct rpc_session_info *s = &all->list[i];
	const struct rap_value client = RAP_TEXT(c, s->client, RAP_TEXT_MAX), one = RAP_NUM(1);
	const struct rap_value user = RAP_TEXT(c, s->user, RAP_TEXT_MAX), age = RAP_NUM(s->seconds);
	const struct rap_value idle = RAP_NUM(s->idle);
	const struct rap_value l2[] = {
		client, user, one, RAP_NUM(s->opens), one, age, idle, RAP_NUM(s->guest), RAP_TEXT(c, "SMB1", 4),
	};
	const struct rap_value l10[] = { client, user, age, idle };

	if (c->level == 10)
		memcpy(v, l10, sizeof(l10));
	else
		memcpy(v, l2, sizeof(l2));
}

static bool all_sessions(struct rap_call *c, struct sessions *all)
{
	struct rpc_session_info s;
	size_t room = 0;

	*all = (struct sessions){ .count = 0 };
	for (size_t i = 0; i < 0xffff && c->host->session && c->host->session(c->host->arg, i, &s); i++) {
		if (!c->host->may_administer && !str_caseeq(s.user, c->host->user))
			continue;
		if (all->count == room) {
			room = room ? 2 * room : 16;
			all->list = talloc_realloc(c->mem, all->list, struct rpc_session_info, (unsigned)room);
			if (all->list == NULL)
				return false;
		}
		all->list[all->count++] = s;
	}
	return true;
}

uint16_t rap_session_enum(struct rap_call *c)
{
	struct sessions all;

	return all_sessions(c, &all) ? rap_list(c, session_entry, &all, all.count) : RAP_NO_MEMORY;
}

uint16_t rap_session_get_info(struct rap_call *c)
{
	const char *client = c->text[0] + strspn(c->text[0], "\\");
	struct rap_value v[RAP_MAX_VALUES];
	struct sessions all;

	if (!all_sessions(c, &all))
		return RAP_NO_MEMORY;
	for (size_t i = 0; i < all.count; i++) {
		if (!str_caseeq(all.list[i].client, client))
			continue;
		session_entry(c, &all, i, v);
		return rap_info(c, v);
	}
	return RAP_CLIENT_NOT_FOUND;
}
