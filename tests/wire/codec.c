/* codec.c - bytes and numbers, on any machine: no library but libc, so that it runs under qemu-user for
 * 32-bit and big-endian machines (tests/cross.sh).  Exit 0 when every check held. */
#include "base/clock.h"
#include "base/cursor.h"
#include "base/status.h"
#include "wire/wire.h"
#include <stdio.h>

static int checks, failed;

#define CHECK(what) \
	do { \
		checks++; \
		if (!(what)) { \
			failed++; \
			printf("line %d: %s\n", __LINE__, #what); \
		} \
	} while (0)

static void cursors(void)
{
	static const uint8_t in[] = { 1, 0x34, 0x12, 0x78, 0x56, 0x34, 0x12, 8, 7, 6, 5, 4, 3, 2, 1, 0x12, 0x34, 0xab };
	struct rd r = rd_over(in, sizeof(in)), w;
	uint8_t out[32];
	struct wr o = wr_over(out, sizeof(out));

	CHECK(rd_u8(&r) == 1);
	CHECK(rd_u16(&r) == 0x1234);
	CHECK(rd_u32(&r) == 0x12345678u);
	CHECK(rd_u64(&r) == 0x0102030405060708ull);
	CHECK(rd_be16(&r) == 0x1234);
	CHECK(rd_left(&r) == 1 && rd_ok(&r));
	CHECK(rd_u16(&r) == 0 && !rd_ok(&r) && rd_left(&r) == 0);
	r = rd_over(in, sizeof(in));
	w = rd_window(&r, 1, 2);
	CHECK(rd_u16(&w) == 0x1234 && rd_ok(&w) && rd_u8(&w) == 0 && !rd_ok(&w));
	w = rd_window(&r, 17, 2);
	CHECK(!rd_ok(&w) && rd_left(&w) == 0);
	w = rd_window(&r, 0xffffffffu, 0xffffffffu);
	CHECK(!rd_ok(&w));
	rd_skip(&r, 0xffffffffu);
	CHECK(!rd_ok(&r));
	wr_u8(&o, 1);
	wr_align(&o, 4);
	wr_u16(&o, 0x1234);
	wr_u32(&o, 0x12345678u);
	wr_u64(&o, 0x0102030405060708ull);
	wr_be32(&o, 0xdeadbeefu);
	CHECK(wr_ok(&o) && o.pos == 22);
	CHECK(memcmp(out, "\1\0\0\0\x34\x12\x78\x56\x34\x12\x08\7\6\5\4\3\2\1\xde\xad\xbe\xef", 22) == 0);
	wr_u16_at(&o, 4, 0xabcd);
	CHECK(out[4] == 0xcd && out[5] == 0xab);
	wr_u32_at(&o, 19, 1);
	CHECK(!wr_ok(&o));
	o = wr_over(out, 3);
	wr_u32(&o, 7);
	CHECK(!wr_ok(&o) && o.pos == 0);
}

static void frames(void)
{
	static const uint8_t names[] = "\x20" "EDEMEJEFEOFECACACACACACACACACACA" "\0" "\x20" "FDEFFCFGEFFCCACACACACACACACACAAA";
	struct wire_nbt_name a, b;
	struct wire_frame f;
	uint8_t p[4];

	wire_frame_write(p, NBT_MESSAGE, 0x1abcd);
	CHECK(p[0] == 0 && p[1] == 1 && p[2] == 0xab && p[3] == 0xcd);
	CHECK(wire_frame_read(p, true, &f) && f.len == 0x1abcd);
	p[1] = 2;
	CHECK(!wire_frame_read(p, true, &f));
	CHECK(wire_frame_read(p, false, &f) && f.len == 0x2abcd);
	p[0] = 0xff;
	CHECK(!wire_frame_read(p, false, &f));
	CHECK(wire_nbt_request(names, sizeof(names), &a, &b));
	CHECK(strcmp(a.name, "CLIENT") == 0 && a.suffix == 0x20);
	CHECK(strcmp(b.name, "SERVER") == 0 && b.suffix == 0);
	for (size_t cut = 0; cut < sizeof(names) - 1; cut++)
		CHECK(!wire_nbt_request(names, cut, &a, &b));
}

static void times(void)
{
	struct timespec ts = { .tv_sec = 1000000000, .tv_nsec = 123456700 };
	nttime_t t = nttime_from_ts(ts);

	CHECK(t == 126444736001234567ull);
	CHECK(nttime_to_ts(t).tv_sec == 1000000000 && nttime_to_ts(t).tv_nsec == 123456700);
	CHECK(dos_date(t, 0) == ((2001 - 1980) << 9 | 9 << 5 | 9)); /* 2001-09-09 01:46:40 */
	CHECK(dos_time(t, 0) == (1 << 11 | 46 << 5 | 20));
	CHECK(dos_to_nttime(dos_date(t, 0), dos_time(t, 0), 0) == 126444736000000000ull);
	CHECK(dos_date(t, 120) == ((2001 - 1980) << 9 | 9 << 5 | 8)); /* two hours west: the day before */
	CHECK(dos_to_nttime(dos_date(t, -330), dos_time(t, -330), -330) == 126444736000000000ull);
	CHECK(utime_from_nttime(t, 0) == 1000000000u && utime_from_nttime(t, -60) == 1000003600u);
	CHECK(utime_to_nttime(1000003600u, -60) == 126444736000000000ull);
	CHECK(dos_date(0, 0) == 0 && dos_to_nttime(0, 0, 0) == 0 && utime_to_nttime(0xffffffffu, 0) == 0);
	CHECK(dos_date(nttime_from_ts((struct timespec){ .tv_sec = 86400 }), 0) == 0); /* before 1980 */
	for (int year = 1980; year < 2038; year++) /* every first of March survives (reports 131) */
		CHECK(dos_date(dos_to_nttime((uint16_t)((year - 1980) << 9 | 3 << 5 | 1), 0, 60), 60) ==
		      (uint16_t)((year - 1980) << 9 | 3 << 5 | 1));
}

static void statuses(void)
{
	uint8_t cls;
	uint16_t code;

	status_to_dos(ST_ACCESS_DENIED, &cls, &code);
	CHECK(cls == 1 && code == 5);
	status_to_dos(ST_SMB_BAD_UID, &cls, &code);
	CHECK(cls == 2 && code == 91);
	status_to_dos(0xC0FFFFFFu, &cls, &code);
	CHECK(cls == 3 && code == 31);
	CHECK(status_is_error(ST_SMB_BAD_TID) && status_is_error(ST_DISK_FULL) && !status_is_error(ST_OK) &&
	      !status_is_error(ST_BUFFER_OVERFLOW));
	CHECK(!status_is_error(ST_MORE_PROCESSING_REQUIRED)); /* its blob is the body */
	CHECK(strcmp(status_name(ST_DISK_FULL), "DISK_FULL") == 0);
}

int main(void)
{
	cursors();
	frames();
	times();
	statuses();
	printf("%d checks, %d failed\n", checks, failed);
	return failed != 0;
}
