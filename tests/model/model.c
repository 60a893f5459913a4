/* model.c - see model.h.  Written from MS-FSA 2.1.5 and MS-CIFS 3.3.5, not from the server. */
#include "model.h"
#include <string.h>

/* ---- opens ---- */

static uint32_t does(uint32_t access)
{
	return (access & M_READ ? M_SHARE_READ : 0) | (access & M_WRITE ? M_SHARE_WRITE : 0) |
	       (access & M_DELETE ? M_SHARE_DELETE : 0);
}

static unsigned openers(const struct model *m, unsigned file)
{
	unsigned n = 0;

	for (unsigned i = 0; i < M_OPENS; i++)
		n += m->open[i].used && m->open[i].file == file;
	return n;
}

enum answer m_open(struct model *m, const struct m_open *o, bool create, unsigned *at)
{
	for (*at = 0; *at < M_OPENS && m->open[*at].used;)
		++*at;
	if (*at == M_OPENS)
		return A_ROOM;
	if (!m->file[o->file].exists && !create)
		return A_NO_FILE;
	if (m->file[o->file].doomed)
		return A_DOOMED;
	for (unsigned i = 0; i < M_OPENS && does(o->access); i++) {
		const struct m_open *h = &m->open[i];

		if (h->used && h->file == o->file && does(h->access) &&
		    ((does(o->access) & ~h->share) || (does(h->access) & ~o->share)))
			return A_VIOLATION;
	}
	m->open[*at] = *o;
	m->open[*at].used = true;
	m->file[o->file].exists = true;
	return A_OK;
}

static void drop_lock(struct model *m, size_t i)
{
	m->nlocks--;
	memmove(&m->lock[i], &m->lock[i + 1], (m->nlocks - i) * sizeof(m->lock[0]));
}

static void forget(struct model *m, unsigned at)
{
	m->open[at].used = false;
	for (size_t i = m->nlocks; i-- > 0;)
		if (m->lock[i].open == at)
			drop_lock(m, i);
}

void m_close(struct model *m, unsigned at)
{
	unsigned file = m->open[at].file;

	m->file[file].doomed |= m->open[at].on_close;
	forget(m, at);
	if (m->file[file].doomed && openers(m, file) == 0)
		m->file[file].exists = m->file[file].doomed = false;
}

void m_leave(struct model *m, unsigned client, bool killed)
{
	for (unsigned i = 0; i < M_OPENS; i++) {
		if (!m->open[i].used || m->open[i].client != client)
			continue;
		if (!killed)
			m_close(m, i);
		else
			forget(m, i);
	}
	for (unsigned f = 0; killed && f < M_FILES; f++)
		if (openers(m, f) == 0)
			m->file[f].doomed = false;
}

/* ---- locks ---- */

static bool wraps(uint64_t start, uint64_t length) { return length > 0 && start + (length - 1) < start; }

static bool strictly_inside(uint64_t at, uint64_t start, uint64_t length) { return at > start && at - start < length; }

static bool in_common(uint64_t s1, uint64_t l1, uint64_t s2, uint64_t l2)
{
	if (l1 == 0)
		return strictly_inside(s1, s2, l2);
	if (l2 == 0)
		return strictly_inside(s2, s1, l1);
	return s1 - s2 < l2 || s2 - s1 < l1; /* one begins in the other */
}

static bool same_owner(const struct m_lock *a, const struct m_lock *b) { return a->open == b->open && a->pid == b->pid; }

static bool granted(const struct model *m, const struct m_lock *l)
{
	for (size_t i = 0; i < m->nlocks; i++) {
		const struct m_lock *h = &m->lock[i];

		if (m->open[h->open].file != m->open[l->open].file || !in_common(h->start, h->length, l->start, l->length))
			continue;
		if (l->exclusive || (h->exclusive && !same_owner(h, l)))
			return false;
	}
	return true;
}

enum answer m_lock(struct model *m, const struct m_lock *l, size_t n)
{
	size_t before = m->nlocks;

	if (m->nlocks + n > M_LOCKS)
		return A_ROOM;
	if (!(m->open[l->open].access & (M_READ | M_WRITE)))
		return A_DENIED;
	for (size_t i = 0; i < n; i++)
		if (wraps(l[i].start, l[i].length))
			return A_BAD_RANGE;
	for (size_t i = 0; i < n; i++) {
		if (!granted(m, &l[i])) {
			m->nlocks = before; /* all or none */
			return A_LOCKED;
		}
		m->lock[m->nlocks++] = l[i];
	}
	return A_OK;
}

enum answer m_unlock(struct model *m, const struct m_lock *l)
{
	size_t found = M_LOCKS;

	if (!(m->open[l->open].access & (M_READ | M_WRITE)))
		return A_DENIED;
	for (size_t i = m->nlocks; i-- > 0;) {
		const struct m_lock *h = &m->lock[i];

		if (same_owner(h, l) && h->start == l->start && h->length == l->length &&
		    (found == M_LOCKS || h->exclusive || !m->lock[found].exclusive))
			found = i;
	}
	if (found == M_LOCKS)
		return A_NOT_LOCKED;
	drop_lock(m, found);
	return A_OK;
}

enum answer m_io(const struct model *m, unsigned open, uint16_t pid, uint64_t at, uint64_t n, bool write)
{
	const struct m_lock me = { .open = open, .pid = pid };

	if (!(m->open[open].access & (write ? M_WRITE : M_READ)))
		return A_DENIED;
	for (size_t i = 0; i < m->nlocks; i++) {
		const struct m_lock *h = &m->lock[i];

		if (m->open[h->open].file != m->open[open].file || h->length == 0 || !in_common(h->start, h->length, at, n))
			continue;
		if (h->exclusive ? !same_owner(h, &me) : write)
			return A_LOCKED;
	}
	return A_OK;
}

/* ---- deletion ---- */

enum answer m_doom(struct model *m, unsigned open, bool doom)
{
	if (!(m->open[open].access & M_DELETE))
		return A_DENIED;
	m->file[m->open[open].file].doomed = doom;
	return A_OK;
}
