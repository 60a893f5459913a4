/* json.h - writes JSON to a stream.  Names, users and paths come from clients and disks: whatever
 * bytes they hold, what comes out is valid JSON in valid UTF-8. */
#ifndef SMB1D_CTL_JSON_H
#define SMB1D_CTL_JSON_H
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct json {
	FILE *to;
	unsigned depth;
	bool some; /* something stands already in the innermost object */
};

/* A key is NULL only for the outermost object.  Each open has its close. */
void json_open(struct json *j, const char *key);
void json_close(struct json *j);
void json_str(struct json *j, const char *key, const char *value);
void json_num(struct json *j, const char *key, uint64_t value);
void json_bool(struct json *j, const char *key, bool value);
/* "0x%08x" as a string */
void json_hex(struct json *j, const char *key, uint32_t value);
#endif
