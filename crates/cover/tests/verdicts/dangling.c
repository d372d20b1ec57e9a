// fails: a pointer to no object in line 8
int *local(void) {
  int x = 3;
  int *p = &x;
  return p;
}
int main(void) {
  return *local();
}
