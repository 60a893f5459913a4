/* iface.c - which pipe speaks which interface. */
#include "rpc/iface.h"
#include "base/str.h"
#include "base/util.h"

static const struct rpc_iface *const ifaces[] = {
	&srvsvc_iface,
	&wkssvc_iface,
};

const struct rpc_iface *rpc_iface_for_pipe(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(ifaces); i++)
		if (str_caseeq(name, ifaces[i]->pipe))
			return ifaces[i];
	return NULL;
}

const struct rpc_op *rpc_iface_op(const struct rpc_iface *i, uint16_t num)
{
	for (size_t k = 0; k < i->op_count; k++)
		if (i->ops[k].num == num)
			return &i->ops[k];
	return NULL;
}
