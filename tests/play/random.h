/* random.h - random numbers that are the same each time. */
#ifndef SMB1D_PLAY_RANDOM_H
#define SMB1D_PLAY_RANDOM_H

/* From now on, from the beginning. */
void random_fix(void);
#endif
