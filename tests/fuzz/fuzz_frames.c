/* fuzz_frames.c - a client's byte stream into a whole connection with a share, in this process.
 *
 * A stream that begins with `L` comes behind a login and a tree connect that have gone well, so that the bytes
 * reach the commands; anything else starts with the first byte on the wire, as the recordings of the stories do. */
#include "client.h"

static struct local local;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc, (void)argv;
	fuzz_start("lanman auth = yes\n");
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_connect(&local);
	if (size > 0 && data[0] == 'L') {
		fuzz_login(&local);
		data++, size--;
	}
	local_send(&local, data, size);
	/* where a READ_RAW may have been asked, an answer need not be an SMB */
	fuzz_check(&local, size >= 5 && memmem(data, size, "\xffSMB\x1a", 5));
	local_close(&local);
	return 0;
}
