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

	if (!h->user_known || !str_caseeq(c->text[0], h->user))
		return RAP_USER_NOT_FOUND;
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
		return RAP_ACCESS_DENIED;
	return rap_info(c, v);
}

/* 133: code, seconds logged on, logons */
uint16_t rap_user_logoff(struct rap_call *c)
{
	const struct rap_value v[] = { RAP_NUM(0), RAP_NUM(0), RAP_NUM(0) };

	return rap_info(c, v);
}
