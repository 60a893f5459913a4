/* status.c - names and DOS forms of statuses, from one table. */
#include "base/status.h"
#include "base/util.h"
#include <errno.h>
#include <stdio.h>

static const struct row {
	status_t nt;
	uint8_t cls;
	uint16_t code;
	const char *name;
} rows[] = {
#define ST(n, nt, cls, code) { nt, cls, code, #n },
#include "base/status.def"
#undef ST
};

static const struct row *find(status_t st)
{
	size_t lo = 0, hi = ARRAY_LEN(rows);

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (rows[mid].nt == st)
			return &rows[mid];
		if (rows[mid].nt < st)
			lo = mid + 1;
		else
			hi = mid;
	}
	return NULL;
}

void status_to_dos(status_t st, uint8_t *cls, uint16_t *code)
{
	const struct row *r = find(st);

	if (r) {
		*cls = r->cls;
		*code = r->code;
	} else if (status_is_dos(st)) {
		*cls = (uint8_t)st;
		*code = (uint16_t)(st >> 16);
	} else {
		*cls = 3;
		*code = 31;
	}
}

const char *status_name(status_t st)
{
	static char number[4][12];
	static unsigned turn;
	const struct row *r = find(st);

	if (r)
		return r->name;
	turn = (turn + 1) % ARRAY_LEN(number);
	snprintf(number[turn], sizeof(number[turn]), "0x%08X", (unsigned)st);
	return number[turn];
}

status_t status_from_errno(int err)
{
	static const struct { int err; status_t st; } map[] = {
		{ EPERM, ST_ACCESS_DENIED }, { EACCES, ST_ACCESS_DENIED },
		{ ENOENT, ST_OBJECT_NAME_NOT_FOUND }, { ENOTDIR, ST_NOT_A_DIRECTORY },
		{ ELOOP, ST_OBJECT_PATH_NOT_FOUND }, { EEXIST, ST_OBJECT_NAME_COLLISION },
		{ EISDIR, ST_FILE_IS_A_DIRECTORY }, { ENOTEMPTY, ST_DIRECTORY_NOT_EMPTY },
		{ EINVAL, ST_INVALID_PARAMETER }, { EBADF, ST_INVALID_HANDLE },
		{ EMFILE, ST_TOO_MANY_OPENED_FILES }, { ENFILE, ST_TOO_MANY_OPENED_FILES },
		{ ENOSPC, ST_DISK_FULL }, { EDQUOT, ST_DISK_FULL }, { EFBIG, ST_DISK_FULL },
		{ ENOMEM, ST_NO_MEMORY }, { ENOBUFS, ST_INSUFFICIENT_RESOURCES },
		{ EIO, ST_IO_DEVICE_ERROR }, { EROFS, ST_MEDIA_WRITE_PROTECTED },
		{ EXDEV, ST_NOT_SAME_DEVICE }, { ENAMETOOLONG, ST_OBJECT_NAME_INVALID },
		{ EMLINK, ST_TOO_MANY_LINKS }, { ETXTBSY, ST_SHARING_VIOLATION },
		{ EAGAIN, ST_NETWORK_BUSY }, { EINTR, ST_RETRY },
		{ EPIPE, ST_CONNECTION_DISCONNECTED }, { ENOSYS, ST_NOT_SUPPORTED },
		{ EOPNOTSUPP, ST_NOT_SUPPORTED }, { ENODEV, ST_DEVICE_DOES_NOT_EXIST },
		{ ENXIO, ST_ILLEGAL_FUNCTION }, { ESTALE, ST_INVALID_HANDLE },
		{ ENODATA, ST_NOT_FOUND }, { ERANGE, ST_BUFFER_TOO_SMALL },
		{ ETIMEDOUT, ST_IO_TIMEOUT }, { EOVERFLOW, ST_ALLOTTED_SPACE_EXCEEDED },
		{ ECONNRESET, ST_CONNECTION_RESET }, { ECONNREFUSED, ST_CONNECTION_REFUSED },
		{ ECANCELED, ST_CANCELLED },
	};

	if (err == 0)
		return ST_OK;
	for (size_t i = 0; i < ARRAY_LEN(map); i++)
		if (map[i].err == err)
			return map[i].st;
	return ST_ACCESS_DENIED;
}
