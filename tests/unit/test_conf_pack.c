/* The flat record: there and back, every cut, every flipped bit, records made by hand. */
#include "conf_text.h"
#include "conf/room.h"
#include "base/cursor.h"

static struct conf *sample(struct conf_text *t)
{
	return text_good(t, "[global]\nworkgroup = w\nserver string = a # b\nhosts allow = 10. 192.168.\nmax mux = 7\n"
			    "map to guest = Bad User\nfull_audit:prefix = %u\nconfig file = /none.%m\n"
			    "[Data]\npath = /tmp\nvalid users = @root \"a b\" c\ncreate mask = 0640\nrecycle:keeptree = yes\n"
			    "[homes]\nread only = no\n[lp]\nprintable = yes\n");
}

static char *printed(struct conf_text *t, const struct conf *c)
{
	char *text = NULL, *out;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);

	conf_print(f, c, true, NULL, NULL);
	fclose(f);
	out = talloc_strdup(t, text);
	free(text);
	return out;
}

static void there_and_back(void **state)
{
	struct conf_text *t = *state;
	struct conf *c = sample(t), *d;
	uint8_t *p;
	size_t len;

	p = conf_pack(t, c, &len);
	assert_non_null(p);
	d = conf_unpack(t, p, len);
	assert_non_null(d);
	assert_string_equal(printed(t, c), printed(t, d));
	assert_int_equal(d->per_client, true);
	assert_int_equal(d->nshares, c->nshares);
	assert_int_equal(d->ngroups, c->ngroups);
	for (size_t i = 0; i < c->ngroups; i++) {
		assert_string_equal(d->groups[i].name, c->groups[i].name);
		assert_int_equal(d->groups[i].gid, c->groups[i].gid);
		for (size_t k = 0; c->groups[i].members[k] || d->groups[i].members[k]; k++)
			assert_string_equal(d->groups[i].members[k], c->groups[i].members[k]);
	}
	for (size_t i = 0; i < c->nshares; i++) {
		assert_int_equal(d->shares[i]->kind, c->shares[i]->kind);
		assert_int_equal(d->shares[i]->line, c->shares[i]->line);
		assert_string_equal(d->shares[i]->file, c->shares[i]->file);
	}
	assert_list(d->options, "full_audit:prefix", "%u", NULL);
	assert_list(d->shares[0]->options, "recycle:keeptree", "yes", NULL);
	/* and it does not lean on the first one */
	talloc_free(c);
	assert_string_equal(conf_find(d, "data")->p.path, "/tmp");
	talloc_free(d);
}

static void every_cut(void **state)
{
	struct conf_text *t = *state;
	size_t len;
	uint8_t *p = conf_pack(t, sample(t), &len), *exact;

	for (size_t i = 0; i < len; i++) {
		exact = talloc_memdup(t, p, i); /* so that a read too far is seen */
		assert_null(conf_unpack(t, exact, i));
		talloc_free(exact);
	}
	exact = talloc_zero_size(t, len + 1);
	memcpy(exact, p, len);
	assert_null(conf_unpack(t, exact, len + 1));
}

static void every_flipped_bit(void **state)
{
	struct conf_text *t = *state;
	size_t len;
	uint8_t *p = conf_pack(t, sample(t), &len);

	for (size_t i = 0; i < len; i++) {
		p[i] ^= (uint8_t)(1u << i % 8);
		assert_null(conf_unpack(t, p, len));
		p[i] ^= (uint8_t)(1u << i % 8);
	}
	assert_non_null(conf_unpack(t, p, len));
}

static void sum_again(uint8_t *p, size_t len)
{
	uint64_t sum = 0xcbf29ce484222325u;
	struct wr w = wr_over(p + len - 8, 8);

	for (size_t i = 0; i < len - 8; i++)
		sum = (sum ^ p[i]) * 0x100000001b3u;
	wr_u64(&w, sum);
}

/* With a sum that fits again the reader must still keep to its bytes and to the table's limits. */
static void flipped_with_a_right_sum(void **state)
{
	struct conf_text *t = *state;
	struct conf *c = sample(t), *d;
	size_t len, good = 0;
	uint8_t *p = conf_pack(t, c, &len);

	for (size_t i = 16; i < len - 8; i++) {
		for (unsigned k = 0; k < 3; k++) {
			static const uint8_t with[] = { 0x01, 0x80, 0xff };
			uint8_t was = p[i];

			p[i] ^= with[k];
			sum_again(p, len);
			d = conf_unpack(t, p, len);
			if (d != NULL) {
				good++;
				talloc_free(printed(t, d));
				assert_true(d->g.max_mux >= 1 && d->g.max_mux <= 65535);
				assert_true(d->g.map_to_guest <= CONF_MAP_TO_GUEST_BAD_UID);
			}
			talloc_free(d);
			p[i] = was;
		}
	}
	assert_true(good > 0); /* letters of strings */
}

static void many_shares(void **state)
{
	struct conf_text *t = *state;
	char *text = talloc_strdup(t, "");
	struct conf *d;
	uint8_t *p;
	size_t len;

	for (int i = 0; i < 300; i++)
		text = talloc_asprintf_append_buffer(text, "[share%d]\npath = /tmp\n", i);
	p = conf_pack(t, text_good(t, text), &len);
	assert_non_null(p);
	d = conf_unpack(t, p, len);
	assert_non_null(d);
	assert_int_equal(d->nshares, 301);
	assert_string_equal(d->shares[299]->name, "share299");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEXT_TEST(there_and_back), TEXT_TEST(every_cut), TEXT_TEST(every_flipped_bit),
		TEXT_TEST(flipped_with_a_right_sum), TEXT_TEST(many_shares),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
