/* pack.c - a configuration as one flat record, and back.
 *
 *   "S1CF" version(4) table(4) length(4)  then globals, defaults, options, files, places, groups, shares
 *   then a sum of all bytes before it (8)
 *
 * Integers are little-endian, a string is its length (4) and bytes, a list its count (4) and strings.
 * `table` is a sum over the parameters' names and types: a worker of another build refuses. */
#include "conf/room.h"
#include "base/cursor.h"
#include <string.h>

#define PACK_MAGIC 0x46433153u /* "S1CF" */
#define PACK_VERSION 3
#define PACK_HEADER 16
#define PACK_MAX (64u << 20)

static uint64_t sum_bytes(uint64_t sum, const void *p, size_t len)
{
	const uint8_t *b = p;

	for (size_t i = 0; i < len; i++)
		sum = (sum ^ b[i]) * 0x100000001b3u;
	return sum;
}

#define SUM_START 0xcbf29ce484222325u

static uint32_t table_sum(void)
{
	uint64_t sum = SUM_START;

	for (const struct param *p = param_table; p < param_table + param_count; p++) {
		uint8_t kind[2] = { (uint8_t)p->type, p->global };

		if (!param_has_field(p))
			continue;
		sum = sum_bytes(sum, p->name, strlen(p->name) + 1);
		sum = sum_bytes(sum, kind, sizeof(kind));
	}
	return (uint32_t)(sum ^ sum >> 32);
}

/* ---- writing ---- */

static void put_string(struct wr *w, const char *s)
{
	size_t len = strlen(s);

	wr_u32(w, (uint32_t)len);
	wr_bytes(w, s, len);
}

static void put_list(struct wr *w, const char *const *list)
{
	uint32_t n = 0;

	while (list[n])
		n++;
	wr_u32(w, n);
	for (uint32_t i = 0; i < n; i++)
		put_string(w, list[i]);
}

static void put_field(struct wr *w, const struct param *p, const void *field)
{
	switch (p->type) {
	case P_BOOL:
		wr_u8(w, *(const bool *)field);
		break;
	case P_ENUM:
		wr_u32(w, (uint32_t) * (const int *)field);
		break;
	case P_INT:
	case P_SIZE:
	case P_OCTAL:
		wr_u64(w, (uint64_t) * (const int64_t *)field);
		break;
	case P_STR:
		put_string(w, *(const char *const *)field);
		break;
	case P_LIST:
		put_list(w, *(const char *const *const *)field);
		break;
	case P_LANGUAGE:
	case P_UNUSED:
	case P_HEAD:
		break;
	}
}

static void put_params(struct wr *w, bool global, const struct conf_globals *g, const struct conf_params *s)
{
	for (const struct param *p = param_table; p < param_table + param_count; p++)
		if (param_has_field(p) && p->global == global)
			put_field(w, p, param_field_const(p, g, s));
}

static void put_sets(struct wr *w, const struct conf_sets *set)
{
	wr_u32(w, (uint32_t)set->n);
	for (size_t i = 0; i < set->n; i++) {
		wr_u16(w, set->v[i].param);
		wr_u16(w, set->v[i].file);
		wr_u32(w, set->v[i].line);
	}
}

static void put_share(struct wr *w, const struct conf_share *sh)
{
	put_string(w, sh->name);
	put_string(w, sh->file);
	wr_u32(w, sh->line);
	wr_u8(w, (uint8_t)sh->kind);
	put_params(w, false, NULL, &sh->p);
	put_list(w, sh->options);
	put_sets(w, &sh->set);
}

static void put_conf(struct wr *w, const struct conf *c)
{
	wr_u32(w, PACK_MAGIC);
	wr_u32(w, PACK_VERSION);
	wr_u32(w, table_sum());
	wr_u32(w, 0); /* the length, below */
	wr_u8(w, c->per_client);
	put_params(w, true, &c->g, NULL);
	put_params(w, false, NULL, &c->defaults);
	put_list(w, c->options);
	put_list(w, c->files);
	put_sets(w, &c->set);
	wr_u32(w, (uint32_t)c->ngroups);
	for (size_t i = 0; i < c->ngroups; i++) {
		put_string(w, c->groups[i].name);
		wr_u32(w, c->groups[i].gid);
		put_list(w, c->groups[i].members);
	}
	wr_u32(w, (uint32_t)c->nshares);
	for (size_t i = 0; i < c->nshares; i++)
		put_share(w, c->shares[i]);
	wr_u32_at(w, 12, wr_tell(w) + 8);
	if (wr_ok(w))
		wr_u64(w, sum_bytes(SUM_START, w->msg, wr_tell(w)));
}

uint8_t *conf_pack(TALLOC_CTX *mem, const struct conf *c, size_t *len)
{
	for (unsigned cap = 64u << 10; cap <= PACK_MAX; cap *= 2) {
		uint8_t *buf = talloc_array(mem, uint8_t, cap);
		struct wr w = wr_over(buf, cap);

		if (buf == NULL)
			return NULL;
		put_conf(&w, c);
		if (wr_ok(&w)) {
			*len = wr_tell(&w);
			return talloc_realloc(mem, buf, uint8_t, wr_tell(&w));
		}
		talloc_free(buf);
	}
	return NULL;
}

/* ---- reading ---- */

static const char *get_string(TALLOC_CTX *mem, struct rd *r)
{
	uint32_t len = rd_u32(r);
	const uint8_t *p = rd_take(r, len);

	if (p == NULL || memchr(p, 0, len) != NULL) {
		r->bad = true;
		return "";
	}
	return talloc_strndup(mem, (const char *)p, len);
}

static const char *const *get_list(TALLOC_CTX *mem, struct rd *r)
{
	static const char *const none[] = { NULL };
	uint32_t n = rd_u32(r);
	const char **list;

	if (n > rd_left(r) / 4) { /* each string has a length at least */
		r->bad = true;
		return none;
	}
	list = talloc_zero_array(mem, const char *, n + 1);
	for (uint32_t i = 0; i < n; i++)
		list[i] = get_string(list, r);
	return list;
}

static void get_number(struct rd *r, const struct param *p, int64_t *out)
{
	*out = (int64_t)rd_u64(r);
	if (*out < p->lo || *out > p->hi)
		r->bad = true;
}

static void get_enum(struct rd *r, const struct param *p, int *out)
{
	uint32_t v = rd_u32(r);

	for (const struct word *w = p->words; w->spellings; w++)
		if (v == (uint32_t)w->value) {
			*out = w->value;
			return;
		}
	r->bad = true;
}

static bool get_bool(struct rd *r)
{
	uint8_t v = rd_u8(r);

	r->bad = r->bad || v > 1;
	return v == 1;
}

static void get_field(TALLOC_CTX *mem, struct rd *r, const struct param *p, void *field)
{
	switch (p->type) {
	case P_BOOL:
		*(bool *)field = get_bool(r);
		break;
	case P_ENUM:
		get_enum(r, p, field);
		break;
	case P_INT:
	case P_SIZE:
	case P_OCTAL:
		get_number(r, p, field);
		break;
	case P_STR:
		*(const char **)field = get_string(mem, r);
		break;
	case P_LIST:
		*(const char *const **)field = get_list(mem, r);
		break;
	case P_LANGUAGE:
	case P_UNUSED:
	case P_HEAD:
		break;
	}
}

static void get_params(TALLOC_CTX *mem, struct rd *r, bool global, struct conf_globals *g,
		       struct conf_params *s)
{
	for (const struct param *p = param_table; p < param_table + param_count; p++)
		if (param_has_field(p) && p->global == global)
			get_field(mem, r, p, param_field(p, g, s));
}

static void get_sets(TALLOC_CTX *mem, struct rd *r, const struct conf *c, struct conf_sets *set)
{
	uint32_t n = rd_u32(r);
	size_t files = 0;

	while (c->files && c->files[files])
		files++;
	if (n > rd_left(r) / 8) {
		r->bad = true;
		return;
	}
	set->v = talloc_zero_array(mem, struct conf_set, n);
	for (; set->n < n; set->n++) {
		struct conf_set *one = &set->v[set->n];

		*one = (struct conf_set){ rd_u16(r), rd_u16(r), rd_u32(r) };
		r->bad = r->bad || one->param >= param_count || one->file >= files;
	}
}

static struct conf_share *get_share(TALLOC_CTX *mem, const struct conf *c, struct rd *r)
{
	struct conf_share *sh = talloc_zero(mem, struct conf_share);
	uint8_t kind;

	sh->name = get_string(sh, r);
	sh->file = get_string(sh, r);
	sh->line = rd_u32(r);
	kind = rd_u8(r);
	r->bad = r->bad || kind > CONF_PRINTERS;
	sh->kind = kind;
	get_params(sh, r, false, NULL, &sh->p);
	sh->options = get_list(sh, r);
	get_sets(sh, r, c, &sh->set);
	return sh;
}

static void get_groups(struct conf *c, struct rd *r)
{
	uint32_t n = rd_u32(r);

	if (n > rd_left(r) / 8) {
		r->bad = true;
		return;
	}
	c->groups = talloc_zero_array(c, struct conf_group, n);
	c->ngroups = n;
	for (uint32_t i = 0; i < n; i++) {
		c->groups[i].name = get_string(c, r);
		c->groups[i].gid = rd_u32(r);
		c->groups[i].members = get_list(c, r);
	}
}

static void get_shares(struct conf *c, struct rd *r)
{
	uint32_t n = rd_u32(r);

	if (n > rd_left(r) / 16) {
		r->bad = true;
		return;
	}
	c->shares = talloc_zero_array(c, struct conf_share *, n);
	for (uint32_t i = 0; i < n && rd_ok(r); i++) {
		c->shares[i] = get_share(c, c, r);
		c->nshares = i + 1;
	}
}

/* Header and sum. */
static bool whole(const uint8_t *p, size_t len)
{
	struct rd r, tail;

	if (len < PACK_HEADER + 8 || len > PACK_MAX)
		return false;
	r = rd_over(p, len);
	tail = rd_window(&r, (uint32_t)len - 8, 8);
	return rd_u32(&r) == PACK_MAGIC && rd_u32(&r) == PACK_VERSION && rd_u32(&r) == table_sum() &&
	       rd_u32(&r) == len && rd_u64(&tail) == sum_bytes(SUM_START, p, len - 8);
}

struct conf *conf_unpack(TALLOC_CTX *mem, const uint8_t *p, size_t len)
{
	struct conf *c;
	struct rd r;

	if (!whole(p, len))
		return NULL;
	r = rd_over(p, len - 8);
	rd_skip(&r, PACK_HEADER);
	c = talloc_zero(mem, struct conf);
	if (c == NULL)
		return NULL;
	c->per_client = get_bool(&r);
	get_params(c, &r, true, &c->g, NULL);
	get_params(c, &r, false, NULL, &c->defaults);
	c->options = get_list(c, &r);
	c->files = (const char **)(uintptr_t)get_list(c, &r);
	get_sets(c, &r, c, &c->set);
	get_groups(c, &r);
	get_shares(c, &r);
	if (!rd_ok(&r) || rd_left(&r) != 0)
		TALLOC_FREE(c);
	return c;
}
