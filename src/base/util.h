/* util.h - small things every room uses. */
#ifndef SMB1D_BASE_UTIL_H
#define SMB1D_BASE_UTIL_H
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <talloc.h>

#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))
/* Of large static arrays: they lie behind all small variables, so that a process that writes a few of those gets few pages of its own. */
#define SELDOM __attribute__((section(".bss.seldom")))
/* Of the functions that nearly every request goes through: they lie together, in as few pages and cache lines as may be, since the
 * kernel has had the caches meanwhile (docs/fast-path.md). */
#define HOT __attribute__((hot))

static inline uint32_t min_u32(uint32_t a, uint32_t b) { return a < b ? a : b; }
static inline uint32_t max_u32(uint32_t a, uint32_t b) { return a > b ? a : b; }
static inline uint64_t min_u64(uint64_t a, uint64_t b) { return a < b ? a : b; }
static inline uint64_t max_u64(uint64_t a, uint64_t b) { return a > b ? a : b; }

/* Random bytes from the kernel; never fails (ends the process if it must). */
void util_random(void *p, size_t n);
/* Distance of two words (edits), for "did you mean". */
unsigned util_distance(const char *a, const char *b);
/* Where the file of a descriptor lies now, whole and without links.  False: the kernel does not tell. */
bool util_fd_path(int fd, char path[PATH_MAX]);
/* Makes a folder with this mode, those above it as well (0755), unless they are there.  False: errno says why. */
bool util_make_folder(const char *path, mode_t mode);
/* A process' start time in clock ticks since boot (0 = no such process): with the pid it
 * names a process for ever. */
uint64_t util_start_time(pid_t pid);
/* What it is of a process that starts now, 0: unknown.  The same before a fork and after it: that is the child's. */
uint64_t util_start_time_now(void);
/* Ends the process with a line in the log: our own promise was broken. */
_Noreturn void util_panic(const char *fmt, ...) __attribute__((cold, format(printf, 1, 2)));
#endif
