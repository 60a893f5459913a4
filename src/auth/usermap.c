/* usermap.c - `username map`: other names for Unix accounts.  smb.conf(5).
 *
 *   # comment                     ; comment
 *   !anna = "Anna Meier" ameier   a match ends the search
 *   staff = @office *             @group +group &group: Unix groups; *: anybody
 *
 * Line by line, with the name as the lines before have left it. */
#include "auth/internal.h"
#include "base/log.h"
#include "base/str.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_MAP_FILE (1u << 20)

struct usermap {
	char *file;  /* whose text this is; NULL before the first look */
	char *text;  /* whole file, NUL at the end; NULL if it could not be read */
	off_t size;
	struct timespec mtime;
	bool said;   /* that it cannot be read */
};

struct usermap *usermap_new(TALLOC_CTX *mem) { return talloc_zero(mem, struct usermap); }

static char *read_whole(TALLOC_CTX *mem, int fd, off_t size)
{
	char *text = talloc_size(mem, (size_t)size + 1);
	ssize_t got;

	if (!text)
		return NULL;
	got = pread(fd, text, (size_t)size, 0);
	if (got < 0) {
		talloc_free(text);
		return NULL;
	}
	text[got] = '\0';
	return text;
}

static void forget(struct usermap *u, const char *file)
{
	TALLOC_FREE(u->text);
	talloc_free(u->file);
	u->file = talloc_strdup(u, file);
	u->said = false;
}

/* Has the text of `file` in u->text unless it cannot be read; then the old text of the same file stays. */
static void refresh(struct usermap *u, const char *file)
{
	struct stat st;
	char *fresh = NULL;
	int fd;

	if (!u->file || strcmp(u->file, file) != 0)
		forget(u, file);
	if (u->text && stat(file, &st) == 0 && st.st_size == u->size &&
	    st.st_mtim.tv_sec == u->mtime.tv_sec && st.st_mtim.tv_nsec == u->mtime.tv_nsec)
		return;
	fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size <= (off_t)MAX_MAP_FILE)
		fresh = read_whole(u, fd, st.st_size);
	if (fresh) {
		talloc_free(u->text);
		u->text = fresh;
		u->size = st.st_size;
		u->mtime = st.st_mtim;
		u->said = false;
	} else if (!u->said) {
		u->said = true;
		log_error(LOG_AUTH, "`username map = %s` cannot be read: %s", file,
			  fd < 0 ? strerror(errno) : "no plain file, or larger than 1 MiB");
	}
	if (fd >= 0)
		close(fd);
}

/* The next blank-separated word of *s, quotes taken off, cut out of the line; NULL at its end. */
static char *next_word(char **s)
{
	char *p = *s, *word;

	while (*p == ' ' || *p == '\t' || *p == ',')
		p++;
	if (!*p)
		return NULL;
	if (*p == '"') {
		word = ++p;
		p += strcspn(p, "\"");
	} else {
		word = p;
		p += strcspn(p, " \t,");
	}
	*s = *p ? p + 1 : p;
	*p = '\0';
	return word;
}

/* "DOMAIN\user" in the file matches only that domain; a plain name matches any. */
static bool word_matches(const char *word, const char *user, const char *domain)
{
	const char *slash = strchr(word, '\\');

	if (strcmp(word, "*") == 0)
		return true;
	if (*word == '@' || *word == '+' || *word == '&')
		return ident_in_group(user, word + 1 + strspn(word + 1, "@+&"));
	if (!slash)
		return str_caseeq(word, user);
	return str_caseeq(slash + 1, user) && strlen(domain) == (size_t)(slash - word) &&
	       strncasecmp(word, domain, (size_t)(slash - word)) == 0;
}

/* One line, which is cut up.  The name it maps to, or NULL; *stop if nothing after it counts. */
static const char *line_maps(char *line, const char *user, const char *domain, bool *stop)
{
	char *names = strchr(line, '='), *unix_name, *word;

	*stop = false;
	line += strspn(line, " \t");
	if (*line == '#' || *line == ';' || !names)
		return NULL;
	*names++ = '\0';
	if (*line == '!') {
		*stop = true;
		line++;
	}
	unix_name = next_word(&line);
	if (!unix_name || !*unix_name)
		return NULL;
	while ((word = next_word(&names)))
		if (word_matches(word, user, domain))
			return unix_name;
	return NULL;
}

const char *usermap_find(TALLOC_CTX *mem, struct usermap *u, const char *file, const char *user,
			 const char *domain)
{
	const char *name = NULL;
	char *copy, *line, *save = NULL;
	bool stop;

	refresh(u, file);
	copy = u->text ? talloc_strdup(NULL, u->text) : NULL;
	if (!copy)
		return NULL;
	for (line = strtok_r(copy, "\r\n", &save); line; line = strtok_r(NULL, "\r\n", &save)) {
		const char *to = line_maps(line, name ? name : user, domain, &stop);

		if (to)
			name = talloc_strdup(mem, to);
		if (to && stop)
			break;
	}
	talloc_free(copy);
	return name;
}
