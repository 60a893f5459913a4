/* report.c - sentences about a configuration, each with file and line. */
#include "conf/room.h"
#include <stdarg.h>

static void add(struct report *r, int kind, struct where w, const char *fmt, va_list ap)
{
	struct conf_report *rep = r->rep;
	struct conf_message *m;

	rep->msgs = talloc_realloc(r->mem, rep->msgs, struct conf_message, (unsigned)rep->n + 1);
	m = &rep->msgs[rep->n];
	m->kind = kind;
	m->file = talloc_strdup(rep->msgs, w.file ? w.file : "");
	m->line = w.line;
	m->text = talloc_vasprintf(rep->msgs, fmt, ap);
	rep->n++;
}

void report_error(struct report *r, struct where w, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add(r, CONF_MSG_ERROR, w, fmt, ap);
	va_end(ap);
	r->failed = true;
}

void report_warning(struct report *r, struct where w, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add(r, CONF_MSG_WARNING, w, fmt, ap);
	va_end(ap);
}

void report_note(struct report *r, struct where w, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add(r, CONF_MSG_NOTE, w, fmt, ap);
	va_end(ap);
}

char *conf_message_line(TALLOC_CTX *mem, const struct conf_message *m)
{
	if (!*m->file)
		return talloc_strdup(mem, m->text);
	if (!m->line)
		return talloc_asprintf(mem, "%s: %s", m->file, m->text);
	return talloc_asprintf(mem, "%s:%u: %s", m->file, m->line, m->text);
}

void conf_report_print(FILE *to, const struct conf_report *rep, bool notes)
{
	static const char *const kind[] = { "error: ", "warning: ", "note: " };

	for (size_t i = 0; i < rep->n; i++) {
		const struct conf_message *m = &rep->msgs[i];
		char *line;

		if (m->kind == CONF_MSG_NOTE && !notes)
			continue;
		line = conf_message_line(NULL, m);
		fprintf(to, "%s%s\n", kind[m->kind], line);
		talloc_free(line);
	}
}
