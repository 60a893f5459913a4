/* srvsvc.c - the server service: who we are, what time it is.  MS-SRVS.
 *
 * Explorer and smbclient need ShareEnum, ShareGetInfo and ServerGetInfo; NET TIME the clock; the
 * share wizard NameValidate. */
#include "base/clock.h"
#include "base/util.h"
#include "rpc/iface.h"
#include "rpc/list.h"

#define PLATFORM_NT 500u
#define NAME_TYPE_SHARE 9u
#define SHARE_NAME_MAX 80u

/* 0x15: 100 name, 101 version and comment, 102 limits. */
static uint32_t server_get_info(struct rpc_call *c)
{
	static const uint32_t arms[] = { 100, 101, 102, 103, 502, 503, 599 };
	const struct rpc_host *h = c->host;
	const struct ndr_field f[] = {
		NDR_NUM(PLATFORM_NT), NDR_TEXT(h->server_name), NDR_NUM(h->major), NDR_NUM(h->minor),
		NDR_NUM(h->server_type), NDR_TEXT(h->comment),
		NDR_NUM(0xffffffffu), /* users: no limit */
		NDR_NUM(15),          /* minutes until idle ones are dropped */
		NDR_NUM(0),           /* not hidden */
		NDR_NUM(240), NDR_NUM(3000), /* announcements: seconds, and milliseconds of jitter */
		NDR_NUM(0), NDR_TEXT("C:\\"),
	};
	static const uint8_t members[] = { 2, 6, ARRAY_LEN(f) };
	uint32_t level;

	ndr_rd_ptr_string(c->mem, &c->in);
	level = ndr_rd_u32(&c->in);
	if (!ndr_rd_ok(&c->in))
		return FAULT_NDR;
	if (level < 100 || level > 102)
		rpc_info_reply(&c->out, level, rpc_level_in(arms, ARRAY_LEN(arms), level), NULL, 0,
			       WERR_UNKNOWN_LEVEL);
	else
		rpc_info_reply(&c->out, level, true, f, members[level - 100], WERR_OK);
	return 0;
}

/* 0x1C: all in UTC; the zone comes beside it.  Intervals in tenths of a millisecond. */
static uint32_t remote_tod(struct rpc_call *c)
{
	struct timespec ts = nttime_to_ts(clock_now());
	struct tm tm;

	ndr_rd_ptr_string(c->mem, &c->in);
	if (!ndr_rd_ok(&c->in))
		return FAULT_NDR;
	memset(&tm, 0, sizeof(tm));
	gmtime_r(&ts.tv_sec, &tm);
	const struct ndr_field f[] = {
		NDR_NUM((uint32_t)ts.tv_sec), NDR_NUM((uint32_t)clock_ms()),
		NDR_NUM((uint32_t)tm.tm_hour), NDR_NUM((uint32_t)tm.tm_min), NDR_NUM((uint32_t)tm.tm_sec),
		NDR_NUM((uint32_t)(ts.tv_nsec / 10000000)), NDR_NUM((uint32_t)c->host->zone), NDR_NUM(10000),
		NDR_NUM((uint32_t)tm.tm_mday), NDR_NUM((uint32_t)tm.tm_mon + 1),
		NDR_NUM((uint32_t)tm.tm_year + 1900), NDR_NUM((uint32_t)tm.tm_wday),
	};
	ndr_ptr(&c->out, true);
	ndr_record(&c->out, f, ARRAY_LEN(f));
	ndr_u32(&c->out, WERR_OK);
	return 0;
}

static bool share_name_ok(const char *name)
{
	size_t len = strlen(name);

	return len > 0 && len <= SHARE_NAME_MAX && strpbrk(name, "\"/\\[]:|<>+=;,*?") == NULL;
}

/* 0x21: the share wizard asks before it goes on. */
static uint32_t name_validate(struct rpc_call *c)
{
	const char *name;
	uint32_t type;

	ndr_rd_ptr_string(c->mem, &c->in);
	name = ndr_rd_string(c->mem, &c->in);
	type = ndr_rd_u32(&c->in);
	ndr_rd_u32(&c->in); /* flags */
	if (!ndr_rd_ok(&c->in))
		return FAULT_NDR;
	ndr_u32(&c->out, type != NAME_TYPE_SHARE || share_name_ok(name) ? WERR_OK : WERR_INVALID_NAME);
	return 0;
}

/* 0x17: one drive, the one our share paths pretend to live on. */
static uint32_t disk_enum(struct rpc_call *c)
{
	bool array, has_resume;
	uint32_t level;

	ndr_rd_ptr_string(c->mem, &c->in);
	level = ndr_rd_u32(&c->in);
	ndr_rd_u32(&c->in); /* count */
	array = ndr_rd_ptr(&c->in);
	if (array) { /* conformant and varying: max, offset, actual; only an empty one makes sense */
		ndr_rd_u32(&c->in);
		if (ndr_rd_u32(&c->in) != 0 || ndr_rd_u32(&c->in) != 0)
			ndr_rd_fail(&c->in);
	}
	ndr_rd_u32(&c->in); /* preferred length */
	has_resume = ndr_rd_ptr(&c->in);
	if (has_resume)
		ndr_rd_u32(&c->in);
	if (!ndr_rd_ok(&c->in))
		return FAULT_NDR;
	ndr_u32(&c->out, level == 0);
	ndr_ptr(&c->out, level == 0);
	if (level == 0) {
		ndr_u32(&c->out, 1); /* max, offset, actual */
		ndr_u32(&c->out, 0);
		ndr_u32(&c->out, 1);
		ndr_varying_string(&c->out, "C:");
	}
	ndr_u32(&c->out, level == 0);
	ndr_ptr(&c->out, has_resume);
	if (has_resume)
		ndr_u32(&c->out, 0);
	ndr_u32(&c->out, level == 0 ? WERR_OK : WERR_UNKNOWN_LEVEL);
	return 0;
}

/* Number of clients, name, address bytes and their count, network address; from level 1 the domain. */
static void put_transport(struct ndr *out, const char *domain)
{
	static const char name[] = "\\Device\\NetbiosSmb", net[] = "000000000000";

	ndr_u32(out, 1);
	ndr_ptr(out, true);
	ndr_ptr(out, true);
	ndr_u32(out, (uint32_t)strlen(net));
	ndr_ptr(out, true);
	if (domain != NULL)
		ndr_ptr(out, true);
	ndr_string(out, name);
	ndr_u32(out, (uint32_t)strlen(net));
	wr_bytes(&out->w, net, strlen(net));
	ndr_string(out, net);
	if (domain != NULL)
		ndr_string(out, domain);
}

/* 0x1A: one, TCP port 445 or the NetBIOS port; clients make no difference. */
static uint32_t transport_enum(struct rpc_call *c)
{
	static const uint32_t arms[] = { 0, 1, 2, 3 };
	struct rpc_list q;

	ndr_rd_ptr_string(c->mem, &c->in);
	rpc_list_read(&c->in, arms, ARRAY_LEN(arms), &q);
	if (!ndr_rd_ok(&c->in))
		return FAULT_NDR;
	if (q.level > 1) {
		rpc_list_empty(&c->out, &q, WERR_UNKNOWN_LEVEL);
		return 0;
	}
	rpc_list_begin(&c->out, &q, 1);
	put_transport(&c->out, q.level == 1 ? c->host->domain : NULL);
	rpc_list_end(&c->out, &q, 1, 0, WERR_OK);
	return 0;
}

static const struct rpc_op srvsvc_ops[] = {
	{ 0x08, "NetrConnectionEnum", srvsvc_connection_enum },
	{ 0x09, "NetrFileEnum", srvsvc_file_enum },
	{ 0x0a, "NetrFileGetInfo", srvsvc_file_get_info },
	{ 0x0b, "NetrFileClose", srvsvc_refuse },
	{ 0x0c, "NetrSessionEnum", srvsvc_session_enum },
	{ 0x0d, "NetrSessionDel", srvsvc_refuse },
	{ 0x0e, "NetrShareAdd", srvsvc_refuse_set },
	{ 0x0f, "NetrShareEnum", srvsvc_share_enum },
	{ 0x10, "NetrShareGetInfo", srvsvc_share_get_info },
	{ 0x11, "NetrShareSetInfo", srvsvc_refuse_set },
	{ 0x12, "NetrShareDel", srvsvc_refuse },
	{ 0x13, "NetrShareDelSticky", srvsvc_refuse },
	{ 0x14, "NetrShareCheck", srvsvc_share_check },
	{ 0x15, "NetrServerGetInfo", server_get_info },
	{ 0x16, "NetrServerSetInfo", srvsvc_refuse_set },
	{ 0x17, "NetrServerDiskEnum", disk_enum },
	{ 0x1a, "NetrServerTransportEnum", transport_enum },
	{ 0x1c, "NetrRemoteTOD", remote_tod },
	{ 0x21, "NetprNameValidate", name_validate },
	{ 0x24, "NetrShareEnumSticky", srvsvc_share_enum_sticky },
};

const struct rpc_iface srvsvc_iface = {
	.name = "srvsvc",
	/* 4b324fc8-1670-01d3-1278-5a47bf6ee188 */
	.uuid = { 0xc8, 0x4f, 0x32, 0x4b, 0x70, 0x16, 0xd3, 0x01,
		  0x12, 0x78, 0x5a, 0x47, 0xbf, 0x6e, 0xe1, 0x88 },
	.major = 3,
	.minor = 0,
	.ops = srvsvc_ops,
	.op_count = ARRAY_LEN(srvsvc_ops),
};
