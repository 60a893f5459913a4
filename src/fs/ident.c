/* ident.c - whose rights the process has.
 *
 * Real, effective and saved ids all become the user's, so neither the kernel nor a local program sees
 * anything but the user.  What stays is the right to become somebody else: CAP_SETUID and CAP_SETGID.  With
 * `admin users` the capabilities that pass file modes are raised too, as far as we hold them.
 *
 * System calls are made directly: the C library's wrappers would look for other threads. */
#include "fs/inner.h"
#include <errno.h>
#include <linux/capability.h>
#include <linux/securebits.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define BIT(cap) (UINT64_C(1) << (cap))
#define SWITCH_CAPS (BIT(CAP_SETUID) | BIT(CAP_SETGID))
#define ADMIN_CAPS (BIT(CAP_DAC_OVERRIDE) | BIT(CAP_FOWNER) | BIT(CAP_CHOWN) | BIT(CAP_FSETID))

static struct {
	bool known; /* what follows is in force */
	bool admin;
	uid_t uid;
	gid_t gid;
	uint32_t ngroups;
	gid_t *groups;
} now;

struct caps {
	uint64_t effective, permitted, inheritable;
};

static bool caps_get(struct caps *c)
{
	struct __user_cap_header_struct h = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct d[2] = { 0 };

	if (syscall(SYS_capget, &h, d) < 0)
		return false;
	c->effective = d[0].effective | (uint64_t)d[1].effective << 32;
	c->permitted = d[0].permitted | (uint64_t)d[1].permitted << 32;
	c->inheritable = d[0].inheritable | (uint64_t)d[1].inheritable << 32;
	return true;
}

static bool caps_set(const struct caps *c)
{
	struct __user_cap_header_struct h = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct d[2] = {
		{ (uint32_t)c->effective, (uint32_t)c->permitted, (uint32_t)c->inheritable },
		{ (uint32_t)(c->effective >> 32), (uint32_t)(c->permitted >> 32),
		  (uint32_t)(c->inheritable >> 32) },
	};

	return syscall(SYS_capset, &h, d) == 0;
}

static bool caps_effective(uint64_t want)
{
	struct caps c;

	if (!caps_get(&c))
		return false;
	c.effective = want & c.permitted;
	return caps_set(&c);
}

/* Before the first fs_become() (tests, tools) the process is who it is. */
static uid_t my_uid(void) { return now.known ? now.uid : geteuid(); }

bool ident_admin(void) { return (now.known && now.admin) || my_uid() == 0; }

bool ident_has_group(gid_t gid)
{
	for (uint32_t i = 0; now.known && i < now.ngroups; i++)
		if (now.groups[i] == gid)
			return true;
	return gid == (now.known ? now.gid : getegid());
}

static bool is_me(void *arg, const struct sid *s)
{
	uint32_t id;

	(void)arg;
	if (sid_is_uid(s, &id))
		return id == my_uid();
	if (sid_is_gid(s, &id))
		return ident_has_group(id);
	return sid_same(s, &sid_everyone) || sid_same(s, &sid_authenticated) || sid_same(s, &sid_network) ||
	       (sid_same(s, &sid_administrators) && ident_admin());
}

uint32_t ident_granted(const struct sd *sd) { return sd_granted(sd, is_me, NULL); }

void fs_process_setup(void)
{
	umask(0);
	signal(SIGXFSZ, SIG_IGN);
	/* ids change, capabilities stay: the first needs CAP_SETPCAP, the second is enough for leaving uid
	 * 0 */
	if (prctl(PR_SET_SECUREBITS, SECBIT_NO_SETUID_FIXUP | SECBIT_KEEP_CAPS, 0, 0, 0) < 0)
		prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0);
}

static bool in_force(const struct ident *who)
{
	return now.known && now.uid == who->uid && now.gid == who->gid && now.admin == who->admin &&
	       now.ngroups == who->ngroups &&
	       (who->ngroups == 0 || memcmp(now.groups, who->groups, who->ngroups * sizeof(gid_t)) == 0);
}

static bool remember(const struct ident *who)
{
	gid_t *groups = who->ngroups ? talloc_memdup(NULL, who->groups, who->ngroups * sizeof(gid_t)) : NULL;

	if (who->ngroups && !groups)
		return false;
	talloc_free(now.groups);
	now.groups = groups;
	now.ngroups = who->ngroups;
	now.uid = who->uid;
	now.gid = who->gid;
	now.admin = who->admin;
	now.known = true;
	return true;
}

#ifdef SYS_setresuid32 /* the other ones have 16 bits there */
#define BECOME_UID SYS_setresuid32
#define BECOME_GID SYS_setresgid32
#else
#define BECOME_UID SYS_setresuid
#define BECOME_GID SYS_setresgid
#endif

/* The tickets are for the filter of system calls; the kernel's calls end before them. */
static bool change(const struct ident *who)
{
	return caps_effective(SWITCH_CAPS) &&
	       syscall(SYS_setgroups, (size_t)who->ngroups, who->groups) == 0 &&
	       syscall(BECOME_GID, who->gid, who->gid, who->gid, who->gid_ticket[0], who->gid_ticket[1]) == 0 &&
	       syscall(BECOME_UID, who->uid, who->uid, who->uid, who->uid_ticket[0], who->uid_ticket[1]) == 0 &&
	       caps_effective(SWITCH_CAPS | (who->admin ? ADMIN_CAPS : 0));
}

status_t fs_become(const struct ident *who)
{
	struct caps c;

	if (in_force(who))
		return ST_OK;
	now.known = false;
	if (!caps_get(&c) || (c.permitted & SWITCH_CAPS) != SWITCH_CAPS) {
		/* an ordinary user's process serves that user and nobody else */
		if (who->uid != geteuid()) {
			log_error(LOG_FS, "cannot become uid %u: not started as root", (unsigned)who->uid);
			return ST_ACCESS_DENIED;
		}
	} else if (!change(who)) {
		log_error(LOG_FS, "cannot become uid %u gid %u: %s", (unsigned)who->uid, (unsigned)who->gid,
			  strerror(errno));
		return ST_ACCESS_DENIED;
	}
	return remember(who) ? ST_OK : ST_NO_MEMORY;
}
