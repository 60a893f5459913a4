/* old_errors.c - errors in the words of the core protocol.
 *
 * Clients of CORE and of MICROSOFT NETWORKS (DOS up to 3.x behind them) know the codes of DOS 2 and 3 and of
 * MS-CIFS 2.2.2.4's first table; later ones come out as "unknown error" or worse.  Everything newer is told in the
 * nearest word they have.  Newer dialects get the codes of OS/2 and NT. */
#include "base/util.h"
#include "srv/conn.h"

#define DOS(class, code) ((status_t)(code) << 16 | (class))

static const struct { status_t st, old; } words[] = {
	{ ST_OBJECT_NAME_INVALID, DOS(1, 2) },
	{ ST_OBJECT_PATH_SYNTAX_BAD, DOS(1, 3) },
	{ ST_OBJECT_PATH_INVALID, DOS(1, 3) },
	{ ST_NOT_A_DIRECTORY, DOS(1, 3) },
	{ ST_NAME_TOO_LONG, DOS(1, 3) },
	{ ST_OBJECT_NAME_COLLISION, DOS(1, 80) },
	{ ST_DIRECTORY_NOT_EMPTY, DOS(1, 5) },
	{ ST_OS2_CANNOT_COPY, DOS(1, 5) },
	{ ST_NO_SUCH_FILE, DOS(1, 2) },
	{ ST_DISK_FULL, DOS(3, 39) },
	{ ST_NO_SPOOL_SPACE, DOS(2, 50) },
	{ ST_PRINT_QUEUE_FULL, DOS(2, 49) },
	{ ST_BAD_NETWORK_NAME, DOS(2, 6) },
	{ ST_BAD_DEVICE_TYPE, DOS(2, 7) },
	{ ST_LOGON_FAILURE, DOS(2, 2) },
	{ ST_WRONG_PASSWORD, DOS(2, 2) },
	{ ST_REQUEST_NOT_ACCEPTED, DOS(2, 89) },
	{ ST_NOT_SUPPORTED, DOS(1, 1) },
	{ ST_INVALID_DEVICE_REQUEST, DOS(1, 1) },
	{ ST_END_OF_FILE, DOS(1, 13) },
};

status_t old_error(const struct conn *c, status_t st)
{
	bool old = c->negotiated && (c->dialect <= DIALECT_COREPLUS || strcmp(c->dialect_name, "MICROSOFT NETWORKS 3.0") == 0);

	for (size_t i = 0; old && i < ARRAY_LEN(words); i++)
		if (words[i].st == st)
			return words[i].old;
	return st;
}
