/* fuzz_records.c - flat records that processes send each other; the first byte says which.  Records that were made
 * by a process that spoke with a client are as hostile as the client. */
#include "client.h"
#include <stdlib.h>

static struct local local;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc, (void)argv;
	fuzz_start(NULL);
	return 0;
}

static void question(TALLOC_CTX *mem, const uint8_t *p, size_t n)
{
	struct auth_question *q = auth_question_unpack(mem, p, n);
	size_t len;
	uint8_t *again = q ? auth_question_pack(mem, q, &len) : NULL;
	struct conf_macros m = { .client_addr = "192.0.2.7" };
	const char *why;

	if (q && (!again || !auth_question_unpack(mem, again, len)))
		abort();
	if (q && !fuzz_world->keeper)
		fuzz_world->keeper = auth_keeper_open(fuzz_world, fuzz_world->conf, &why);
	if (q && fuzz_world->keeper)
		auth_keeper_answer(mem, fuzz_world->keeper, q, fuzz_world->host.challenge, &m);
}

static void verdict(TALLOC_CTX *mem, const uint8_t *p, size_t n)
{
	struct auth_verdict *v = auth_verdict_unpack(mem, p, n);
	size_t len;
	uint8_t *again = v ? auth_verdict_pack(mem, v, &len) : NULL;

	if (v && (!again || !auth_verdict_unpack(mem, again, len)))
		abort();
}

/* A connection taken over, with whatever bytes the record brings. */
static void takeover(const uint8_t *p, size_t n)
{
	if (!local_open(&local, fuzz_world))
		abort();
	if (conn_takeover(local.c, p, n))
		local_send(&local, (const uint8_t *)"\x85\0\0\0", 4);
	local_close(&local);
}

static void small_ones(const uint8_t *p, size_t n)
{
	struct wire_nbt_name called, calling;
	struct wire_frame f;
	struct smb_hdr h;

	if (n >= 4)
		wire_frame_read(p, n & 1, &f);
	wire_nbt_request(p, n, &called, &calling);
	wire_hdr_read(p, n, &h);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct auth_talk_server who = { .netbios_name = "HOST", .domain = "W", .dns_name = "", .dns_domain = "" };
	uint8_t *p = talloc_memdup(mem, data + 1, size ? size - 1 : 0);
	size_t n = size ? size - 1 : 0;

	switch (size ? data[0] : 0) {
	case 'q':
		question(mem, p, n);
		break;
	case 'v':
		verdict(mem, p, n);
		break;
	case 'c':
		conf_unpack(mem, p, n);
		break;
	case 't':
		auth_talk_unpack(mem, &who, p, n);
		break;
	case 'h':
		takeover(p, n);
		break;
	case 'w':
		small_ones(p, n);
		break;
	}
	talloc_free(mem);
	return 0;
}
