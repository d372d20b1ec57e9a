/* No change of `sum` repairs this: it gives the same in runs that fail and runs that pass. */
static int table[4] = {1, 2, 3, 4};

static int sum(const int *from, int n) {
  int s = 0;
  for (int i = 0; i < n; i++) s += from[i];
  return s;
}

int main(void) {
  int k = nondet_int(), *cursor = &table[2];
  if (k > 5) cursor = table + 1;
  assert(sum(table, 2) + *cursor == 6);
  return 0;
}
