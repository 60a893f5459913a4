/* probe.c - does the other end of a quiet connection live?  Asked of its TCP, which answers for it. */
#include "fastio/fastio.h"
#include "base/util.h"
#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

static const struct { int level, opt, probing; } options[] = {
	{ IPPROTO_TCP, TCP_KEEPIDLE, 1 },
	{ IPPROTO_TCP, TCP_KEEPINTVL, 1 },
	{ IPPROTO_TCP, TCP_KEEPCNT, 100 }, /* the verdict is ours, not the kernel's */
	{ SOL_SOCKET, SO_KEEPALIVE, 1 },   /* last: it sends the first probe */
};

void fastio_probe_begin(const struct fastio *io, struct fastio_probe *was)
{
	for (size_t i = 0; i < ARRAY_LEN(options); i++) {
		socklen_t len = sizeof(was->value[i]);

		if (getsockopt(fastio_fd(io), options[i].level, options[i].opt, &was->value[i], &len) != 0)
			was->value[i] = options[i].probing;
		(void)setsockopt(fastio_fd(io), options[i].level, options[i].opt, &options[i].probing, sizeof(int));
	}
}

void fastio_probe_end(const struct fastio *io, const struct fastio_probe *was)
{
	for (size_t i = ARRAY_LEN(options); i-- > 0;)
		(void)setsockopt(fastio_fd(io), options[i].level, options[i].opt, &was->value[i], sizeof(int));
}

bool fastio_silent(const struct fastio *io, uint32_t *ms)
{
	struct tcp_info ti;
	socklen_t len = sizeof(ti);
	int waiting = 0;

	if (getsockopt(fastio_fd(io), IPPROTO_TCP, TCP_INFO, &ti, &len) != 0 ||
	    len < offsetof(struct tcp_info, tcpi_pmtu)) /* all before it was filled in */
		return false;
	*ms = min_u32(ti.tcpi_last_data_recv, ti.tcpi_last_ack_recv);
	/* a reader that takes nothing: TCP asks it rarely, and sends no keepalives meanwhile */
	return ti.tcpi_unacked != 0 || ioctl(fastio_fd(io), SIOCOUTQ, &waiting) != 0 || waiting == 0;
}
