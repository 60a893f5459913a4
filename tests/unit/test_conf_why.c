/* Where settings stand, refusals as records, lists of clients, profiles. */
#include <grp.h>
#include "conf_text.h"
#include "conf/room.h"
#include "conf/why.h"

static struct profile_test_row { const char *profile, *param, *text; } rows[] = {
#define PROFILE(name, who) { name, NULL, NULL },
#define SET(param, value, why) { NULL, param, value },
#include "conf/profiles.def"
#undef PROFILE
#undef SET
};

static void places(void **state)
{
	struct conf_text *t = *state;
	struct conf *c, *d;
	const struct conf_share *x;
	size_t len;
	uint8_t *p;

	text_file(t, "more", "[x]\nvalid users = b\n");
	c = text_good(t, "[global]\nlanman auth = yes\nread only = no\n[x]\npath = /tmp\nvalid users = a\nread only = yes\n"
			 "[y]\npath = /tmp\n[x]\ninclude = more\n");
	p = conf_pack(t, c, &len);
	d = conf_unpack(t, p, len);
	assert_non_null(d);
	for (int i = 0; i < 2; i++, c = d) {
		x = conf_find(c, "x");
		assert_string_equal(conf_where(t, c, NULL, "lanman auth"), talloc_asprintf(t, "%s:2", text_path(t, "smb.conf")));
		assert_string_equal(conf_where(t, c, x, "read only"), talloc_asprintf(t, "%s:7", text_path(t, "smb.conf")));
		assert_string_equal(conf_where(t, c, conf_find(c, "y"), "writable"),
				    talloc_asprintf(t, "%s:3", text_path(t, "smb.conf")));
		assert_string_equal(conf_where(t, c, x, "valid users"), talloc_asprintf(t, "%s:2", text_path(t, "more")));
		assert_string_equal(conf_value(t, c, x, "valid users"), "b");
		assert_string_equal(conf_where(t, c, x, "oplocks"), "default");
		assert_string_equal(conf_where(t, c, x, "no such thing"), "default");
		assert_string_equal(conf_value(t, c, x, "no such thing"), "");
	}
}

static uint8_t kept[WHY_RECORD_MAX];
static size_t kept_len;
static unsigned kept_times;

static void keep(void *arg, const uint8_t *p, size_t len)
{
	(void)arg;
	memcpy(kept, p, len);
	kept_len = len;
	kept_times++;
}

static void records(void **state)
{
	struct conf_text *t = *state;
	struct conf *c = text_good(t, "[global]\nhosts deny = 10.\n");
	struct why no = { LOG_PROC, .conf = c, .param = "hosts deny", .user = "anna\x1b[2J", .where = "\xc3\xa4\xff",
			  .fix = "nothing" };
	unsigned before = why_count();
	struct why_record w;

	log_level[LOG_PROC] = -1;
	why_to(keep, NULL);
	why_refused(&no, "a %s", "connection");
	assert_int_equal(why_count(), before + 1);
	assert_true(why_read(t, kept, kept_len, &w));
	assert_string_equal(w.user, "anna?[2J"); /* nothing a terminal would obey */
	assert_string_equal(w.where, "\xc3\xa4?");
	assert_string_equal(w.what, "a connection");
	assert_string_equal(w.rule, "hosts deny = 10.");
	assert_non_null(strstr(w.place, "smb.conf:2"));
	for (size_t cut = 0; cut < kept_len; cut++)
		assert_false(why_read(t, kept, cut, &w));
	memset(kept, 0xff, sizeof(kept));
	assert_false(why_read(t, kept, sizeof(kept), &w));
	for (int i = 0; i < 1000; i++) /* a flood is cut, and still counted */
		why_refused(&no, "flood");
	assert_in_range(kept_times, 20, 60);
	assert_int_equal(why_count(), before + 1001);
	why_to(NULL, NULL);
}

static int rule(struct conf_text *t, const char *list, const char *addr, const char *claimed)
{
	const struct conf_peer p = { .addr = addr, .claimed = claimed, .called = "FILES", .port = 139 };

	return conf_client_rule(convert_list(t, list), &p);
}

static void clients(void **state)
{
	struct conf_text *t = *state;

	assert_int_equal(rule(t, "", "192.0.2.7", "OLD"), 0);
	assert_int_equal(rule(t, "192.0.2.", "192.0.2.7", NULL), 1);
	assert_int_equal(rule(t, "192.0.2.0/24 EXCEPT 192.0.2.7", "192.0.2.7", NULL), 0);
	assert_int_equal(rule(t, "ALL !192.0.2.7", "192.0.2.7", NULL), -1);
	assert_int_equal(rule(t, "!192.0.2.7 ALL", "192.0.2.7", NULL), -1);
	assert_int_equal(rule(t, "!192.0.2.7 ALL", "192.0.2.8", NULL), 1);
	assert_int_equal(rule(t, "OLD", "192.0.2.7", "OLD"), 0);
	assert_int_equal(rule(t, "!OLD ALL", "192.0.2.7", "old"), -1);
	assert_int_equal(rule(t, "OLD@192.0.2.0/24", "192.0.2.7", "old"), 1);
	assert_int_equal(rule(t, "OLD@192.0.2.0/24", "192.0.2.7", "NEW"), 0);
	assert_int_equal(rule(t, "OLD@192.0.2.0/24", "192.0.2.7", NULL), 0);
	assert_int_equal(rule(t, "OLD@192.0.2.0/24", "198.51.100.7", "OLD"), 0);
	assert_int_equal(rule(t, "2001:db8::/32", "2001:db8::7", NULL), 1);
	assert_int_equal(rule(t, "port:139", "192.0.2.7", NULL), 1);
	assert_int_equal(rule(t, "port:445", "192.0.2.7", NULL), 0);
	assert_int_equal(rule(t, "!port:139 ALL", "192.0.2.7", NULL), -1);
	assert_int_equal(rule(t, "port:139@192.0.2.0/24", "192.0.2.7", NULL), 1);
	assert_int_equal(rule(t, "port:139@192.0.2.0/24", "198.51.100.7", NULL), 0);
	assert_int_equal(rule(t, "called:files@192.0.2.0/24", "192.0.2.7", "OLD"), 1);
	assert_int_equal(rule(t, "called:old@192.0.2.0/24", "192.0.2.7", "OLD"), 0);
	assert_int_equal(rule(t, "called:files", "192.0.2.7", NULL), 0);
	assert_int_equal(rule(t, "!called:files ALL", "192.0.2.7", NULL), -1);
	text_good(t, "[global]\nsmb1d: share level clients = port:139, called:A, called:A@10.\nsmb1d: guest clients = port:139\n");
	assert_int_equal(text_count(t, "lets nobody in"), 1);
	assert_said(t, CONF_MSG_WARNING, 3, "port:139 matches nobody");
	text_good(t, "[global]\nsmb1d: lanman clients = OLD, 10., OLD2@10.\n");
	assert_said(t, CONF_MSG_WARNING, 2, "the name OLD alone lets nobody in");
	assert_int_equal(text_count(t, "lets nobody in"), 1);
}

/* Each row names a parameter smb1d acts on, that need not be known before the client is, and a value it takes. */
static void profile_rows(void **state)
{
	struct conf_text *t = *state;
	struct conf *c = text_good(t, "");

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		bool inverse;
		const struct param *p = rows[i].profile ? NULL : param_find(rows[i].param, &inverse);

		if (rows[i].profile)
			continue;
		assert_non_null(p);
		assert_true(param_has_field(p) && p->acts == PARAM_ACTS && p->reload != RELOAD_START);
		assert_string_equal(p->name, rows[i].param);
		assert_null(convert(c, p, rows[i].text, false, param_field(p, &c->g, &c->defaults)));
	}
}

static void profiles(void **state)
{
	struct conf_text *t = *state;
	struct conf *c = text_good(t, "[global]\nsmb1d: profile = dos:192.0.2.0/24 windows\n[x]\npath = /tmp\n"
				      "[y]\npath = /tmp\nmangled names = illegal\n");
	struct conf_globals g = c->g;

	assert_said(t, CONF_MSG_NOTE, 2, "profile dos:192.0.2.0/24: \"lanman auth\" becomes yes");
	conf_profile_globals(t, c, "192.0.2.7", &g);
	assert_true(g.lanman_auth);
	assert_false(c->g.lanman_auth);
	assert_true(conf_wants_lm(c, "anna", NULL, 0));
	conf_profile_apply(c, "198.51.100.7");
	assert_int_equal(c->g.server_min_protocol, CONF_PROTOCOL_NT1);
	assert_int_equal(conf_find(c, "x")->p.mangled_names, CONF_MANGLED_NAMES_YES);
	assert_int_equal(conf_find(c, "y")->p.mangled_names, CONF_MANGLED_NAMES_ILLEGAL);
	assert_string_equal(conf_where(t, c, NULL, "server min protocol"), "profile windows");

	c = text_good(t, "[global]\nserver max protocol = LANMAN1\nmap archive = yes\nsmb1d: profile = windows\n");
	assert_said(t, CONF_MSG_NOTE, 4, "\"map archive\" stays as line 3");
	conf_profile_apply(c, "198.51.100.7");
	assert_int_equal(c->g.server_min_protocol, CONF_PROTOCOL_LANMAN1);
	assert_true(c->defaults.map_archive);
	assert_false(conf_wants_lm(c, "anna", NULL, 0));

	assert_refused(t, "[global]\nsmb1d: profile = ps3\n", 2, "there is no profile \"ps3\"");
	assert_refused(t, "[global]\nsmb1d: profile = ps2:box\n", 2, "no address or network");
	c = text_good(t, "[global]\nlanman auth = yes\nsmb1d: lanman users = anna\n");
	assert_true(conf_wants_lm(c, "anna", NULL, 0));
	assert_false(conf_wants_lm(c, "bob", NULL, 0));
	c = text_good(t, "[global]\nlanman auth = yes\nsmb1d: lanman users = anna @daemon\n");
	assert_true(conf_wants_lm(c, "bob", (const gid_t[]){ 77, getgrnam("daemon")->gr_gid }, 2));
	assert_false(conf_wants_lm(c, "bob", (const gid_t[]){ 77 }, 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEXT_TEST(places), TEXT_TEST(records), TEXT_TEST(clients), TEXT_TEST(profile_rows), TEXT_TEST(profiles),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
