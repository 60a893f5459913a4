# bench.mk - included by the Makefile: `make bench` (BENCH_ROUNDS=5 BENCH_SECONDS=0.5 BENCH_ONLY=regex).
BB = $(B)/bench
$(BB)/%.o: tests/bench/%.c
	@mkdir -p $(@D)
	@echo "  CC $<"
	@$(CC) $(CFLAGS_ALL) -Itests/bench -c -o $@ $<
$(BB)/load: $(BB)/load.o $(BB)/data.o $(BB)/names.o $(BB)/smb.o $(BB)/usage.o $(B)/libsmb1d.a
	@$(CC) $(LDFLAGS_ALL) -o $@ $^ $(LIBS)
$(BB)/ideal: $(BB)/ideal.o
	@$(CC) $(LDFLAGS_ALL) -o $@ $^
# The daemon without its system call filters, which valgrind's own calls would offend: for counting instructions.
$(BB)/seccomp.o: src/proc/seccomp.c
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS_ALL) -D__SANITIZE_THREAD__ -c -o $@ $<
$(BB)/smb1d-count: $(B)/main.o $(BB)/seccomp.o $(B)/libsmb1d.a
	@$(CC) $(LDFLAGS_ALL) -o $@ $^ $(LIBS)
bench: all $(BB)/load $(BB)/ideal $(BB)/smb1d-count
	@B=$(B) sh tests/bench/run.sh
.PHONY: bench
-include $(wildcard $(BB)/*.d)
