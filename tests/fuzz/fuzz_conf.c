/* fuzz_conf.c - smb.conf: any text; a configuration that is accepted must survive its flat record. */
#include "base/log.h"
#include "conf/conf.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void try_macros(TALLOC_CTX *mem, const struct conf *c)
{
	struct conf_macros m = { .client_name = "..", .client_addr = "192.0.2.7", .user = "a/b", .service = "%S", .conf = c };

	for (size_t i = 0; i < c->nshares; i++) {
		const struct conf_share *s = c->shares[i];
		const char *rule;

		conf_expand(mem, s->p.path, &m);
		conf_user_in(s->p.valid_users, "anna", NULL, 0, &m, &rule);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	int fd = memfd_create("smb.conf", MFD_CLOEXEC);
	char *name = talloc_asprintf(mem, "/proc/self/fd/%d", fd);
	struct conf_source src = { .file = name };
	struct conf_report rep = { .n = 0 };
	struct conf *c = NULL;
	size_t len;
	uint8_t *flat;

	memset(log_level, -1, sizeof(log_level));
	/* other files are not this program's to read */
	if (memmem(data, size, "nclude", 6) || memmem(data, size, "NCLUDE", 6) || write(fd, data, size) != (ssize_t)size) {
		close(fd);
		talloc_free(mem);
		return 0;
	}
	if (conf_load(mem, &src, &c, &rep)) {
		try_macros(mem, c);
		flat = conf_pack(mem, c, &len);
		if (!flat || !conf_unpack(mem, flat, len))
			abort();
	} else if (rep.n == 0) {
		abort(); /* refused without a word */
	}
	close(fd);
	talloc_free(mem);
	return 0;
}
