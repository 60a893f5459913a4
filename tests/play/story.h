/* story.h - the language of the stories, as text and as a list of steps.
 *
 *   # comment
 *   config { ... }                     lines of smb.conf; those before a [section] go to [global]
 *   [N:] command arg ... name=value ... [-> expectation ...]      several on a line with `;` between
 *   chain { step; step }               one message, linked by AndX
 *   batch { step; step }               several messages in one send; a chain may be one of them
 *   later { step }                     sent (several steps: as a chain), the reply is taken by
 *   arrives [-> ...]                   ... this step; of a chain the inner steps say what is expected.  Field: waited (ms)
 *
 * Values: 12 0x1f -1 numbers; "text" and 'text' with nothing special inside; hex:00ff bytes; "a"*100 repeated;
 * "a"+hex:00 joined; any other word is a word, or the number bound to it.
 * Expectations: ok | none | closed | skipped | error NAME | error DOS class/code, and  field=value  field!=value
 * field>=value  field<=value  field~part (or: these bits are set).  field[off:len] looks into bytes (a little-endian
 * number).  field=Word with a capital letter gives the word that number; field==Word compares with it. */
#ifndef SMB1D_PLAY_STORY_H
#define SMB1D_PLAY_STORY_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <talloc.h>

struct value {
	enum { VALUE_NUM, VALUE_BYTES, VALUE_WORD } kind;
	uint64_t num;
	const char *text;    /* the word, or the bytes */
	size_t len;
};

struct arg {
	const char *name;    /* NULL: positional */
	char op;             /* '=', 'e' (==), '!', '<' (at most), '>' (at least), '~' */
	uint64_t mask;       /* the bits that count: name&0x3=1 */
	struct value v;
};

struct step {
	unsigned line, client;   /* client 1 ... 9 */
	const char *cmd;
	struct arg *args, *expect;
	size_t nargs, nexpect;
	bool expects;            /* there was a -> */
	struct step *inner;      /* of chain and batch */
	size_t ninner;
	const char *text;        /* of config */
};

struct story {
	const char *file;
	struct step *steps;
	size_t n;
};

/* False with a sentence in *why and its line in *line. */
bool story_read(TALLOC_CTX *mem, const char *file, struct story **out, char **why, unsigned *line);
#endif
