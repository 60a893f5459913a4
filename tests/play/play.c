/* play.c - plays stories: `play [-v] [--corpus DIR] [--scripts DIR] [--coverage FILE] FILE.story ...`
 *
 * -v shows the server's log of stories that fail; --corpus writes what the clients sent, a file a connection, --scripts a
 * file a story;
 * --coverage writes what was asked and with what outcome (cover.h).
 * Exit status 1 if a story did not go as told. */
#include "play.h"
#include "random.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct run {
	bool loud;
	const char *corpus, *scripts;
	FILE *coverage;
	struct recordings *rec;
	unsigned passed, failed;
};

static void one_story(struct run *r, const char *file)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct story *st;
	char *why = NULL;
	unsigned line = 0;

	if (story_read(mem, file, &st, &why, &line) && play_story(st, r->rec, r->loud, &why, &line)) {
		r->passed++;
		printf("ok - %s\n", file);
	} else {
		r->failed++;
		printf("not ok - %s:%u: expected %s\n", file, line, why ? why : "?");
	}
	fflush(stdout);
	talloc_free(mem);
}

static void write_files(const char *dir, const struct recording *r, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		char *name = talloc_asprintf(NULL, "%s/%s", dir, r[i].name);
		FILE *f = fopen(name, "w");

		if (!f || fwrite(r[i].p, 1, r[i].len, f) != r[i].len || fclose(f) != 0)
			fprintf(stderr, "play: cannot write %s\n", name);
		talloc_free(name);
	}
}

/* A folder that we can write to as the user we become. */
static const char *make_folder(const char *dir)
{
	mkdir(dir, 0755);
	if (geteuid() == 0 && chown(dir, 65534, 65534) != 0)
		perror(dir);
	return dir;
}

static FILE *open_or_leave(const char *name)
{
	FILE *f = fopen(name, "w");

	if (!f) {
		perror(name);
		exit(2);
	}
	return f;
}

int main(int argc, char **argv)
{
	struct run r = { .loud = false };
	int i = 1;

	signal(SIGPIPE, SIG_IGN);
	setenv("TZ", "UTC", 1);
	for (; i < argc && argv[i][0] == '-'; i++) {
		if (strcmp(argv[i], "-v") == 0)
			r.loud = true;
		else if (strcmp(argv[i], "--corpus") == 0 && i + 1 < argc)
			r.corpus = make_folder(argv[++i]);
		else if (strcmp(argv[i], "--scripts") == 0 && i + 1 < argc)
			r.scripts = make_folder(argv[++i]);
		else if (strcmp(argv[i], "--coverage") == 0 && i + 1 < argc)
			r.coverage = open_or_leave(argv[++i]); /* while we still may */
		else
			return fprintf(stderr, "usage: play [-v] [--corpus DIR] [--scripts DIR] [--coverage FILE] FILE.story ...\n"), 2;
	}
	if (r.corpus || r.scripts || r.coverage)
		r.rec = talloc_zero(NULL, struct recordings);
	if (r.corpus || r.scripts)
		random_fix();
	if (r.coverage)
		r.rec->cover = talloc_zero(r.rec, struct coverage);
	world_drop_root();
	for (; i < argc; i++)
		one_story(&r, argv[i]);
	if (r.corpus)
		write_files(r.corpus, r.rec->r, r.rec->n);
	if (r.scripts)
		write_files(r.scripts, r.rec->whole, r.rec->nwhole);
	if (r.coverage)
		cover_write(r.rec->cover, r.coverage);
	printf("%u passed, %u failed\n", r.passed, r.failed);
	return r.failed > 0;
}
