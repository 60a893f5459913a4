/* rows.h - what the documents name and we refuse. */
#ifndef SMB1D_COMMANDS_ROWS_H
#define SMB1D_COMMANDS_ROWS_H
#include <stddef.h>
#include <stdint.h>

struct fact {
	const char *table; /* as in play/cover.h */
	uint32_t number;
	const char *name, *since; /* since: the first dialect that has it, or the system */
	const char *why;   /* the refusal is what the documents want of a server like this one: the reason; NULL: it is not */
};
extern const struct fact facts[];
extern const size_t fact_count;
#endif
