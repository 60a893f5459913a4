/* The language of smb.conf: lines, sections, names, comments, continuation, synonyms. */
#include "conf_text.h"

static void values_are_kept_as_written(void **state)
{
	struct conf_text *t = *state;
	struct conf *c = text_good(t, "[global]\n"
				      "server string = a # b ; c = \"d\" 'e'  two  blanks \t \r\n"
				      "message command =   echo '%s' = x\n");

	assert_string_equal(c->g.server_string, "a # b ; c = \"d\" 'e'  two  blanks");
	assert_string_equal(c->g.message_command, "echo '%s' = x");
}

static void comments_only_begin_a_line(void **state)
{
	struct conf_text *t = *state;
	struct conf *c = text_good(t, "# one \\\n"
				      "   ; two [x]\n"
				      "[global]\n"
				      "\t# server string = no \\\n"
				      "workgroup = w;g#1\n"
				      "\n   \t  \n");

	assert_string_equal(c->g.workgroup, "W;G#1");
	assert_string_equal(c->g.server_string, "smb1d %v");
	assert_int_equal(c->nshares, 1); /* IPC$ */
}

static void lines_go_on(void **state)
{
	struct conf_text *t = *state;
	struct conf *c = text_good(t, "[glo\\\nbal]\n"
				      "server string = a \\\n     b \\  \n\t c\n"
				      "work\\\n  group = zzz\n"
				      "comment = last line ends \\");

	assert_string_equal(c->g.server_string, "a b c");
	assert_string_equal(c->g.workgroup, "ZZZ");
	assert_string_equal(c->defaults.comment, "last line ends");
}

/* The line of a message is the first of the lines it is made of, later lines still count right. */
static void lines_are_counted(void **state)
{
	struct conf_text *t = *state;

	assert_refused(t, "[global]\nmax \\\n mux = \\\n 7x\nread only = perhaps\n", 2, "\"7x\" is no number");
	assert_said(t, CONF_MSG_ERROR, 5, "\"perhaps\" is neither yes nor no");
}

static void long_values(void **state)
{
	struct conf_text *t = *state;
	size_t n = 300000;
	char *big = talloc_array(t, char, (unsigned)n + 1), *text;

	memset(big, 'x', n);
	big[n] = '\0';
	text = talloc_asprintf(t, "[global]\nserver string = %s\nworkgroup = after\n", big);
	text_good(t, text);
	assert_string_equal(t->c->g.server_string, big);
	assert_string_equal(t->c->g.workgroup, "AFTER");
}

static void names_are_blind_to_case_and_blanks(void **state)
{
	struct conf_text *t = *state;
	const struct conf_share *sh;

	sh = text_share(t, "[ GLO bal ]\nW O R K group = k\nSERVERSTRING=s\n"
			   "[X]\n PATH = /tmp\nRead  Only = no\nwritelist = a\nsmb1d:writethrough = sync\n");
	assert_string_equal(t->c->g.workgroup, "K");
	assert_string_equal(t->c->g.server_string, "s");
	assert_string_equal(sh->name, "X");
	assert_false(sh->p.read_only);
	assert_list(sh->p.write_list, "a", NULL);
	assert_int_equal(sh->p.smb1d_write_through, CONF_SMB1D_WRITE_THROUGH_SYNC);
}

static void section_names_keep_their_form(void **state)
{
	struct conf_text *t = *state;
	struct conf *c = text_good(t, "[  My   Files ]\npath = /tmp\n[Gr\xc3\xbc\xc3\x9f""e]\npath=/tmp\n");

	assert_string_equal(c->shares[0]->name, "My Files");
	assert_int_equal(c->shares[0]->line, 1);
	assert_non_null(strstr(c->shares[0]->file, "/smb.conf"));
	assert_ptr_equal(conf_find(c, "MY FILES"), c->shares[0]);
	assert_ptr_equal(conf_find(c, "GR\xc3\x9c\xc3\x9f""E"), c->shares[1]);
	assert_null(conf_find(c, "nothing"));
	assert_null(conf_find(c, "global"));
}

static void sections_merge_and_later_values_win(void **state)
{
	struct conf_text *t = *state;
	const struct conf_share *sh = text_share(t, "[x]\npath = /tmp\ncomment = one\n[y]\npath = /tmp\n"
						    "[X]\ncomment = two\nguest ok = yes\nguest ok = no\n");

	assert_int_equal(t->c->nshares, 3);
	assert_string_equal(sh->name, "x");
	assert_string_equal(sh->p.path, "/tmp");
	assert_string_equal(sh->p.comment, "two");
	assert_false(sh->p.guest_ok);
	assert_int_equal(sh->line, 1);
	text_good(t, "[a b]\npath = /tmp\n[A  b]\ncomment = c\n[ab]\ncomment = d\n");
	assert_int_equal(t->c->nshares, 2);
	assert_said(t, CONF_MSG_WARNING, 5, "[ab] goes on with [a b] of line 1");
}

static void synonyms(void **state)
{
	struct conf_text *t = *state;
	const struct conf_share *sh;

	sh = text_share(t, "[global]\ndebuglevel = 3\nprotocol = LANMAN2\nmin protocol = LANMAN1\nlock dir = /l\n"
			   "unix extensions = no\ndebug timestamp = no\npreload = a b\nroot dir = /\nprintcap = p\n"
			   "[x]\ndirectory = /tmp\npublic = yes\nbrowsable = no\ncreate mode = 0600\n"
			   "directory mode = 0700\nallow hosts = 1.\ndeny hosts = 2.\ncasesignames = yes\n"
			   "group = staff\nonly guest = no\nexec = true\nusers = a, b\nprinter = lp\n");
	assert_string_equal(t->c->g.log_level, "3");
	assert_int_equal(t->c->g.server_max_protocol, CONF_PROTOCOL_LANMAN2);
	assert_int_equal(t->c->g.server_min_protocol, CONF_PROTOCOL_LANMAN1);
	assert_string_equal(t->c->g.lock_directory, "/l");
	assert_false(t->c->g.smb1_unix_extensions);
	assert_false(t->c->g.timestamp_logs);
	assert_list(t->c->g.auto_services, "a", "b", NULL);
	assert_string_equal(t->c->g.printcap_name, "p");
	assert_string_equal(sh->p.path, "/tmp");
	assert_true(sh->p.guest_ok);
	assert_false(sh->p.browseable);
	assert_int_equal(sh->p.create_mask, 0600);
	assert_int_equal(sh->p.directory_mask, 0700);
	assert_list(sh->p.hosts_allow, "1.", NULL);
	assert_list(sh->p.hosts_deny, "2.", NULL);
	assert_int_equal(sh->p.case_sensitive, CONF_CASE_SENSITIVE_YES);
	assert_string_equal(sh->p.force_group, "staff");
	assert_string_equal(sh->p.preexec, "true");
	assert_list(sh->p.username, "a", "b", NULL);
	assert_string_equal(sh->p.printer_name, "lp");
}

static void inverse_synonyms(void **state)
{
	static const char *const names[] = { "writable", "writeable", "write ok", "WRITEOK" };
	struct conf_text *t = *state;

	for (size_t i = 0; i < 4; i++) {
		char *text = talloc_asprintf(t, "[x]\npath = /tmp\n%s = yes\n", names[i]);

		assert_false(text_share(t, text)->p.read_only);
		text = talloc_asprintf(t, "[global]\n%s = true\n[x]\npath = /tmp\n%s = off\n", names[i], names[i]);
		assert_true(text_share(t, text)->p.read_only);
	}
	/* one parameter under two names: the later one wins, whatever it is called */
	assert_true(text_share(t, "[x]\npath=/tmp\nwritable = yes\nread only = yes\n")->p.read_only);
	assert_false(text_share(t, "[x]\npath=/tmp\nread only = yes\nwritable = yes\n")->p.read_only);
}

static void before_any_section(void **state)
{
	struct conf_text *t = *state;

	text_good(t, "workgroup = early\nserver string = s\n[global]\nnetbios name = n\n");
	assert_string_equal(t->c->g.workgroup, "EARLY");
	assert_string_equal(t->c->g.netbios_name, "N");
	assert_said(t, CONF_MSG_WARNING, 1, "before the first section");
	assert_int_equal(text_count(t, "before the first section"), 1);
}

static void unknown_names(void **state)
{
	struct conf_text *t = *state;

	assert_refused(t, "[global]\nwirtable = yes\n", 2, "unknown parameter \"wirtable\"; did you mean \"writable\"?");
	assert_string_equal(conf_message_line(t, text_message(t, 2, "wirtable")),
			    talloc_asprintf(t, "%s/smb.conf:2: unknown parameter \"wirtable\"; did you mean \"writable\"?",
					    t->dir));
	assert_refused(t, "[x]\npath=/tmp\nvalid user = a\n", 3, "did you mean \"valid users\"?");
	assert_refused(t, "[x]\npath=/tmp\nHosts Alow = a\n", 3, "did you mean \"hosts allow\"?");
	text_good(t, "[global]\nbrand new thing of tomorrow = 1\n");
	assert_said(t, CONF_MSG_WARNING, 2, "unknown parameter \"brand new thing of tomorrow\" is ignored");
}

static void lines_that_say_nothing(void **state)
{
	struct conf_text *t = *state;

	assert_refused(t, "[x]\npath = /tmp\nread only no\n", 3, "did you mean \"read only = no\"?");
	assert_refused(t, "[x]\npath: /tmp\n", 2, "did you mean \"path = /tmp\"?");
	assert_refused(t, "[x]\ngarbage\n", 2, "is neither a comment, a [section] nor");
	assert_refused(t, "[x]\n = foo\n", 2, "nothing stands before the \"=\"");
	assert_refused(t, "[x\npath = /tmp\n", 1, "did you mean \"[x]\"?");
	assert_refused(t, "[ ]\n", 1, "a section without a name");
	assert_refused(t, "[a/b]\npath=/tmp\n", 1, "cannot hold");
	assert_refused(t, "[a:b]\npath=/tmp\n", 1, "cannot hold");
	text_good(t, "[x] ; a comment\npath=/tmp\n[y] junk\npath=/tmp\n");
	assert_int_equal(text_count(t, "not looked at"), 1);
	assert_said(t, CONF_MSG_WARNING, 3, "\"junk\" after [y]");
}

static void zero_bytes_and_marks(void **state)
{
	static const char bad[] = "[global]\nworkgroup = a\0b\n";
	struct conf_text *t = *state;

	text_file_bytes(t, "smb.conf", bad, sizeof(bad) - 1);
	assert_false(text_read(t, "smb.conf"));
	assert_said(t, CONF_MSG_ERROR, 2, "zero byte");
	text_good(t, "\xef\xbb\xbf[global]\nworkgroup = bom\n");
	assert_string_equal(t->c->g.workgroup, "BOM");
	text_good(t, "");
	assert_int_equal(t->c->nshares, 1);
}

static void global_parameter_in_a_share(void **state)
{
	struct conf_text *t = *state;

	text_good(t, "[x]\npath = /tmp\nworkgroup = no\n");
	assert_string_equal(t->c->g.workgroup, "WORKGROUP");
	assert_said(t, CONF_MSG_WARNING, 3, "\"workgroup\" is a parameter of [global]; in [x] it is ignored");
}

static void defaults_of_global(void **state)
{
	struct conf_text *t = *state;
	const struct conf_share *sh;

	sh = text_share(t, "[global]\nread only = no\ncreate mask = 0640\nvalid users = a b\n"
			   "[x]\npath = /tmp\ncreate mask = 0600\n[y]\npath=/tmp\n");
	assert_false(sh->p.read_only);
	assert_int_equal(sh->p.create_mask, 0600);
	assert_list(sh->p.valid_users, "a", "b", NULL);
	assert_int_equal(conf_find(t->c, "y")->p.create_mask, 0640);
	assert_int_equal(t->c->defaults.create_mask, 0640);
	assert_int_equal(sh->p.directory_mask, 0755); /* nobody's */
	sh = text_share(t, "[x]\npath = /tmp\n[global]\nread only = no\n");
	assert_false(sh->p.read_only);
	assert_said(t, CONF_MSG_WARNING, 4, "for [x] further up too");
}

static void parametric_options(void **state)
{
	struct conf_text *t = *state;
	const struct conf_share *sh;

	sh = text_share(t, "[global]\nidmap config * : backend = tdb\n"
			   "[x]\npath = /tmp\nrecycle:keeptree = Yes\nrecycle: exclude = *.tmp, ~$*\n");
	assert_list(t->c->options, "idmap config * : backend", "tdb", NULL);
	assert_list(sh->options, "recycle:keeptree", "Yes", "recycle: exclude", "*.tmp, ~$*", NULL);
	assert_said(t, CONF_MSG_NOTE, 5, "setting of a module");
	sh = text_share(t, "[x]\npath=/tmp\nsmbd : SHAREDELAY = 200000\n");
	assert_int_equal(sh->p.smbd_sharedelay, 200000);
	assert_null(sh->options[0]);
	text_good(t, "[global]\nsmb1d: logintimeot = 3\n");
	assert_said(t, CONF_MSG_WARNING, 2, "did you mean \"smb1d: login timeout\"?");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEXT_TEST(values_are_kept_as_written),	    TEXT_TEST(comments_only_begin_a_line),
		TEXT_TEST(lines_go_on),			    TEXT_TEST(lines_are_counted),
		TEXT_TEST(long_values),			    TEXT_TEST(names_are_blind_to_case_and_blanks),
		TEXT_TEST(section_names_keep_their_form),   TEXT_TEST(sections_merge_and_later_values_win),
		TEXT_TEST(synonyms),			    TEXT_TEST(inverse_synonyms),
		TEXT_TEST(before_any_section),		    TEXT_TEST(unknown_names),
		TEXT_TEST(lines_that_say_nothing),	    TEXT_TEST(zero_bytes_and_marks),
		TEXT_TEST(global_parameter_in_a_share),	    TEXT_TEST(defaults_of_global),
		TEXT_TEST(parametric_options),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
