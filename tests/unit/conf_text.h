/* conf_text.h - for the tests of the conf room: a configuration written in the test itself. */
#ifndef SMB1D_TESTS_CONF_TEXT_H
#define SMB1D_TESTS_CONF_TEXT_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "conf/conf.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A folder for the files of one test, and the last configuration read from it. */
struct conf_text {
	char dir[256];
	struct conf *c;
	struct conf_report rep;
	const struct conf_macros *client;
	const char *const *overrides;
};

static inline int text_setup(void **state)
{
	struct conf_text *t = talloc_zero(NULL, struct conf_text);
	const char *tmp = getenv("TMPDIR");

	snprintf(t->dir, sizeof(t->dir), "%s/conf-XXXXXX", tmp ? tmp : "/tmp");
	if (mkdtemp(t->dir) == NULL)
		return -1;
	*state = t;
	return 0;
}

static inline int text_teardown(void **state)
{
	struct conf_text *t = *state;
	char *cmd = talloc_asprintf(t, "rm -rf '%s'", t->dir);
	int rc = system(cmd);

	talloc_free(t);
	return rc;
}

#define TEXT_TEST(f) cmocka_unit_test_setup_teardown(f, text_setup, text_teardown)

static inline char *text_path(struct conf_text *t, const char *name)
{
	return talloc_asprintf(t, "%s/%s", t->dir, name);
}

static inline void text_file_bytes(struct conf_text *t, const char *name, const char *text, size_t len)
{
	FILE *f = fopen(text_path(t, name), "w");

	assert_non_null(f);
	assert_int_equal(fwrite(text, 1, len, f), len);
	assert_int_equal(fclose(f), 0);
}

static inline void text_file(struct conf_text *t, const char *name, const char *text)
{
	text_file_bytes(t, name, text, strlen(text));
}

static inline bool text_read(struct conf_text *t, const char *name)
{
	struct conf_source src = { text_path(t, name), t->overrides, t->client, false };

	return conf_load(t, &src, &t->c, &t->rep);
}

/* Reads `text` as smb.conf. */
static inline bool text_load(struct conf_text *t, const char *text)
{
	text_file(t, "smb.conf", text);
	return text_read(t, "smb.conf");
}

static inline struct conf *text_good(struct conf_text *t, const char *text)
{
	if (!text_load(t, text)) {
		conf_report_print(stderr, &t->rep, true);
		fail_msg("this should be a good configuration");
	}
	return t->c;
}

static inline const struct conf_share *text_share(struct conf_text *t, const char *text)
{
	const struct conf_share *sh = conf_find(text_good(t, text), "x");

	assert_non_null(sh);
	return sh;
}

/* The message on `line` of smb.conf that contains `part`; NULL if there is none. */
static inline const struct conf_message *text_message(struct conf_text *t, unsigned line, const char *part)
{
	for (size_t i = 0; i < t->rep.n; i++)
		if (t->rep.msgs[i].line == line && strstr(t->rep.msgs[i].text, part) != NULL)
			return &t->rep.msgs[i];
	return NULL;
}

static inline size_t text_count(struct conf_text *t, const char *part)
{
	size_t n = 0;

	for (size_t i = 0; i < t->rep.n; i++)
		n += strstr(t->rep.msgs[i].text, part) != NULL;
	return n;
}

#define assert_said(t, kind_, line, part) \
	do { \
		const struct conf_message *m_ = text_message(t, line, part); \
		if (m_ == NULL) { \
			conf_report_print(stderr, &(t)->rep, true); \
			fail_msg("line %u does not say: %s", (unsigned)(line), part); \
		} else { \
			assert_int_equal(m_->kind, kind_); \
		} \
	} while (0)

/* A file that is refused, with this sentence on this line. */
#define assert_refused(t, text, line, part) \
	do { \
		assert_false(text_load(t, text)); \
		assert_null((t)->c); \
		assert_said(t, CONF_MSG_ERROR, line, part); \
	} while (0)

static inline void assert_list(const char *const *list, ...)
{
	const char *want;
	va_list ap;

	va_start(ap, list);
	while ((want = va_arg(ap, const char *)) != NULL) {
		assert_non_null(*list);
		assert_string_equal(*list++, want);
	}
	va_end(ap);
	assert_null(*list);
}
#endif
