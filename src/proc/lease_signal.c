/* lease_signal.c - the signal by which the kernel tells a worker that a local program wants a leased file. */
#include "proc/inner.h"
#include "srv/lease.h"
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

static struct {
	struct conn *c;
	void (*after)(void *arg);
	void *arg;
} heard;

static void on_signal(int fd, void *arg)
{
	struct signalfd_siginfo si[16];

	(void)arg;
	while (read(fd, si, sizeof(si)) > 0)
		;
	lease_look(heard.c); /* which file does not matter: one signal may stand for several */
	heard.after(heard.arg);
}

static bool wanted(const struct conf *conf)
{
	for (size_t i = 0; i < conf->nshares; i++)
		if (conf->shares[i]->p.kernel_oplocks)
			return true;
	return conf->defaults.kernel_oplocks;
}

int lease_signal_listen(struct conn *c, struct loop *l, void (*after)(void *arg), void *arg)
{
	int sig = SIGRTMIN + 2, fd;
	sigset_t set;

	if (c->host->lease_signal || !wanted(c->conf))
		return c->host->lease_signal;
	sigemptyset(&set);
	sigaddset(&set, sig);
	sigaddset(&set, SIGIO); /* stands for those that found the queue full */
	heard.c = c;
	heard.after = after;
	heard.arg = arg;
	fd = sigprocmask(SIG_BLOCK, &set, NULL) == 0 ? signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK) : -1;
	if (fd >= 0 && loop_add(l, fd, on_signal, NULL))
		return sig;
	log_error(LOG_PROC, "no descriptor for the kernel's leases: `kernel oplocks` gives no oplocks here");
	if (fd >= 0)
		close(fd);
	return 0;
}
