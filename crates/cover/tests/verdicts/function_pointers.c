// fails: both in line 8
int inc(int x) { return x + 1; }
int dec(int x) { return x - 1; }
int main(void) {
  int which;
  int (*table[2])(int) = {inc, dec};
  int got = table[which != 0](5);
  __CPROVER_assert(got == 6, "both");
}
