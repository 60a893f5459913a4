/* why.h - a refusal, told so that somebody can do something about it.
 *
 * Each has who asked for what, the rule that said no (a parameter, its value, where it is set) and what would allow it.
 * It goes to the log at level 1 and, as a bounded record, to whoever keeps them for `smb1ctl why`: a process
 * that speaks with a client passes it to the listener, which adds the client's address itself. */
#ifndef SMB1D_CONF_WHY_H
#define SMB1D_CONF_WHY_H
#include "base/log.h"
#include "conf/conf.h"

struct why {
	enum log_class cls;
	const struct conf *conf;        /* NULL: no setting is named */
	const struct conf_share *share; /* the section that decides; NULL: [global] */
	const char *param;              /* the rule; NULL: no setting decides this */
	const char *user, *where;       /* who asked, for which share; NULL: not known (yet) */
	const char *fix;                /* what would allow it; NULL: nothing */
	bool often;                     /* of a kind that comes by the thousand: what is not told is not logged */
};
/* The sentence says what was refused.  How many a process may tell is bounded: 30 at once, then 2 a second; the
 * log has a bound of its own.  Errno stays as it was. */
void why_refused(const struct why *w, const char *fmt, ...) __attribute__((cold, format(printf, 2, 3)));

/* Would one of the kind that comes often be told now?  For who has to look for its reason. */
bool why_can_tell(void);

/* How often why_refused() was called: to see whether somebody has explained a refusal already. */
unsigned why_count(void);

/* Where the records go; without one there is only the log. */
void why_to(void (*sink)(void *arg, const uint8_t *record, size_t len), void *arg);

#define WHY_RECORD_MAX 1024 /* bytes */
struct why_record { const char *user, *where, *what, *rule, *place, *fix; }; /* never NULL; printable UTF-8 */
/* A record read back, children of mem; texts are cut to what fits and cleaned of control characters, for a
 * record may come from a process that its client has taken over.  False: malformed. */
bool why_read(TALLOC_CTX *mem, const uint8_t *p, size_t len, struct why_record *out);
#endif
