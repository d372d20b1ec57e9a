// holds
int main(void) {
  int x;
  __CPROVER_assume(x < 1000 && x > -1000);
  int y = x * x;
  __CPROVER_assert(y >= 0, "a square");
}
