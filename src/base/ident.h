/* ident.h - whose rights a request runs with.  Made by the keeper, never by a client. */
#ifndef SMB1D_BASE_IDENT_H
#define SMB1D_BASE_IDENT_H
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct ident {
	uid_t uid;
	gid_t gid;
	uint32_t ngroups;
	gid_t *groups;      /* supplementary, sorted; talloc child of the ident */
	const char *user;   /* Unix account */
	const char *domain; /* as shown to clients */
	const char *home;   /* home directory, "" if none */
	bool guest;         /* mapped to the guest account */
	bool anonymous;     /* logged in with no name at all */
	bool admin;         /* `admin users` of the tree in use: may pass file modes */
	uint32_t uid_ticket[2], gid_ticket[2]; /* the keeper's leave to take on uid and gid (proc/ticket.c) */
};
#endif
