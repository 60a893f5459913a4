/* idtab.c - a table of slots with a first-in first-out list of free ones. */
#include "base/idtab.h"

#define MIN_REST 32u /* numbers that must lie free before one is used again while new ones are left */

struct idtab *idtab_new(TALLOC_CTX *mem, uint16_t max)
{
	struct idtab *t = talloc_zero(mem, struct idtab);

	if (t) {
		t->max = max > 65534 ? 65534 : max;
		t->size = 1;
	}
	return t;
}

static void push_free(struct idtab *t, uint16_t id)
{
	t->slot[id].obj = NULL;
	t->slot[id].next_free = 0;
	if (t->free_tail)
		t->slot[t->free_tail].next_free = id;
	else
		t->free_head = id;
	t->free_tail = id;
}

static bool grow(struct idtab *t)
{
	uint32_t size = t->size == 1 ? 1 + MIN_REST : t->size * 2;
	struct idtab_slot *slot;

	if (size > t->max + 1)
		size = t->max + 1;
	if (size == t->size)
		return false;
	slot = talloc_realloc(t, t->slot, struct idtab_slot, size);
	if (!slot)
		return false;
	t->slot = slot;
	for (uint32_t i = t->size; i < size; i++)
		push_free(t, (uint16_t)i);
	t->size = size;
	return true;
}

uint16_t idtab_add(struct idtab *t, void *obj)
{
	uint16_t id;

	if (t->size - 1 - t->count < MIN_REST)
		grow(t);
	id = t->free_head;
	if (id == 0)
		return 0;
	t->free_head = t->slot[id].next_free;
	if (t->free_head == 0)
		t->free_tail = 0;
	t->slot[id].obj = obj;
	t->count++;
	return id;
}

bool idtab_put(struct idtab *t, uint16_t id, void *obj)
{
	uint16_t prev = 0;

	while (id >= t->size)
		if (!grow(t))
			return false;
	if (id == 0 || t->slot[id].obj)
		return false;
	for (uint16_t i = t->free_head; i && i != id; i = t->slot[i].next_free)
		prev = i;
	if (prev)
		t->slot[prev].next_free = t->slot[id].next_free;
	else
		t->free_head = t->slot[id].next_free;
	if (t->free_tail == id)
		t->free_tail = prev;
	t->slot[id].obj = obj;
	t->count++;
	return true;
}

void idtab_del(struct idtab *t, uint16_t id)
{
	if (idtab_get(t, id)) {
		push_free(t, id);
		t->count--;
	}
}

uint32_t idtab_count(const struct idtab *t) { return t->count; }

void *idtab_next(const struct idtab *t, uint16_t after, uint16_t *id)
{
	for (uint32_t i = (uint32_t)after + 1; i < t->size; i++) {
		if (t->slot[i].obj) {
			*id = (uint16_t)i;
			return t->slot[i].obj;
		}
	}
	return NULL;
}
