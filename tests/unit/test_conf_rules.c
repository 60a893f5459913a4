/* What no single value can say: refusals, things that are cut, shares, notes. */
#include "conf_text.h"

static void refused_in_one_sentence(void **state)
{
	struct conf_text *t = *state;

	assert_refused(t, "[global]\nsecurity = ads\n", 2, "security: smb1d joins no domain; use \"security = user\"");
	assert_refused(t, "[global]\nsecurity = DOMAIN\n", 2, "joins no domain");
	assert_refused(t, "[global]\nsecurity = server\n", 2, "asks no other server");
	assert_refused(t, "[global]\npassdb backend = ldapsam:ldap://x\n", 2, "has no LDAP");
	assert_refused(t, "[global]\npassdb backend = mysql\n", 2, "\"mysql\" is neither tdbsam nor smbpasswd");
	assert_refused(t, "[global]\nserver min protocol = SMB2\n", 2, "NT1 and older dialects");
	assert_refused(t, "[global]\nserver role = member server\n", 2, "standalone server");
	assert_refused(t, "[global]\nmin protocol = NT1\nmax protocol = CORE\n", 2, "newer than server max protocol");
	assert_int_equal(t->rep.n, 1);
}

static void accepted(void **state)
{
	struct conf_text *t = *state;

	text_good(t, "[global]\nsecurity = share\nserver max protocol = SMB3\npassdb backend = smbpasswd:/etc/p\n"
		     "server role = standalone server\n");
	assert_int_equal(t->c->g.security, CONF_SECURITY_SHARE);
	assert_int_equal(t->c->g.server_max_protocol, CONF_PROTOCOL_NT1);
	assert_said(t, CONF_MSG_NOTE, 3, "NT1 is the newest");
	text_good(t, "[global]\npassdb backend = tdbsam guest\n");
	assert_int_equal(t->rep.n, 0);
	text_good(t, "[global]\npassdb backend = tdbsam smbpasswd\n");
	assert_said(t, CONF_MSG_WARNING, 2, "only the first one, tdbsam, is used");
}

static void processors(void **state)
{
	struct conf_text *t = *state;
	struct conf *c = text_good(t, "[global]\nsmb1d: cpu affinity = 1-2, 5\n");
	const char *bad;
	cpu_set_t set;
	bool each;

	assert_true(conf_cpus(c->g.smb1d_cpu_affinity, &set, &each, &bad));
	assert_int_equal(CPU_COUNT(&set), 3);
	assert_true(CPU_ISSET(1, &set) && CPU_ISSET(2, &set) && CPU_ISSET(5, &set) && !each);
	c = text_good(t, "[global]\nsmb1d: cpu affinity = each 0\n");
	assert_true(conf_cpus(c->g.smb1d_cpu_affinity, &set, &each, &bad) && each && CPU_COUNT(&set) == 1);
	c = text_good(t, "");
	assert_true(conf_cpus(c->g.smb1d_cpu_affinity, &set, &each, &bad));
	assert_int_equal(CPU_COUNT(&set), 0);
	assert_refused(t, "[global]\nsmb1d: cpu affinity = 3-1\n", 2, "\"3-1\" is neither");
	assert_refused(t, "[global]\nsmb1d: cpu affinity = 99999\n", 2, "\"99999\" is neither");
	assert_refused(t, "[global]\nsmb1d: cpu affinity = two\n", 2, "\"two\" is neither");
	assert_refused(t, "[global]\nsmb1d: cpu affinity = each\n", 2, "\"each\" is neither");
}

static void names_of_the_server(void **state)
{
	struct conf_text *t = *state;
	char host[256] = "";
	struct conf *c = text_good(t, "");

	gethostname(host, sizeof(host) - 1);
	host[strcspn(host, ".")] = '\0';
	assert_int_equal(strncasecmp(c->g.netbios_name, host, 15), 0);
	assert_true(strlen(c->g.netbios_name) > 0 && strlen(c->g.netbios_name) <= 15);
	text_good(t, "[global]\nnetbios name = averyverylongname\nworkgroup = abcdefghijklmnopq\n");
	assert_string_equal(t->c->g.netbios_name, "AVERYVERYLONGNA");
	assert_string_equal(t->c->g.workgroup, "ABCDEFGHIJKLMNO");
	assert_said(t, CONF_MSG_WARNING, 2, "cut to its first 15");
	assert_said(t, CONF_MSG_WARNING, 3, "cut to its first 15");
}

static void ports_charsets_levels_folders(void **state)
{
	struct conf_text *t = *state;

	text_good(t, "[global]\nsmb ports = 1445, 1139\nlog level = 1 auth:5 smb:3\n");
	assert_list(t->c->g.smb_ports, "1445", "1139", NULL);
	assert_refused(t, "[global]\nsmb ports = 445 99999\n", 2, "\"99999\" is no port; they go from 1 to 65535");
	assert_refused(t, "[global]\nsmb ports = 445x\n", 2, "\"445x\" is no port");
	assert_refused(t, "[global]\nsmb ports =\n", 2, "no port is left");
	assert_refused(t, "[global]\ndos charset = CP99999\n", 2, "there is no character set \"CP99999\"");
	assert_refused(t, "[global]\nlog level = very much\n", 2, "log level: \"very much\" is not understood");
	assert_refused(t, "[global]\nlock directory = var/lock\n", 2, "did you mean \"/var/lock\"?");
	assert_refused(t, "[global]\nlog file = log.%m\n", 2, "is no absolute path");
	text_good(t, "[global]\nguest account = no-such-account-here\n");
	assert_said(t, CONF_MSG_WARNING, 2, "no Unix account \"no-such-account-here\"");
}

static void paths(void **state)
{
	struct conf_text *t = *state;
	const struct conf_share *sh;

	sh = text_share(t, "[x]\ncomment = c\n");
	assert_false(sh->p.available);
	assert_said(t, CONF_MSG_WARNING, 1, "[x] has no path, so it is not available");
	assert_refused(t, "[x]\npath = srv/x\n", 2, "path: \"srv/x\" of [x] is not absolute; did you mean \"/srv/x\"?");
	assert_refused(t, "[x]\npath = %m/x\n", 2, "is not absolute");
	text_good(t, "[x]\npath = /nowhere/to/be/found\n");
	assert_said(t, CONF_MSG_WARNING, 2, "there is no folder \"/nowhere/to/be/found\" yet");
	sh = text_share(t, "[x]\npath = %H/x\n[y]\npath = /srv/%U\n[homes]\nbrowseable = no\n[lp]\nprintable = yes\n"
			   "[printers]\nprintable = yes\n");
	assert_int_equal(t->rep.n, 0);
	assert_true(sh->p.available);
}

static void kinds_of_shares(void **state)
{
	struct conf_text *t = *state;
	struct conf *c = text_good(t, "[Homes]\n[printers]\nprintable = yes\n[lp]\nprint ok = yes\n[d]\npath = /tmp\n"
				      "[print$]\npath=/tmp\n");

	assert_int_equal(c->nshares, 6);
	assert_int_equal(c->shares[0]->kind, CONF_HOMES);
	assert_int_equal(c->shares[1]->kind, CONF_PRINTERS);
	assert_int_equal(c->shares[2]->kind, CONF_PRINTER);
	assert_int_equal(c->shares[3]->kind, CONF_DISK);
	assert_int_equal(c->shares[4]->kind, CONF_DISK);
	assert_int_equal(c->shares[5]->kind, CONF_IPC);
	assert_ptr_equal(conf_homes(c), c->shares[0]);
	assert_null(conf_find(c, "homes"));
	assert_null(conf_find(c, "printers"));
	assert_null(conf_homes(text_good(t, "")));
}

static void the_pipe_share(void **state)
{
	struct conf_text *t = *state;
	const struct conf_share *ipc;

	text_good(t, "[global]\nserver string = box %v\nguest only = yes\nguest ok = yes\npath = /tmp\n");
	ipc = conf_find(t->c, "ipc$");
	assert_non_null(ipc);
	assert_string_equal(ipc->name, "IPC$");
	assert_string_equal(ipc->p.comment, "IPC Service (box %v)");
	assert_string_equal(ipc->p.path, "");
	assert_true(ipc->p.available);
	assert_false(ipc->p.guest_only);
	text_good(t, "[ipc$]\nhosts allow = 10.\ncomment = mine\n");
	ipc = conf_find(t->c, "IPC$");
	assert_int_equal(t->c->nshares, 1);
	assert_int_equal(ipc->kind, CONF_IPC);
	assert_list(ipc->p.hosts_allow, "10.", NULL);
	assert_string_equal(ipc->p.comment, "mine");
}

static void other_rules_of_shares(void **state)
{
	struct conf_text *t = *state;
	char *longer = talloc_strdup(t, "");

	assert_refused(t, "[x]\npath = /tmp\nmangling char = ab\n", 3, "must be one character");
	assert_refused(t, "[x]\npath = /tmp\nmangling char =\n", 3, "must be one character");
	assert_refused(t, "[global]\nmangling char = .\n", 2, "must be one character");
	text_good(t, "[x]\npath = /tmp\nguest only = yes\n");
	assert_said(t, CONF_MSG_WARNING, 3, "lets nobody in without \"guest ok = yes\"");
	text_good(t, "[more than twelve]\npath = /tmp\n");
	assert_said(t, CONF_MSG_NOTE, 1, "longer than 12 characters");
	for (int i = 0; i < 81; i++)
		longer = talloc_strdup_append(longer, "y");
	text_good(t, talloc_asprintf(t, "[%s]\npath = /tmp\n", longer));
	assert_said(t, CONF_MSG_WARNING, 1, "more than 80 characters");
}

static void wide_links(void **state)
{
	struct conf_text *t = *state;

	assert_false(text_share(t, "[x]\npath=/tmp\nwide links = yes\n")->p.wide_links);
	assert_said(t, CONF_MSG_WARNING, 3, "wide links: stays off");
	assert_true(text_share(t, "[global]\nunix extensions = no\n[x]\npath=/tmp\nwide links = yes\n")->p.wide_links);
	assert_true(text_share(t, "[global]\nallow insecure wide links = yes\n[x]\npath=/tmp\nwide links = yes\n")
			    ->p.wide_links);
}

static void notes_once_with_a_reason(void **state)
{
	struct conf_text *t = *state;

	text_good(t, "[global]\nwins support = yes\nldap suffix = dc=x\nwinbind uid = 1-2\n"
		     "[a]\npath=/tmp\nmagic script = s\ndurable handles = yes\n[b]\npath=/tmp\nmagic script = s\n");
	assert_said(t, CONF_MSG_NOTE, 2, "\"wins support\" is accepted without effect: smb1d is no WINS server");
	assert_said(t, CONF_MSG_NOTE, 3, "\"ldap suffix\" is accepted without effect: smb1d has no LDAP");
	assert_said(t, CONF_MSG_NOTE, 4, "smb1d has no winbind");
	assert_said(t, CONF_MSG_NOTE, 8, "speaks no SMB2");
	assert_int_equal(text_count(t, "magic script"), 1);
	text_good(t, "[x]\npath=/tmp\nread only = no\nguest ok = yes\n");
	assert_int_equal(t->rep.n, 0);
}

static void modules(void **state)
{
	struct conf_text *t = *state;
	const struct conf_share *sh = text_share(t, "[x]\npath=/tmp\nvfs objects = acl_xattr, fruit\n");

	assert_list(sh->p.vfs_objects, "acl_xattr", "fruit", NULL);
	assert_said(t, CONF_MSG_NOTE, 3, "acl_xattr is not needed");
	assert_said(t, CONF_MSG_WARNING, 3, "fruit does nothing; built in are");
}

/* All errors are told, not only the first. */
static void every_error(void **state)
{
	struct conf_text *t = *state;

	assert_false(text_load(t, "[global]\nmax mux = x\nos level = y\n[x]\npath = z\nguest ok = q\n"));
	assert_said(t, CONF_MSG_ERROR, 2, "max mux");
	assert_said(t, CONF_MSG_ERROR, 3, "os level");
	assert_said(t, CONF_MSG_ERROR, 5, "path");
	assert_said(t, CONF_MSG_ERROR, 6, "guest ok");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEXT_TEST(refused_in_one_sentence), TEXT_TEST(accepted),
		TEXT_TEST(processors),		    TEXT_TEST(names_of_the_server),	    TEXT_TEST(ports_charsets_levels_folders),
		TEXT_TEST(paths),		    TEXT_TEST(kinds_of_shares),
		TEXT_TEST(the_pipe_share),	    TEXT_TEST(other_rules_of_shares),
		TEXT_TEST(wide_links),		    TEXT_TEST(notes_once_with_a_reason),
		TEXT_TEST(modules),		    TEXT_TEST(every_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
