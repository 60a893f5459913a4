/* manual.c - smb.conf(5) and the table of docs/options, made from params.def. */
#include "conf/room.h"
#include <string.h>

/* man(7) text: '-' and '\' mean something, and so does a dot in front. */
static void man_text(FILE *to, const char *s)
{
	if (*s == '.' || *s == '\'')
		fputs("\\&", to);
	for (; *s; s++) {
		if (*s == '\\')
			fputs("\\e", to);
		else if (*s == '-')
			fputs("\\-", to);
		else
			fputc(*s, to);
	}
}

static const char *const types[] = { "yes or no", "number", "number of bytes", "octal number", "one of",
				     "text",      "list" };
static const char *const reloads[] = { "read at start only", "a reload is for new connections",
				       "a reload is for shares connected later", "a reload counts at once" };

static void words(TALLOC_CTX *mem, const struct param *p, char **out)
{
	*out = talloc_strdup(mem, "");
	for (const struct word *w = p->words; w && w->spellings; w++)
		*out = talloc_asprintf_append(*out, "%s%.*s", w == p->words ? "" : ", ",
					      (int)strcspn(w->spellings, "|"), w->spellings);
}

/* "number from 0 to 10", "one of auto, user, share" */
static char *kind(TALLOC_CTX *mem, const struct param *p)
{
	char *list;

	switch (p->type) {
	case P_INT:
	case P_SIZE:
		return talloc_asprintf(mem, "%s from %lld to %lld", types[p->type], (long long)p->lo,
				       (long long)p->hi);
	case P_ENUM:
		words(mem, p, &list);
		return talloc_asprintf(mem, "one of %s", list);
	case P_BOOL:
	case P_OCTAL:
	case P_STR:
	case P_LIST:
		return talloc_strdup(mem, types[p->type]);
	case P_LANGUAGE:
	case P_UNUSED:
	case P_HEAD:
		break;
	}
	return talloc_strdup(mem, "");
}

static char *synonyms(TALLOC_CTX *mem, const struct param *p)
{
	char *out = talloc_strdup(mem, "");
	bool first = true;

	for (const char *s = p->syn; *s; s += strcspn(s, "|"), s += *s == '|') {
		bool opposite = *s == '!';

		s += opposite;
		out = talloc_asprintf_append(out, "%s%.*s%s", first ? "" : ", ", (int)strcspn(s, "|"), s,
					     opposite ? " (the opposite)" : "");
		first = false;
	}
	return out;
}

static void man_param(FILE *to, const struct param *p)
{
	TALLOC_CTX *tmp = talloc_new(NULL);

	fprintf(to, ".TP\n.BR \"");
	man_text(to, p->name);
	fprintf(to, "\" \" (%s)\"\n", p->global ? "G" : "S");
	if (param_has_field(p)) {
		man_text(to, talloc_asprintf(tmp, "%s.\n", p->help));
		man_text(to, talloc_asprintf(tmp, "%s; default %s%s%s; %s.\n", kind(tmp, p),
					     *p->def ? "\"" : "", *p->def ? p->def : "empty",
					     *p->def ? "\"" : "", reloads[p->reload]));
	} else if (*p->help) {
		man_text(to, talloc_asprintf(tmp, "%s.\n", p->help));
	}
	if (*p->syn)
		man_text(to, talloc_asprintf(tmp, "Also written %s.\n", synonyms(tmp, p)));
	if (p->acts == PARAM_NO)
		man_text(to, talloc_asprintf(tmp, "Accepted without effect: %s.\n", p->why));
	else if (p->acts == PARAM_LATER)
		man_text(to, "Accepted, but without effect in this version.\n");
	talloc_free(tmp);
}

static const char man_head[] =
	".TH SMB1D.CONF 5 \"\" smb1d \"File formats\"\n"
	".SH NAME\n"
	"smb.conf \\- configuration of smb1d\n"
	".SH DESCRIPTION\n"
	"A file of sections and settings.\n"
	"A section begins with its name in brackets and is a share, but for\n"
	".BR [global] ,\n"
	"which holds what concerns the server and the defaults of all shares.\n"
	"A setting is a line\n"
	".IR \"name = value\" .\n"
	"Only the first equals sign counts; blanks around names and values do not.\n"
	"Names of sections and settings are blind to case and blanks.\n"
	"A line that begins with ; or # is a comment; inside a value these characters are ordinary.\n"
	"A line that ends with a backslash goes on in the next one.\n"
	"A section that comes twice is one section, and the later of two equal settings wins.\n"
	".PP\n"
	"Booleans are yes, no, true, false, 1, 0, on or off.\n"
	"Lists are cut at commas and blanks; quotes keep blanks.\n"
	"Permission masks are octal.\n"
	"Names with a colon, such as\n"
	".IR \"recycle: keeptree\" ,\n"
	"belong to modules and are kept as they are.\n"
	".PP\n"
	"Errors name file and line.\n"
	"A name that looks like a slip of a known one is an error;\n"
	"other unknown names are ignored with a warning.\n"
	"A file with an error never replaces a good configuration.\n"
	".SH SECTIONS\n"
	".TP\n"
	".B [global]\n"
	"The server, and the defaults of all shares.\n"
	".TP\n"
	".B [homes]\n"
	"A share for each user, made when it is asked for, with the user's name.\n"
	"Its path is the home directory unless set.\n"
	".TP\n"
	".B [printers]\n"
	"A share for each printer.\n"
	".TP\n"
	".B [IPC$]\n"
	"The pipes; always there, and may be written to restrict it.\n"
	".SH MACROS\n"
	"Replaced when a value is used.\n"
	"What comes from a client is cleaned: letters, digits, blanks and _ . \\- stay, all else becomes _.\n"
	".TS\n"
	"tab(|);\n"
	"l l.\n"
	"%S|the share\n"
	"%P|its path\n"
	"%u|the Unix account\n"
	"%g|its primary group\n"
	"%H|its home directory\n"
	"%U|the user name asked for\n"
	"%G|its group\n"
	"%D|the domain\n"
	"%m|the client's NetBIOS name, else its address\n"
	"%M|the client's DNS name, else its address\n"
	"%I|the client's address\n"
	"%J|the same with _ for . and :\n"
	"%L|the name the client calls the server\n"
	"%N|the same\n"
	"%i|the server's address\n"
	"%j|the same with _ for . and :\n"
	"%h|the host name\n"
	"%a|the kind of client, as far as known\n"
	"%R|the dialect\n"
	"%d|the process\n"
	"%v|the version\n"
	"%T|date and time\n"
	"%t|the same as part of a file name\n"
	"%w|the separator of domain and user\n"
	"%$(NAME)|the variable NAME of the environment\n"
	".TE\n"
	".SH PARAMETERS\n"
	"(G) stands in [global] only; (S) in a share, and in [global] as the default of all shares.\n";

void conf_print_manual(FILE *to)
{
	fputs("'\\\" t\n", to);
	fputs(man_head, to);
	for (const struct param *p = param_table; p < param_table + param_count; p++) {
		if (p->type == P_HEAD) {
			fputs(".SS ", to);
			man_text(to, p->name);
			fputc('\n', to);
		} else {
			man_param(to, p);
		}
	}
	fputs(".SH SEE ALSO\n.BR smb1d (8),\n.BR smb1ctl (1)\n", to);
}

static const char *effect(const struct param *p)
{
	if (p->type == P_LANGUAGE || p->acts == PARAM_ACTS)
		return "yes";
	return p->acts == PARAM_LATER ? "not yet" : p->why;
}

/* A cell of a Markdown table: '|' would end it, '*' would be read. */
static void md_cell(FILE *to, const char *s)
{
	fputs("| ", to);
	for (; *s; s++) {
		if (strchr("|*\\<", *s) != NULL)
			fputc('\\', to);
		fputc(*s, to);
	}
	fputc(' ', to);
}

void conf_print_options_md(FILE *to)
{
	fputs("# The parameters of smb.conf\n\nMade from `src/conf/params.def`.  G stands in `[global]` "
	      "only, S in shares too.\n",
	      to);
	for (const struct param *p = param_table; p < param_table + param_count; p++) {
		TALLOC_CTX *tmp = talloc_new(NULL);

		if (p->type == P_HEAD) {
			fprintf(to,
				"\n## %s\n\n| parameter | also | scope | value | default | reload | acts | "
				"meaning |\n",
				p->name);
			fputs("|---|---|---|---|---|---|---|---|\n", to);
		} else {
			md_cell(to, p->name);
			md_cell(to, synonyms(tmp, p));
			md_cell(to, p->global ? "G" : "S");
			md_cell(to, kind(tmp, p));
			md_cell(to, p->def);
			md_cell(to, param_has_field(p) ? reloads[p->reload] : "");
			md_cell(to, effect(p));
			md_cell(to, p->help);
			fputs("|\n", to);
		}
		talloc_free(tmp);
	}
}
