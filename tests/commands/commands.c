/* commands.c - the page of what is served: `commands COVERAGE` (from `play --coverage`).
 *
 * The rows come from the server's own tables, the stories from what was seen on the wire, the refused from rows.c.
 * --options: the page of smb.conf parameters instead. */
#include "rows.h"
#include "cmd/cmd.h"
#include "cmd/nttrans/nttrans.h"
#include "cmd/trans2/find_levels.h"
#include "cmd/trans2/fs_levels.h"
#include "cmd/trans2/info_levels.h"
#include "cmd/trans2/set_fs.h"
#include "cmd/trans2/trans2.h"
#include "cmd/trans2/unix_rows.h"
#include "conf/conf.h"
#include "play/cover.h"
#include "rpc/iface.h"
#include "base/util.h"

struct table {
	const char *key, *title, *format;
	table_row_fn at, more; /* more: NULL, or a second table of the same numbers */
};
struct sums { unsigned rows, served, right, wrong, proper; }; /* proper: rightly refused */

struct page {
	FILE *to;
	const struct coverage *seen;
	struct sums all;
};

/* ---- walkers for what has none ---- */

static bool command_at(size_t i, struct table_row *out)
{
	if (i >= 256)
		return false;
	*out = (struct table_row){ (uint32_t)i, cmd_table[i].name,
				   cmd_table[i].run != cmd_mpx && cmd_table[i].run != cmd_messenger };
	return true;
}

/* Sent by the server alone. */
static bool command_back_at(size_t i, struct table_row *out)
{
	*out = (struct table_row){ 0x20, "write_complete", true };
	return i == 0;
}

static bool mailslot_at(size_t i, struct table_row *out)
{
	*out = (struct table_row){ 0, "a message to any mailslot", true };
	return i == 0;
}

static const struct rpc_iface *iface; /* the one whose operations are walked */

static bool operation_at(size_t i, struct table_row *out)
{
	if (i >= iface->op_count)
		return false;
	*out = (struct table_row){ iface->ops[i].num, iface->ops[i].name, true };
	return true;
}

static const struct table tables[] = {
	{ "command", "Commands", "0x%02x", command_at, command_back_at },
	{ "trans2", "TRANSACTION2: sub-commands", "0x%02x", trans2_row_at, NULL },
	{ "find", "TRANSACTION2: levels of FIND", "%s", find_level_at, NULL },
	{ "query", "TRANSACTION2: levels of QUERY_PATH and QUERY_FILE", "%s", info_level_at, unix_query_at },
	{ "set", "TRANSACTION2: levels of SET_PATH and SET_FILE", "%s", trans2_set_level_at, unix_set_at },
	{ "query_fs", "TRANSACTION2: levels of QUERY_FS", "%s", fs_level_at, unix_query_fs_at },
	{ "set_fs", "TRANSACTION2: levels of SET_FS", "%s", unix_set_fs_at, trans2_set_fs_at },
	{ "nttrans", "NT_TRANSACT: functions", "%u", nttrans_row_at, NULL },
	{ "fsctl", "NT_TRANSACT IOCTL: control codes", "0x%08x", nttrans_ioctl_at, NULL },
	{ "pipe", "TRANSACTION: functions of named pipes", "0x%02x", trans_pipe_at, NULL },
	{ "mailslot", "TRANSACTION: mailslots", "%u", mailslot_at, NULL },
	{ "rap", "TRANSACTION: RAP calls on \\PIPE\\LANMAN", "%u", rpc_rap_at, NULL },
};

/* ---- a table ---- */

static const struct fact *fact_of(const char *table, uint32_t number)
{
	for (size_t i = 0; i < fact_count; i++)
		if (facts[i].number == number && strcmp(facts[i].table, table) == 0)
			return &facts[i];
	return NULL;
}

/* Levels are written in hex, pass-through ones from 1000 on in decimal, as their documents do. */
static void put_number(FILE *to, const char *format, uint32_t n)
{
	if (strcmp(format, "%u") == 0 || (strcmp(format, "%s") == 0 && n >= 1000))
		fprintf(to, "| %u ", n);
	else if (strcmp(format, "0x%08x") == 0)
		fprintf(to, "| 0x%08x ", n);
	else
		fprintf(to, strcmp(format, "%s") == 0 ? "| 0x%03x " : "| 0x%02x ", n);
}

static const char *or_no(const char *story) { return story ? story : "**no**"; }

static void put_row(struct page *g, const struct table *t, const struct table_row *r, struct sums *sum)
{
	static const struct cover_row nothing = { .number = 0 };
	const struct cover_row *c = cover_find(g->seen, t->key, r->number);
	const struct fact *f = fact_of(t->key, r->number);
	bool served;

	if (!c)
		c = &nothing;
	served = r->served && (c->right || !f);
	sum->rows++;
	sum->served += served;
	sum->right += served && c->right;
	sum->wrong += c->wrong != NULL;
	put_number(g->to, t->format, r->number);
	if (served)
		fprintf(g->to, "| %s | yes | %s | %s |\n", r->name, or_no(c->right), or_no(c->wrong));
	else if (f && f->why && c->wrong) {
		fprintf(g->to, "| %s | refused: %s, %s | | %s |\n", r->name, c->status ? c->status : "?", f->why, c->wrong);
		sum->proper++;
	} else
		fprintf(g->to, "| %s | no: %s | | %s |\n", r->name, c->status ? c->status : "?", or_no(c->wrong));
}

static bool in_walk(table_row_fn at, uint32_t number)
{
	struct table_row r;

	for (size_t i = 0; at && at(i, &r); i++)
		if (r.name && r.number == number)
			return true;
	return false;
}

static void put_rest(struct page *g, const struct table *t)
{
	bool head = false;

	for (size_t i = 0; i < fact_count; i++) {
		const struct fact *f = &facts[i];
		const struct cover_row *c = cover_find(g->seen, t->key, f->number);

		if (strcmp(f->table, t->key) != 0 || in_walk(t->at, f->number) || in_walk(t->more, f->number))
			continue;
		if (!head)
			fputs("\nNamed by the documents, not in our table:\n\n"
			      "| number | name | since | answer | story |\n|---|---|---|---|---|\n", g->to);
		head = true;
		put_number(g->to, t->format, f->number);
		fprintf(g->to, "| %s | %s | %s%s%s | %s |\n", f->name, f->since, c && c->status ? c->status : "?",
			f->why ? ", " : "", f->why ? f->why : "", or_no(c ? c->wrong : NULL));
	}
}

static void put_sums(FILE *to, const struct sums *s)
{
	fprintf(to, "\n%u rows, %u served, %u of them with a story of right use; ", s->rows, s->served, s->right);
	if (s->proper)
		fprintf(to, "%u refused, as the documents want it; ", s->proper);
	fprintf(to, "%u rows with one of wrong use.\n", s->wrong);
}

static void put_table(struct page *g, const struct table *t)
{
	struct sums sum = { .rows = 0 };
	struct table_row r;

	fprintf(g->to, "\n## %s\n\n| number | name | served | right use | wrong use |\n", t->title);
	fputs("|---|---|---|---|---|\n", g->to);
	for (size_t i = 0; t->at(i, &r); i++)
		if (r.name)
			put_row(g, t, &r, &sum);
	for (size_t i = 0; t->more && t->more(i, &r); i++)
		put_row(g, t, &r, &sum);
	put_rest(g, t);
	put_sums(g->to, &sum);
	g->all.rows += sum.rows;
	g->all.served += sum.served;
	g->all.right += sum.right;
	g->all.wrong += sum.wrong;
	g->all.proper += sum.proper;
}

/* ---- the page ---- */

static void put_page(struct page *g)
{
	fputs("# What is served\n\nMade by `make docs` from the tables in `src/cmd` and `src/rpc` and from the stories "
	      "in `tests/play` and\n`tests/multi`; `make test` fails when it is out of date.  A name in a column is a "
	      "story that passes and in\nwhich the row was asked for and succeeded (right use) or was answered with an "
	      "error (wrong use);\n**no** means that no story proves it.  \"refused\" is a row for which an error, and this one, is "
	      "the answer that the\ndocuments want of such a server.\n", g->to);
	for (size_t i = 0; i < ARRAY_LEN(tables); i++)
		put_table(g, &tables[i]);
	for (size_t i = 0; (iface = rpc_iface_at(i)) != NULL; i++) {
		char title[80];

		snprintf(title, sizeof(title), "RPC: operations of %s", iface->name);
		put_table(g, &(struct table){ iface->name, title, "%u", operation_at, NULL });
	}
	fputs("\n## All in all\n", g->to);
	put_sums(g->to, &g->all);
}

int main(int argc, char **argv)
{
	struct coverage *seen;
	FILE *f;

	if (argc == 2 && strcmp(argv[1], "--options") == 0) {
		conf_print_options_md(stdout);
		return 0;
	}
	if (argc == 2 && strcmp(argv[1], "--profiles") == 0) {
		conf_print_profiles_md(stdout);
		return 0;
	}
	f = argc == 2 ? fopen(argv[1], "r") : NULL;
	if (!f || !cover_read(NULL, f, &seen)) {
		fputs(argc == 2 ? "commands: cannot read that\n" : "usage: commands COVERAGE | --options | --profiles\n", stderr);
		return 2;
	}
	put_page(&(struct page){ .to = stdout, .seen = seen });
	return 0;
}
