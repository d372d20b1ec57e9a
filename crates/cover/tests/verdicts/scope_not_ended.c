// holds
int main(void) {
  int sum = 0;
  for (int i = 0; i < 3; i++) {
    int inner = i;
    int *p = &inner;
    *p += 1;
    if (i == 1) continue;
    sum += *p;
  }
  __CPROVER_assert(sum == 4, "1 and 3");
}
