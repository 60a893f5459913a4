/* cmd.h - the table of commands and the walk along an AndX chain.
 *
 * cmd/table.c names each opcode; cmd/dispatch.c passes every link through one gate.  A command is a file of its own:
 * decode, run, encode, put together by a cmd_<name>() that the table points to. */
#ifndef SMB1D_CMD_CMD_H
#define SMB1D_CMD_CMD_H
#include "srv/open.h"
#include "srv/req.h"

#define WORDS(n) (1ull << (n))
#define WORDS_FROM(n) (~0ull << (n)) /* n words or more */

#define NEED_SESSION 0x01u
#define NEED_TREE 0x02u
#define ANDX 0x04u
#define CHANGES 0x08u      /* refused on a read-only tree with ACCESS_DENIED */
#define IN_PORCH 0x10u     /* allowed before login */
#define DISK_ONLY 0x20u    /* not on IPC$, not on printers */
#define BECOME 0x40u       /* runs with the user's rights: req_become() before it */
#define BEFORE_NEGOTIATE 0x80u
#define HANDLE 0x100u      /* its first parameter is a FID */

struct cmd_row {
	const char *name;
	uint64_t words;         /* accepted word counts, a bit each (63 stands for 63 and more) */
	unsigned flags;
	status_t (*run)(struct req *q);
};
struct cmd_counter { uint64_t calls, errors; };
extern const struct cmd_row cmd_table[256];
extern struct cmd_counter cmd_count[256];

/* One message from the client (without the frame head).  Replies are sent from inside.  Sets c->dead or
 * c->handover if the connection cannot go on here. */
void cmd_message(struct conn *c, const uint8_t *msg, size_t len);
/* All complete frames in the receive buffer; session requests and keepalives too.  True while the caller should receive
 * again, false when it must wait (or c->dead / c->handover is set). */
bool cmd_pump(struct conn *c);
/* Runs waiting requests whose time has come.  Returns the clock_ms() of the next one (UINT64_MAX: none).  To be called after
 * cmd_pump(), after messages from other workers, and when that time has come. */
uint64_t cmd_tick(struct conn *c);

/* What had been explained and refused when a command began. */
struct told {
	unsigned refusals;
	struct fs_refused fs;
};
/* Tells the log and `smb1ctl why` why a command was refused with this status, if nobody has yet (cmd/explain.c). */
void cmd_explain(struct req *q, const struct cmd_row *row, status_t st, const struct told *before);

/* Refused, as the share has no files, or is no printer. */
status_t cmd_no_disk(struct req *q);
status_t cmd_no_printer(struct req *q);
/* The same for a command that succeeded but for what its user has no right to: the owner of a new file, times at close. */
void cmd_explain_part(struct req *q, const struct cmd_row *row);

/* Tells the audit log about a change by name that was refused; opens tell of themselves. */
void cmd_audit(const struct req *q, status_t st);

status_t cmd_negotiate(struct req *q);
status_t cmd_session_setup(struct req *q);
status_t cmd_logoff(struct req *q);
status_t cmd_tree_connect_andx(struct req *q);
status_t cmd_tree_connect(struct req *q);
status_t cmd_tree_disconnect(struct req *q);
status_t cmd_echo(struct req *q);
status_t cmd_process_exit(struct req *q);
status_t cmd_nt_create_andx(struct req *q);
status_t cmd_open_andx(struct req *q);
status_t cmd_close(struct req *q);
status_t cmd_flush(struct req *q);
status_t cmd_read_andx(struct req *q);
status_t cmd_write_andx(struct req *q);
status_t cmd_read(struct req *q);
status_t cmd_write(struct req *q);
status_t cmd_delete(struct req *q);
status_t cmd_rename(struct req *q);
status_t cmd_create_directory(struct req *q);
status_t cmd_delete_directory(struct req *q);
status_t cmd_check_directory(struct req *q);
status_t cmd_query_information(struct req *q);
status_t cmd_set_information(struct req *q);
status_t cmd_query_information2(struct req *q);
status_t cmd_set_information2(struct req *q);
status_t cmd_query_information_disk(struct req *q);
status_t cmd_transaction(struct req *q);           /* 0x25: RAP and named pipes */
status_t cmd_transaction_secondary(struct req *q);
status_t cmd_transaction2(struct req *q);          /* 0x32 */
status_t cmd_transaction2_secondary(struct req *q);
status_t cmd_nt_transact(struct req *q);           /* 0xa0 */
status_t cmd_nt_transact_secondary(struct req *q);
status_t cmd_find_close2(struct req *q);
status_t cmd_nt_cancel(struct req *q);
status_t cmd_lock_byte_range(struct req *q);
status_t cmd_unlock_byte_range(struct req *q);
status_t cmd_lock_and_read(struct req *q);
status_t cmd_write_and_unlock(struct req *q);
status_t cmd_locking_andx(struct req *q);
/* READ without its words; it makes the reply.  WRITE's data block, whose bytes come next: *done is what was written. */
status_t cmd_read_block(struct req *q, struct open *o, uint32_t off, uint32_t want);
/* Are so many bytes sent straight from their file, if nothing else is against it? */
bool cmd_sends_file(const struct open *o, uint32_t len);
/* What there is of these bytes becomes the tail of the reply (q->tail_len), to be sent straight from the file.  False: they
 * have to be copied. */
bool cmd_read_tail(struct req *q, const struct open *o, uint64_t off, uint32_t want);
status_t cmd_write_block(struct req *q, struct open *o, uint32_t off, uint32_t count, uint32_t *done);
status_t cmd_open(struct req *q);
status_t cmd_create(struct req *q);
status_t cmd_create_new(struct req *q);
status_t cmd_create_temporary(struct req *q);
status_t cmd_seek(struct req *q);
status_t cmd_write_and_close(struct req *q);
status_t cmd_close_and_tree_disc(struct req *q);
status_t cmd_mpx(struct req *q);
status_t cmd_messenger(struct req *q);
status_t cmd_nt_rename(struct req *q);
status_t cmd_copy(struct req *q);
status_t cmd_move(struct req *q);
status_t cmd_search(struct req *q);
status_t cmd_find(struct req *q);
status_t cmd_find_unique(struct req *q);
status_t cmd_find_close(struct req *q);
status_t cmd_read_raw(struct req *q);
status_t cmd_write_raw(struct req *q);
/* The frame behind a WRITE_RAW that was accepted: `len` bytes of data without a header. */
void cmd_raw_data(struct conn *c, const uint8_t *p, size_t len);
/* ... diverted to the file while it comes (cmd/write_direct.h): would a frame of that length fit; its first bytes (returns the
 * descriptor for the others, -1: they are dropped); may what is still to come be written; its end, and why the rest was dropped. */
bool cmd_raw_takes(const struct conn *c, uint32_t len);
int cmd_raw_begin(struct conn *c, const uint8_t *p, uint32_t len, uint64_t *off);
status_t cmd_raw_may(const struct conn *c, uint64_t off, size_t len);
void cmd_raw_end(struct conn *c, size_t written, status_t rest);
status_t cmd_ioctl(struct req *q);
status_t cmd_open_print_file(struct req *q);
status_t cmd_write_print_file(struct req *q);
status_t cmd_close_print_file(struct req *q);
status_t cmd_get_print_queue(struct req *q);
#endif
