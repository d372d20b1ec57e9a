// holds
int main(void) {
  int x;
  __CPROVER_assume(x < 0);
  __CPROVER_assert(x >> 31 == -1 && x >> 1 < 0, "the sign is copied");
  __CPROVER_assert((unsigned)x >> 31 == 1, "zeros come in");
}
