/* flip.c - what the stories send, with every single bit flipped and cut at every byte.
 *
 * The stories are played once; of what their clients sent, the first message of each kind (command, word count,
 * sub-command) is kept with everything that went before it on its connection.  Each variant goes to a fresh connection
 * in this process, behind those first messages: it must not crash, answer with anything but whole messages, or
 * take much memory.  With arguments: these stories instead of tests/play/.  FLIP_ALL=1: long messages too. */
#include "play/local.h"
#include "play/play.h"
#include <glob.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#define MEMORY_MAX (4u << 20)  /* bytes of one connection */
#define LONGEST 260u           /* bytes of a message, frame head included */
#define FRESH_EVERY 1000u      /* the share is filled anew */

struct packet {
	uint64_t kind;
	const uint8_t *before;
	size_t before_len;
	const uint8_t *p;
	size_t len;
	char name[60];
};

static struct world *world;
static struct local local;
static struct packet *packets;
static size_t npackets;
static unsigned runs;

/* ---- what there is ---- */

static uint16_t u16_at(const uint8_t *p, size_t len, size_t at)
{
	return at + 2 <= len ? (uint16_t)((unsigned)p[at] | (unsigned)p[at + 1] << 8) : 0;
}

/* Command, word count, and for transactions the sub-command and its level. */
static uint64_t kind_of(const uint8_t *smb, size_t len)
{
	uint8_t cmd = smb[4];
	uint64_t kind = (uint64_t)cmd << 56 | (uint64_t)smb[32] << 48;
	size_t words = 33, params = u16_at(smb, len, words + 20);

	if (smb[0] == 0xff && smb[1] == 'E') /* sealed: one of them stands for all */
		return (uint64_t)0xff45 << 48;

	if (cmd == 0x32) {
		uint16_t sub = u16_at(smb, len, words + 28);
		size_t level_at = sub == 1 ? 6 : sub == 2 ? 4 : sub == 7 || sub == 8 ? 2 : 0;

		kind |= (uint64_t)sub << 16 | (sub >= 1 && sub <= 8 ? u16_at(smb, len, params + level_at) : 0);
	} else if (cmd == 0x25) {
		kind |= (uint64_t)u16_at(smb, len, words + 28) << 16 | u16_at(smb, len, params);
	} else if (cmd == 0xa0) {
		kind |= u16_at(smb, len, words + 36);
	}
	return kind;
}

static bool known(uint64_t kind)
{
	for (size_t i = 0; i < npackets; i++)
		if (packets[i].kind == kind)
			return true;
	return false;
}

static void take(const struct recording *r, size_t at, size_t len)
{
	const uint8_t *smb = r->p + at + 4;
	uint64_t kind = len >= 4 + SMB_MIN_LEN ? kind_of(smb, len - 4) : (uint64_t)r->p[at] << 56 | 0xffff;
	struct packet *k;

	if (known(kind) || (len > LONGEST && !getenv("FLIP_ALL")))
		return;
	packets = talloc_realloc(NULL, packets, struct packet, (unsigned)npackets + 1);
	k = &packets[npackets++];
	*k = (struct packet){ .kind = kind, .before = r->p, .before_len = at, .p = r->p + at, .len = len };
	snprintf(k->name, sizeof(k->name), "%016llx %.30s", (unsigned long long)kind, r->name);
}

static void split(const struct recording *r)
{
	size_t at = 0;

	while (r->len - at >= 4) {
		struct wire_frame f;

		if (!wire_frame_read(r->p + at, false, &f) || f.len > r->len - at - 4)
			return;
		take(r, at, 4 + f.len);
		at += 4 + f.len;
	}
}

static bool record_story(const char *file, struct recordings *rec)
{
	struct story *st;
	char *why = NULL;
	unsigned line;
	bool ok = story_read(rec, file, &st, &why, &line) && play_story(st, rec, false, &why, &line);

	if (!ok)
		fprintf(stderr, "%s:%u: expected %s\n", file, line, why ? why : "?");
	return ok;
}

/* ---- one variant ---- */

/* Does a READ_RAW occur in these frames?  Its answer is a head and file data. */
static bool asks_raw(const uint8_t *p, size_t len)
{
	while (len >= 9) {
		size_t n = 4 + ((size_t)p[1] << 16 | (size_t)p[2] << 8 | p[3]);

		if (p[8] == 0x1a)
			return true;
		if (n >= len)
			return false;
		p += n;
		len -= n;
	}
	return false;
}

static void play_variant(const struct packet *k, const uint8_t *p, size_t len)
{
	if (runs++ % FRESH_EVERY == 0)
		local_refill(world);
	assert_true(local_open(&local, world));
	local_send(&local, k->before, k->before_len);
	if (!local.over)
		local_send(&local, p, len);
	if (!local_reply_ok(&local, asks_raw(k->before, k->before_len) || asks_raw(p, len)))
		fail_msg("%s: an answer that is no row of messages", k->name);
	if (talloc_total_size(local.c) > MEMORY_MAX)
		fail_msg("%s: %zu bytes of memory", k->name, talloc_total_size(local.c));
	local_close(&local);
}

static void test_flips(void **state)
{
	const struct packet *k = *state;
	uint8_t *p = talloc_memdup(NULL, k->p, k->len);

	for (size_t bit = 0; bit < 8 * k->len; bit++) {
		p[bit / 8] ^= (uint8_t)(1u << bit % 8);
		play_variant(k, p, k->len);
		p[bit / 8] ^= (uint8_t)(1u << bit % 8);
	}
	talloc_free(p);
}

/* Cut with a frame head that tells the truth, and with the old one: the rest never comes. */
static void test_cuts(void **state)
{
	const struct packet *k = *state;
	uint8_t *p = talloc_memdup(NULL, k->p, k->len);

	for (size_t len = 0; len < k->len; len++) {
		memcpy(p, k->p, k->len);
		play_variant(k, p, len);
		if (len < 4)
			continue;
		wire_frame_write(p, k->p[0], (uint32_t)len - 4);
		play_variant(k, p, len);
	}
	talloc_free(p);
}

static bool prepare(int argc, char **argv)
{
	struct recordings *rec = talloc_zero(NULL, struct recordings);
	glob_t g = { .gl_pathc = 0 };
	char *why = NULL;

	for (int i = 1; i < argc; i++)
		record_story(argv[i], rec);
	if (argc < 2 && glob("tests/play/*.story", 0, NULL, &g) == 0)
		for (size_t i = 0; i < g.gl_pathc; i++)
			record_story(g.gl_pathv[i], rec);
	globfree(&g);
	for (size_t i = 0; i < rec->n; i++)
		split(&rec->r[i]);
	world = world_new(NULL, "lanman auth = yes\n", WORLD_QUIET, &why);
	if (!world)
		fprintf(stderr, "%s\n", why);
	return world != NULL && npackets > 0;
}

int main(int argc, char **argv)
{
	struct CMUnitTest *tests;
	int failed;

	signal(SIGPIPE, SIG_IGN);
	setenv("TZ", "UTC", 1);
	world_drop_root();
	if (!prepare(argc, argv))
		return 1;
	tests = calloc(npackets * 2, sizeof(*tests));
	for (size_t i = 0; i < npackets; i++) {
		char *flips = talloc_asprintf(packets, "flips of %s", packets[i].name);
		char *cuts = talloc_asprintf(packets, "cuts of %s", packets[i].name);

		tests[2 * i] = (struct CMUnitTest){ .name = flips, .test_func = test_flips, .initial_state = &packets[i] };
		tests[2 * i + 1] = (struct CMUnitTest){ .name = cuts, .test_func = test_cuts, .initial_state = &packets[i] };
	}
	failed = _cmocka_run_group_tests("flip", tests, npackets * 2, NULL, NULL);
	world_free(&world);
	free(tests);
	return failed;
}
