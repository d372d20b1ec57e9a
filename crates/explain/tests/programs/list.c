/* A pointer in the difference: a list that loses its tail. */
struct node { int value; struct node *next; };

static int sum(struct node *n) {
  int s = 0;
  while (n) {
    s += n->value;
    n = n->next;
  }
  return s;
}

int main(void) {
  struct node c = {3, 0}, b = {2, &c}, a = {1, &b};
  if (nondet_int() == 7) b.next = 0;
  assert(sum(&a) == 6);
  return 0;
}
