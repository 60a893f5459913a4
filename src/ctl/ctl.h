/* ctl.h - the verbs of smb1ctl.  Each gets its own command line (argv[0] is the verb) and the configuration
 * file, and returns the exit status. */
#ifndef SMB1D_CTL_CTL_H
#define SMB1D_CTL_CTL_H
#include <stdio.h>

int ctl_check(int argc, const char **argv, const char *conffile);
int ctl_passwd(int argc, const char **argv, const char *conffile);
int ctl_users(int argc, const char **argv, const char *conffile);
int ctl_status(int argc, const char **argv, const char *conffile);
/* reload, stop, ping, clients, walls, debug N, kill-client ADDR, close-share NAME, why */
int ctl_control(int argc, const char **argv, const char *conffile);
/* Which walls of the daemon stand, one line; nothing if none runs with this `lock directory`. */
void ctl_print_walls(FILE *to, const char *dir);
/* smb.conf(5), made from the table of parameters, on standard output */
int ctl_manual(int argc, const char **argv, const char *conffile);
#endif
