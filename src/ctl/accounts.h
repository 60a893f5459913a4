/* accounts.h - `smb1ctl passwd` and `smb1ctl users`: the account store from the command line. */
#ifndef SMB1D_CTL_ACCOUNTS_H
#define SMB1D_CTL_ACCOUNTS_H
#include "auth/auth.h"

/* argv[0] is the name of the subcommand.  Exit status: 0 done, 1 not done and said why. */
int ctl_passwd(int argc, const char **argv, const char *conffile);
int ctl_users(int argc, const char **argv, const char *conffile);

/* users.c: reads smb.conf and opens the store it names; children of mem.  False: already said why. */
bool ctl_open_accounts(TALLOC_CTX *mem, const char *conffile, bool create, struct conf **c,
		       struct auth_db **db);
/* "smb1ctl: ..." on standard error; always 1, for return. */
int ctl_fail(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
#endif
