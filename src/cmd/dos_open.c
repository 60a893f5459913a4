/* dos_open.c - DOS open words into NT opens. */
#include "cmd/dos_open.h"
#include "base/str.h"
#include "base/util.h"

static bool executable(const char *name)
{
	static const char *const ext[] = { ".exe", ".com", ".dll", ".sym" };
	const char *dot = strrchr(name, '.');

	for (size_t i = 0; dot && i < ARRAY_LEN(ext); i++)
		if (str_caseeq(dot, ext[i]))
			return true;
	return false;
}

static status_t sharing(unsigned mode, const char *name, struct open_want *w)
{
	switch (mode) {
	case 0: /* compatibility: programs may be read and written by others, data only read while read */
		w->db_flags |= DB_OPEN_DENY_DOS;
		if (executable(name))
			w->share = SHARE_READ | SHARE_WRITE;
		else
			w->share = w->access == ACC_FILE_READ ? SHARE_READ : 0;
		return ST_OK;
	case 1:
		w->share = 0;
		return ST_OK;
	case 2:
		w->share = SHARE_READ;
		return ST_OK;
	case 3:
		w->share = SHARE_WRITE;
		return ST_OK;
	case 4:
		w->share = SHARE_READ | SHARE_WRITE;
		return ST_OK;
	case 7:
		w->db_flags |= DB_OPEN_FCB;
		w->share = 0;
		return ST_OK;
	default:
		return ST_OS2_INVALID_ACCESS;
	}
}

status_t dos_access_mode(uint16_t mode, const char *name, struct open_want *w)
{
	unsigned locality = mode >> 8 & 7;

	w->options |= OPT_NON_DIRECTORY | (mode & 0x4000 ? OPT_WRITE_THROUGH : 0);
	if (locality != 0)
		w->options |= locality == 1 ? OPT_SEQUENTIAL : OPT_RANDOM_ACCESS;
	if ((mode & 0xff) == 0xff) { /* FCB */
		w->access = ACC_FILE_READ | ACC_FILE_WRITE;
		return sharing(7, name, w);
	}
	switch (mode & 7) {
	case 0:
	case 3:
		w->access = ACC_FILE_READ;
		break;
	case 1:
		w->access = ACC_FILE_WRITE;
		break;
	case 2:
	case 7:
		w->access = ACC_FILE_READ | ACC_FILE_WRITE;
		break;
	default:
		return ST_OS2_INVALID_ACCESS;
	}
	return sharing(mode >> 4 & 7, name, w);
}

status_t dos_open_function(uint16_t function, struct open_want *w)
{
	switch (function & 0x13) {
	case 0x01:
		w->disposition = DISP_OPEN;
		break;
	case 0x02:
		w->disposition = DISP_OVERWRITE;
		break;
	case 0x10:
		w->disposition = DISP_CREATE;
		break;
	case 0x11:
		w->disposition = DISP_OPEN_IF;
		break;
	case 0x12:
		w->disposition = DISP_OVERWRITE_IF;
		break;
	default:
		return ST_OS2_INVALID_ACCESS;
	}
	return ST_OK;
}

uint16_t dos_open_result(uint32_t action)
{
	return action == ACTION_CREATED ? 2 : action == ACTION_OPENED ? 1 : 3;
}

uint16_t dos_granted(uint32_t access)
{
	if (!(access & (ACC_WRITE_DATA | ACC_APPEND)))
		return 0;
	return access & ACC_READ_DATA ? 2 : 1;
}

uint8_t dos_oplock_flags(uint8_t oplock)
{
	return oplock == 0 || oplock > 2 ? 0 : oplock == 2 ? FLAG_OPLOCK | FLAG_OPBATCH : FLAG_OPLOCK;
}

static const char os2_probe[] = ".+,;=[].";

status_t dos_open(struct req *q, const struct open_want *w, struct open **out, struct open_result *r)
{
	status_t st;

	*r = (struct open_result){ .action = ACTION_OPENED };
	if (strcmp(w->name, os2_probe) == 0) /* OS/2 asks so whether names are those of FAT; files of that name break it */
		return q->h.flags2 & FLAG2_NT_STATUS ? ST_OBJECT_NAME_NOT_FOUND : ST_OS2_CANNOT_OPEN;
	if (q->t->ipc)
		return open_pipe(q, w->name, w->access, out);
	if (q->t->printer)
		return spool_open(q, w->name, out, r);
	st = open_file(q, w, out, r);
	/* what a DOS client takes for "somebody was faster" */
	return st == ST_OBJECT_NAME_COLLISION && !(q->h.flags2 & FLAG2_NT_STATUS) ? ST_OS2_FILE_EXISTS : st;
}
