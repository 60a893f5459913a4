/* Which openers may be what a dead connection of the client left. */
#include "db_fixture.h"
#include "db/msg.h"
#include "srv/neighbour.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

static struct srv_host host = { .box = (struct msg_box *)&host }; /* is there; never used */
static struct conn *mine;

static struct db_file file(struct db_opener *o, size_t n) { return (struct db_file){ .openers = o, .n = n }; }

static void only_same_address_other_process(void **state)
{
	struct db_opener o[] = {
		{ .owner = { 4242, 1 }, .client = neighbour_key("10.0.0.1") },
		{ .owner = { 4243, 1 }, .client = neighbour_key("10.0.0.2") },
		{ .owner = { 4244, 1 }, .client = 0 },
		{ .owner = db_me(), .client = neighbour_key("10.0.0.1") },
		{ .owner = { 4242, 1 }, .client = neighbour_key("10.0.0.1"), .open_id = 2 },
	};
	struct db_file f = file(o, ARRAY_LEN(o)), rest;
	struct neighbours n;

	(void)state;
	mine->client_key = neighbour_key("10.0.0.1");
	neighbour_among(mine, &f, &n);
	assert_int_equal(n.n, 1);
	assert_int_equal(n.who[0].pid, 4242);
	assert_true(neighbour_without(NULL, &f, &n, &rest));
	assert_int_equal(rest.n, 3);
	assert_int_equal(rest.openers[0].owner.pid, 4243);
	assert_int_equal(f.n, ARRAY_LEN(o));
	talloc_free(rest.openers);
}

static void the_living_are_remembered(void **state)
{
	struct db_opener o = { .owner = { 4242, 1 } };

	(void)state;
	mine->client_key = o.client = neighbour_key("10.0.0.1");
	assert_true(neighbour_is(mine, &o));
	neighbour_lives(mine, &o.owner);
	assert_false(neighbour_is(mine, &o));
	o.owner.start_time = 2; /* the pid was given again */
	assert_true(neighbour_is(mine, &o));
	for (int i = 0; i < 40; i++)
		neighbour_lives(mine, &(struct db_owner){ 5000 + i, 1 });
	o.owner.start_time = 1;
	assert_true(neighbour_is(mine, &o)); /* forgotten: asked once more */
}

/* ---- a probe names the address itself: two that share a key are no neighbours ---- */

/* Both ends of a connection by TCP, whose kernel tells when something was heard. */
static void tcp_pair(int s[2])
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(a);
	int door = socket(AF_INET, SOCK_STREAM, 0);

	assert_int_equal(bind(door, (struct sockaddr *)&a, len), 0);
	assert_int_equal(listen(door, 1), 0);
	assert_int_equal(getsockname(door, (struct sockaddr *)&a, &len), 0);
	s[0] = socket(AF_INET, SOCK_STREAM, 0);
	assert_int_equal(connect(s[0], (struct sockaddr *)&a, len), 0);
	s[1] = accept(door, NULL, NULL);
	assert_true(s[1] >= 0);
	close(door);
}

static unsigned answers;

static void count(void *arg, enum msg_type type, const struct db_owner *from, struct rd body)
{
	(void)arg;
	(void)from;
	(void)body;
	answers += type == MSG_ALIVE;
}

/* Asked as a worker asks that serves a client of this address: what did it hear at once? */
static unsigned asked_by(struct conn *c, const char *addr)
{
	uint8_t body[100];
	struct wr w = wr_over(body, sizeof(body));
	struct rd r;
	struct db_owner me = db_me();

	wr_u64(&w, UINT64_MAX / 2); /* it began long after the client was heard from */
	wr_bytes(&w, addr, strlen(addr));
	r = rd_over(body, wr_tell(&w));
	neighbour_probed(c, &me, &r);
	answers = 0;
	box_receive(c->host->box, count, NULL);
	return answers;
}

static void same_key_other_address(void **state)
{
	struct fixture *f = *state;
	const char *why = NULL;
	struct srv_host here = { .db = fixture_open(f) };
	struct conn *c = talloc_zero(NULL, struct conn);
	struct fastio_tuning t = { .max_frame = 140000 };
	struct rd end = rd_over("10.0.0.2", 8);
	int s[2];

	tcp_pair(s);
	c->host = &here;
	c->io = fastio_new(c, s[0], &t);
	c->client_addr = "10.0.0.1";
	c->client_key = neighbour_key("10.0.0.2"); /* as if the two had one */
	here.box = box_open(c, f->db, &why);
	assert_non_null(here.box);
	assert_int_equal(asked_by(c, "10.0.0.2"), 1);
	assert_int_equal(asked_by(c, "10.0.0.11"), 1);
	assert_int_equal(asked_by(c, ""), 1);
	assert_int_equal(asked_by(c, "10.0.0.1"), 0); /* its own client: TCP is asked first */
	neighbour_end(c, &end);
	assert_null(c->dead);
	talloc_free(c);
	close(s[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_same_address_other_process),
		cmocka_unit_test(the_living_are_remembered),
		cmocka_unit_test_setup_teardown(same_key_other_address, fixture_setup, fixture_teardown),
	};

	mine = talloc_zero(NULL, struct conn);
	mine->host = &host;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
