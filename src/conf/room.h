/* room.h - what the files of the conf room share.  Not a door: others include conf/conf.h.
 *
 *   file -> lex -> (section, name, value) -> store -> convert -> rules -> struct conf
 *
 * lex.c cuts files into logical lines; load.c follows include, copy and config file; store.c keeps
 * the text (iniparser's dictionary) and beside it file and line; convert.c turns text into fields
 * by the table; rules.c looks at the whole. */
#ifndef SMB1D_CONF_ROOM_H
#define SMB1D_CONF_ROOM_H
#include "conf/conf.h"
#include <iniparser/dictionary.h>
#include <stddef.h>

/* ---- table.c ---- */
enum param_type { P_BOOL, P_INT, P_SIZE, P_OCTAL, P_ENUM, P_STR, P_LIST, P_LANGUAGE, P_UNUSED, P_HEAD };
enum param_reload { RELOAD_START, RELOAD_NEW, RELOAD_TREE, RELOAD_NOW };
enum param_acts { PARAM_ACTS, PARAM_LATER, PARAM_NO };

struct word {
	const char *spellings; /* "yes|true|1|on", the first is shown */
	int value;
};

struct param {
	enum param_type type;
	bool global; /* [global] only */
	const char *name, *syn, *def;
	int64_t lo, hi;
	const struct word *words; /* ends with spellings NULL */
	size_t offset;            /* in conf_globals or conf_params */
	enum param_reload reload;
	enum param_acts acts;
	const char *why, *help;
};
extern const struct param param_table[];
extern const size_t param_count;

static inline bool param_has_field(const struct param *p)
{
	return p->type <= P_LIST;
}

/* Names of smb.conf are equal blind to case and blanks. */
bool name_eq(const char *a, const char *b);
/* Lower case, no blanks: the form used in keys. */
char *name_key(TALLOC_CTX *mem, const char *name);
/* One part of "a|b|c" that equals name (blind to '-' and '_' too if loose); *inverse: it began with '!'. */
bool name_among(const char *parts, const char *name, bool loose, bool *inverse);
const struct param *param_find(const char *name, bool *inverse);
/* The closest known name, NULL if none is near. */
const char *param_nearest(TALLOC_CTX *mem, const char *name);
static inline void *param_field(const struct param *p, struct conf_globals *g, struct conf_params *s)
{
	return p->global ? (char *)g + p->offset : (char *)s + p->offset;
}
static inline const void *param_field_const(const struct param *p, const struct conf_globals *g,
					    const struct conf_params *s)
{
	return p->global ? (const char *)g + p->offset : (const char *)s + p->offset;
}

/* ---- report.c ---- */
struct where {
	const char *file;
	unsigned line;
};
struct report {
	TALLOC_CTX *mem;
	struct conf_report *rep;
	bool failed; /* an error was reported */
};
void report_error(struct report *r, struct where w, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void report_warning(struct report *r, struct where w, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void report_note(struct report *r, struct where w, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* ---- lex.c ---- */
struct lex_sink {
	void (*section)(void *arg, struct where w, const char *name);
	void (*setting)(void *arg, struct where w, const char *name, const char *value);
	void *arg;
};
/* Feeds the logical lines of a file to the sink.  False if the file cannot be read (errno tells why);
 * lines that are neither comment, section nor setting are reported. */
bool lex_file(TALLOC_CTX *mem, const char *path, struct report *r, const struct lex_sink *sink);

/* ---- store.c ---- */
struct setting {
	const struct param *p; /* NULL: a parametric option */
	const char *name;      /* canonical name, or the option's as written */
	const char *key;       /* "section:parameter" in the dictionary */
	struct where w;
	bool inverse;          /* written by a synonym that means the opposite */
	bool copied;           /* came by `copy`: what the section says itself wins */
};
struct section {
	const char *name, *key;
	struct where w;
	struct setting *set;
	size_t n;
};
struct store {
	dictionary *d;
	struct section **sec; /* sec[0] is [global] */
	size_t n;
};
struct store *store_new(TALLOC_CTX *mem);
struct section *store_find(const struct store *s, const char *name);
struct section *store_section(struct store *s, struct where w, const char *name);
/* name is known to be right; value is copied.  A setting made before is replaced. */
void store_set(struct store *s, struct section *sec, const struct setting *what, const char *value);
const struct setting *store_get(const struct section *sec, const char *name);
const char *store_text(const struct store *s, const struct setting *set);
/* All settings of `from` that `to` has not set itself. */
void store_copy(struct store *s, struct section *to, const struct section *from);

/* ---- convert.c ---- */
/* Text to field.  NULL if it went well, else a sentence (talloc child of mem) that says what is wrong
 * and what would be right; the field is then unchanged.  Strings become children of mem. */
const char *convert(TALLOC_CTX *mem, const struct param *p, const char *text, bool inverse, void *field);
/* "a b, "c d"" cut at blanks and commas; quotes keep blanks. */
const char *const *convert_list(TALLOC_CTX *mem, const char *text);
/* The text of a value, without the one pair of quotes that may stand around it. */
const char *convert_text(TALLOC_CTX *mem, const char *text);
void convert_defaults(TALLOC_CTX *mem, bool global, struct conf_globals *g, struct conf_params *s);
/* Field back to text as smb.conf would have it. */
char *convert_show(TALLOC_CTX *mem, const struct param *p, const void *field);
bool convert_same(const struct param *p, const void *a, const void *b);

/* ---- build.c ---- */
/* A configuration from the text, with what the table says about each value reported. */
struct conf *build(TALLOC_CTX *mem, struct store *s, struct report *r);
/* Remembers that a section sets p at w; v is a child of mem. */
void set_note(struct conf *c, TALLOC_CTX *mem, struct conf_sets *set, const struct param *p, struct where w);
const struct conf_set *set_find(const struct conf_sets *set, const struct param *p);

/* ---- rules.c, notes.c ---- */
/* What no single row can say: values that are refused, that need each other, that are cut. */
void rules_check(struct conf *c, const struct store *s, struct report *r);
/* The host name up to its first dot, in upper case, at most 15 characters. */
char *default_netbios_name(TALLOC_CTX *mem);
/* Once for each setting that is accepted without effect: why. */
void notes_add(const struct store *s, struct report *r);

/* ---- profile.c ---- */
/* Unknown profiles, and what the others change. */
void profile_check(struct conf *c, const struct store *s, struct report *r);

/* ---- hosts.c ---- */
/* An item of a list of clients that is a NetBIOS name without an address: it lets nobody in. */
bool conf_client_vague(const char *item);
/* "port:" or "called:": known at NEGOTIATE, not to the keeper. */
bool conf_client_early(const char *item);

/* ---- macro.c ---- */
/* Does the text hold a macro whose value depends on the client? */
bool macro_needs_client(const char *text);
bool macro_any(const char *text);
#endif
