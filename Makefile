# smb1d - see README.md.  Targets: all, test, asan, lint, fuzz, bench, install, demo, deps, clean.
B ?= build
CC ?= gcc
OPT ?= -O2 -g
HARDEN = -fstack-protector-strong -D_FORTIFY_SOURCE=2 -fPIE -fcf-protection
WARN = -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wformat=2
WERROR ?=
SAN ?=
LIBS = -levent_core -ltdb -ltalloc -lpopt -liniparser -lnettle
CFLAGS_ALL = -std=c11 -D_GNU_SOURCE -Isrc -Iinclude $(OPT) $(WARN) $(WERROR) $(if $(SAN),$(SAN),$(HARDEN)) -MMD -MP $(CFLAGS)
LDFLAGS_ALL = $(if $(SAN),$(SAN),-pie -Wl,-z,relro,-z,now) $(LDFLAGS)

ROOMS = base wire conf db fs auth fastio rpc srv cmd proc
SRC := $(sort $(foreach r,$(ROOMS),$(wildcard src/$(r)/*.c) $(wildcard src/$(r)/*/*.c)))
OBJ := $(SRC:src/%.c=$(B)/%.o)
CTLSRC := $(wildcard src/ctl/*.c)
CTLOBJ := $(CTLSRC:src/%.c=$(B)/%.o)

all: $(B)/smb1d $(B)/smb1ctl

$(B)/libsmb1d.a: $(OBJ)
	@rm -f $@
	ar rcs $@ $^
$(B)/smb1d: $(B)/main.o $(B)/libsmb1d.a
	$(CC) $(LDFLAGS_ALL) -o $@ $^ $(LIBS)
$(B)/smb1ctl: $(CTLOBJ) $(B)/libsmb1d.a
	$(CC) $(LDFLAGS_ALL) -o $@ $^ $(LIBS)
$(B)/%.o: src/%.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -c -o $@ $<

clean:
	rm -rf build build-*
.PHONY: all clean
-include $(OBJ:.o=.d) $(CTLOBJ:.o=.d)
