/* notes.c - settings that are accepted although smb1d does not act on them: said once each, with
 * the reason, so that nobody has to guess. */
#include "conf/room.h"
#include "base/util.h"
#include <string.h>

/* Modules of Samba's whose work is done without them. */
static const struct {
	const char *module, *what;
} built_in[] = {
	{ "acl_xattr", "DOS attributes are kept in extended attributes anyway" },
	{ "aio_fork", "a worker reads and writes at once" },
	{ "aio_linux", "a worker reads and writes at once" },
	{ "aio_pthread", "a worker reads and writes at once" },
	{ "streams_xattr", "streams are kept beside the files" },
	{ "streams_depot", "streams are kept beside the files" },
	{ "posixacl", "permissions are the file system's" },
	{ "readahead", "the kernel reads ahead" },
	{ "prealloc", "\"strict allocate\" does this" },
	{ "syncops", "\"strict sync\" does this" },
	{ "readonly", "\"read only\" does this" },
	{ "netatalk", "\"veto files\" does this" },
};

static void note_param(struct report *r, const struct setting *set)
{
	const struct param *p = set->p;

	if (p->acts == PARAM_NO)
		report_note(r, set->w, "\"%s\" is accepted without effect: %s", p->name, p->why);
	else
		report_note(r, set->w, "\"%s\" is accepted, but has no effect in this version", p->name);
}

static void note_option(struct report *r, const struct setting *set)
{
	if (strncasecmp(set->name, "smb1d:", 6) == 0) {
		const char *near = param_nearest(r->mem, set->name);

		report_warning(r, set->w, "unknown parameter \"%s\"%s%s%s", set->name,
			       near ? "; did you mean \"" : " is ignored", near ? near : "",
			       near ? "\"?" : "");
		return;
	}
	report_note(r, set->w, "\"%s\" is accepted without effect: it is a setting of a module", set->name);
}

static void note_module(struct report *r, struct where w, const char *module)
{
	for (size_t i = 0; i < ARRAY_LEN(built_in); i++)
		if (strcasecmp(built_in[i].module, module) == 0) {
			report_note(r, w, "vfs objects: %s is not needed: %s", module, built_in[i].what);
			return;
		}
	report_warning(r, w,
		       "vfs objects: smb1d loads no modules, so %s does nothing; "
		       "built in are DOS and extended attributes, "
		       "hidden and vetoed names, quotas of the kernel",
		       module);
}

static void note_modules(const struct store *s, struct report *r, const struct setting *set)
{
	const char *const *list = convert_list(r->mem, store_text(s, set));

	for (size_t i = 0; list[i]; i++)
		note_module(r, set->w, list[i]);
	talloc_free((void *)(uintptr_t)list);
}

/* Was this name met in an earlier section, or earlier in this one? */
static bool met_before(const struct store *s, size_t section, const char *name)
{
	for (size_t i = 0; i < section; i++)
		if (store_get(s->sec[i], name) != NULL)
			return true;
	return false;
}

void notes_add(const struct store *s, struct report *r)
{
	for (size_t i = 0; i < s->n; i++) {
		for (size_t k = 0; k < s->sec[i]->n; k++) {
			const struct setting *set = &s->sec[i]->set[k];

			if (set->p != NULL && set->p->acts == PARAM_ACTS)
				continue;
			if (set->p != NULL && name_eq(set->p->name, "vfs objects")) {
				note_modules(s, r, set); /* each share has modules of its own */
				continue;
			}
			if (met_before(s, i, set->name))
				continue;
			if (set->p == NULL)
				note_option(r, set);
			else
				note_param(r, set);
		}
	}
}
