/* table.c - the commands, by opcode. */
#include "cmd/cmd.h"

#define FILES (NEED_SESSION | NEED_TREE)
#define NAMES (NEED_SESSION | NEED_TREE | DISK_ONLY | BECOME)

const struct cmd_row cmd_table[256] = {
	[0x00] = { "create_directory", WORDS(0), NAMES | CHANGES, cmd_create_directory },
	[0x01] = { "delete_directory", WORDS(0), NAMES | CHANGES, cmd_delete_directory },
	[0x04] = { "close", WORDS(3), FILES, cmd_close },
	[0x05] = { "flush", WORDS(1), FILES, cmd_flush },
	[0x06] = { "delete", WORDS(1), NAMES | CHANGES, cmd_delete },
	[0x07] = { "rename", WORDS(1), NAMES | CHANGES, cmd_rename },
	[0x08] = { "query_information", WORDS(0), NAMES, cmd_query_information },
	[0x09] = { "set_information", WORDS(8), NAMES | CHANGES, cmd_set_information },
	[0x0a] = { "read", WORDS(5), FILES, cmd_read },
	[0x0b] = { "write", WORDS(5), FILES, cmd_write },
	[0x10] = { "check_directory", WORDS(0), NAMES, cmd_check_directory },
	[0x11] = { "process_exit", WORDS(0), NEED_SESSION, cmd_process_exit },
	[0x22] = { "set_information2", WORDS(7), FILES | BECOME, cmd_set_information2 },
	[0x23] = { "query_information2", WORDS(1), FILES | BECOME, cmd_query_information2 },
	[0x25] = { "transaction", WORDS_FROM(14), FILES, cmd_transaction },
	[0x26] = { "transaction_secondary", WORDS(8), FILES, cmd_transaction_secondary },
	[0x2b] = { "echo", WORDS(1), IN_PORCH, cmd_echo },
	[0x2d] = { "open_andx", WORDS(15), FILES | ANDX | BECOME, cmd_open_andx },
	[0x2e] = { "read_andx", WORDS(10) | WORDS(12), FILES | ANDX, cmd_read_andx },
	[0x2f] = { "write_andx", WORDS(12) | WORDS(14), FILES | ANDX, cmd_write_andx },
	[0x32] = { "transaction2", WORDS_FROM(14), FILES, cmd_transaction2 },
	[0x33] = { "transaction2_secondary", WORDS(9), FILES, cmd_transaction2_secondary },
	[0x34] = { "find_close2", WORDS(1), FILES, cmd_find_close2 },
	[0x70] = { "tree_connect", WORDS(0), NEED_SESSION, cmd_tree_connect },
	[0x71] = { "tree_disconnect", WORDS(0), FILES, cmd_tree_disconnect },
	[0x72] = { "negotiate", WORDS(0), IN_PORCH | BEFORE_NEGOTIATE, cmd_negotiate },
	[0x73] = { "session_setup_andx", WORDS(10) | WORDS(12) | WORDS(13), IN_PORCH | ANDX, cmd_session_setup },
	[0x74] = { "logoff_andx", WORDS(2), NEED_SESSION | ANDX, cmd_logoff },
	[0x75] = { "tree_connect_andx", WORDS(4), NEED_SESSION | ANDX, cmd_tree_connect_andx },
	[0x80] = { "query_information_disk", WORDS(0), NAMES, cmd_query_information_disk },
	[0xa0] = { "nt_transact", WORDS_FROM(19), FILES, cmd_nt_transact },
	[0xa1] = { "nt_transact_secondary", WORDS(18), FILES, cmd_nt_transact_secondary },
	[0xa2] = { "nt_create_andx", WORDS(24), FILES | ANDX | BECOME, cmd_nt_create_andx },
	[0xa4] = { "nt_cancel", WORDS(0), NEED_SESSION, cmd_nt_cancel },
};

struct cmd_counter cmd_count[256];
