/* attr.c - DOS attributes and creation times on a file system that knows neither.
 *
 * With `store dos attributes` they live in extended attributes:
 *   user.DOSATTRIB      "0x23": the text form other servers read and have written for twenty years.  Records
 *                       of theirs that begin with such a text are read too; the rest of them is not known
 *                       here.
 *   user.smb1d.crtime   the creation time as set by a client: FILETIME, 8 bytes, little endian; 0 if only what follows
 *                       was set.  Behind it, if set: the change time, and when that was.  The disk's own change
 *                       time cannot be set, but tells whether anything has changed since.
 *   user.smb1d.ntacl    the NT security descriptor (ntacl.c).
 * To save system calls per file the text says whether there are such things: eight digits ("0x00000023") for
 * a time, a '+' behind them for a descriptor.
 *
 * A file without a record was never seen by a backup: it has ARCHIVE and nothing else.  So a new file needs
 * no record, which is the difference between one system call and three for each file made.
 *
 * Without `store dos attributes` the three x bits and the owner's w bit stand for them as the `map ...`
 * options say. */
#include "fs/inner.h"
#include "base/clock.h"
#include <errno.h>
#include <stdio.h>
#include <strings.h>

#define XATTR_ATTRS "user.DOSATTRIB"
#define XATTR_CREATE "user.smb1d.crtime"

#define CHANGE_SLACK 200000u /* 20 ms: the disk's clock moves in ticks, and setting takes its time */

#define ATTR_KEPT \
	(FS_ATTR_READONLY | FS_ATTR_HIDDEN | FS_ATTR_SYSTEM | FS_ATTR_ARCHIVE | FS_ATTR_TEMPORARY | \
	 FS_ATTR_SPARSE | FS_ATTR_OFFLINE | 0x2000u /* not indexed */)

uint32_t attr_unset(uint32_t mode)
{
	return S_ISREG(mode) ? FS_ATTR_ARCHIVE : 0;
}

bool attr_is_own_xattr(const char *name)
{
	return strcasecmp(name, XATTR_ATTRS) == 0 || strncasecmp(name, "user.smb1d.", 11) == 0;
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = (char)(c | 0x20);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* "0x" and one to eight digits; anything may follow. */
static bool parse(const char *p, size_t n, struct fs_stored *out)
{
	uint32_t v = 0;
	size_t i = 2;

	if (n < 3 || p[0] != '0' || (p[1] | 0x20) != 'x')
		return false;
	while (i < n && i < 10 && hex_digit(p[i]) >= 0)
		v = v << 4 | (uint32_t)hex_digit(p[i++]);
	if (i == 2)
		return false;
	out->attrs = v & ATTR_KEPT;
	out->known = true;
	out->create = i == 10;
	out->sd = i < n && p[i] == '+';
	return true;
}

void attr_load(const struct fs_ref *f, struct fs_stored *out)
{
	char buf[256];
	ssize_t n = xattr_get(f, XATTR_ATTRS, buf, sizeof(buf));

	*out = (struct fs_stored){ 0 };
	if (n > 0)
		parse(buf, (size_t)n, out);
}

void attr_load_times(const struct fs_ref *f, struct fs_stat *st)
{
	uint8_t buf[24];
	ssize_t n = xattr_get(f, XATTR_CREATE, buf, sizeof(buf));
	struct rd r = rd_over(buf, n == 8 || n == 24 ? (uint32_t)n : 0);
	nttime_t create = rd_u64(&r), change, at;

	if (create)
		st->create = create;
	change = rd_u64(&r);
	at = rd_u64(&r);
	if (rd_ok(&r) && st->change + CHANGE_SLACK >= at && st->change <= at + CHANGE_SLACK)
		st->change = change;
}

static int store(const struct fs_ref *f, uint32_t attrs, bool create, bool sd)
{
	char text[16];
	int n = snprintf(text, sizeof(text), create ? "0x%08x%s" : "0x%x%s", attrs & ATTR_KEPT, sd ? "+" : "");

	return xattr_set(f, XATTR_ATTRS, text, (size_t)n);
}

int attr_store(const struct fs_ref *f, uint32_t attrs, uint32_t unset)
{
	struct fs_stored old;

	attr_load(f, &old);
	if ((old.known ? old.attrs : unset) == (attrs & ATTR_KEPT))
		return 0;
	return store(f, attrs, old.create, old.sd);
}

int attr_store_sd(const struct fs_ref *f, bool has, uint32_t unset)
{
	struct fs_stored old;

	attr_load(f, &old);
	if (old.sd == has)
		return 0;
	return store(f, old.known ? old.attrs : unset, old.create, has);
}

int attr_store_create(const struct fs_ref *f, nttime_t create, uint32_t unset)
{
	uint8_t buf[8];
	struct wr w = wr_over(buf, sizeof(buf));
	struct fs_stored old;
	int err;

	wr_u64(&w, create);
	err = xattr_set(f, XATTR_CREATE, buf, sizeof(buf));
	if (err < 0)
		return err;
	attr_load(f, &old);
	if (old.known && old.create)
		return 0;
	return store(f, old.known ? old.attrs : unset, true, old.sd);
}

int attr_store_change(const struct fs_ref *f, nttime_t change, uint32_t unset)
{
	struct fs_stat st = { .create = 0 };
	struct fs_stored old;
	int err = 0;

	attr_load(f, &old);
	if (old.create)
		attr_load_times(f, &st);
	else
		err = store(f, old.known ? old.attrs : unset, true, old.sd);
	for (int i = 0; err == 0 && i < 3; i++) {
		uint8_t buf[24];
		struct wr w = wr_over(buf, sizeof(buf));
		nttime_t at = clock_now();

		wr_u64(&w, st.create);
		wr_u64(&w, change);
		wr_u64(&w, at);
		err = xattr_set(f, XATTR_CREATE, buf, sizeof(buf));
		if (clock_now() - at < CHANGE_SLACK)
			break; /* else once more: it is too late to be told from a change */
	}
	return err;
}

uint32_t attr_from_mode(const struct conf_params *p, uint32_t mode)
{
	uint32_t attrs = 0;

	if (!S_ISREG(mode))
		return 0;
	if (p->map_archive && (mode & S_IXUSR))
		attrs |= FS_ATTR_ARCHIVE;
	if (p->map_system && (mode & S_IXGRP))
		attrs |= FS_ATTR_SYSTEM;
	if (p->map_hidden && (mode & S_IXOTH))
		attrs |= FS_ATTR_HIDDEN;
	if (p->map_readonly == CONF_MAP_READONLY_YES && !(mode & S_IWUSR))
		attrs |= FS_ATTR_READONLY;
	return attrs;
}

/* The mode with those bits put in place that stand for attributes. */
mode_t attr_to_mode(const struct conf_params *p, mode_t mode, uint32_t attrs)
{
	static const mode_t all_w = S_IWUSR | S_IWGRP | S_IWOTH;

	if (p->map_archive)
		mode = (mode & ~(mode_t)S_IXUSR) | (attrs & FS_ATTR_ARCHIVE ? S_IXUSR : 0);
	if (p->map_system)
		mode = (mode & ~(mode_t)S_IXGRP) | (attrs & FS_ATTR_SYSTEM ? S_IXGRP : 0);
	if (p->map_hidden)
		mode = (mode & ~(mode_t)S_IXOTH) | (attrs & FS_ATTR_HIDDEN ? S_IXOTH : 0);
	if (p->map_readonly != CONF_MAP_READONLY_NO) {
		if (attrs & FS_ATTR_READONLY)
			mode &= ~all_w;
		else if (!(mode & S_IWUSR))
			mode |= S_IWUSR | ((mode_t)p->create_mask & (S_IWGRP | S_IWOTH));
	}
	return mode;
}
