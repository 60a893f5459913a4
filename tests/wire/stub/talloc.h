/* talloc.h - enough of it for headers, where the cross compiler has no talloc.  Nothing allocates here. */
#ifndef SMB1D_TEST_STUB_TALLOC_H
#define SMB1D_TEST_STUB_TALLOC_H
typedef void TALLOC_CTX;
#endif
