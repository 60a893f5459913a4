/* legal.c - which names Windows and DOS take. */
#include "fs/inner.h"

bool name_is_utf8(const char *name)
{
	while (*name) {
		const char *start = name;

		if (str_next(&name) == 0xfffd && (unsigned char)*start != 0xef)
			return false;
	}
	return true;
}

bool fs_name_legal(const char *name)
{
	const char *p = name;

	for (; *p; p++)
		if ((unsigned char)*p < 0x20 || strchr("\"*/:<>?\\|", *p))
			return false;
	return p > name && p[-1] != ' ' && (p[-1] != '.' || dirent_is_dots(name));
}

/* CON, CON.TXT, "con .x": the part before the first dot, without blanks behind it. */
bool fs_name_reserved(const char *name)
{
	static const char *const devices[] = { "CON", "PRN", "AUX", "NUL", "CLOCK$" };
	size_t n = strcspn(name, ".");
	char base[8];

	while (n > 0 && name[n - 1] == ' ')
		n--;
	if (n < 3 || n > 6)
		return false;
	memcpy(base, name, n);
	base[n] = '\0';
	for (size_t i = 0; i < ARRAY_LEN(devices); i++)
		if (str_caseeq(base, devices[i]))
			return true;
	if (n != 4 || base[3] < '1' || base[3] > '9')
		return false;
	base[3] = '\0';
	return str_caseeq(base, "COM") || str_caseeq(base, "LPT");
}

bool name_needs_alias(const struct fs_share *s, const char *name)
{
	return s->aliases && !dirent_is_dots(name) && (!fs_name_legal(name) || !name_is_utf8(name));
}
