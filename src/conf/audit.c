/* audit.c - the words of `smb1d: audit`. */
#include "conf/room.h"

static const struct { const char *word; unsigned bits; } words[] = {
	{ "connect", AUDIT_CONNECT }, { "disconnect", AUDIT_DISCONNECT }, { "open", AUDIT_OPEN }, { "read", AUDIT_READ },
	{ "write", AUDIT_WRITE }, { "create", AUDIT_CREATE }, { "rename", AUDIT_RENAME }, { "delete", AUDIT_DELETE },
	{ "attributes", AUDIT_ATTRIBUTES }, { "all", 511 },
};

unsigned conf_audit_mask(const char *const *list, const char **unknown)
{
	unsigned mask = 0;

	if (unknown)
		*unknown = NULL;
	for (; *list; list++) {
		unsigned bits = 0;

		for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
			if (name_eq(words[i].word, *list))
				bits = words[i].bits;
		if (bits == 0 && unknown && !*unknown)
			*unknown = *list;
		mask |= bits;
	}
	return mask;
}

const char *conf_audit_word(enum conf_audit op)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (words[i].bits == op)
			return words[i].word;
	return "?";
}
