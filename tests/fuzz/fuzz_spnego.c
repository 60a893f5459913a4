/* fuzz_spnego.c - login blobs: up to four of them, each with two bytes of length in front.  Between two the talk is
 * packed and unpacked, as on its way from the porch to a worker. */
#include "auth/auth.h"
#include "base/str.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct auth_talk_server server = { .netbios_name = "HOST", .domain = "WORKGROUP", .dns_name = "host",
						.dns_domain = "", .challenge = "01234567" };

static struct auth_talk *move(TALLOC_CTX *mem, struct auth_talk *t)
{
	size_t n;
	uint8_t *flat = auth_talk_pack(mem, t, &n);
	struct auth_talk *there = flat ? auth_talk_unpack(mem, &server, flat, n) : NULL;

	if (flat && !there)
		abort();
	return there ? there : t;
}

static void answer(TALLOC_CTX *mem, struct auth_talk *t, const struct auth_question *q)
{
	struct auth_verdict v = { .status = ST_OK, .session_key = "fifteen bytes.." };
	uint8_t *reply, *flat;
	size_t n;

	flat = auth_question_pack(mem, q, &n);
	if (!flat || !auth_question_unpack(mem, flat, n))
		abort(); /* what we ask must be understood */
	auth_talk_finish(t, mem, &v, &reply, &n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct auth_talk *t = auth_talk_new(mem, &server);
	struct rd r = rd_over(data, size);
	const char *why;

	str_setup("CP850", "UTF-8", &why);
	for (int leg = 0; leg < 4 && rd_left(&r) > 2; leg++) {
		uint32_t n = rd_u16(&r);
		const struct auth_question *q = NULL;
		uint8_t *reply = NULL, *exact;
		size_t reply_len = 0;
		status_t st;

		if (n > rd_left(&r))
			n = rd_left(&r);
		exact = malloc(n ? n : 1); /* so that a read behind it is seen */
		memcpy(exact, rd_take(&r, n), n);
		st = auth_talk_step(t, mem, exact, n, &reply, &reply_len, &q);
		free(exact);
		if (st == ST_OK && q)
			answer(mem, t, q);
		if (st != ST_MORE_PROCESSING_REQUIRED)
			break;
		t = move(mem, t);
	}
	talloc_free(mem);
	return 0;
}
