// fails: a pointer to no object in line 9
int main(void) {
  int outer = 1, which;
  int *p = &outer;
  if (which) {
    int inner = 2;
    p = &inner;
  }
  return *p;
}
