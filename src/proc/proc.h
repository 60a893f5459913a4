/* proc.h - the processes of smb1d and who of them may do what.
 *
 *   listener ──forks──> keeper            one: alone reads the account store, never sees a packet
 *      │
 *      ├──forks──> porch                  one per client before login: no files, no rights, few calls
 *      └──forks──> worker                 one per client after login: the user's rights, never root
 *
 * The listener accepts and forks; it reads nothing a client has sent.  A porch asks the keeper over its
 * door (a socketpair made by the listener for this one client); when somebody has proved who he is, the
 * client's socket and a flat record go porch -> keeper -> listener, which forks a worker for it. */
#ifndef SMB1D_PROC_PROC_H
#define SMB1D_PROC_PROC_H
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* The command line.  Strings and lists belong to the caller and must live as long as the process. */
struct proc_options {
	const char *conf_file;
	const char *const *overrides; /* --option: "name=value", NULL-terminated; or NULL */
	const char *log_dir;          /* -l, or NULL */
	const char *debug_level;      /* -d, or NULL: as in `log level`; stronger than the file */
	const char *ports;            /* -p, or NULL: stronger than `smb ports` */
	bool foreground;              /* -F */
	bool interactive;             /* -i: one client only */
	bool log_to_stdout;           /* -S */
};

/* Runs the daemon until it is told to end; the exit status: 0 after a clean end, 1 with one line on
 * standard error if the configuration or something needed at start is wrong. */
int proc_run(const struct proc_options *o);
#endif
