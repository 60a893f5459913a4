/* Security descriptors: bytes, what lists grant, inheritance, and the Unix side of them. */
#include "fs_play.h"
#include "fs/sd.h"

#define READ 0x120089u
#define ALL 0x1f01ffu

static TALLOC_CTX *mem;
static uint8_t list_buf[4096];
static struct wr list;

static void begin(void)
{
	list = wr_over(list_buf, sizeof(list_buf));
	acl_begin(&list);
}

static void allow(uint8_t flags, uint32_t mask, struct sid s) { acl_add(&list, ACE_ALLOW, flags, mask, &s); }
static void deny(uint32_t mask, struct sid s) { acl_add(&list, ACE_DENY, 0, mask, &s); }

/* Owner 1000, group 100, the list written since begin(). */
static struct sd descriptor(void)
{
	struct sd sd = { .control = SDC_DACL_PRESENT, .has_owner = true, .has_group = true };

	sd.owner = sid_of_uid(1000);
	sd.group = sid_of_gid(100);
	acl_end(&list, &sd.dacl);
	return sd;
}

static struct ace entry(const struct acl *a, unsigned n)
{
	uint32_t at = 0;
	struct ace e = { 0 };

	for (unsigned i = 0; i <= n; i++)
		assert_true(acl_next(a, &at, &e));
	return e;
}

static unsigned entries(const struct acl *a)
{
	uint32_t at = 0;
	struct ace e;
	unsigned n = 0;

	while (acl_next(a, &at, &e))
		n++;
	return n;
}

static void there_and_back(void **state)
{
	uint8_t a[512], b[512];
	struct wr w = wr_over(a, sizeof(a)), again = wr_over(b, sizeof(b));
	struct sd sd, back;
	struct rd r;

	(void)state;
	begin();
	allow(3, ALL, sid_creator_owner);
	deny(2, sid_of_uid(7));
	sd = descriptor();
	sd.control |= SDC_DACL_PROTECTED;
	sd_put(&w, &sd, 0xf);
	assert_true(wr_ok(&w));
	assert_int_equal(wr_tell(&w), sd_size(&sd, 0xf));
	r = rd_over(a, wr_tell(&w));
	assert_true(sd_parse(&r, &back));
	sd_put(&again, &back, 0xf);
	assert_int_equal(wr_tell(&again), wr_tell(&w));
	assert_memory_equal(a, b, wr_tell(&w));
	for (uint32_t cut = 0; cut < wr_tell(&w); cut++) { /* hostile: no cut is read beyond its end */
		uint8_t *part = talloc_memdup(mem, a, cut ? cut : 1);

		r = rd_over(part, cut);
		assert_false(sd_parse(&r, &back));
		talloc_free(part);
	}
	for (uint32_t i = 0; i < wr_tell(&w) * 8; i++) {
		uint8_t *bad = talloc_memdup(mem, a, wr_tell(&w));

		bad[i / 8] ^= (uint8_t)(1u << i % 8);
		r = rd_over(bad, wr_tell(&w));
		if (sd_parse(&r, &back))
			(void)entries(&back.dacl);
		talloc_free(bad);
	}
}

static bool is_uid_1000(void *arg, const struct sid *s)
{
	struct sid me = sid_of_uid(1000);

	(void)arg;
	return sid_same(s, &me) || sid_same(s, &sid_everyone);
}

static bool is_nobody(void *arg, const struct sid *s)
{
	(void)arg;
	return sid_same(s, &sid_everyone);
}

static void rights(void **state)
{
	struct sd sd;

	(void)state;
	begin();
	deny(2, sid_of_uid(1000));
	allow(0, READ | 2, sid_everyone);
	allow(ACE_INHERIT_ONLY | ACE_OBJECT_INHERIT, ALL, sid_everyone);
	sd = descriptor();
	assert_int_equal(sd_granted(&sd, is_uid_1000, NULL), READ | 0x60000);
	assert_int_equal(sd_granted(&sd, is_nobody, NULL), READ | 2);
	begin();
	allow(0, 0x80000000u, sid_owner_rights); /* stands for the owner and takes his own rights away */
	sd = descriptor();
	assert_int_equal(sd_granted(&sd, is_uid_1000, NULL), READ);
	assert_int_equal(sd_granted(&sd, is_nobody, NULL), 0);
	begin();
	sd = descriptor();
	assert_int_equal(sd_granted(&sd, is_uid_1000, NULL), 0x60000); /* an empty list */
	sd.dacl.list = NULL;
	assert_int_equal(sd_granted(&sd, is_nobody, NULL), ALL); /* none at all */
}

static void first_match_wins(void **state)
{
	struct sd sd;

	(void)state;
	begin();
	allow(0, 2, sid_of_uid(1000));
	deny(2, sid_everyone);
	sd = descriptor();
	assert_true(sd_granted(&sd, is_uid_1000, NULL) & 2);
	assert_false(sd_granted(&sd, is_nobody, NULL) & 2);
}

static void children(void **state)
{
	const struct sid owner = sid_of_uid(5), group = sid_of_gid(6);
	struct sd parent, out;
	struct ace e;

	(void)state;
	begin();
	allow(ACE_OBJECT_INHERIT, READ, sid_of_uid(1));
	allow(ACE_CONTAINER_INHERIT, READ, sid_of_uid(2));
	allow(ACE_OBJECT_INHERIT | ACE_CONTAINER_INHERIT | ACE_INHERIT_ONLY, 0x10000000u, sid_creator_owner);
	allow(ACE_OBJECT_INHERIT | ACE_CONTAINER_INHERIT | ACE_NO_PROPAGATE, READ, sid_of_uid(3));
	allow(0, ALL, sid_of_uid(4));
	parent = descriptor();
	assert_true(sd_inherit(mem, &parent, NULL, false, &owner, &group, &out));
	assert_int_equal(entries(&out.dacl), 3); /* a file: of 1, the owner, and 3 */
	e = entry(&out.dacl, 1);
	assert_true(sid_same(&e.sid, &owner) && e.mask == ALL && e.flags == 0);
	assert_true(sid_same(&out.owner, &owner) && sid_same(&out.group, &group));

	parent.control |= SDC_DACL_INHERITED;
	assert_true(sd_inherit(mem, &parent, NULL, true, &owner, &group, &out));
	assert_true(out.control & SDC_DACL_INHERITED);
	assert_int_equal(entries(&out.dacl), 5); /* a folder: the creator's entry comes in two */
	e = entry(&out.dacl, 0);
	assert_int_equal(e.flags, ACE_OBJECT_INHERIT | ACE_INHERIT_ONLY | ACE_INHERITED);
	e = entry(&out.dacl, 1);
	assert_int_equal(e.flags, ACE_CONTAINER_INHERIT | ACE_INHERITED);
	e = entry(&out.dacl, 3);
	assert_true(sid_same(&e.sid, &sid_creator_owner) && (e.flags & ACE_INHERIT_ONLY));
	e = entry(&out.dacl, 4);
	assert_int_equal(e.flags, ACE_INHERITED); /* not passed on */
}

static void nothing_to_inherit(void **state)
{
	const struct sid owner = sid_of_uid(5), group = sid_of_gid(6);
	struct sd parent, given, out;

	(void)state;
	begin();
	allow(0, ALL, sid_everyone);
	parent = descriptor();
	assert_false(sd_inherit(mem, &parent, NULL, false, &owner, &group, &out));
	assert_false(sd_inherit(mem, NULL, NULL, true, &owner, &group, &out));
	begin();
	allow(0, 0x80000000u, sid_everyone);
	given = descriptor();
	given.has_owner = false;
	assert_true(sd_inherit(mem, NULL, &given, false, &owner, &group, &out));
	assert_true(sid_same(&out.owner, &owner));
	assert_int_equal(entry(&out.dacl, 0).mask, READ); /* generic rights become real ones */
}

static void to_mode(void **state)
{
	struct sd_unix u;
	struct sd sd;

	(void)state;
	begin();
	allow(0, ALL, sid_of_uid(1000));
	allow(0, READ, sid_of_gid(100));
	sd = descriptor();
	assert_true(sd_to_unix(mem, &sd, 1000, 100, &u));
	assert_int_equal(u.mode, 0740);
	assert_int_equal(u.n, 0);
	begin();
	deny(2, sid_of_uid(1000));
	allow(0, READ | 2, sid_everyone);
	allow(0, ALL, sid_of_uid(7));
	allow(0, 1, sid_of_gid(8));
	sd = descriptor();
	assert_true(sd_to_unix(mem, &sd, 1000, 100, &u));
	assert_int_equal(u.mode, 0466);
	assert_int_equal(u.n, 2);
	assert_true(!u.others[0].group && u.others[0].id == 7 && u.others[0].rwx == 7);
	assert_true(u.others[1].group && u.others[1].id == 8 && u.others[1].rwx == 6);
	begin();
	sd = descriptor(); /* nobody may do anything: the owner still reads his own list */
	assert_true(sd_to_unix(mem, &sd, 1000, 100, &u));
	assert_int_equal(u.mode, 0400);
}

static void from_mode(void **state)
{
	struct sd_unix u = { .mode = 0640 }, back;
	struct sd sd;

	(void)state;
	assert_true(sd_from_unix(mem, &u, 1000, 100, false, &sd));
	assert_int_equal(entries(&sd.dacl), 3);
	assert_true(entry(&sd.dacl, 0).mask & 2);
	assert_false(entry(&sd.dacl, 1).mask & 2);
	assert_false(entry(&sd.dacl, 2).mask & 1);
	assert_true(sd_to_unix(mem, &sd, 1000, 100, &back));
	assert_int_equal(back.mode, 0640);
}

static void numbers(void **state)
{
	struct sid s = sid_of_uid(1000);
	uint32_t id;

	(void)state;
	assert_true(sid_is_uid(&s, &id) && id == 1000);
	assert_false(sid_is_gid(&s, &id));
	assert_false(sid_is_uid(&sid_everyone, &id));
	{ /* the form in which clients look accounts up: none before the machine has numbers */
		const uint32_t machine[3] = { 7, 8, 9 };
		struct sid rid = { 5, { 0, 0, 0, 0, 0, 5 }, { 21, 7, 8, 9, 1000 + 2 * 1234 } };
		gid_t gid;

		assert_false(sid_is_uid(&rid, &id));
		sid_set_machine(machine);
		assert_true(sid_is_uid(&rid, &id) && id == 1234);
		assert_false(sid_is_gid(&rid, &gid));
		rid.sub[4]++;
		assert_true(sid_is_gid(&rid, &gid) && gid == 1234);
		assert_false(sid_is_uid(&rid, &id));
		rid.sub[3] = 10;
		assert_false(sid_is_gid(&rid, &gid));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(there_and_back), cmocka_unit_test(rights), cmocka_unit_test(first_match_wins),
		cmocka_unit_test(children), cmocka_unit_test(nothing_to_inherit), cmocka_unit_test(to_mode),
		cmocka_unit_test(from_mode), cmocka_unit_test(numbers),
	};
	int failed;

	mem = talloc_new(NULL);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	talloc_free(mem);
	return failed;
}
