int nondet_int(void);
void __CPROVER_assert(int, const char *);

/* The smallest and the largest of three numbers. One assignment is to the wrong variable. */
int main(void) {
  int a = nondet_int(), b = nondet_int(), c = nondet_int();
  int low = a;
  int high = a;
  if (high < b)
    high = b;
  if (high < c)
    high = c;
  if (low > b)
    high = b;
  if (low > c)
    low = c;
  __CPROVER_assert(low <= high, "low <= high");
}
