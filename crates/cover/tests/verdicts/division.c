// fails: division by zero in line 5
int main(void) {
  int a, b;
  __CPROVER_assume(a == 12 && b > -2 && b < 8);
  return a / b;
}
