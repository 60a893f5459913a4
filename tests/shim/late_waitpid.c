/* late_waitpid.c - loaded into the daemon by tests: between two looks at its children the listener is held up, as a busy
 * machine does it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/types.h>
#include <unistd.h>

#define LATE_US 30000

pid_t waitpid(pid_t pid, int *status, int options)
{
	static pid_t (*really)(pid_t, int *, int);

	if (!really)
		*(void **)(void *)&really = dlsym(RTLD_NEXT, "waitpid");
	if (pid == -1)
		usleep(LATE_US);
	return really(pid, status, options);
}
