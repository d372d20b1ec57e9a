#include <assert.h>
#include <stddef.h>
struct node { struct node *next; int key; };
struct list { struct node *head; int len; };
static void remove_first(struct list *l, int key) {
  if (l->head && l->head->key == key) {
    l->head = l->head->next;
    return; /* len-- is missing */
  }
}
static int count(const struct list *l) {
  int n = 0;
  for (const struct node *p = l->head; p; p = p->next)
    n++;
  return n;
}
void check(int a, int b, int key) {
  struct node n2 = {NULL, b}, n1 = {&n2, a};
  struct list l = {&n1, 2};
  remove_first(&l, key);
  assert(count(&l) == l.len);
}
