# smb1d - see README.md.
#   all (build/smb1d, build/smb1ctl)   test   asan   lint   fuzz   bench   demo   deps   install   clean
B ?= build
CC ?= gcc
OPT ?= -O2 -g
HARDEN = -fstack-protector-strong -D_FORTIFY_SOURCE=2 -fPIE -fstack-clash-protection
WARN = -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wformat=2
WERROR ?=
SAN ?=
# Each shared library is five mappings more in every process of every client, to be copied by fork and undone at exit:
# what is here as an archive goes into the program (docs/fast-path.md).  LINK=shared: none.  libtdb's is not complete.
LINK ?= static
archive = $(if $(filter static,$(LINK)),$(if $(findstring /,$(shell $(CC) -print-file-name=lib$(1).a)),-l:lib$(1).a,-l$(1)),-l$(1))
LIBS := $(foreach l,event_core talloc popt iniparser nettle,$(call archive,$(l))) -ltdb
CFLAGS_ALL = -std=c11 -D_GNU_SOURCE -Isrc -Iinclude -I/usr/include/iniparser $(OPT) $(WARN) $(WERROR) \
	$(if $(SAN),$(SAN),$(HARDEN)) -MMD -MP $(CFLAGS)
LDFLAGS_ALL = $(if $(SAN),$(SAN),-pie -Wl,-z,relro,-z,now -Wl,--sort-section=name) $(LDFLAGS)

ROOMS = base wire conf db fs auth fastio rpc srv cmd proc
SRC := $(sort $(foreach r,$(ROOMS),$(wildcard src/$(r)/*.c) $(wildcard src/$(r)/*/*.c)))
OBJ := $(SRC:src/%.c=$(B)/%.o)
CTLOBJ := $(patsubst src/%.c,$(B)/%.o,$(wildcard src/ctl/*.c))

all: $(B)/smb1d $(B)/smb1ctl

$(B)/libsmb1d.a: $(OBJ)
	@rm -f $@
	@ar rcs $@ $^
$(B)/smb1d: $(B)/main.o $(B)/libsmb1d.a
	$(CC) $(LDFLAGS_ALL) -o $@ $^ $(LIBS)
$(B)/smb1ctl: $(CTLOBJ) $(B)/libsmb1d.a
	$(CC) $(LDFLAGS_ALL) -o $@ $^ $(LIBS)
$(B)/%.o: src/%.c
	@mkdir -p $(@D)
	@echo "  CC $<"
	@$(CC) $(CFLAGS_ALL) -c -o $@ $<

# One command each: everything needed is installed on a Debian or Ubuntu with root.
deps:
	@sh conf/deps.sh
demo: deps
	@$(MAKE) --no-print-directory all
	@sh conf/demo.sh $(B)
test: deps
	@$(MAKE) --no-print-directory all
	@B=$(B) bash tests/run.sh
# freed pieces of a talloc pool are no freed memory to the sanitizer: they are filled with what is no bool, pointer or length
asan: deps
	@TALLOC_FREE_FILL=0xdd $(MAKE) --no-print-directory B=build-asan OPT="-O1 -g -fno-omit-frame-pointer" \
		SAN="-fsanitize=address,undefined -fno-sanitize-recover=undefined" all unit-run play-run flip-run storm-run
lint: deps
	@$(MAKE) --no-print-directory B=build-lint WERROR=-Werror all
	@bash tests/lint.sh

clean:
	rm -rf build build-*
.PHONY: all deps demo test asan lint clean
-include conf/install.mk
-include tests/tests.mk
-include tests/bench/bench.mk
-include $(OBJ:.o=.d) $(CTLOBJ:.o=.d) $(B)/main.d
