/* RAP as DOS, Win9x, OS/2 and the PlayStation 2 speak it. */
#include "base/clock.h"
#include "rpc_helpers.h"
#include <time.h>

static uint8_t *p_buf, *d_buf;
static struct rd p, d;

static int setup(void **state)
{
	p_buf = d_buf = NULL;
	return fake_setup(state);
}

static int teardown(void **state)
{
	TALLOC_FREE(p_buf);
	TALLOC_FREE(d_buf);
	return fake_teardown(state);
}

static struct wr start(uint8_t *buf, size_t cap, uint16_t fn, const char *params, const char *data)
{
	struct wr w = wr_over(buf, cap);

	wr_u16(&w, fn);
	wr_bytes(&w, params, strlen(params) + 1);
	wr_bytes(&w, data, strlen(data) + 1);
	return w;
}

/* Runs a call within the message's limits; buffers are of exact size for the sanitizer. */
static status_t run(const struct wr *in, uint32_t max_p, uint32_t max_d)
{
	struct wr out_p, out_d;
	struct rd none = rd_over("", 0);
	uint8_t *copy = talloc_memdup(NULL, in->msg, in->pos ? in->pos : 1);
	status_t st;

	talloc_free(p_buf);
	talloc_free(d_buf);
	p_buf = talloc_size(NULL, max_p ? max_p : 1);
	d_buf = talloc_size(NULL, max_d ? max_d : 1);
	out_p = wr_over(p_buf, max_p);
	out_d = wr_over(d_buf, max_d);
	st = rpc_rap_call(&host, rd_over(copy, in->pos), none, &out_p, &out_d);
	assert_true(wr_ok(&out_p) && wr_ok(&out_d));
	p = rd_over(p_buf, wr_tell(&out_p));
	d = rd_over(d_buf, wr_tell(&out_d));
	talloc_free(copy);
	return st;
}

/* Status and converter, then the words after them. */
static uint16_t status(void)
{
	uint16_t st = rd_u16(&p);

	assert_int_equal(rd_u16(&p), 0);
	assert_true(rd_ok(&p));
	return st;
}

static const char *at(uint32_t offset)
{
	assert_true(offset < d.end);
	assert_non_null(memchr(d.msg + offset, 0, d.end - offset));
	return (const char *)d.msg + offset;
}

static uint16_t share_enum(uint16_t level, const char *desc, uint16_t room, uint32_t max_d, uint16_t *n,
			   uint16_t *all)
{
	uint8_t buf[64];
	struct wr w = start(buf, sizeof(buf), 0, "WrLeh", desc);
	uint16_t st;

	wr_u16(&w, level);
	wr_u16(&w, room);
	assert_int_equal(run(&w, 8, max_d), ST_OK);
	st = status();
	*n = rd_u16(&p);
	*all = rd_u16(&p);
	assert_true(rd_ok(&p) && rd_left(&p) == 0);
	return st;
}

static void share_enum_bytes(void **state)
{
	static const char want[] = "data\0\0\0\0\0\0\0\0\0\0\0\0\x50\0\0\0"
				   "hp\0\0\0\0\0\0\0\0\0\0\0\0\1\0\x5a\0\0\0"
				   "secret$\0\0\0\0\0\0\0\0\0\x62\0\0\0"
				   "IPC$\0\0\0\0\0\0\0\0\0\0\3\0\x63\0\0\0"
				   "Main data\0Printer\0\0IPC Service";
	uint16_t n, all;

	(void)state;
	assert_int_equal(share_enum(1, "B13BWz", 8096, 65535, &n, &all), 0);
	assert_int_equal(n, 4); /* the long name is not for these clients */
	assert_int_equal(all, 4);
	assert_int_equal(d.end, sizeof(want));
	assert_memory_equal(d.msg, want, sizeof(want));
}

static void share_levels(void **state)
{
	uint16_t n, all;

	(void)state;
	assert_int_equal(share_enum(0, "B13", 1000, 1000, &n, &all), 0);
	assert_int_equal(d.end, 4 * 13);
	assert_string_equal(at(26), "secret$");
	assert_int_equal(share_enum(2, "B13BWzWWWzB9B", 1000, 1000, &n, &all), 0);
	rd_skip(&d, 14 + 2);
	assert_string_equal(at(rd_u32(&d)), "Main data");
	assert_int_equal(rd_u16(&d), 0);
	assert_int_equal(rd_u16(&d), 0xffff);
	assert_int_equal(rd_u16(&d), 2);
	assert_string_equal(at(rd_u32(&d)), "C:\\data");
	rd_skip(&d, 10);
	assert_int_equal(rd_tell(&d), 40);
	assert_int_equal(share_enum(3, "B13", 1000, 1000, &n, &all), 124);
	assert_int_equal(share_enum(0, "B14", 1000, 1000, &n, &all), 50);
}

/* Every room from nothing to plenty: whole entries, pointers inside, 234 until all fit. */
static void share_rooms(void **state)
{
	uint16_t n, all, last = 0;

	(void)state;
	for (uint16_t room = 0; room < 200; room++) {
		bool by_message = room % 2; /* the limit is the client's or the message's */
		uint16_t st = share_enum(1, "B13BWz", by_message ? 500 : room, by_message ? room : 500, &n, &all);

		assert_int_equal(all, 4);
		assert_true(d.end <= room);
		assert_int_equal(st, n < 4 ? 234 : 0);
		assert_true(n >= last);
		last = n;
		for (uint16_t i = 0; i < n; i++) {
			struct rd r = d;

			rd_skip(&r, i * 20u + 16);
			assert_in_range(rd_u32(&r), n * 20u, d.end - 1);
		}
	}
	assert_int_equal(last, 4);
}

static void many_shares(void **state)
{
	uint16_t n, all;

	(void)state;
	fake.generated = 5000;
	assert_int_equal(share_enum(1, "B13BWz", 0xffff, 0x20000, &n, &all), 234);
	assert_int_equal(all, 5000);
	assert_true(n > 1500 && d.end <= 0xffff);
}

static uint16_t info(uint16_t fn, const char *params, const char *name, uint16_t level, const char *desc,
		     uint16_t room, uint16_t *all)
{
	uint8_t buf[256];
	struct wr w = start(buf, sizeof(buf), fn, params, desc);
	uint16_t st;

	if (name)
		wr_bytes(&w, name, strlen(name) + 1);
	wr_u16(&w, level);
	wr_u16(&w, room);
	assert_int_equal(run(&w, 6, 4096), ST_OK);
	st = status();
	*all = rd_u16(&p);
	assert_true(rd_ok(&p) && rd_left(&p) == 0);
	return st;
}

static void share_info(void **state)
{
	uint16_t all;

	(void)state;
	for (uint16_t room = 0; room < 40; room++) {
		uint16_t st = info(1, "zWrLh", "DATA", 1, "B13BWz", room, &all);

		assert_int_equal(all, 30);
		assert_int_equal(st, room < 20 ? 2123 : room < 30 ? 234 : 0);
		assert_int_equal(d.end, room < 20 ? 0 : room < 30 ? 20 : 30);
		rd_skip(&d, 16);
		assert_int_equal(rd_u32(&d), room < 30 ? 0 : 20);
	}
	assert_int_equal(info(1, "zWrLh", "none", 1, "B13BWz", 100, &all), 2310);
	assert_int_equal(info(1, "zWrLh", "a-very-long-share-name", 1, "B13BWz", 100, &all), 2310);
}

static void server_info(void **state)
{
	uint16_t all;

	(void)state;
	assert_int_equal(info(13, "WrLh", NULL, 1, "B16BBDz", 100, &all), 0);
	assert_int_equal(all, 26 + 9);
	assert_string_equal(at(0), "REF");
	rd_skip(&d, 16);
	assert_int_equal(rd_u8(&d), 6);
	assert_int_equal(rd_u8(&d), 1);
	assert_int_equal(rd_u32(&d), SERVER_TYPE);
	assert_string_equal(at(rd_u32(&d)), "A server");
	assert_int_equal(info(13, "WrLh", NULL, 0, "B16", 16, &all), 0);
	assert_int_equal(d.end, 16);
	assert_int_equal(info(63, "WrLh", NULL, 10, "zzzBBzz", 200, &all), 0);
	assert_int_equal(d.msg[0], 22);
	assert_string_equal(at(rd_u32(&d)), "REF");
	assert_string_equal(at(rd_u32(&d)), "anna");
	assert_string_equal(at(rd_u32(&d)), "WORKGROUP");
	rd_skip(&d, 2);
	assert_string_equal(at(rd_u32(&d)), "WORKGROUP");
	assert_string_equal(at(rd_u32(&d)), "");
}

static uint16_t server_enum(const char *params, uint32_t filter, const char *domain, const char *from,
			    uint16_t *n)
{
	uint8_t buf[128];
	struct wr w = start(buf, sizeof(buf), from ? 215 : 104, params, "B16BBDz");
	uint16_t st;

	wr_u16(&w, 1);
	wr_u16(&w, 1000);
	wr_u32(&w, filter);
	if (domain)
		wr_bytes(&w, domain, strlen(domain) + 1);
	if (from)
		wr_bytes(&w, from, strlen(from) + 1);
	assert_int_equal(run(&w, 8, 1000), ST_OK);
	st = status();
	*n = rd_u16(&p);
	return st;
}

static void neighbourhood(void **state)
{
	uint16_t n;

	(void)state;
	assert_int_equal(server_enum("WrLehDO", 0xffffffff, NULL, NULL, &n), 0);
	assert_int_equal(n, 1);
	assert_string_equal(at(0), "REF");
	assert_int_equal(server_enum("WrLehDz", 0x40000000, "workgroup", NULL, &n), 0);
	assert_int_equal(n, 1);
	assert_int_equal(server_enum("WrLehDz", 0x2, "WORKGROUP", NULL, &n), 0);
	assert_int_equal(n, 1);
	assert_int_equal(server_enum("WrLehDz", 0x4, "WORKGROUP", NULL, &n), 0);
	assert_int_equal(n, 0);
	assert_int_equal(server_enum("WrLehDz", 0xffffffff, "ELSEWHERE", NULL, &n), 0);
	assert_int_equal(n, 0);
	assert_int_equal(server_enum("WrLehDO", 0x80000000, NULL, NULL, &n), 0);
	assert_int_equal(n, 1);
	assert_string_equal(at(0), "WORKGROUP");
	rd_skip(&d, 18);
	assert_int_equal(rd_u32(&d), 0x80000000);
	assert_string_equal(at(rd_u32(&d)), "REF");
	assert_int_equal(server_enum("WrLehDzz", 0xffffffff, "WORKGROUP", "QQQ", &n), 0);
	assert_int_equal(n, 1);
	assert_int_equal(server_enum("WrLehDzz", 0xffffffff, "WORKGROUP", "SSS", &n), 0);
	assert_int_equal(n, 0);
}

static void remote_tod(void **state)
{
	uint8_t buf[64];
	struct wr w = start(buf, sizeof(buf), 91, "rL", "DDBBBBWWBBWB"), again = w;
	struct tm tm;
	time_t t;

	(void)state;
	wr_u16(&w, 21);
	assert_int_equal(run(&w, 4, 100), ST_OK);
	assert_int_equal(status(), 0);
	assert_int_equal(d.end, 21);
	t = (time_t)rd_u32(&d); /* local: one hour east of UTC */
	assert_in_range(time(NULL) + 3600 - t, 0, 2);
	gmtime_r(&t, &tm);
	rd_skip(&d, 4);
	assert_int_equal(rd_u8(&d), tm.tm_hour);
	assert_int_equal(rd_u8(&d), tm.tm_min);
	assert_int_equal(rd_u8(&d), tm.tm_sec);
	rd_skip(&d, 1);
	assert_int_equal((int16_t)rd_u16(&d), -60);
	assert_int_equal(rd_u16(&d), 10000);
	assert_int_equal(rd_u8(&d), tm.tm_mday);
	assert_int_equal(rd_u8(&d), tm.tm_mon + 1);
	assert_int_equal(rd_u16(&d), tm.tm_year + 1900);
	assert_int_equal(rd_u8(&d), tm.tm_wday);
	wr_u16(&again, 20);
	assert_int_equal(run(&again, 4, 100), ST_OK);
	assert_int_equal(status(), 2123);
	assert_int_equal(d.end, 0);
}

static void users(void **state)
{
	uint8_t buf[128];
	struct wr w = start(buf, sizeof(buf), 132, "OOWb54WrLh", "WB21BWDWWDDDDDDDzzzD");
	uint16_t all;

	(void)state;
	wr_u16(&w, 1);
	wr_zero(&w, 54);
	wr_u16(&w, 54);
	wr_u16(&w, 200);
	assert_int_equal(run(&w, 6, 4096), ST_OK);
	assert_int_equal(status(), 0);
	assert_int_equal(rd_u16(&p), d.end);
	assert_int_equal(rd_u16(&d), 0);
	assert_string_equal(at(2), "anna");
	rd_skip(&d, 22);
	assert_int_equal(rd_u16(&d), 1);
	rd_skip(&d, 4 + 2 + 2 + 28);
	assert_string_equal(at(rd_u32(&d)), "\\\\REF");
	assert_string_equal(at(rd_u32(&d)), "WORKGROUP");
	assert_string_equal(at(rd_u32(&d)), "");
	assert_int_equal(rd_u32(&d), 0);
	assert_int_equal(rd_tell(&d), 78);
	host.user_known = false;
	assert_int_equal(run(&w, 6, 4096), ST_OK);
	assert_int_equal(status(), 5);
	host.user_known = true;
	assert_int_equal(info(56, "zWrLh", "Anna", 11, "B21BzzzWDDzzDDWWzWzDWb21W", 500, &all), 0);
	assert_string_equal(at(0), "anna");
	rd_skip(&d, 80);
	assert_int_equal((uint8_t)d.msg[rd_u32(&d)], 0xff);
	assert_int_equal(d.end, all);
	assert_int_equal(info(56, "zWrLh", "anna", 1, "B21BB16DWzzWz", 500, &all), 0);
	assert_int_equal(info(56, "zWrLh", "anna", 10, "B21Bzzz", 500, &all), 0);
	assert_int_equal(info(56, "zWrLh", "bert", 10, "B21Bzzz", 500, &all), 2221);
}

static void printing(void **state)
{
	uint8_t buf[64];
	struct wr w = start(buf, sizeof(buf), 69, "WrLeh", "B13BWWWzzzzzWN");
	uint16_t all;

	(void)state;
	wr_u16(&w, 2);
	wr_u16(&w, 1000);
	wr_bytes(&w, "WB21BB16B10zWWzDDz", 19);
	assert_int_equal(run(&w, 8, 1000), ST_OK);
	assert_int_equal(status(), 0);
	assert_int_equal(rd_u32(&p), 0x00010001); /* the jobs do not count */
	assert_string_equal(at(0), "hp");
	rd_seek(&d, 42);
	assert_int_equal(rd_u16(&d), 2); /* N: two jobs follow, 74 bytes each */
	assert_int_equal(rd_u16(&d), 3);
	assert_string_equal(at(46), "anna");
	rd_seek(&d, 44 + 74);
	assert_int_equal(rd_u16(&d), 4);
	assert_string_equal(at(46 + 74), "bert");
	assert_int_equal(run(&w, 8, 150), ST_OK); /* the queue without all its jobs is not whole */
	assert_int_equal(status(), 234);
	assert_int_equal(rd_u32(&p), 0x00010000);
	assert_int_equal(d.end, 0);
	w.pos -= 19; /* without the sub-record's descriptor */
	assert_int_equal(run(&w, 8, 100), ST_OK);
	assert_int_equal(status(), 50);
	assert_int_equal(info(70, "zWrLh", "HP", 3, "zWWWWzzzzWWzzl", 500, &all), 0);
	assert_string_equal(at(rd_u32(&d)), "hp");
	assert_int_equal(d.end, all);
	assert_int_equal(info(70, "zWrLh", "data", 3, "zWWWWzzzzWWzzl", 500, &all), 2150); /* no printer */
	assert_int_equal(info(70, "zWrLh", "", 0, "B13", 500, &all), 87);
	assert_int_equal(info(85, "zWrLh", "hp", 3, "zzzWWzzzWW", 500, &all), 0);
	assert_int_equal(info(85, "zWrLh", "no", 3, "zzzWWzzzWW", 500, &all), 2152);
}

static void jobs(void **state)
{
	uint8_t buf[64];
	struct wr w = start(buf, sizeof(buf), 76, "zWrLeh", "WWzWWDDzz");

	(void)state;
	wr_bytes(&w, "hp", 3);
	wr_u16(&w, 2);
	wr_u16(&w, 1000);
	assert_int_equal(run(&w, 8, 1000), ST_OK);
	assert_int_equal(status(), 0);
	assert_int_equal(rd_u32(&p), 0x00020002);
	assert_int_equal(rd_u32(&d), 0x00050003);
	assert_string_equal(at(rd_u32(&d)), "anna");
	rd_seek(&d, 20);
	rd_skip(&d, 4);
	assert_string_equal(at(rd_u32(&d)), "letter.txt");
	w = start(buf, sizeof(buf), 77, "WWrLh", "WWzWWDDzz");
	wr_u16(&w, 4);
	wr_u16(&w, 2);
	wr_u16(&w, 1000);
	assert_int_equal(run(&w, 8, 1000), ST_OK);
	assert_int_equal(status(), 0);
	assert_int_equal(rd_u16(&d), 4);
	wr_u16_at(&w, w.pos - 6, 5);
	assert_int_equal(run(&w, 8, 1000), ST_OK);
	assert_int_equal(status(), 2151);
}

/* Ordinary users see themselves, administrators everybody. */
static void sessions(void **state)
{
	uint8_t buf[64];
	struct wr w = start(buf, sizeof(buf), 6, "WrLeh", "zzWWWDDDz");
	uint16_t all;

	(void)state;
	wr_u16(&w, 2);
	wr_u16(&w, 1000);
	assert_int_equal(run(&w, 8, 1000), ST_OK);
	assert_int_equal(status(), 0);
	assert_int_equal(rd_u32(&p), 0x00010001);
	assert_string_equal(at(rd_u32(&d)), "PC");
	assert_string_equal(at(rd_u32(&d)), "anna");
	assert_int_equal(info(7, "zWrLh", "\\\\OTHER", 10, "zzDD", 500, &all), 2312);
	host.may_administer = true;
	assert_int_equal(run(&w, 8, 1000), ST_OK);
	assert_int_equal(status(), 0);
	assert_int_equal(rd_u32(&p), 0x00020002);
	assert_int_equal(info(7, "zWrLh", "\\\\other", 10, "zzDD", 500, &all), 0);
	assert_string_equal(at(rd_u32(&d)), "OTHER");
}

static void unknown(void **state)
{
	uint8_t buf[64];
	struct wr w;

	(void)state;
	for (uint32_t fn = 0; fn < 400; fn++) {
		w = start(buf, sizeof(buf), (uint16_t)fn, "sTeh", "");
		assert_int_equal(run(&w, 8, 100), ST_OK);
		assert_int_equal(status(), 50);
		assert_int_equal(p.end, 8); /* what the descriptor promises, all the same */
		assert_int_equal(d.end, 0);
	}
	w = start(buf, sizeof(buf), 0, "WrLeh", "B13BWz"); /* parameters missing */
	assert_int_equal(run(&w, 8, 100), ST_INVALID_PARAMETER);
}

/* Calls of every shape: each cut, each flipped bit, each small reply. */
static void hostile(void **state)
{
	static const struct { uint16_t fn; const char *params, *data; } calls[] = {
		{ 0, "WrLeh", "B13BWz" }, { 1, "zWrLh", "B13BWzWWWzB9B" }, { 13, "WrLh", "B16BBDz" },
		{ 56, "zWrLh", "B21BB16DWzzWz" }, { 69, "WrLeh", "B13BWWWzzzzzWW" }, { 76, "zWrLeh", "WB21BB16B10zWWzDDz" },
		{ 6, "WrLeh", "zzWWWDDD" }, { 84, "WrLeh", "B9B21WWzW" }, { 70, "zWrLh", "B13BWWWzzzzzWW" }, { 91, "rL", "DDBBBBWWBBWB" },
		{ 104, "WrLehDz", "B16BBDz" }, { 132, "OOWb54WrLh", "WB21BWDWWDDDDDDDzzzD" },
		{ 133, "zzWb38WrLh", "WDW" }, { 215, "WrLehDzz", "B16BBDz" },
		{ 0, "b4294967295b99999999999999999999", "B4294967295" }, { 0, "zzzzzzzzzzzzzzzz", "zzzzzzzz" },
	};
	uint8_t buf[256];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(calls); i++) {
		struct wr w = start(buf, sizeof(buf), calls[i].fn, calls[i].params, calls[i].data);

		if (strchr(calls[i].params, 'z') != NULL)
			wr_bytes(&w, "data", 5);
		wr_u16(&w, 1);
		for (int k = 0; k < 40; k++)
			wr_u16(&w, 0x0101);
		wr_u16(&w, 0);
		for (uint32_t cut = 0, end = w.pos; cut <= end; cut++) {
			w.pos = cut;
			run(&w, 8, 100);
		}
		for (uint32_t bit = 0; bit < 8 * w.pos; bit++) {
			buf[bit / 8] ^= (uint8_t)(1u << bit % 8);
			run(&w, bit % 10, bit % 120);
			buf[bit / 8] ^= (uint8_t)(1u << bit % 8);
		}
	}
}

/* Text the code page lacks, and text too long, is cut between characters. */
static void text(void **state)
{
	static const struct rpc_share_info odd[] = {
		{ "caf\xc3\xa9", "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9"
		  "0123456789012345678901234567890123456789", "", 0, 0, 0 },
		{ "\xe6\x97\xa5", "not in CP850: not listed", "", 0, 0, 0 },
	};
	uint16_t n, all;

	(void)state;
	fake.share = odd;
	fake.count = 2;
	assert_int_equal(share_enum(1, "B13BWz", 1000, 1000, &n, &all), 0);
	assert_int_equal(n, 1);
	assert_memory_equal(d.msg, "caf\x82", 5);
	rd_skip(&d, 16);
	assert_int_equal(strlen(at(rd_u32(&d))), 48);
	assert_int_equal(strspn(at(20), "\x82"), 10);
}

#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(share_enum_bytes), T(share_levels), T(share_rooms), T(many_shares), T(share_info), T(server_info),
		T(neighbourhood), T(remote_tod), T(users), T(printing), T(jobs), T(sessions), T(unknown), T(hostile), T(text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
