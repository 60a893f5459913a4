/* Text to fields: booleans, numbers, octal, words, lists, strings; limits and sentences. */
#include "conf_text.h"
#include "conf/room.h"

static void booleans(void **state)
{
	static const char *const yes[] = { "yes", "true", "1", "on", "YES", "True" };
	static const char *const no[] = { "no", "false", "0", "off", "No", "OFF" };
	struct conf_text *t = *state;

	for (size_t i = 0; i < 6; i++) {
		assert_true(text_share(t, talloc_asprintf(t, "[x]\npath=/tmp\nguest ok = %s\n", yes[i]))->p.guest_ok);
		assert_false(text_share(t, talloc_asprintf(t, "[x]\npath=/tmp\noplocks = %s\n", no[i]))->p.oplocks);
	}
	assert_refused(t, "[x]\npath=/tmp\nguest ok = maybe\n", 3, "guest ok: \"maybe\" is neither yes nor no");
	assert_refused(t, "[x]\npath=/tmp\nguest ok =\n", 3, "neither yes nor no");
	assert_refused(t, "[x]\npath=/tmp\nguest ok = 2\n", 3, "neither yes nor no");
}

static void numbers(void **state)
{
	struct conf_text *t = *state;
	const struct conf_share *sh;

	sh = text_share(t, "[global]\nmax mux = 0x20\ndeadtime = 010\nmax xmit = 64K\n"
			   "[x]\npath=/tmp\nvolume serial number = 0xdeadbeef\nallocation roundup size = 1M\n");
	assert_int_equal(t->c->g.max_mux, 32);
	assert_int_equal(t->c->g.deadtime, 10); /* no octal here */
	assert_int_equal(t->c->g.max_xmit, 65536);
	assert_int_equal(sh->p.volume_serial_number, 0xdeadbeef);
	assert_int_equal(sh->p.allocation_roundup_size, 1048576);
	assert_refused(t, "[global]\nmax mux = 0\n", 2, "max mux: \"0\" is out of range: 1 to 65535");
	assert_refused(t, "[global]\nmax mux = 65536\n", 2, "out of range: 1 to 65535");
	assert_refused(t, "[global]\nmax mux = 99999999999999999999\n", 2, "out of range");
	assert_refused(t, "[global]\nmax xmit = 9999999999999999G\n", 2, "out of range");
	assert_refused(t, "[global]\nmax mux = 5k\n", 2, "is no number"); /* not a size */
	assert_refused(t, "[global]\nmax xmit = 5kk\n", 2, "is no number");
	assert_refused(t, "[global]\nmax mux = ten\n", 2, "\"ten\" is no number");
	assert_refused(t, "[global]\nmax mux =\n", 2, "is no number");
	assert_refused(t, "[global]\nos level = -1\n", 2, "out of range: 0 to 255");
	assert_refused(t, "[global]\nmax xmit = 100\n", 2, "1024 to 131072");
}

static void octal(void **state)
{
	struct conf_text *t = *state;

	assert_int_equal(text_share(t, "[x]\npath=/tmp\ncreate mask = 755\n")->p.create_mask, 0755);
	assert_int_equal(text_share(t, "[x]\npath=/tmp\ncreate mask = 0755\n")->p.create_mask, 0755);
	assert_int_equal(text_share(t, "[x]\npath=/tmp\nforce directory mode = 2770\n")->p.force_directory_mode, 02770);
	assert_refused(t, "[x]\npath=/tmp\ncreate mask = 0999\n", 3, "\"0999\" is no octal number such as 0755");
	assert_refused(t, "[x]\npath=/tmp\ncreate mask = u=rwx\n", 3, "no octal number");
	assert_refused(t, "[x]\npath=/tmp\ncreate mask = 17777\n", 3, "out of range: 0 to 7777");
	assert_refused(t, "[x]\npath=/tmp\ncreate mask = 7777777777777777777777777\n", 3, "out of range");
}

static void words_of_enums(void **state)
{
	struct conf_text *t = *state;
	const struct conf_share *sh;

	sh = text_share(t, "[global]\nmap to guest = bad user\nntlm auth = ntlmv2-only\nserver signing = required\n"
			   "server max protocol = Core+\nserver role = standalone\nmangling method = hash\n"
			   "[x]\npath=/tmp\nmap readonly = permissions\nstrict locking = AUTO\ncase sensitive = off\n"
			   "inherit owner = unix only\nmangled names = illegal\ndefault case = UPPER\ncsc policy=disable\n");
	assert_int_equal(t->c->g.map_to_guest, CONF_MAP_TO_GUEST_BAD_USER);
	assert_int_equal(t->c->g.ntlm_auth, CONF_NTLM_AUTH_NTLMV2_ONLY);
	assert_int_equal(t->c->g.server_signing, CONF_SERVER_SIGNING_MANDATORY);
	assert_int_equal(t->c->g.server_max_protocol, CONF_PROTOCOL_COREPLUS);
	assert_int_equal(t->c->g.mangling_method, CONF_MANGLING_METHOD_HASH);
	assert_int_equal(sh->p.map_readonly, CONF_MAP_READONLY_PERMISSIONS);
	assert_int_equal(sh->p.strict_locking, CONF_STRICT_LOCKING_AUTO);
	assert_int_equal(sh->p.case_sensitive, CONF_CASE_SENSITIVE_NO);
	assert_int_equal(sh->p.inherit_owner, CONF_INHERIT_OWNER_UNIX_ONLY);
	assert_int_equal(sh->p.default_case, CONF_DEFAULT_CASE_UPPER);
	assert_int_equal(sh->p.csc_policy, CONF_CSC_POLICY_DISABLE);
	text_good(t, "[global]\nmap to guest = Bad Password\nntlm auth = yes\nserver signing = disabled\n");
	assert_int_equal(t->c->g.map_to_guest, CONF_MAP_TO_GUEST_BAD_PASSWORD);
	assert_int_equal(t->c->g.ntlm_auth, CONF_NTLM_AUTH_NTLMV1_PERMITTED);
	assert_int_equal(t->c->g.server_signing, CONF_SERVER_SIGNING_DISABLED);
	assert_refused(t, "[global]\nmap to guest = sometimes\n", 2,
		       "map to guest: \"sometimes\" is none of: Never, Bad User, Bad Password, Bad Uid");
	assert_refused(t, "[global]\nsecurity =\n", 2, "is none of");
}

static void lists(void **state)
{
	struct conf_text *t = *state;
	const struct conf_share *sh;

	sh = text_share(t, "[x]\npath=/tmp\nvalid users = a, b\tc,,d  \"e f\" @\"Domain Users\" +g\nread list = \"\" ,\n"
			   "veto files = /*.tmp/My \"own\"/\n");
	assert_list(sh->p.valid_users, "a", "b", "c", "d", "e f", "@Domain Users", "+g", NULL);
	assert_list(sh->p.read_list, NULL);
	assert_list(sh->p.write_list, NULL);
	assert_string_equal(sh->p.veto_files, "/*.tmp/My \"own\"/");
	sh = text_share(t, "[x]\npath=/tmp\nvalid users = \"open end, x\n");
	assert_list(sh->p.valid_users, "open end, x", NULL);
}

static void strings(void **state)
{
	struct conf_text *t = *state;

	assert_string_equal(text_share(t, "[x]\npath = \"/tmp\"\ncomment = \"a\" and \"b\"\n")->p.path, "/tmp");
	assert_string_equal(conf_find(t->c, "x")->p.comment, "\"a\" and \"b\"");
	assert_string_equal(text_share(t, "[x]\npath = /tmp\ncomment =\n")->p.comment, "");
	assert_string_equal(text_share(t, "[x]\npath = /tmp\ncomment = \"  kept  \"\n")->p.comment, "  kept  ");
	assert_string_equal(text_share(t, "[x]\npath = /tmp\ncomment = %U of %m\n")->p.comment, "%U of %m");
}

/* Rows of the table agree with themselves: defaults convert, names are found, fields bear the name. */
static void the_table(void **state)
{
	struct conf_globals g;
	struct conf_params s;
	bool inverse;

	(void)state;
	for (const struct param *p = param_table; p < param_table + param_count; p++) {
		TALLOC_CTX *mem = talloc_new(NULL);

		if (p->type == P_HEAD) {
			talloc_free(mem);
			continue;
		}
		assert_ptr_equal(param_find(p->name, &inverse), p);
		assert_false(inverse);
		assert_true(p->acts == PARAM_ACTS || p->why[0]);
		assert_true(p->type == P_UNUSED || p->help[0]);
		for (const char *syn = p->syn; *syn; syn += strcspn(syn, "|"), syn += *syn == '|') {
			char *one = talloc_strndup(mem, syn, strcspn(syn, "|"));

			assert_ptr_equal(param_find(one + (*one == '!'), &inverse), p);
			assert_int_equal(inverse, *one == '!');
			assert_true(*one != '!' || p->type == P_BOOL);
		}
		if (param_has_field(p)) {
			const char *wrong = convert(mem, p, p->def, false, param_field(p, &g, &s));

			if (wrong != NULL)
				fail_msg("%s: %s", p->name, wrong);
		}
		talloc_free(mem);
	}
}

static void fields_bear_the_name(void **state)
{
#define HEAD(title)
#define LANGUAGE(scope, name, syn, help)
#define UNUSED(scope, name, syn, why)
#define ROW(scope, field, name, ...) { #field, name },
#define BOOL ROW
#define INT ROW
#define SIZE ROW
#define OCTAL ROW
#define ENUM ROW
#define STR ROW
#define LIST ROW
	static const struct { const char *field, *name; } rows[] = {
#include "conf/params.def"
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char want[128];
		size_t n = 0;

		for (const char *s = rows[i].name; *s; s++) {
			if (*s == ':' && s[1] == ' ')
				continue; /* "smb1d: x" is smb1d_x */
			want[n++] = *s == ' ' || *s == ':' ? '_' : (char)(*s >= 'A' && *s <= 'Z' ? *s + 32 : *s);
		}
		want[n] = '\0';
		assert_string_equal(rows[i].field, want);
	}
}

/* What the contract of names fixes. */
static void defaults(void **state)
{
	struct conf_text *t = *state;
	const struct conf_globals *g = &text_good(t, "")->g;
	const struct conf_params *p = &t->c->defaults;

	assert_int_equal(g->server_min_protocol, CONF_PROTOCOL_CORE);
	assert_int_equal(g->server_max_protocol, CONF_PROTOCOL_NT1);
	assert_int_equal(g->ntlm_auth, CONF_NTLM_AUTH_NTLMV1_PERMITTED);
	assert_true(g->raw_ntlmv2_auth);
	assert_false(g->lanman_auth);
	assert_true(g->encrypt_passwords);
	assert_int_equal(g->server_signing, CONF_SERVER_SIGNING_AUTO);
	assert_int_equal(g->keepalive, 0);
	assert_string_equal(g->workgroup, "WORKGROUP");
	assert_list(g->smb_ports, "445", "139", NULL);
	assert_string_equal(g->smb1d_native_os, "Windows NT 5.0");
	assert_int_equal(g->smb1d_login_timeout, 60);
	assert_int_equal(g->map_to_guest, CONF_MAP_TO_GUEST_NEVER);
	assert_true(p->use_sendfile);
	assert_true(p->read_only);
	assert_false(p->guest_ok);
	assert_int_equal(p->create_mask, 0744);
	assert_int_equal(p->directory_mask, 0755);
	assert_true(p->strict_sync);
	assert_int_equal(p->smbd_sharedelay, 0);
	assert_int_equal(p->volume_serial_number, -1);
	assert_string_equal(p->fstype, "NTFS");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEXT_TEST(booleans), TEXT_TEST(numbers),   TEXT_TEST(octal),
		TEXT_TEST(lists),    TEXT_TEST(strings),   TEXT_TEST(words_of_enums),
		TEXT_TEST(defaults), TEXT_TEST(the_table), TEXT_TEST(fields_bear_the_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
