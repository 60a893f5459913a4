/* params.h - params.def and words.def turned into C: the enums and the two structs whose fields
 * are the parameters.  A BOOL is a bool, an INT, SIZE or OCTAL an int64_t, an ENUM an int holding one of
 * CONF_<ENUM>_<VALUE>, a STR a const char * (never NULL), a LIST a NULL-terminated array (never NULL). */
#ifndef SMB1D_CONF_PARAMS_H
#define SMB1D_CONF_PARAMS_H
#include <stdbool.h>
#include <stdint.h>

#define WORDS(name) enum conf_##name {
#define WORD(name, value, spellings) CONF_##name##_##value,
#define WORDS_END };
#include "conf/words.def"
#undef WORDS
#undef WORD
#undef WORDS_END

/* Rows without a field of their own: headings, the words of the language, names that are only accepted. */
#define HEAD(title)
#define LANGUAGE(scope, name, syn, help)
#define UNUSED(scope, name, syn, why)

/* The fields of one scope: FIELD(G) keeps the rows of [global], FIELD(S) those of shares. */
#define BOOL(scope, field, ...) CONF_FIELD_##scope(bool field)
#define INT(scope, field, ...) CONF_FIELD_##scope(int64_t field)
#define SIZE(scope, field, ...) CONF_FIELD_##scope(int64_t field)
#define OCTAL(scope, field, ...) CONF_FIELD_##scope(int64_t field)
#define ENUM(scope, field, ...) CONF_FIELD_##scope(int field)
#define STR(scope, field, ...) CONF_FIELD_##scope(const char *field)
#define LIST(scope, field, ...) CONF_FIELD_##scope(const char *const *field)

struct conf_globals {
#define CONF_FIELD_G(member) member;
#define CONF_FIELD_S(member)
#include "conf/params.def"
#undef CONF_FIELD_G
#undef CONF_FIELD_S
};

struct conf_params {
#define CONF_FIELD_G(member)
#define CONF_FIELD_S(member) member;
#include "conf/params.def"
#undef CONF_FIELD_G
#undef CONF_FIELD_S
};

#undef HEAD
#undef LANGUAGE
#undef UNUSED
#undef BOOL
#undef INT
#undef SIZE
#undef OCTAL
#undef ENUM
#undef STR
#undef LIST
#endif
