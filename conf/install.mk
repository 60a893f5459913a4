# install.mk - make install DESTDIR= prefix=; nothing of a running system is touched.
prefix ?= /usr/local
sbindir ?= $(prefix)/sbin
bindir ?= $(prefix)/bin
mandir ?= $(prefix)/share/man
docdir ?= $(prefix)/share/doc/smb1d
sysconfdir ?= /etc
unitdir ?= $(if $(filter /usr,$(prefix)),/lib/systemd/system,$(prefix)/lib/systemd/system)
INSTALL ?= install
FILL = sed -e 's|@SBINDIR@|$(sbindir)|g' -e 's|@BINDIR@|$(bindir)|g' -e 's|@SYSCONFDIR@|$(sysconfdir)|g'
ROOT = $(DESTDIR)

install: all $(B)/smb.conf.5
	$(INSTALL) -d "$(ROOT)$(sbindir)" "$(ROOT)$(bindir)" "$(ROOT)$(mandir)/man5" "$(ROOT)$(mandir)/man8" \
		"$(ROOT)$(docdir)" "$(ROOT)$(sysconfdir)/smb1d" "$(ROOT)$(sysconfdir)/init.d" \
		"$(ROOT)$(sysconfdir)/logrotate.d" "$(ROOT)/var/log/smb1d" "$(ROOT)$(unitdir)" "$(ROOT)$(prefix)/lib/tmpfiles.d"
	$(INSTALL) -m 755 $(B)/smb1d "$(ROOT)$(sbindir)/smb1d"
	$(INSTALL) -m 755 $(B)/smb1ctl "$(ROOT)$(bindir)/smb1ctl"
	$(INSTALL) -m 644 $(B)/smb.conf.5 "$(ROOT)$(mandir)/man5/smb1d.conf.5"
	for page in $(wildcard docs/*.8); do $(INSTALL) -m 644 $$page "$(ROOT)$(mandir)/man8/"; done
	$(INSTALL) -m 644 conf/smb.conf.example "$(ROOT)$(docdir)/smb.conf.example"
	test -e "$(ROOT)$(sysconfdir)/smb1d/smb.conf" || \
		$(INSTALL) -m 644 conf/smb.conf.example "$(ROOT)$(sysconfdir)/smb1d/smb.conf"
	$(FILL) conf/smb1d.init > "$(ROOT)$(sysconfdir)/init.d/smb1d"
	chmod 755 "$(ROOT)$(sysconfdir)/init.d/smb1d"
	$(FILL) conf/smb1d.service > "$(ROOT)$(unitdir)/smb1d.service"
	chmod 644 "$(ROOT)$(unitdir)/smb1d.service"
	$(INSTALL) -m 644 conf/smb1d.logrotate "$(ROOT)$(sysconfdir)/logrotate.d/smb1d"
	$(INSTALL) -m 644 conf/smb1d.tmpfiles "$(ROOT)$(prefix)/lib/tmpfiles.d/smb1d.conf"

# smb.conf(5) as smb1d understands it, from the table of parameters
$(B)/smb.conf.5: $(B)/smb1ctl
	$(B)/smb1ctl manual > $@.new
	mv $@.new $@

.PHONY: install
