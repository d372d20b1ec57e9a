// holds
int main(void) {
  int x, n = 0;
  switch (x & 3) {
  case 0: n++;
  case 1: n++; break;
  default: n = 5;
  case 3: n++;
  }
  __CPROVER_assert((x & 3) != 0 || n == 2, "0");
  __CPROVER_assert((x & 3) != 1 || n == 1, "1");
  __CPROVER_assert((x & 3) != 2 || n == 6, "2");
  __CPROVER_assert((x & 3) != 3 || n == 1, "3");
}
