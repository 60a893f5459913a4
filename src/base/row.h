/* row.h - a row of one of the tables that say what is served, as documentation and tests see it.
 *
 * Each table has a walker of this kind: row i in *out, false behind the last. */
#ifndef SMB1D_BASE_ROW_H
#define SMB1D_BASE_ROW_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct table_row {
	uint32_t number;
	const char *name; /* NULL: a hole */
	bool served;      /* false: known, and always refused */
};
typedef bool (*table_row_fn)(size_t i, struct table_row *out);
#endif
