// holds
unsigned sum(unsigned n) { return n == 0 ? 0 : n + sum(n - 1); }
int main(void) {
  unsigned n;
  __CPROVER_assume(n < 6);
  __CPROVER_assert(2 * sum(n) == n * (n + 1), "the little formula");
}
