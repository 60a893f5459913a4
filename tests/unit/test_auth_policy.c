/* test_auth_policy.c - every kind of login by every kind of rule: for all, by client (address, network, name), by account.
 *
 * The client is 192.0.2.7, old.example in the DNS, and calls itself PC. */
#include "keeper_fixture.h"
#include "base/util.h"

static const struct kind {
	const char *what;
	enum proof how;
	const char *off, *on; /* settings that refuse it, and that take it, from everybody */
	const char *list;     /* "smb1d: LIST clients", "smb1d: LIST users" */
} kinds[] = {
	{ "LM", LM, "lanman auth = no", "lanman auth = yes", "lanman" },
	{ "NTLMv1", V1, "ntlm auth = ntlmv2-only", "ntlm auth = ntlmv1-permitted", "ntlmv1" },
	{ "NTLMv1", V1, "ntlm auth = disabled", "ntlm auth = yes", "ntlmv1" },
	{ "NTLMv1 in the LM field", V1_AS_LM, "ntlm auth = ntlmv2-only", "ntlm auth = ntlmv1-permitted", "ntlmv1" },
	{ "NTLM2 session", SESSION, "ntlm auth = ntlmv2-only", "ntlm auth = ntlmv1-permitted", "ntlmv1" },
	{ "NTLM2 session", SESSION, "ntlm auth = disabled", "ntlm auth = ntlmv1-permitted", "ntlmv1" },
	{ "NTLMv2", V2, "ntlm auth = disabled", "ntlm auth = ntlmv2-only", "ntlmv2" },
	{ "NTLMv2 outside NTLMSSP", V2, "raw NTLMv2 auth = no", "raw NTLMv2 auth = yes", "ntlmv2" },
	{ "LMv2", LMV2, "ntlm auth = disabled", "ntlm auth = ntlmv2-only", "ntlmv2" },
	{ "LMv2 outside NTLMSSP", LMV2, "raw NTLMv2 auth = no", "raw NTLMv2 auth = yes", "ntlmv2" },
	{ "a password in the clear", PLAIN, "encrypt passwords = yes", "encrypt passwords = no", "plaintext" },
	{ "a guest", V2, "map to guest = Never", "map to guest = Bad User", "guest" },
	{ "nobody", NOTHING, "restrict anonymous = 2", "restrict anonymous = 1", "anonymous" },
	{ "nobody", ZERO_BYTE, "restrict anonymous = 2", "restrict anonymous = 0", "anonymous" },
};

/* What a list of clients says of ours: 1 let in, -1 refused, 0 nothing. */
static const struct { const char *list; int says; } clients[] = {
	{ "192.0.2.7", 1 },      { "192.0.2.0/24", 1 },       { "192.0.2.", 1 },            { "old.example", 1 },
	{ ".example", 1 },       { "ALL", 1 },                { "PC@192.0.2.7", 1 },        { "pc@192.0.2.0/24", 1 },
	{ "192.0.2.8", 0 },      { "198.51.100.0/24", 0 },    { "new.example", 0 },         { "PC", 0 },
	{ "OLD", 0 },            { "OTHER@192.0.2.0/24", 0 }, { "PC@198.51.100.0/24", 0 },  { "ALL EXCEPT 192.0.2.7", 0 },
	{ "!192.0.2.7", -1 },    { "!192.0.2.0/24", -1 },     { "!old.example", -1 },       { "!PC", -1 },
	{ "!PC@192.0.2.7", -1 }, { "192.0.2.7 !PC", -1 },     { "!PC 192.0.2.7", -1 },      { "!OTHER", 0 },
	{ "!192.0.2.8", 0 },     { "!PC@198.51.100.7", 0 },
};

static struct auth_keeper *keep;

static int with_keeper(void **state)
{
	if (setup(state) != 0)
		return -1;
	keep = keeper(top, "");
	return 0;
}

static bool by_name(const struct kind *k) { return strcmp(k->list, "guest") != 0 && strcmp(k->list, "anonymous") != 0; }

/* A guest is who gives a name that is none; somebody without a name gives none. */
static bool gets_in(const struct kind *k, const char *settings)
{
	struct conf *c = conf_of(top, settings);
	bool guest = strcmp(k->list, "guest") == 0;
	struct auth_verdict *v;
	bool in;

	auth_keeper_reload(keep, c);
	v = ask(keep, by_name(k) ? "daemon" : guest ? "stranger" : "", k->how, by_name(k) || guest ? "secret" : "");
	in = v->status == ST_OK;
	assert_true(!in || (v->guest == guest && v->anonymous == (strcmp(k->list, "anonymous") == 0)));
	if (!in)
		assert_non_null(v->rule); /* a refusal by policy names its parameter */
	talloc_free(v);
	talloc_free(c);
	return in;
}

static void expect(const struct kind *k, const char *settings, bool in)
{
	if (gets_in(k, settings) == in)
		return;
	print_error("%s with\n%s\nexpected: %s\n", k->what, settings, in ? "let in" : "refused");
	fail();
}

static void for_all(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		expect(&kinds[i], kinds[i].off, false);
		expect(&kinds[i], kinds[i].on, true);
	}
}

static void by_client(void **state)
{
	char set[400];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		for (size_t c = 0; c < ARRAY_LEN(clients); c++)
			for (int on = 0; on < 2; on++) {
				const struct kind *k = &kinds[i];

				snprintf(set, sizeof(set), "%s\nsmb1d: %s clients = %s", on ? k->on : k->off, k->list, clients[c].list);
				expect(k, set, clients[c].says > 0 || (clients[c].says == 0 && on));
			}
}

/* An account can lose what its client may do, and gain nothing. */
static void by_account(void **state)
{
	static const struct { const char *list; bool named; } users[] = {
		{ "daemon", true }, { "DAEMON", true }, { "bin daemon", true }, { "HOME\\daemon", true },
		{ "bin", false }, { "OTHER\\daemon", false }, { "@surely-no-such-group", false }, { "@adm", false },
	};
	char set[400];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		for (size_t u = 0; by_name(&kinds[i]) && u < ARRAY_LEN(users); u++) {
			const struct kind *k = &kinds[i];

			snprintf(set, sizeof(set), "%s\nsmb1d: %s users = %s", k->on, k->list, users[u].list);
			expect(k, set, users[u].named);
			snprintf(set, sizeof(set), "%s\nsmb1d: %s users = %s", k->off, k->list, users[u].list);
			expect(k, set, false);
			snprintf(set, sizeof(set), "%s\nsmb1d: %s clients = !192.0.2.7\nsmb1d: %s users = %s", k->on, k->list, k->list,
				 users[u].list);
			expect(k, set, false);
			snprintf(set, sizeof(set), "%s\nsmb1d: %s clients = 192.0.2.7\nsmb1d: %s users = %s", k->off, k->list, k->list,
				 users[u].list);
			expect(k, set, users[u].named);
		}
}

static void by_group(void **state)
{
	(void)state;
	if (geteuid() != 0)
		skip(); /* all accounts are in the groups of who runs this */
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		for (int in = 0; by_name(&kinds[i]) && in < 2; in++) {
			char set[300];

			snprintf(set, sizeof(set), "%s\nsmb1d: %s users = games %s", kinds[i].on, kinds[i].list, in ? "@daemon" : "@bin");
			expect(&kinds[i], set, in);
		}
}

/* A stronger proof beside a weaker one is judged by the stronger, and the weaker counts where only that is allowed. */
static void both_at_once(void **state)
{
	static const struct kind both = { "LM beside NTLMv1", BOTH, "", "", "lanman" };

	(void)state;
	expect(&both, "lanman auth = no\nntlm auth = ntlmv1-permitted", true);
	expect(&both, "lanman auth = yes\nntlm auth = ntlmv2-only", true);
	expect(&both, "lanman auth = no\nntlm auth = ntlmv2-only", false);
	expect(&both, "lanman auth = yes\nntlm auth = ntlmv1-permitted\nsmb1d: ntlmv1 users = bin", false);
	expect(&both, "lanman auth = yes\nntlm auth = ntlmv2-only\nsmb1d: lanman users = bin", false);
}

/* `smb1d: profile` of this client's address; smb.conf's own word goes before it, a list of clients before both. */
static void by_profile(void **state)
{
	(void)state;
	expect(&kinds[0], "smb1d: profile = dos:192.0.2.0/24", true);
	expect(&kinds[0], "smb1d: profile = dos:198.51.100.0/24", false);
	expect(&kinds[0], "smb1d: profile = windows:192.0.2.7, dos", false);
	expect(&kinds[0], "smb1d: profile = dos\nlanman auth = no", false);
	expect(&kinds[0], "smb1d: profile = dos\nsmb1d: lanman clients = !192.0.2.7", false);
	expect(&kinds[1], "smb1d: profile = scanner:192.0.2.7\nsmb1d: ntlmv1 users = bin", false);
	expect(&kinds[1], "smb1d: profile = scanner:192.0.2.7", true);
}

/* `username map` and `smb1d: ... users`: the account counts, not the name that was sent. */
static void mapped_names(void **state)
{
	char set[400];
	struct auth_keeper *k;
	struct auth_verdict *v;

	(void)state;
	write_text("map", "daemon = boss\n");
	for (int in = 0; in < 2; in++) {
		snprintf(set, sizeof(set), "ntlm auth = ntlmv1-permitted\nusername map = %s/map\nsmb1d: ntlmv1 users = %s", dir,
			 in ? "daemon" : "boss");
		k = keeper(top, set);
		v = ask(k, "boss", V1, "secret");
		assert_int_equal(v->status == ST_OK, in);
		talloc_free(k);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(for_all, with_keeper, teardown),
		cmocka_unit_test_setup_teardown(by_client, with_keeper, teardown),
		cmocka_unit_test_setup_teardown(by_account, with_keeper, teardown),
		cmocka_unit_test_setup_teardown(by_group, with_keeper, teardown),
		cmocka_unit_test_setup_teardown(by_profile, with_keeper, teardown),
		cmocka_unit_test_setup_teardown(both_at_once, with_keeper, teardown),
		cmocka_unit_test_setup_teardown(mapped_names, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
