/* rules.c - what no single row of the table can say: values that are refused, cut, or need others. */
#include "conf/room.h"
#include "base/log.h"
#include "base/str.h"
#include <errno.h>
#include <iconv.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NETBIOS_NAME_MAX 15

struct rules {
	struct conf *c;
	const struct store *s;
	struct report *r;
	const struct section *sec; /* of which `at` speaks */
};

/* Where a setting stands; the section's own place if it was not set. */
static struct where at(const struct rules *x, const char *name)
{
	const struct setting *set = store_get(x->sec, name);

	return set ? set->w : x->sec->w;
}

/* ---- [global] ---- */

char *default_netbios_name(TALLOC_CTX *mem)
{
	char host[256] = "";

	if (gethostname(host, sizeof(host) - 1) != 0 || host[0] == '\0' || host[0] == '.')
		return talloc_strdup(mem, "SMB1D");
	host[strcspn(host, ".")] = '\0';
	host[NETBIOS_NAME_MAX] = '\0';
	return str_upper(mem, host);
}

static void check_identity(struct rules *x)
{
	struct conf_globals *g = &x->c->g;
	const char *name = g->netbios_name;

	if (*name == '\0') {
		name = default_netbios_name(x->c);
	} else if (strlen(name) > NETBIOS_NAME_MAX) {
		report_warning(x->r, at(x, "netbios name"),
			       "netbios name: \"%s\" is cut to its first %d characters", name,
			       NETBIOS_NAME_MAX);
		name = talloc_strndup(x->c, name, NETBIOS_NAME_MAX);
	}
	g->netbios_name = str_upper(x->c, name);
	if (strlen(g->workgroup) > NETBIOS_NAME_MAX) {
		report_warning(x->r, at(x, "workgroup"),
			       "workgroup: \"%s\" is cut to its first %d characters", g->workgroup,
			       NETBIOS_NAME_MAX);
		g->workgroup = talloc_strndup(x->c, g->workgroup, NETBIOS_NAME_MAX);
	}
	g->workgroup = str_upper(x->c, g->workgroup);
}

static void check_ports(struct rules *x)
{
	const char *const *p = x->c->g.smb_ports;

	if (*p == NULL)
		report_error(x->r, at(x, "smb ports"),
			     "smb ports: no port is left to listen on; did you mean \"445 139\"?");
	for (; *p; p++) {
		char *end;
		long v = strtol(*p, &end, 10);

		if (*end || end == *p || v < 1 || v > 65535)
			report_error(x->r, at(x, "smb ports"),
				     "smb ports: \"%s\" is no port; they go from 1 to 65535", *p);
	}
}

static void check_cpus(struct rules *x)
{
	cpu_set_t set;
	const char *bad;
	bool each;

	if (!conf_cpus(x->c->g.smb1d_cpu_affinity, &set, &each, &bad))
		report_error(x->r, at(x, "smb1d: cpu affinity"),
			     "smb1d: cpu affinity: \"%s\" is neither a processor nor a range of them, as in \"0-3,8\" or \"each 0-3\"", bad);
}

static void check_protocol(struct rules *x)
{
	struct conf_globals *g = &x->c->g;

	if (g->server_min_protocol > CONF_PROTOCOL_NT1) {
		report_error(x->r, at(x, "server min protocol"),
			     "server min protocol: smb1d speaks NT1 and older dialects, nothing newer");
		return;
	}
	if (g->server_max_protocol > CONF_PROTOCOL_NT1) {
		report_note(x->r, at(x, "server max protocol"),
			    "server max protocol: NT1 is the newest dialect smb1d speaks");
		g->server_max_protocol = CONF_PROTOCOL_NT1;
	}
	if (g->server_min_protocol > g->server_max_protocol)
		report_error(
			x->r, at(x, "server min protocol"),
			"server min protocol is newer than server max protocol: no client could connect");
}

static void check_role(struct rules *x)
{
	const struct conf_globals *g = &x->c->g;

	if (g->security == CONF_SECURITY_ADS || g->security == CONF_SECURITY_DOMAIN)
		report_error(x->r, at(x, "security"),
			     "security: smb1d joins no domain; use \"security = user\"");
	else if (g->security == CONF_SECURITY_SERVER)
		report_error(x->r, at(x, "security"),
			     "security: smb1d asks no other server about passwords; use \"security = user\"");
	if (g->server_role != CONF_SERVER_ROLE_AUTO && g->server_role != CONF_SERVER_ROLE_STANDALONE)
		report_error(
			x->r, at(x, "server role"),
			"server role: smb1d is a standalone server; use \"server role = standalone server\"");
}

static void check_passdb(struct rules *x)
{
	const char *const *list = convert_list(x->c, x->c->g.passdb_backend);
	const char *first = *list ? *list : "";
	size_t len = strcspn(first, ":");

	if (strncmp(first, "ldapsam", 7) == 0)
		report_error(x->r, at(x, "passdb backend"),
			     "passdb backend: smb1d has no LDAP; use \"passdb backend = tdbsam\"");
	else if (!(len == 6 && strncasecmp(first, "tdbsam", 6) == 0) &&
		 !(len == 9 && strncasecmp(first, "smbpasswd", 9) == 0))
		report_error(x->r, at(x, "passdb backend"),
			     "passdb backend: \"%s\" is neither tdbsam nor smbpasswd", first);
	else if (list[1] && strcasecmp(list[1], "guest") != 0)
		report_warning(x->r, at(x, "passdb backend"),
			       "passdb backend: only the first one, %s, is used", first);
}

static void check_charset(struct rules *x, const char *name, const char *charset)
{
	iconv_t cd = iconv_open("UTF-8", charset);

	if (cd == (iconv_t)-1) {
		report_error(x->r, at(x, name),
			     "%s: there is no character set \"%s\"; \"iconv -l\" lists them", name, charset);
		return;
	}
	iconv_close(cd);
}

static void check_folder(struct rules *x, const char *name, const char *path)
{
	if (*path != '/' && *path != '%')
		report_error(x->r, at(x, name), "%s: \"%s\" is no absolute path; did you mean \"/%s\"?", name,
			     path, path);
}

/* A client calls itself what it likes: its name says yes only together with its address. */
static void check_clients(struct rules *x)
{
	const struct conf_globals *g = &x->c->g;
	const struct { const char *name; const char *const *list; } lists[] = {
		{ "smb1d: plaintext clients", g->smb1d_plaintext_clients },
		{ "smb1d: lanman clients", g->smb1d_lanman_clients },
		{ "smb1d: ntlmv1 clients", g->smb1d_ntlmv1_clients },
		{ "smb1d: ntlmv2 clients", g->smb1d_ntlmv2_clients },
		{ "smb1d: guest clients", g->smb1d_guest_clients },
		{ "smb1d: anonymous clients", g->smb1d_anonymous_clients },
		{ "smb1d: share level clients", g->smb1d_share_level_clients },
	};

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		for (const char *const *p = lists[i].list; *p; p++)
			if (conf_client_early(*p) && lists[i].list != g->smb1d_plaintext_clients &&
			    lists[i].list != g->smb1d_share_level_clients)
				report_warning(x->r, at(x, lists[i].name),
					       "%s: %s matches nobody; ports and called names are known to `smb1d: plaintext clients` "
					       "and `smb1d: share level clients` only", lists[i].name, *p);
			else if (conf_client_vague(*p))
				report_warning(x->r, at(x, lists[i].name),
					       "%s: the name %s alone lets nobody in, for a client may say any name; write "
					       "%s@ADDRESS or %s@NETWORK", lists[i].name, *p, *p, *p);
}

static void check_running(struct rules *x)
{
	const struct conf_globals *g = &x->c->g;
	signed char level[LOG_CLASSES] = { 0 };

	if (!log_parse_level(g->log_level, level))
		report_error(x->r, at(x, "log level"),
			     "log level: \"%s\" is not understood; it looks like \"1\" or \"1 auth:5 smb:3\"",
			     g->log_level);
	check_charset(x, "dos charset", g->dos_charset);
	check_charset(x, "unix charset", g->unix_charset);
	check_folder(x, "lock directory", g->lock_directory);
	check_folder(x, "state directory", g->state_directory);
	check_folder(x, "cache directory", g->cache_directory);
	check_folder(x, "pid directory", g->pid_directory);
	check_folder(x, "private dir", g->private_dir);
	if (*g->log_file)
		check_folder(x, "log file", g->log_file);
	if (*g->smb1d_audit_file)
		check_folder(x, "smb1d: audit file", g->smb1d_audit_file);
	if (!macro_any(g->guest_account) && getpwnam(g->guest_account) == NULL)
		report_warning(x->r, at(x, "guest account"),
			       "guest account: there is no Unix account \"%s\"; nobody becomes guest",
			       g->guest_account);
}

/* ---- shares ---- */

static bool may_have_no_path(const struct conf_share *sh)
{
	return sh->kind != CONF_DISK || *sh->p.msdfs_proxy != '\0';
}

static void check_path(struct rules *x, struct conf_share *sh)
{
	const char *path = sh->p.path;
	struct stat st;

	if (*path == '\0') {
		if (may_have_no_path(sh) || !sh->p.available)
			return;
		report_warning(x->r, x->sec->w, "[%s] has no path, so it is not available", sh->name);
		sh->p.available = false;
	} else if (*path != '/' && !(*path == '%' && (path[1] == 'H' || path[1] == 'P' || path[1] == '$'))) {
		report_error(x->r, at(x, "path"),
			     "path: \"%s\" of [%s] is not absolute; did you mean \"/%s\"?", path, sh->name,
			     path);
	} else if (!macro_any(path) && stat(path, &st) != 0 && errno == ENOENT) {
		report_warning(x->r, at(x, "path"),
			       "path: there is no folder \"%s\" yet; clients cannot use [%s]", path,
			       sh->name);
	}
}

static void check_mangling_char(struct rules *x, const struct conf_params *p)
{
	const char *s = p->mangling_char;

	if (s[0] == '\0' || s[1] != '\0' || s[0] <= ' ' || s[0] == 0x7f ||
	    strchr("\\/:*?\"<>|.+,;=[]", s[0]) != NULL)
		report_error(
			x->r, at(x, "mangling char"),
			"mangling char: \"%s\" must be one character that may stand in a DOS name, such as ~",
			s);
}

/* As with Samba: links out of the share and clients that can make links do not go together. */
static void check_wide_links(struct rules *x, struct conf_params *p)
{
	const struct conf_globals *g = &x->c->g;

	if (!p->wide_links || !g->smb1_unix_extensions || g->allow_insecure_wide_links)
		return;
	report_warning(x->r, at(x, "wide links"),
		       "wide links: stays off, as clients can make links through the Unix extensions; "
		       "set \"unix extensions = no\" or \"allow insecure wide links = yes\"");
	p->wide_links = false;
}

/* A name in such a list looks like a wall and is none. */
static void check_hosts(struct rules *x, const struct conf_params *p)
{
	const struct { const char *name; const char *const *list; } lists[] = {
		{ "hosts allow", p->hosts_allow }, { "hosts deny", p->hosts_deny },
	};

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		if (store_get(x->sec, lists[i].name) && conf_hosts_need_name(lists[i].list))
			report_warning(x->r, at(x, lists[i].name),
				       "%s: smb1d asks no DNS, so names of hosts in this list match nobody (but localhost); write "
				       "addresses or networks", lists[i].name);
}

static void check_audit(struct rules *x, const struct conf_params *p)
{
	const char *unknown;

	if (conf_audit_mask(p->smb1d_audit, &unknown) && *x->c->g.smb1d_audit_file == '\0')
		report_warning(x->r, at(x, "smb1d: audit"), "smb1d: audit: nothing is written without \"smb1d: audit file\"");
	if (unknown)
		report_error(x->r, at(x, "smb1d: audit"), "smb1d: audit: \"%s\" is none of connect, disconnect, open, read, "
			     "write, create, rename, delete, attributes, all", unknown);
}

static void check_share(struct rules *x, struct conf_share *sh)
{
	struct where w = x->sec->w;

	if (strlen(sh->name) > 80)
		report_warning(x->r, w, "[%s]: no client can use a share name of more than 80 characters",
			       sh->name);
	else if (strlen(sh->name) > 12)
		report_note(
			x->r, w,
			"[%s]: DOS, OS/2 and Windows 9x see no share whose name is longer than 12 characters",
			sh->name);
	check_path(x, sh);
	check_mangling_char(x, &sh->p);
	check_audit(x, &sh->p);
	check_hosts(x, &sh->p);
	check_wide_links(x, &sh->p);
	if (sh->p.guest_only && !sh->p.guest_ok)
		report_warning(x->r, at(x, "guest only"),
			       "guest only: [%s] lets nobody in without \"guest ok = yes\"", sh->name);
	if ((sh->kind == CONF_HOMES || sh->kind == CONF_DISK) && sh->p.printable)
		report_warning(x->r, at(x, "printable"), "printable: [%s] cannot be a printer", sh->name);
}

void rules_check(struct conf *c, const struct store *s, struct report *r)
{
	struct rules x = { c, s, r, s->sec[0] };

	check_identity(&x);
	check_ports(&x);
	check_cpus(&x);
	check_protocol(&x);
	check_role(&x);
	check_passdb(&x);
	check_clients(&x);
	profile_check(c, s, r);
	check_running(&x);
	check_mangling_char(&x, &c->defaults);
	check_hosts(&x, &c->defaults);
	check_wide_links(&x, &c->defaults);
	for (size_t i = 0; i < c->nshares; i++) {
		struct conf_share *sh = c->shares[i];

		x.sec = store_find(s, sh->name);
		if (x.sec != NULL && sh->kind != CONF_IPC)
			check_share(&x, sh);
	}
}
