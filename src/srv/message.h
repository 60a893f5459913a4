/* message.h - words between the workers about files: "let this oplock fall", "look again".
 *
 * Nothing here waits.  A break that must arrive (nobody waits for its answer) is sent again by message_tick()
 * while the other worker's queue is full; all others are repeated by whoever waits. */
#ifndef SMB1D_SRV_MESSAGE_H
#define SMB1D_SRV_MESSAGE_H
#include "db/msg.h"
#include "srv/conn.h"

/* From the worker's box: acts on it.  cmd_tick() is due afterwards. */
void conn_message(struct conn *c, enum msg_type type, const struct db_owner *from, struct rd body);
/* Wakes what these processes have waiting for the file; and what this one has. */
void message_wake(struct conn *c, const struct db_file_id *id, const struct db_owner *who, size_t n);
/* Asks the holder to let its oplock fall to `to` (OPLOCK_*), be it this very connection.  sure: must arrive. */
void message_break(struct conn *c, const struct db_file_id *id, const struct db_owner *holder, uint64_t open_id,
		   uint8_t to, bool sure);
/* Returns the clock_ms() at which it wants to be called again, UINT64_MAX never. */
uint64_t message_tick(struct conn *c);
#endif
