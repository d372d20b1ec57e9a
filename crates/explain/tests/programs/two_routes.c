int nondet_int(void);
void __CPROVER_assert(int, const char *);

/* Two of three sums decide; a change of either is enough. */
int main(void) {
  int first = nondet_int(), second = nondet_int();
  int p = 1, q = 1, r = 1;
  if (first > 0) {
    p += 5;
    q += 6;
    r += 4;
  }
  if (second > 0) {
    p += 6;
    q += 5;
    r += 4;
  }
  __CPROVER_assert(p < 10 || q < 10, "p < 10 || q < 10");
}
