/* hosts.c - who may connect, by address: `hosts allow` and `hosts deny`.
 *
 *   allow   deny    answer
 *   -       -       yes
 *   match   any     yes
 *   no      match   no
 *   no      -       no, but this machine itself may
 *   no      no      yes
 *   -       no      yes */
#include "conf/room.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

struct address {
	uint8_t b[16];
	unsigned bits; /* 32, 128, or 0 = no address */
};

/* An address of text; IPv4 written as IPv6 (::ffff:192.0.2.7) is IPv4; a zone (%eth0) is cut. */
static struct address parse_address(const char *text)
{
	static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };
	struct address a = { .bits = 0 };
	char copy[64];
	size_t len = strcspn(text, "%");

	if (*text == '[' && len && text[len - 1] == ']') {
		text++;
		len -= 2;
	}
	if (len >= sizeof(copy))
		return a;
	memcpy(copy, text, len);
	copy[len] = '\0';
	if (inet_pton(AF_INET, copy, a.b) == 1)
		a.bits = 32;
	else if (inet_pton(AF_INET6, copy, a.b) == 1)
		a.bits = 128;
	if (a.bits == 128 && memcmp(a.b, mapped, sizeof(mapped)) == 0) {
		memmove(a.b, a.b + 12, 4);
		memset(a.b + 4, 0, 12);
		a.bits = 32;
	}
	return a;
}

static bool same_bits(const struct address *a, const struct address *b, unsigned bits)
{
	unsigned whole = bits / 8, rest = bits % 8;

	if (memcmp(a->b, b->b, whole) != 0)
		return false;
	return rest == 0 || (((a->b[whole] ^ b->b[whole]) >> (8 - rest)) & 0xff) == 0;
}

/* "192.168.1.0/24", "10.0.0.0/255.0.0.0", "2001:db8::/32" */
static bool match_network(const char *item, const char *slash, const struct address *who)
{
	char *base = talloc_strndup(NULL, item, (size_t)(slash - item)), *end;
	struct address net = parse_address(base), mask = parse_address(slash + 1);
	unsigned long bits = strtoul(slash + 1, &end, 10);
	bool yes = false;

	if (net.bits != 0 && net.bits == who->bits) {
		if (*end == '\0' && end != slash + 1 && bits <= net.bits) {
			yes = same_bits(&net, who, (unsigned)bits);
		} else if (mask.bits == net.bits) {
			yes = true;
			for (unsigned i = 0; i < net.bits / 8; i++)
				yes = yes && ((net.b[i] ^ who->b[i]) & mask.b[i]) == 0;
		}
	}
	talloc_free(base);
	return yes;
}

static bool is_localhost(const struct address *a)
{
	static const uint8_t six[16] = { [15] = 1 };

	return (a->bits == 32 && a->b[0] == 127) || (a->bits == 128 && memcmp(a->b, six, 16) == 0);
}

/* Is it an address or the beginning of one, not a name? */
static bool numeric(const char *item)
{
	return strspn(item, "0123456789./") == strlen(item) || strchr(item, ':') != NULL || *item == '[';
}

static bool match_name(const char *item, const char *name, const struct address *who)
{
	size_t ilen = strlen(item), nlen;

	if (strcasecmp(item, "localhost") == 0 && is_localhost(who))
		return true;
	if (name == NULL || *name == '\0')
		return false;
	nlen = strlen(name);
	if (*item == '.') /* .example.org: every host of the domain */
		return nlen > ilen && strcasecmp(name + nlen - ilen, item) == 0;
	return strcasecmp(item, name) == 0;
}

static bool match_item(const char *item, const char *addr, const struct address *who, const char *name)
{
	const char *slash = strchr(item, '/');
	size_t len = strlen(item);
	struct address a;

	if (strcasecmp(item, "ALL") == 0)
		return true;
	if (strcasecmp(item, "LOCAL") == 0) /* a name without a dot */
		return is_localhost(who) || (name && *name && strpbrk(name, ".:") == NULL);
	if (!numeric(item))
		return match_name(item, name, who);
	if (slash != NULL)
		return match_network(item, slash, who);
	if (len && (item[len - 1] == '.' || (item[len - 1] == ':' && len > 1 && item[len - 2] != ':')))
		return strncasecmp(item, addr, len) == 0; /* 192.168. */
	a = parse_address(item);
	return a.bits != 0 && a.bits == who->bits && same_bits(&a, who, a.bits);
}

/* The item that matches, unless an item behind EXCEPT does; NULL if none. */
static const char *match_list(const char *const *list, const char *addr, const struct address *who,
			      const char *name)
{
	const char *found = NULL;
	bool except = false;

	for (; *list; list++) {
		if (strcasecmp(*list, "EXCEPT") == 0) {
			except = true;
			continue;
		}
		if ((except || found == NULL) && match_item(*list, addr, who, name)) {
			if (except)
				return NULL;
			found = *list;
		}
	}
	return found;
}

bool conf_host_allowed(const char *const *allow, const char *const *deny, const char *addr, const char *name,
		       const char **rule)
{
	struct address who = parse_address(addr);
	char plain[INET6_ADDRSTRLEN] = "";
	const char *yes, *no, *ignored;

	if (rule == NULL)
		rule = &ignored;
	*rule = "";
	if (*allow == NULL && *deny == NULL)
		return true;
	if (who.bits && inet_ntop(who.bits == 32 ? AF_INET : AF_INET6, who.b, plain, sizeof(plain)) != NULL)
		addr = plain;
	yes = match_list(allow, addr, &who, name);
	no = match_list(deny, addr, &who, name);
	if (yes != NULL || no != NULL)
		*rule = yes ? yes : no;
	if (yes != NULL)
		return true;
	if (no != NULL)
		return false;
	return *allow == NULL || *deny != NULL || is_localhost(&who);
}

/* A NetBIOS name is what the client says: together with its address it says yes; alone, to nobody, but it may say no. */
static bool names(const char *item, size_t n, const char *said)
{
	return said && strlen(said) == n && strncasecmp(item, said, n) == 0;
}

/* ADDRESS, or one of these with or without @ADDRESS: NAME as the client calls itself, called:NAME as it calls us, port:N */
static bool match_client(const char *item, bool refuses, const struct conf_peer *p, const struct address *who)
{
	const char *at = strchr(item, '@');
	size_t n = at ? (size_t)(at - item) : strlen(item);
	bool there = at == NULL || match_item(at + 1, p->addr, who, p->dns);

	if (strncasecmp(item, "port:", 5) == 0)
		return there && p->port != 0 && strtoul(item + 5, NULL, 10) == p->port;
	if (at == NULL && !refuses)
		return match_item(item, p->addr, who, p->dns);
	if (strncasecmp(item, "called:", 7) == 0)
		return there && names(item + 7, n - 7, p->called);
	if (at == NULL && match_item(item, p->addr, who, p->dns))
		return true;
	return there && names(item, n, p->claimed);
}

int conf_client_rule(const char *const *list, const struct conf_peer *p)
{
	struct address who = parse_address(p->addr);
	bool except = false, yes = false;

	for (; *list; list++) {
		bool refuses = **list == '!';

		if (strcasecmp(*list, "EXCEPT") == 0) {
			except = true;
			continue;
		}
		if (!match_client(*list + refuses, refuses, p, &who))
			continue;
		if (refuses)
			return -1;
		yes = !except;
	}
	return yes;
}

bool conf_client_early(const char *item)
{
	item += *item == '!';
	return strncasecmp(item, "port:", 5) == 0 || strncasecmp(item, "called:", 7) == 0;
}

bool conf_client_vague(const char *item)
{
	if (strncasecmp(item, "called:", 7) == 0)
		return strchr(item, '@') == NULL;
	return *item != '!' && strpbrk(item, "@.") == NULL && !numeric(item) && strcasecmp(item, "ALL") != 0 &&
	       strcasecmp(item, "EXCEPT") != 0 && strcasecmp(item, "LOCAL") != 0 && strcasecmp(item, "localhost") != 0 &&
	       strncasecmp(item, "port:", 5) != 0;
}

bool conf_hosts_need_name(const char *const *list)
{
	for (; *list; list++)
		if (strcasecmp(*list, "ALL") != 0 && strcasecmp(*list, "EXCEPT") != 0 &&
		    strcasecmp(*list, "localhost") != 0 && !numeric(*list))
			return true;
	return false;
}
