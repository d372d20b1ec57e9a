// beyond the bound
int main(void) {
  unsigned n, i;
  for (i = 0; i < n; i++)
    ;
  __CPROVER_assert(i == n, "at the end");
}
