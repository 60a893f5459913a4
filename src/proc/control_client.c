/* control_client.c - smb1ctl's end of the control socket. */
#include "proc/inner.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

/* The address of the socket, through a descriptor of its folder: `sun_path` is short. */
bool control_address(struct sockaddr_un *sa, int dir)
{
	*sa = (struct sockaddr_un){ .sun_family = AF_UNIX };
	snprintf(sa->sun_path, sizeof(sa->sun_path), "/proc/self/fd/%d/smb1d.sock", dir);
	return dir >= 0;
}

int proc_control_connect(const char *lock_directory, const char **why)
{
	static char sentence[640];
	int dir = open(lock_directory, O_PATH | O_DIRECTORY | O_CLOEXEC), fd = -1, err = errno;
	struct timeval tv = { .tv_sec = 30 };
	struct sockaddr_un sa;

	if (control_address(&sa, dir)) {
		fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
		if (fd >= 0 && connect(fd, (struct sockaddr *)&sa, sizeof(sa)) != 0) {
			err = errno;
			close(fd);
			fd = -1;
		}
		close(dir);
	}
	if (fd < 0) {
		snprintf(sentence, sizeof(sentence), "smb1d does not run here (%s/smb1d.sock: %s)", lock_directory,
			 strerror(err));
		*why = sentence;
		return -1;
	}
	(void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof(tv));
	return fd;
}
