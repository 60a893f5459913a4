/* accounts.h - what `smb1ctl passwd` and `smb1ctl users` share. */
#ifndef SMB1D_CTL_ACCOUNTS_H
#define SMB1D_CTL_ACCOUNTS_H
#include "auth/auth.h"

/* users.c: reads smb.conf and opens the store it names; children of mem.  False: already said why. */
bool ctl_open_accounts(TALLOC_CTX *mem, const char *conffile, bool create, struct conf **c,
		       struct auth_db **db);
/* "smb1ctl: ..." on standard error; always 1, for return. */
int ctl_fail(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
#endif
