/* print.c - a configuration back as smb.conf text, the way testparm prints it. */
#include "conf/room.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct line {
	const char *name;
	char *value;
};

static int by_name(const void *a, const void *b)
{
	return strcasecmp(((const struct line *)a)->name, ((const struct line *)b)->name);
}

/* What differs from `base` (all of it if NULL), sorted by name. */
static void print_params(FILE *to, bool global, const struct conf_globals *g, const struct conf_params *p,
			 const struct conf_globals *gbase, const struct conf_params *pbase)
{
	struct line *lines = talloc_array(NULL, struct line, (unsigned)param_count);
	size_t n = 0;

	for (const struct param *row = param_table; row < param_table + param_count; row++) {
		const void *field;

		if (!param_has_field(row) || row->global != global)
			continue;
		field = param_field_const(row, g, p);
		if ((gbase || pbase) && convert_same(row, field, param_field_const(row, gbase, pbase)))
			continue;
		lines[n++] = (struct line){ row->name, convert_show(lines, row, field) };
	}
	qsort(lines, n, sizeof(*lines), by_name);
	for (size_t i = 0; i < n; i++)
		fprintf(to, "\t%s = %s\n", lines[i].name, lines[i].value);
	talloc_free(lines);
}

static void print_options(FILE *to, const char *const *options)
{
	for (; options[0]; options += 2)
		fprintf(to, "\t%s = %s\n", options[0], options[1]);
}

/* The netbios name made of the host's is a default, too. */
static void print_globals(FILE *to, const struct conf *c, bool verbose)
{
	struct conf *def = talloc_zero(NULL, struct conf);
	const struct conf_globals *gbase = verbose ? NULL : &def->g;
	const struct conf_params *pbase = verbose ? NULL : &def->defaults;

	convert_defaults(def, true, &def->g, NULL);
	convert_defaults(def, false, NULL, &def->defaults);
	def->g.netbios_name = default_netbios_name(def);
	fprintf(to, "# Global parameters\n[global]\n");
	print_params(to, true, &c->g, NULL, gbase, NULL);
	print_params(to, false, NULL, &c->defaults, NULL, pbase);
	print_options(to, c->options);
	talloc_free(def);
}

static void print_share(FILE *to, const struct conf *c, const struct conf_share *sh, bool verbose)
{
	fprintf(to, "\n\n[%s]\n", sh->name);
	print_params(to, false, NULL, &sh->p, NULL, verbose ? NULL : &c->defaults);
	print_options(to, sh->options);
}

static bool is_global(const char *section)
{
	return section == NULL || name_eq(section, "global");
}

static void print_one(FILE *to, const struct param *row, const struct conf *c, const struct conf_params *p,
		      bool inverse)
{
	char *text;

	if (!param_has_field(row))
		return;
	if (inverse) {
		fprintf(to, "%s\n", *(const bool *)param_field_const(row, &c->g, p) ? "No" : "Yes");
		return;
	}
	text = convert_show(NULL, row, param_field_const(row, &c->g, p));
	fprintf(to, "%s\n", text);
	talloc_free(text);
}

static const struct conf_share *share_named(const struct conf *c, const char *section)
{
	for (size_t i = 0; i < c->nshares; i++)
		if (name_eq(c->shares[i]->name, section))
			return c->shares[i];
	return NULL;
}

bool conf_is_section(const struct conf *c, const char *section)
{
	return is_global(section) || share_named(c, section) != NULL;
}

bool conf_is_parameter(const char *name)
{
	bool inverse;

	return param_find(name, &inverse) != NULL;
}

void conf_print(FILE *to, const struct conf *c, bool verbose, const char *section, const char *parameter)
{
	const struct conf_share *sh = section ? share_named(c, section) : NULL;
	bool inverse;

	if (parameter != NULL) {
		const struct param *row = param_find(parameter, &inverse);

		if (row != NULL && (sh != NULL || is_global(section)))
			print_one(to, row, c, sh ? &sh->p : &c->defaults, inverse);
		return;
	}
	if (section != NULL) {
		if (sh != NULL)
			print_share(to, c, sh, verbose);
		else if (is_global(section))
			print_globals(to, c, verbose);
		return;
	}
	print_globals(to, c, verbose);
	for (size_t i = 0; i < c->nshares; i++)
		if (verbose || c->shares[i]->line != 0) /* an IPC$ that nobody wrote is not shown */
			print_share(to, c, c->shares[i], verbose);
}
