/* Pointers in the difference: a list that loses its tail, and a cursor into an array. */
struct node { int value; struct node *next; };

static int table[4] = {1, 2, 3, 4};

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
  int k = nondet_int(), *cursor;
  if (k == 7) b.next = 0;
  cursor = &table[2];
  if (k > 5) cursor = table + 1;
  assert(sum(&a) + *cursor == 9);
  return 0;
}
