/* winreg.c - the few registry values Windows looks at before it shows printers and tools.  MS-RRP.
 *
 * Read only: what product this is and which version.  Everything else is not found, and nothing can be
 * written or shut down. */
#include "base/str.h"
#include "base/util.h"
#include "rpc/lsa.h"

#define WERR_FILE_NOT_FOUND 2u
#define REG_SZ 1u
#define VERSION_WE_SPEAK 5u
#define ROOTS 5u

/* A handle's number is a row here; the roots come in the order of their operations. */
static const struct key {
	uint32_t parent;
	const char *name;
} keys[] = {
	{ 0, "HKCR" }, { 1, "HKCU" }, { 2, "HKLM" }, { 3, "HKPD" }, { 4, "HKU" },
	{ 2, "SYSTEM" },                       /* 5 */
	{ 5, "CurrentControlSet" },            /* 6 */
	{ 6, "Control" },                      /* 7 */
	{ 7, "ProductOptions" },               /* 8 */
	{ 2, "SOFTWARE" },                     /* 9 */
	{ 9, "Microsoft" },                    /* 10 */
	{ 10, "Windows NT" },                  /* 11 */
	{ 11, "CurrentVersion" },              /* 12 */
	{ 7, "ComputerName" },                 /* 13 */
	{ 13, "ComputerName" },                /* 14 */
};
enum { KEY_PRODUCT = 8, KEY_VERSION = 12, KEY_COMPUTER = 14 };

static uint32_t open_root(struct rpc_call *c, uint32_t key)
{
	uint32_t access;
	bool ok;

	if (ndr_rd_ptr(&c->in))
		ndr_rd_u16(&c->in); /* the server's name, one character of it */
	access = ndr_rd_u32(&c->in);
	if (!ndr_rd_ok(&c->in))
		return FAULT_NDR;
	ok = rpc_handle_open(c->pipe, c->handles, &c->out, HANDLE_KEY, access, key);
	ndr_u32(&c->out, ok ? WERR_OK : WERR_NOT_ENOUGH_MEMORY);
	return 0;
}

static uint32_t open_hkcr(struct rpc_call *c) { return open_root(c, 0); }
static uint32_t open_hkcu(struct rpc_call *c) { return open_root(c, 1); }
static uint32_t open_hklm(struct rpc_call *c) { return open_root(c, 2); }
static uint32_t open_hkpd(struct rpc_call *c) { return open_root(c, 3); }
static uint32_t open_hku(struct rpc_call *c) { return open_root(c, 4); }

/* 5 */
static uint32_t close_key(struct rpc_call *c)
{
	struct rpc_handle *h;
	uint32_t fault = rpc_call_handle(c, HANDLE_KEY, &h);

	if (fault != 0)
		return fault;
	rpc_handle_close(h);
	rpc_handle_null(&c->out);
	ndr_u32(&c->out, WERR_OK);
	return 0;
}

static bool child(uint32_t parent, const char *name, uint32_t *key)
{
	for (uint32_t i = ROOTS; i < ARRAY_LEN(keys); i++) {
		if (keys[i].parent == parent && str_caseeq(keys[i].name, name)) {
			*key = i;
			return true;
		}
	}
	return false;
}

/* "SOFTWARE\Microsoft" below a key; "" is the key itself. */
static bool find_key(TALLOC_CTX *mem, uint32_t from, const char *path, uint32_t *key)
{
	*key = from;
	while (*path != '\0') {
		size_t n = strcspn(path, "\\");
		char *name = talloc_strndup(mem, path, n);

		if (name == NULL || !child(*key, name, key))
			return false;
		path += n;
		path += *path == '\\';
	}
	return true;
}

/* 15: key, name, options, access */
static uint32_t open_key(struct rpc_call *c)
{
	struct rpc_handle *h;
	uint32_t fault = rpc_call_handle(c, HANDLE_KEY, &h), access, key;
	const char *name;

	if (fault != 0)
		return fault;
	name = ndr_rd_whole_text(c->mem, &c->in);
	ndr_rd_u32(&c->in);
	access = ndr_rd_u32(&c->in);
	if (!ndr_rd_ok(&c->in))
		return FAULT_NDR;
	if (!find_key(c->mem, h->what, name, &key)) {
		rpc_handle_null(&c->out);
		ndr_u32(&c->out, WERR_FILE_NOT_FOUND);
	} else if (rpc_handle_open(c->pipe, c->handles, &c->out, HANDLE_KEY, access, key)) {
		ndr_u32(&c->out, WERR_OK);
	} else {
		ndr_u32(&c->out, WERR_NOT_ENOUGH_MEMORY);
	}
	return 0;
}

static const char *value_text(struct rpc_call *c, uint32_t key, const char *name)
{
	if (key == KEY_PRODUCT && str_caseeq(name, "ProductType"))
		return "ServerNT";
	if (key == KEY_VERSION && str_caseeq(name, "CurrentVersion"))
		return talloc_asprintf(c->mem, "%u.%u", c->host->major, c->host->minor);
	if (key == KEY_VERSION && str_caseeq(name, "SystemRoot"))
		return "C:\\WINDOWS";
	if (key == KEY_COMPUTER && str_caseeq(name, "ComputerName"))
		return c->host->server_name;
	return NULL;
}

struct value_args {
	const char *name;
	bool type, data, size, length; /* places for the answer that the caller gave */
	uint32_t room;
};

/* Name; pointers to type, data (conformant varying), size and length. */
static bool value_read(struct rpc_call *c, struct value_args *a)
{
	a->name = ndr_rd_whole_text(c->mem, &c->in);
	a->type = ndr_rd_ptr(&c->in);
	if (a->type)
		ndr_rd_u32(&c->in);
	a->data = ndr_rd_ptr(&c->in);
	if (a->data) {
		ndr_rd_u32(&c->in);
		ndr_rd_u32(&c->in);
		rd_skip(&c->in.r, ndr_rd_u32(&c->in));
	}
	a->size = ndr_rd_ptr(&c->in);
	a->room = a->size ? ndr_rd_u32(&c->in) : 0;
	a->length = ndr_rd_ptr(&c->in);
	if (a->length)
		ndr_rd_u32(&c->in);
	return ndr_rd_ok(&c->in);
}

static void put_if(struct ndr *out, bool there, uint32_t v)
{
	ndr_ptr(out, there);
	if (there)
		ndr_u32(out, v);
}

static void put_data(struct ndr *out, const char *text, uint32_t bytes)
{
	uint8_t *p;

	ndr_ptr(out, true);
	ndr_u32(out, bytes);
	ndr_u32(out, 0);
	ndr_u32(out, bytes);
	p = wr_take(&out->w, bytes);
	if (p != NULL && bytes >= 2) {
		str_to_utf16(text, p, bytes - 2);
		put_u16(p + bytes - 2, 0);
	}
}

/* 17 */
static uint32_t query_value(struct rpc_call *c)
{
	struct rpc_handle *h;
	uint32_t fault = rpc_call_handle(c, HANDLE_KEY, &h), bytes = 0, status = WERR_OK;
	struct value_args a;
	const char *text;

	if (fault == 0 && !value_read(c, &a))
		fault = FAULT_NDR;
	if (fault != 0)
		return fault;
	text = value_text(c, h->what, a.name);
	if (text != NULL)
		bytes = (uint32_t)str_to_utf16(text, NULL, 0) + 2;
	else
		status = WERR_FILE_NOT_FOUND;
	if (text != NULL && a.data && a.room < bytes)
		status = WERR_MORE_DATA;
	put_if(&c->out, a.type, text ? REG_SZ : 0);
	if (a.data && status == WERR_OK)
		put_data(&c->out, text, bytes);
	else
		ndr_ptr(&c->out, false);
	put_if(&c->out, a.size, bytes);
	put_if(&c->out, a.length, bytes);
	ndr_u32(&c->out, status);
	return 0;
}

/* 26 */
static uint32_t get_version(struct rpc_call *c)
{
	struct rpc_handle *h;
	uint32_t fault = rpc_call_handle(c, HANDLE_KEY, &h);

	if (fault != 0)
		return fault;
	ndr_u32(&c->out, VERSION_WE_SPEAK);
	ndr_u32(&c->out, WERR_OK);
	return 0;
}

/* 24, 25, 30: shutting down, calling that off */
static uint32_t refuse(struct rpc_call *c)
{
	ndr_u32(&c->out, rpc_denied(c, RPC_FOR_NOBODY));
	return 0;
}

static const struct rpc_op winreg_ops[] = {
	{ 0, "OpenClassesRoot", open_hkcr },
	{ 1, "OpenCurrentUser", open_hkcu },
	{ 2, "OpenLocalMachine", open_hklm },
	{ 3, "OpenPerformanceData", open_hkpd },
	{ 4, "OpenUsers", open_hku },
	{ 5, "BaseRegCloseKey", close_key },
	{ 15, "BaseRegOpenKey", open_key },
	{ 17, "BaseRegQueryValue", query_value },
	{ 24, "BaseInitiateShutdown", refuse },
	{ 25, "BaseAbortShutdown", refuse },
	{ 26, "BaseRegGetVersion", get_version },
	{ 30, "BaseInitiateShutdownEx", refuse },
};

const struct rpc_iface winreg_iface = {
	.name = "winreg",
	/* 338cd001-2244-31f1-aaaa-900038001003 */
	.uuid = { 0x01, 0xd0, 0x8c, 0x33, 0x44, 0x22, 0xf1, 0x31,
		  0xaa, 0xaa, 0x90, 0x00, 0x38, 0x00, 0x10, 0x03 },
	.major = 1,
	.minor = 0,
	.ops = winreg_ops,
	.op_count = ARRAY_LEN(winreg_ops),
};
