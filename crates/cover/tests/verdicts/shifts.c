// fails: a shift amount out of range in line 6
int main(void) {
  unsigned x = 1, n;
  __CPROVER_assume(n <= 32);
  __CPROVER_assert(n == 32 || (x << n) != 0, "one bit");
  return x >> n;
}
