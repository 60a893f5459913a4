/* iface.c - which pipe speaks which interfaces. */
#include "rpc/iface.h"
#include "base/str.h"
#include "base/util.h"

/* On Windows one process serves the security pipes, so each of them speaks all their interfaces. */
#define SECURITY { &lsarpc_iface, &dssetup_iface, &samr_iface, &netlogon_iface }

static const struct rpc_door doors[] = {
	{ "srvsvc", "srvsvc", { &srvsvc_iface } },
	{ "wkssvc", "wkssvc", { &wkssvc_iface } },
	{ "lsarpc", "lsass", SECURITY },
	{ "samr", "lsass", SECURITY },
	{ "netlogon", "lsass", SECURITY },
	{ "lsass", "lsass", SECURITY },
	{ "winreg", "winreg", { &winreg_iface } },
};

const struct rpc_door *rpc_door_of(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(doors); i++)
		if (str_caseeq(name, doors[i].pipe))
			return &doors[i];
	return NULL;
}

static bool is_iface(const struct rpc_iface *i, const uint8_t *uuid, uint32_t version)
{
	return memcmp(uuid, i->uuid, sizeof(i->uuid)) == 0 && (version & 0xffff) == i->major &&
	       version >> 16 <= i->minor;
}

const struct rpc_iface *rpc_door_iface(const struct rpc_door *d, const uint8_t *uuid, uint32_t version)
{
	for (size_t i = 0; i < RPC_DOOR_IFACES && d->iface[i] != NULL; i++)
		if (is_iface(d->iface[i], uuid, version))
			return d->iface[i];
	return is_iface(&mgmt_iface, uuid, version) ? &mgmt_iface : NULL;
}

const struct rpc_op *rpc_iface_op(const struct rpc_iface *i, uint16_t num)
{
	for (size_t k = 0; k < i->op_count; k++)
		if (i->ops[k].num == num)
			return &i->ops[k];
	return NULL;
}

const struct rpc_iface *rpc_iface_at(size_t i)
{
	static const struct rpc_iface *const all[] = { &srvsvc_iface, &wkssvc_iface, &lsarpc_iface, &dssetup_iface,
						       &samr_iface,   &winreg_iface, &netlogon_iface, &mgmt_iface };

	return i < ARRAY_LEN(all) ? all[i] : NULL;
}
