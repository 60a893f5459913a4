/* ea.c - OS/2 extended attributes: they are the user.* attributes of the file, but for those other servers
 * and we keep there.  Names are blind to case; a new one is stored as given. */
#include "fs/inner.h"
#include <errno.h>
#include <fcntl.h>

#define MAX_LIST 65536
#define FEW_NAMES 512 /* bytes that nearly always do; the kernel makes a buffer of the size it is asked for, too */
#define MAX_VALUE 65535
#define MAX_NAME 250 /* "user." and this is what the kernel takes */

/* "user.x" a client may see: its "x", else NULL. */
static const char *shown(const char *attr)
{
	static const char *const reserved[] = { "user.SAMBA_PAI", "user.DosStream.", "user.com.apple.",
						"user.org.netatalk." };

	if (strncmp(attr, "user.", 5) != 0 || attr_is_own_xattr(attr))
		return NULL;
	for (size_t i = 0; i < ARRAY_LEN(reserved); i++)
		if (strncmp(attr, reserved[i], strlen(reserved[i])) == 0)
			return NULL;
	return attr[5] ? attr + 5 : NULL;
}

/* All names, one NUL behind each; talloc child of mem. */
static int load_names(const struct fs_ref *f, TALLOC_CTX *mem, char **names, size_t *len)
{
	char *buf = talloc_size(mem, FEW_NAMES + 1);
	ssize_t n = buf ? xattr_list(f, buf, FEW_NAMES) : -ENOMEM;

	if (n == -ERANGE) {
		talloc_free(buf);
		buf = talloc_size(mem, MAX_LIST + 1);
		n = buf ? xattr_list(f, buf, MAX_LIST) : -ENOMEM;
	}
	if (n < 0) {
		talloc_free(buf);
		*len = 0;
		return n == -EOPNOTSUPP ? 0 : (int)n;
	}
	buf[n] = '\0';
	*names = buf;
	*len = (size_t)n;
	return 0;
}

static bool add(TALLOC_CTX *mem, const struct fs_ref *f, const char *attr, struct fs_ea **list, size_t *n)
{
	struct fs_ea *more = talloc_realloc(mem, *list, struct fs_ea, (unsigned)*n + 1), *ea;
	uint8_t *value = more ? talloc_size(more, MAX_VALUE) : NULL;
	ssize_t len;

	if (!more)
		return false;
	*list = more;
	if (!value)
		return false;
	len = xattr_get(f, attr, value, MAX_VALUE);
	if (len <= 0) { /* vanished, not to be read, or without a value: that is no attribute to OS/2 */
		talloc_free(value);
		return true;
	}
	ea = &more[(*n)++];
	ea->name = talloc_strdup(more, attr + 5);
	ea->value = talloc_realloc(more, value, uint8_t, (unsigned)len);
	ea->len = (uint32_t)len;
	return ea->name && ea->value;
}

status_t fs_ea_list(struct fs_node *node, TALLOC_CTX *mem, struct fs_ea **list, size_t *n)
{
	char *names = NULL;
	size_t len = 0;
	struct fs_ref f;
	bool ok = true;
	int err;

	*list = NULL;
	*n = 0;
	share_scratch_reset(node->share);
	if (!node->exists)
		return ST_OBJECT_NAME_NOT_FOUND;
	if (!node->share->p->ea_support || (!S_ISREG(node->st.mode) && !fs_is_dir(&node->st)))
		return ST_OK;
	err = node_ref(node, -1, &f);
	if (err == 0)
		err = load_names(&f, share_scratch(node->share), &names, &len);
	for (const char *p = names; err == 0 && ok && p && p < names + len; p += strlen(p) + 1)
		if (shown(p))
			ok = add(mem, &f, p, list, n);
	node_unref(-1, &f);
	return ok ? fs_status(FS_LAST, err) : ST_NO_MEMORY;
}

uint32_t fs_ea_size(struct fs_node *node)
{
	char *names = NULL;
	size_t len = 0;
	uint32_t size = 0;
	struct fs_ref f;
	ssize_t n;

	share_scratch_reset(node->share);
	if (!node->exists || !node->share->p->ea_support || (!S_ISREG(node->st.mode) && !fs_is_dir(&node->st)))
		return 0;
	if (node_ref(node, -1, &f) == 0 && load_names(&f, share_scratch(node->share), &names, &len) == 0)
		for (const char *p = names; p && p < names + len; p += strlen(p) + 1) {
			n = shown(p) ? xattr_get(&f, p, NULL, 0) : 0;
			if (n > 0)
				size += 5 + (uint32_t)str_to_oem(shown(p), NULL, 0) + (uint32_t)n;
		}
	node_unref(-1, &f);
	return size;
}

static bool legal(const char *name)
{
	size_t n = strlen(name);

	if (n == 0 || n > MAX_NAME)
		return false;
	for (; *name; name++)
		if ((unsigned char)*name < 0x20 || strchr("\"*+,/:;<=>?[\\]|", *name))
			return false;
	return true;
}

/* The attribute's full name: as it is on the file in whatever case, else as given. */
static char *full_name(const struct fs_ref *f, TALLOC_CTX *mem, const char *name)
{
	char *names = NULL;
	size_t len = 0;

	if (load_names(f, mem, &names, &len) == 0)
		for (const char *p = names; p && p < names + len; p += strlen(p) + 1)
			if (shown(p) && str_caseeq(shown(p), name))
				return talloc_strdup(mem, p);
	return talloc_asprintf(mem, "user.%s", name);
}

static status_t set_status(int err)
{
	switch (-err) {
	case ENODATA: /* deleting what is not there */
		return ST_OK;
	case EOPNOTSUPP:
		return ST_EAS_NOT_SUPPORTED;
	case E2BIG:
	case ERANGE:
		return ST_EA_TOO_LARGE;
	default:
		return fs_status(FS_LAST, err);
	}
}

status_t fs_ea_set(struct fs_node *node, const char *name, const uint8_t *value, uint32_t len)
{
	struct fs_ref f;
	char *full;
	int err;

	share_scratch_reset(node->share);
	if (!node->exists)
		return ST_OBJECT_NAME_NOT_FOUND;
	if (!node->share->p->ea_support)
		return ST_EAS_NOT_SUPPORTED;
	if (!legal(name))
		return ST_INVALID_EA_NAME;
	if (len > MAX_VALUE)
		return ST_EA_TOO_LARGE;
	err = node_ref(node, -1, &f);
	if (err < 0)
		return fs_status(FS_LAST, err);
	full = full_name(&f, share_scratch(node->share), name);
	if (!full)
		err = -ENOMEM;
	else if (!shown(full))
		err = -EACCES; /* ours, whatever the client thinks */
	else
		err = len ? xattr_set(&f, full, value, len) : xattr_remove(&f, full);
	node_unref(-1, &f);
	if (err == 0)
		fs_changed(node, FS_MODIFIED, FS_WHAT_EA);
	return set_status(err);
}
