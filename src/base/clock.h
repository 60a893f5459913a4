/* clock.h - time in the forms SMB knows, and cheap clocks.  MS-CIFS 2.2.1.4, MS-DTYP 2.3.3. */
#ifndef SMB1D_BASE_CLOCK_H
#define SMB1D_BASE_CLOCK_H
#include <stdint.h>
#include <time.h>

/* 100 ns since 1601-01-01 UTC; 0 means "unknown" or "leave alone". */
typedef uint64_t nttime_t;

#define NTTIME_UNIX_EPOCH 116444736000000000ull

static inline nttime_t nttime_from_unix(int64_t sec, uint32_t nsec)
{
	if (sec < -11644473600ll)
		return 1;
	if (sec > 910692730085ll) /* the largest positive NT time */
		return 0x7fffffffffffffffull;
	return (nttime_t)((sec + 11644473600ll) * 10000000ll) + nsec / 100;
}

static inline nttime_t nttime_from_ts(struct timespec ts)
{
	return nttime_from_unix((int64_t)ts.tv_sec, (uint32_t)ts.tv_nsec);
}

/* Times outside what a timespec of the system holds saturate. */
struct timespec nttime_to_ts(nttime_t t);

/* Milliseconds of a coarse monotonic clock, for timers and idle times. */
uint64_t clock_ms(void);
nttime_t clock_now(void);

/* The zone a connection was told at negotiate: minutes WEST of UTC.  clock_zone() gives it for
 * an instant; it must have been called once before a process enters an empty root. */
int clock_zone(time_t at);

/* DOS forms, all in server local time of `zone` (minutes west).  0 for an unknown time and
 * for times before 1980; 2107 saturates.  Seconds are cut to even ones. */
uint16_t dos_date(nttime_t t, int zone);
uint16_t dos_time(nttime_t t, int zone);
nttime_t dos_to_nttime(uint16_t date, uint16_t dostime, int zone);
/* UTIME: seconds since 1970 of the local clock. */
uint32_t utime_from_nttime(nttime_t t, int zone);
nttime_t utime_to_nttime(uint32_t u, int zone); /* 0 and 0xffffffff give 0 */
#endif
