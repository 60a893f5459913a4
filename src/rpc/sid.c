/* sid.c - security identifiers: NDR, text, and taking them apart. */
#include "rpc/sid.h"
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

bool rpc_sid_get(struct ndr_in *in, struct rpc_sid *s)
{
	uint32_t count = ndr_rd_u32(in);
	uint8_t revision = ndr_rd_u8(in), authority[6];

	memset(s, 0, sizeof(*s));
	s->n = ndr_rd_u8(in);
	rd_copy(&in->r, authority, sizeof(authority));
	if (count != s->n || s->n > RPC_SID_SUBS || revision != 1) {
		s->n = 0;
		ndr_rd_fail(in);
		return false;
	}
	s->authority = authority[5];
	for (uint8_t i = 0; i < 5; i++)
		if (authority[i] != 0)
			s->authority = 0xff; /* none that we know */
	for (uint8_t i = 0; i < s->n; i++)
		s->sub[i] = ndr_rd_u32(in);
	return ndr_rd_ok(in);
}

void rpc_sid_put(struct ndr *out, const struct rpc_sid *s)
{
	ndr_u32(out, s->n);
	ndr_u8(out, 1);
	ndr_u8(out, s->n);
	wr_zero(&out->w, 5);
	ndr_u8(out, s->authority);
	for (uint8_t i = 0; i < s->n; i++)
		ndr_u32(out, s->sub[i]);
}

bool rpc_sid_same(const struct rpc_sid *a, const struct rpc_sid *b)
{
	return a->authority == b->authority && a->n == b->n &&
	       memcmp(a->sub, b->sub, a->n * sizeof(a->sub[0])) == 0;
}

struct rpc_sid rpc_sid_with(const struct rpc_sid *domain, uint32_t rid)
{
	struct rpc_sid s = *domain;

	if (s.n < RPC_SID_SUBS)
		s.sub[s.n++] = rid;
	return s;
}

bool rpc_sid_split(const struct rpc_sid *s, struct rpc_sid *domain, uint32_t *rid)
{
	*domain = *s;
	*rid = 0;
	if (s->n == 0)
		return false;
	*rid = s->sub[s->n - 1];
	domain->sub[--domain->n] = 0;
	return true;
}

const char *rpc_sid_text(TALLOC_CTX *mem, const struct rpc_sid *s)
{
	char *text = talloc_asprintf(mem, "S-1-%u", s->authority);

	for (uint8_t i = 0; i < s->n && text != NULL; i++)
		text = talloc_asprintf_append(text, "-%u", s->sub[i]);
	return text ? text : "";
}

/* A number and the dash before it. */
static bool dash_number(const char **p, uint32_t *v)
{
	unsigned long n;
	char *end;

	if ((*p)[0] != '-' || (*p)[1] < '0' || (*p)[1] > '9')
		return false;
	n = strtoul(*p + 1, &end, 10);
	*v = (uint32_t)n;
	*p = end;
	return n <= 0xffffffffu;
}

bool rpc_sid_parse(const char *text, struct rpc_sid *s)
{
	uint32_t authority;

	memset(s, 0, sizeof(*s));
	if (strncasecmp(text, "S-1-", 4) != 0)
		return false;
	text += 3;
	if (!dash_number(&text, &authority) || authority > 0xfe)
		return false;
	s->authority = (uint8_t)authority;
	while (*text != '\0') {
		if (s->n == RPC_SID_SUBS || !dash_number(&text, &s->sub[s->n]))
			return false;
		s->n++;
	}
	return true;
}
