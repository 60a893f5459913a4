/* favour.c - what a rule of the share allows and the kernel does not: `dos filemode`, `dos filetimes`, `inherit owner`,
 * attributes in the mode bits of somebody else's file.  The process that serves the client has no right to it; it asks
 * one that has, which looks at rule and file itself (proc/broker.c). */
#include "fs/inner.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static int (*process_ask)(void *arg, struct fs_favour *f);
static void *process_arg;
static struct fs_favour last;

void fs_process_favours(int (*ask)(void *arg, struct fs_favour *f), void *arg)
{
	process_ask = ask;
	process_arg = arg;
}

const struct fs_favour *fs_favour_last(void) { return &last; }

static int no(struct fs_favour *what)
{
	last = *what;
	fs_refused.favours++;
	return -EPERM;
}

int favour_ask(const struct fs_ref *f, struct fs_favour *what)
{
	int err;

	what->no = (struct fs_favour_no){ .reason = FS_NO_BROKER };
	if (!process_ask)
		return no(what);
	what->fd = f->name ? openat(f->fd, f->name, O_PATH | O_NOFOLLOW | O_CLOEXEC) : f->fd;
	if (what->fd < 0)
		return -errno;
	err = process_ask(process_arg, what);
	if (f->name)
		close(what->fd);
	return err == -EPERM ? no(what) : err;
}

int favour_ruled(const struct fs_ref *f, struct fs_favour *what, bool writers_may)
{
	if (writers_may)
		return favour_ask(f, what);
	what->no = (struct fs_favour_no){ .reason = FS_NO_WRITERS };
	snprintf(what->no.rule, sizeof(what->no.rule), "%s", what->what == FS_FAVOUR_TIMES ? "dos filetimes" : "dos filemode");
	return no(what);
}

bool fs_mode_is_attrs(const struct conf_params *p, uint32_t old, uint32_t mode)
{
	static const uint32_t bits[] = { FS_ATTR_READONLY, FS_ATTR_HIDDEN, FS_ATTR_SYSTEM, FS_ATTR_ARCHIVE };

	for (unsigned i = 0; i < 16; i++) {
		uint32_t attrs = 0;

		for (unsigned b = 0; b < 4; b++)
			attrs |= i >> b & 1 ? bits[b] : 0;
		if (attr_to_mode(p, old & 07777, attrs) == (mode & 07777))
			return true;
	}
	return false;
}
