// fails: a null pointer in line 6
int main(void) {
  int x = 3, which;
  int *p = &x;
  if (which) p = 0;
  *p = 4;
  return x;
}
