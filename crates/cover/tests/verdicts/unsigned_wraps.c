// fails: larger in line 5
int main(void) {
  unsigned x;
  unsigned y = x + 1;
  __CPROVER_assert(y > x, "larger");
}
