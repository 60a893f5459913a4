/* fuzz_orders.c - what a worker or porch that was taken over says to the processes behind it, and texts that the keeper
 * reads.  The first byte says which:
 *   r p  a command to be run, a print job: no token      a h  "I am yours", "my client is called so"
 *   y    a refusal for `smb1ctl why`                      i    an identity      c  a configuration
 *   w    a command line with macros
 *   m s  `username map`, smbpasswd                        d    a record of the account store */
#include "client.h"
#include "auth/internal.h"
#include "auth/passdb.h"
#include "proc/inner.h"
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define BLOCKS_MAX 20u /* of memory that the listener keeps of one client */

static struct daemon listener;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc, (void)argv;
	fuzz_start("[print]\npath = @DIR@/share\nprintable = yes\nprint command = true %s\n");
	listener.conf = fuzz_world->conf;
	listener.db = fuzz_world->db;
	why_open();
	return 0;
}

/* ---- the listener ---- */

static void order(uint8_t kind, const uint8_t *p, size_t n)
{
	struct client *c = talloc_zero(NULL, struct client);
	struct rd r = rd_over(p, n);

	c->ctl = -1;
	strcpy(c->addr, WORLD_ADDR);
	c->box = talloc_strdup(c, "0123456789abcdef0123456789abcdef");
	for (int i = 0; i < 40; i++) { /* the same again: nothing may pile up */
		r.pos = 0;
		if (kind == 'r')
			run_wanted(&listener, c, &r, -1);
		else if (kind == 'p')
			print_job(&listener, c, &r, -1);
		else if (kind == 'h')
			reload_hello(&listener, c, &r);
	}
	if (kind == 'a')
		adopt_hello(&listener, c, &r);
	if (talloc_total_blocks(c) > BLOCKS_MAX)
		abort();
	talloc_free(c);
}

static void refusal(TALLOC_CTX *mem, const uint8_t *p, size_t n)
{
	why_keep(WORLD_ADDR, p, n);
	why_answer(mem, "");
	why_answer(mem, WORLD_ADDR);
	why_answer(mem, "anna");
}

static void identity(TALLOC_CTX *mem, const uint8_t *p, size_t n)
{
	struct ident *id = door_ident_unpack(mem, p, n);
	size_t len;
	uint8_t *again = id ? door_ident_pack(mem, id, &len) : NULL;

	if (id && (!again || !door_ident_unpack(mem, again, len)))
		abort();
}

static void configuration(TALLOC_CTX *mem, const uint8_t *p, size_t n)
{
	int fd = msg_memfd(p, n, true);

	reload_read(mem, fd);
	close(fd);
}

#define MEANING "$(hurt) `hurt`; hurt"

static char *value(TALLOC_CTX *mem, const void *arg, char macro)
{
	(void)arg;
	return talloc_strdup(mem, macro == '%' ? "%" : MEANING);
}

/* What macros mean never becomes text of a shell. */
static void command(TALLOC_CTX *mem, const uint8_t *p, size_t n)
{
	char *line = talloc_strndup(mem, (const char *)p, n);
	struct print_words w;

	if (!print_words_make(mem, line, value, NULL, &w))
		return;
	for (int i = 0; i < w.n; i++)
		if (!w.v[i])
			abort();
	if (w.n >= 3 && strcmp(w.v[1], "-c") == 0 && !strstr(line, MEANING) && strstr(w.v[2], MEANING))
		abort();
}

/* ---- the keeper ---- */

static void text(TALLOC_CTX *mem, uint8_t kind, const uint8_t *p, size_t n)
{
	int fd = memfd_create("text", MFD_CLOEXEC);
	char *name = talloc_asprintf(mem, "/proc/self/fd/%d", fd);
	const char *why = NULL;
	struct smbpasswd *all;

	if (write(fd, p, n) != (ssize_t)n)
		abort();
	if (kind == 'm') {
		usermap_find(mem, usermap_new(mem), name, "anna", "WORKGROUP");
	} else {
		all = smbpasswd_read(mem, mem, name, &why);
		for (size_t i = 0; all && smbpasswd_at(all, i); i++)
			;
		if (!all && !why)
			abort();
	}
	close(fd);
}

/* With the seal that keeps chance damage out. */
static void account(TALLOC_CTX *mem, const uint8_t *p, size_t n)
{
	TDB_DATA key = db_account_key(mem, "anna");
	uint8_t *rec = talloc_size(mem, n + 16);

	memcpy(rec, p, n);
	auth_md5_2(key.dptr, key.dsize, p, n, rec + n);
	db_decode_account(mem, key, db_datum(rec, n + 8));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	uint8_t *p = talloc_memdup(mem, data + 1, size ? size - 1 : 0);
	size_t n = size ? size - 1 : 0;

	switch (size ? data[0] : 0) {
	case 'r':
	case 'p':
	case 'a':
	case 'h':
		order(data[0], p, n);
		break;
	case 'y':
		refusal(mem, p, n);
		break;
	case 'i':
		identity(mem, p, n);
		break;
	case 'c':
		configuration(mem, p, n);
		break;
	case 'w':
		command(mem, p, n);
		break;
	case 'm':
	case 's':
		text(mem, data[0], p, n);
		break;
	case 'd':
		account(mem, p, n);
		break;
	}
	talloc_free(mem);
	return 0;
}
