/* clock.c - time in SMB's forms. */
#include "base/clock.h"
#include "base/util.h"
#include <string.h>

struct timespec nttime_to_ts(nttime_t t)
{
	struct timespec ts;
	int64_t v = t > 0x7fffffffffffffffull ? 0x7fffffffffffffffll : (int64_t)t;
	int64_t s = v / 10000000 - 11644473600ll;

	ts.tv_nsec = (long)(v % 10000000) * 100;
	ts.tv_sec = (time_t)s;
	if ((int64_t)ts.tv_sec != s) {
		ts.tv_sec = s < 0 ? (time_t)INT32_MIN : (time_t)INT32_MAX;
		ts.tv_nsec = 0;
	}
	return ts;
}

HOT uint64_t clock_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &ts);
	return (uint64_t)ts.tv_sec * 1000 + (uint64_t)ts.tv_nsec / 1000000;
}

nttime_t clock_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return nttime_from_ts(ts);
}

int clock_zone(time_t at)
{
	struct tm tm;

	if (!localtime_r(&at, &tm))
		return 0;
	return (int)(-tm.tm_gmtoff / 60);
}

/* Days since 1970-01-01 of a civil date, and back: Gregorian arithmetic on a March-based year. */
static int64_t days_from_civil(int64_t y, unsigned m, unsigned d)
{
	int64_t era;
	unsigned yoe, doy, doe;

	y -= m <= 2;
	era = (y >= 0 ? y : y - 399) / 400;
	yoe = (unsigned)(y - era * 400);
	doy = (153 * (m > 2 ? m - 3 : m + 9) + 2) / 5 + d - 1;
	doe = yoe * 365 + yoe / 4 - yoe / 100 + doy;
	return era * 146097 + (int64_t)doe - 719468;
}

static void civil_from_days(int64_t z, int64_t *y, unsigned *m, unsigned *d)
{
	int64_t era;
	unsigned doe, yoe, doy, mp;

	z += 719468;
	era = (z >= 0 ? z : z - 146096) / 146097;
	doe = (unsigned)(z - era * 146097);
	yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
	doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
	mp = (5 * doy + 2) / 153;
	*d = doy - (153 * mp + 2) / 5 + 1;
	*m = mp < 10 ? mp + 3 : mp - 9;
	*y = (int64_t)yoe + era * 400 + (*m <= 2);
}

/* Seconds since 1970 of the server's local clock. */
static int64_t local_seconds(nttime_t t, int zone)
{
	return (int64_t)(t / 10000000) - 11644473600ll - (int64_t)zone * 60;
}

static void split(nttime_t t, int zone, uint16_t *date, uint16_t *dostime)
{
	int64_t s = local_seconds(t, zone), day, y;
	unsigned m, d, rest;

	*date = *dostime = 0;
	if (t == 0 || s < 315532800) /* 1980-01-01 */
		return;
	if (s > 4354819198ll) /* 2107-12-31 23:59:58 */
		s = 4354819198ll;
	day = s / 86400;
	rest = (unsigned)(s % 86400);
	civil_from_days(day, &y, &m, &d);
	*date = (uint16_t)((unsigned)(y - 1980) << 9 | m << 5 | d);
	*dostime = (uint16_t)((rest / 3600) << 11 | (rest / 60 % 60) << 5 | rest % 60 / 2);
}

uint16_t dos_date(nttime_t t, int zone)
{
	uint16_t date, time;

	split(t, zone, &date, &time);
	return date;
}

uint16_t dos_time(nttime_t t, int zone)
{
	uint16_t date, time;

	split(t, zone, &date, &time);
	return time;
}

static nttime_t from_local(int64_t s, int zone)
{
	return (nttime_t)((s + (int64_t)zone * 60 + 11644473600ll) * 10000000ll);
}

nttime_t dos_to_nttime(uint16_t date, uint16_t dostime, int zone)
{
	unsigned m = date >> 5 & 15, d = date & 31;
	int64_t s;

	if (date == 0 || date == 0xffff)
		return 0;
	if (m == 0 || m > 12)
		m = 1;
	if (d == 0)
		d = 1;
	s = days_from_civil(1980 + (date >> 9), m, d) * 86400;
	s += (dostime >> 11) * 3600 + (dostime >> 5 & 63) * 60 + (dostime & 31) * 2;
	return from_local(s, zone);
}

uint32_t utime_from_nttime(nttime_t t, int zone)
{
	int64_t s = local_seconds(t, zone);

	if (t == 0 || s < 0)
		return 0;
	return s > 0xfffffffell ? 0xfffffffeu : (uint32_t)s;
}

nttime_t utime_to_nttime(uint32_t u, int zone)
{
	return u == 0 || u == 0xffffffffu ? 0 : from_local(u, zone);
}
