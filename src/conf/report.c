/* report.c - sentences about a configuration, each with file and line. */
#include "conf/room.h"
#include <stdarg.h>

/* The sentence with its place in front: "smb.conf:12: ..." */
static char *whole_line(TALLOC_CTX *mem, const struct conf_message *m, const char *fmt, va_list ap)
{
	char *text = talloc_strdup(mem, m->file);

	if (m->line)
		text = talloc_asprintf_append(text, ":%u", m->line);
	if (*text)
		text = talloc_strdup_append(text, ": ");
	return talloc_vasprintf_append(text, fmt, ap);
}

static void add(struct report *r, int kind, struct where w, const char *fmt, va_list ap)
{
	struct conf_report *rep = r->rep;
	struct conf_message *m;

	rep->msgs = talloc_realloc(r->mem, rep->msgs, struct conf_message, (unsigned)rep->n + 1);
	m = &rep->msgs[rep->n];
	m->kind = kind;
	m->file = talloc_strdup(rep->msgs, w.file ? w.file : "");
	m->line = w.line;
	m->text = whole_line(rep->msgs, m, fmt, ap);
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
	return talloc_strdup(mem, m->text);
}

void conf_report_print(FILE *to, const struct conf_report *rep, bool notes)
{
	static const char *const kind[] = { "error: ", "warning: ", "note: " };

	for (size_t i = 0; i < rep->n; i++) {
		const struct conf_message *m = &rep->msgs[i];

		if (m->kind != CONF_MSG_NOTE || notes)
			fprintf(to, "%s%s\n", kind[m->kind], m->text);
	}
}
