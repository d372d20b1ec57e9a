// holds
int main(void) {
  int a, b;
  __CPROVER_assume(a > -20 && a < 20 && b > 0 && b < 7);
  __CPROVER_assert(a / b * b + a % b == a, "definition");
  __CPROVER_assert(a >= 0 || a % b <= 0, "the sign of the dividend");
}
