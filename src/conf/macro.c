/* macro.c - the %-macros of smb.conf(5).
 *
 * One pass, so what a macro brings is never looked at for macros again.  What a client chose
 * itself (its name, the user it asks for ...) ends up in paths and file names: it is cleaned so that
 * it is one harmless component. */
#include "conf/room.h"
#include "smb1d_version.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define CLIENT_MACROS "SPugUGHmLMRaIJijDN"

static bool known(const char *s)
{
	return s != NULL && *s != '\0';
}

bool macro_needs_client(const char *text)
{
	for (; (text = strchr(text, '%')) != NULL; text += text[1] ? 2 : 1)
		if (text[1] && strchr(CLIENT_MACROS, text[1]))
			return true;
	return false;
}

bool macro_any(const char *text)
{
	return strchr(text, '%') != NULL;
}

static bool harmless(unsigned char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
	       c == '-' || c == ' ';
}

/* Client text: other characters become '_'; a dot stays where it can mean neither "." nor "..",
 * that is, between two characters that stay. */
static char *clean(TALLOC_CTX *mem, const char *s)
{
	char *out = talloc_array(mem, char, (unsigned)strlen(s) + 1), *o = out;

	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;

		if ((c & 0xc0) == 0x80)
			continue; /* the rest of a character of more than one byte */
		if (c == '.')
			c = o > out && o[-1] != '.' ? '.' : '_';
		else if (!harmless(c))
			c = '_';
		*o++ = (char)c;
	}
	if (o > out && o[-1] == '.')
		o[-1] = '_';
	*o = '\0';
	return out;
}

/* Names that the server looked up itself keep their letters; they must only stay one component. */
static char *component(TALLOC_CTX *mem, const char *s)
{
	char *out = talloc_strdup(mem, s);

	for (char *p = out; *p; p++)
		if (*p == '/' || (unsigned char)*p < ' ' || (*p == '.' && (p == out || p[-1] == '.')))
			*p = '_';
	return out;
}

static char *lower_case(char *s)
{
	for (char *p = s; *p; p++)
		if (*p >= 'A' && *p <= 'Z')
			*p = (char)(*p + 32);
	return s;
}

/* 192.0.2.7 -> 192_0_2_7 */
static char *address_as_name(TALLOC_CTX *mem, const char *s)
{
	char *out = talloc_strdup(mem, s);

	for (char *p = out; *p; p++)
		if (*p == '.' || *p == ':' || *p == '%')
			*p = '_';
	return out;
}

static char *host_name(TALLOC_CTX *mem, const struct conf_macros *m)
{
	char name[256] = "";

	if (known(m->host_name))
		return talloc_strdup(mem, m->host_name);
	if (gethostname(name, sizeof(name) - 1) != 0)
		name[0] = '\0';
	return talloc_strdup(mem, name);
}

/* Now, as text; for a file name without colons and blanks. */
static char *now(TALLOC_CTX *mem, bool for_name)
{
	time_t t = time(NULL);
	struct tm tm;
	char text[64] = "";

	if (localtime_r(&t, &tm) == NULL)
		return talloc_strdup(mem, "");
	if (for_name)
		strftime(text, sizeof(text), "%Y_%m_%d_%H_%M_%S", &tm);
	else
		strftime(text, sizeof(text), "%Y/%m/%d %H:%M:%S", &tm);
	return talloc_strdup(mem, text);
}

static const char *or_empty(const char *s)
{
	return s ? s : "";
}

/* The macros that a client has a say in. */
static char *client_macro(TALLOC_CTX *mem, char c, const struct conf_macros *m)
{
	switch (c) {
	case 'm': /* on port 445 nobody tells a name */
		return known(m->client_name) ? lower_case(clean(mem, m->client_name))
					     : talloc_strdup(mem, or_empty(m->client_addr));
	case 'M':
		return known(m->client_dns) ? clean(mem, m->client_dns)
					    : talloc_strdup(mem, or_empty(m->client_addr));
	case 'L':
	case 'N':
		return known(m->server_name) ? clean(mem, m->server_name) : host_name(mem, m);
	case 'U':
		return clean(mem, or_empty(m->user_asked));
	case 'G':
		return clean(mem, or_empty(m->group_asked));
	case 'D':
		return clean(mem, or_empty(m->domain));
	case 'R':
		return clean(mem, or_empty(m->dialect));
	case 'a':
		return clean(mem, known(m->arch) ? m->arch : "UNKNOWN");
	default:
		return NULL;
	}
}

/* The value of %c, talloc child of mem; NULL if there is no such macro. */
static char *macro(TALLOC_CTX *mem, char c, const struct conf_macros *m)
{
	switch (c) {
	case 'I':
		return talloc_strdup(mem, or_empty(m->client_addr));
	case 'J':
		return address_as_name(mem, or_empty(m->client_addr));
	case 'i':
		return talloc_strdup(mem, or_empty(m->server_addr));
	case 'j':
		return address_as_name(mem, or_empty(m->server_addr));
	case 'h':
		return host_name(mem, m);
	case 'S':
		return component(mem, or_empty(m->service));
	case 'u':
		return component(mem, or_empty(m->user));
	case 'g':
		return component(mem, or_empty(m->group));
	case 'H':
		return talloc_strdup(mem, or_empty(m->home));
	case 'P':
		return talloc_strdup(mem, or_empty(m->path));
	case 'd':
		return talloc_asprintf(mem, "%ld", m->pid ? m->pid : (long)getpid());
	case 'v':
		return talloc_strdup(mem, SMB1D_VERSION);
	case 'w':
		return talloc_strdup(mem, "\\");
	case 'T':
		return now(mem, false);
	case 't':
		return now(mem, true);
	default:
		return client_macro(mem, c, m);
	}
}

/* %$(NAME): the environment of the daemon.  NULL, and *s not moved, if it has no end. */
static char *environment(TALLOC_CTX *mem, const char **s)
{
	const char *name = *s + 3, *end = strchr(name, ')'), *value;
	char *key;

	if (end == NULL)
		return NULL;
	key = talloc_strndup(mem, name, (size_t)(end - name));
	value = getenv(key);
	talloc_free(key);
	*s = end + 1;
	return talloc_strdup(mem, or_empty(value));
}

char *conf_expand(TALLOC_CTX *mem, const char *value, const struct conf_macros *m)
{
	static const struct conf_macros nothing;
	char *out = talloc_strdup(mem, "");
	const char *s = value;

	while (*s) {
		size_t plain = strcspn(s, "%");
		char *v = NULL;

		out = talloc_strndup_append_buffer(out, s, plain);
		s += plain;
		if (*s == '\0')
			break;
		if (s[1] == '$' && s[2] == '(') {
			v = environment(NULL, &s);
		} else if (s[1] != '\0') {
			v = macro(NULL, s[1], m ? m : &nothing);
			if (v != NULL)
				s += 2;
		}
		if (v == NULL) { /* not ours: it stays */
			plain = s[1] != '\0' ? 2 : 1;
			out = talloc_strndup_append_buffer(out, s, plain);
			s += plain;
			continue;
		}
		out = talloc_strdup_append_buffer(out, v);
		talloc_free(v);
	}
	return out;
}
