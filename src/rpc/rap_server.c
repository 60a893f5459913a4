/* rap_server.c - who we are, who is near, what time it is.  MS-RAP 2.5.6, 2.5.7, LAN Manager.
 *
 * We keep no browse list: the neighbourhood is ourselves and our workgroup. */
#include "base/clock.h"
#include "base/str.h"
#include "base/util.h"
#include "rpc/rap.h"

#define SERVER_NAME_MAX 15u
#define TYPE_ALL 0xffffffffu
#define TYPE_LOCAL_LIST 0x40000000u
#define TYPE_DOMAIN 0x80000000u

/* Level 0 is the name alone, 1 all of it. */
static void server_values(struct rap_call *c, const char *name, uint32_t type, const char *comment,
			  struct rap_value *v)
{
	v[0] = RAP_TEXT(c, name, SERVER_NAME_MAX);
	v[1] = RAP_NUM(c->host->major);
	v[2] = RAP_NUM(c->host->minor);
	v[3] = RAP_NUM(type);
	v[4] = RAP_TEXT(c, comment, RAP_COMMENT_MAX);
}

/* 13 */
uint16_t rap_server_get_info(struct rap_call *c)
{
	struct rap_value v[RAP_MAX_VALUES];

	server_values(c, c->host->server_name, c->host->server_type, c->host->comment, v);
	return rap_info(c, v);
}

static void self_entry(struct rap_call *c, const void *list, size_t i, struct rap_value *v)
{
	(void)list;
	(void)i;
	server_values(c, c->host->server_name, c->host->server_type, c->host->comment, v);
}

/* A workgroup's comment is the name of the one who keeps its list. */
static void domain_entry(struct rap_call *c, const void *list, size_t i, struct rap_value *v)
{
	(void)list;
	(void)i;
	server_values(c, c->host->domain, TYPE_DOMAIN, c->host->server_name, v);
}

static bool filter_takes_us(uint32_t filter, uint32_t type)
{
	if (filter != TYPE_ALL)
		filter &= ~TYPE_LOCAL_LIST;
	return filter == 0 || (filter & type) != 0;
}

/* The servers or workgroups of a domain (NULL or "" ours) from a name on (NULL all). */
static uint16_t neighbourhood(struct rap_call *c, const char *domain, const char *from)
{
	bool domains = c->filter != TYPE_ALL && (c->filter & TYPE_DOMAIN);
	const char *name = domains ? c->host->domain : c->host->server_name;
	bool listed;

	listed = domains || filter_takes_us(c->filter, c->host->server_type);
	if (!domains && domain != NULL && domain[0] != '\0' && !str_caseeq(domain, c->host->domain))
		listed = false;
	if (from != NULL && str_casecmp(name, from) < 0)
		listed = false;
	return rap_list(c, domains ? domain_entry : self_entry, NULL, listed);
}

/* 104: parameters end in Dz, or DO without a domain */
uint16_t rap_server_enum(struct rap_call *c)
{
	return neighbourhood(c, c->texts ? c->text[0] : NULL, NULL);
}

/* 215: the same, continued from a name */
uint16_t rap_server_enum_from(struct rap_call *c)
{
	return neighbourhood(c, c->texts > 1 ? c->text[0] : NULL, c->text[c->texts - 1]);
}

/* 63: Win9x at logon.  Computer, user, workgroup, version, logon domain, other domains. */
uint16_t rap_wksta_get_info(struct rap_call *c)
{
	const struct rpc_host *h = c->host;
	const struct rap_value v[] = {
		RAP_TEXT(c, h->server_name, SERVER_NAME_MAX), RAP_TEXT(c, h->user, RAP_TEXT_MAX),
		RAP_TEXT(c, h->domain, SERVER_NAME_MAX), RAP_NUM(h->major), RAP_NUM(h->minor),
		RAP_TEXT(c, h->domain, SERVER_NAME_MAX), RAP_TEXT(c, "", 0),
	};

	return rap_info(c, v);
}

/* 91: NET TIME.  Local time and the zone; the interval in tenths of a millisecond. */
uint16_t rap_remote_tod(struct rap_call *c)
{
	nttime_t now = clock_now();
	struct timespec ts = nttime_to_ts(now);
	time_t local = ts.tv_sec - (time_t)c->host->zone * 60;
	struct tm tm;

	memset(&tm, 0, sizeof(tm));
	gmtime_r(&local, &tm);
	const struct rap_value v[] = {
		RAP_NUM(utime_from_nttime(now, c->host->zone)), RAP_NUM((uint32_t)clock_ms()),
		RAP_NUM((uint32_t)tm.tm_hour), RAP_NUM((uint32_t)tm.tm_min), RAP_NUM((uint32_t)tm.tm_sec),
		RAP_NUM((uint32_t)(ts.tv_nsec / 10000000)), RAP_NUM((uint32_t)c->host->zone), RAP_NUM(10000),
		RAP_NUM((uint32_t)tm.tm_mday), RAP_NUM((uint32_t)tm.tm_mon + 1),
		RAP_NUM((uint32_t)tm.tm_year + 1900), RAP_NUM((uint32_t)tm.tm_wday),
	};

	return rap_info(c, v);
}
