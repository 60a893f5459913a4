/* check.h - `smb1ctl check`. */
#ifndef SMB1D_CTL_CHECK_H
#define SMB1D_CTL_CHECK_H
/* argv[0] is the verb.  conffile is read unless the arguments name a file.  Exit status: 0, or 1 on errors. */
int ctl_check(int argc, const char **argv, const char *conffile);
#endif
