# tests.mk - included by the Makefile.  Needs B, CC, CFLAGS_ALL, LDFLAGS_ALL, LIBS and $(B)/libsmb1d.a.
#
#   unit-run    every tests/unit/test_*.c, a program each           play-run   the stories
#   docs        docs/commands.md, options.md, profiles.md  docs-check  are they as they would be made?
#   model-run   random opens, locks, closes of five clients agree with a model (MODEL_SEED, MODEL_STEPS)
#   fault-run   stories of several clients, whose workers' messages come late or not at all (FAULT_SEEDS)
#   flip-run    bit flips and cuts of what the stories send         fuzz        each harness FUZZ_SECONDS long
#   fuzz-coverage  lines that the corpora of `make fuzz` reach
#   storm-run   STORM_MESSAGES of what the stories send, spoiled, by many clients at once
FUZZ_SECONDS ?= 60
STORM_MESSAGES ?= 20000
FUZZ_CC ?= clang
TB = $(B)/tests
TEST_CFLAGS = $(CFLAGS_ALL) -Itests

UNIT_SRC := $(sort $(wildcard tests/unit/test_*.c))
UNIT_BIN := $(UNIT_SRC:tests/unit/%.c=$(TB)/unit/%)
PLAY_SRC := $(filter-out tests/play/play.c,$(sort $(wildcard tests/play/*.c)))
PLAY_OBJ := $(PLAY_SRC:tests/%.c=$(TB)/%.o)
STORIES := $(sort $(wildcard tests/play/*.story)) $(sort $(wildcard tests/multi/*.story))

$(TB)/%.o: tests/%.c
	@mkdir -p $(@D)
	@echo "  CC $<"
	@$(CC) $(TEST_CFLAGS) -c -o $@ $<
$(TB)/unit/%: $(TB)/unit/%.o $(B)/libsmb1d.a
	@echo "  LD $@"
	@$(CC) $(LDFLAGS_ALL) -o $@ $< $(B)/libsmb1d.a -lcmocka $(LIBS)
.SECONDARY: $(UNIT_BIN:%=%.o)

PLAY_WRAP = -Wl,--wrap=util_random,--wrap=fs_quota,--wrap=fs_quota_set
$(B)/play: $(TB)/play/play.o $(PLAY_OBJ) $(TB)/wire/sane.o $(B)/libsmb1d.a
	@echo "  LD $@"
	@$(CC) $(LDFLAGS_ALL) $(PLAY_WRAP) -o $@ $^ $(LIBS)
$(B)/flip: $(TB)/wire/flip.o $(PLAY_OBJ) $(TB)/wire/sane.o $(B)/libsmb1d.a
	@echo "  LD $@"
	@$(CC) $(LDFLAGS_ALL) $(PLAY_WRAP) -o $@ $^ -lcmocka $(LIBS)

# The daemon with attempts to break out of each of its processes (tests/walls/inside.c).
$(B)/smb1d-walls: $(B)/main.o $(TB)/walls/inside.o $(B)/libsmb1d.a
	@echo "  LD $@"
	@$(CC) $(LDFLAGS_ALL) -Wl,--wrap=seccomp_porch,--wrap=walls_porch_last,--wrap=loop_run,--wrap=fs_process_favours -o $@ $^ $(LIBS)
-include $(TB)/walls/inside.d
walls-run: all $(B)/smb1d-walls
	@B=$(B) bash tests/clients/walls.sh

unit-run: $(UNIT_BIN)
	@sh tests/run-unit.sh $(UNIT_BIN)
$(B)/commands: $(TB)/commands/commands.o $(TB)/commands/rows.o $(TB)/play/cover.o $(B)/libsmb1d.a
	@echo "  LD $@"
	@$(CC) $(LDFLAGS_ALL) -o $@ $^ $(LIBS)
$(B)/coverage: $(B)/play $(STORIES)
	@$(B)/play --coverage $@ $(STORIES)
play-run: $(B)/play
	@$(B)/play --coverage $(B)/coverage $(STORIES)
docs: $(B)/commands $(B)/coverage
	@$(B)/commands $(B)/coverage >docs/commands.md
	@$(B)/commands --options >docs/options.md
	@$(B)/commands --profiles >docs/profiles.md
docs-check: $(B)/commands $(B)/coverage
	@$(B)/commands $(B)/coverage | diff -u docs/commands.md - || { echo "FAIL docs/commands.md: run \`make docs\`"; exit 1; }
	@$(B)/commands --options | diff -u docs/options.md - || { echo "FAIL docs/options.md: run \`make docs\`"; exit 1; }
	@$(B)/commands --profiles | diff -u docs/profiles.md - || { echo "FAIL docs/profiles.md: run \`make docs\`"; exit 1; }
# ---- messages between workers that come late, get lost, find queues full ----
FAULT_SEEDS ?= 1 2
# not these: what the first two meet depends on how long a copy takes, and a late message takes longer; how long the third waits is said
MANY := $(filter-out tests/multi/copy-pieces.story tests/multi/sign-copies.story tests/multi/sharing-stays.story,$(shell grep -l '2: connect' tests/play/*.story tests/multi/*.story))
$(B)/fault.so: tests/fault/fault.c
	@echo "  LD $@"
	@$(CC) $(TEST_CFLAGS) -fPIC -shared -o $@ $<
fault-run: $(B)/play $(B)/fault.so
	@B=$(B) bash tests/fault/run.sh "$(FAULT_SEEDS)" $(MANY)

# ---- random opens, locks, closes against a model ----
MODEL_SEED ?= $(shell date +%s)
MODEL_STEPS ?= 100000
$(B)/model: $(TB)/model/run.o $(TB)/model/model.o $(TB)/bench/smb.o $(TB)/play/world.o $(B)/libsmb1d.a
	@echo "  LD $@"
	@$(CC) $(LDFLAGS_ALL) -o $@ $^ $(LIBS)
model-run: $(B)/model
	@$(B)/model $(MODEL_SEED) $(MODEL_STEPS)

flip-run: $(B)/flip
	@sh tests/run-unit.sh $(B)/flip

# ---- many clients at once, their messages spoiled ----
$(B)/storm: $(TB)/wire/storm.o $(TB)/wire/sane.o $(TB)/bench/smb.o $(B)/libsmb1d.a
	@echo "  LD $@"
	@$(CC) $(LDFLAGS_ALL) -o $@ $^ $(LIBS)
storm-run: all $(B)/play $(B)/storm
	@B=$(B) bash tests/clients/storm.sh $(STORM_MESSAGES)

# ---- fuzzing: everything anew with clang's instruments, in a build directory of its own ----
FB = $(B)-fuzz
FUZZ_SAN = -fsanitize=address,undefined -fno-sanitize-recover=undefined
FUZZ_FLAGS = -std=c11 -D_GNU_SOURCE -Isrc -Iinclude -Itests -O1 -g -fno-omit-frame-pointer $(FUZZ_SAN)
FUZZ_SRC := $(sort $(wildcard tests/fuzz/fuzz_*.c))
FUZZ_BIN := $(FUZZ_SRC:tests/fuzz/%.c=$(FB)/%)
FUZZ_LIB_OBJ := $(SRC:src/%.c=$(FB)/%.o)

$(FB)/%.o: src/%.c
	@mkdir -p $(@D)
	@echo "  CC $<"
	@$(FUZZ_CC) $(FUZZ_FLAGS) -fsanitize=fuzzer-no-link -MMD -MP -c -o $@ $<
$(FB)/libsmb1d.a: $(FUZZ_LIB_OBJ)
	@rm -f $@
	@ar rcs $@ $^
FUZZ_HELP := tests/fuzz/client.c tests/play/world.c tests/play/local.c tests/play/random.c tests/play/quota.c tests/wire/sane.c
FUZZ_WRAP = -Wl,--wrap=util_random,--wrap=fs_quota,--wrap=fs_quota_set
$(FB)/fuzz_many: FUZZ_WRAP := $(FUZZ_WRAP),--wrap=getpid,--wrap=clock_ms
$(FB)/fuzz_%: tests/fuzz/fuzz_%.c $(FUZZ_HELP) $(FB)/libsmb1d.a
	@mkdir -p $(@D)
	@echo "  LD $@"
	@$(FUZZ_CC) $(FUZZ_FLAGS) -fsanitize=fuzzer $(FUZZ_WRAP) -o $@ $(filter %.c,$^) $(FB)/libsmb1d.a $(LIBS)

fuzz: $(B)/play $(FUZZ_BIN)
	@sh tests/fuzz/run.sh $(FB) $(B)/play $(FUZZ_SECONDS) $(FUZZ_BIN)

# How much of it the corpora reach that `make fuzz` has collected.
fuzz-coverage: $(B)/play
	@$(MAKE) --no-print-directory FB=$(B)-cov FUZZ_SAN="-fprofile-instr-generate -fcoverage-mapping" $(FUZZ_SRC:tests/fuzz/%.c=$(B)-cov/%)
	@sh tests/fuzz/coverage.sh $(B)-cov $(B)-fuzz/corpus $(notdir $(FUZZ_BIN))

.PHONY: fuzz-coverage storm-run walls-run unit-run play-run flip-run fuzz docs docs-check
-include $(PLAY_OBJ:.o=.d) $(TB)/play/play.d $(TB)/wire/flip.d $(TB)/wire/storm.d $(TB)/wire/sane.d $(TB)/commands/commands.d $(TB)/commands/rows.d $(UNIT_BIN:%=%.d) $(FUZZ_LIB_OBJ:.o=.d)
