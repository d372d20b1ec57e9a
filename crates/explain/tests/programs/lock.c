int nondet_int(void);
void __CPROVER_assert(int, const char *);

/* A `return` is missing after the first release. */
int held;
void acquire(void) { held = 1; }
void release(void) {
  __CPROVER_assert(held == 1, "held == 1");
  held = 0;
}
void wait(int is_wrong, int count, int nested, int *error) {
  acquire();
  if (is_wrong) {
    release();
    *error = 1;
  }
  if (count > 0) {
    release();
  } else {
    if (nested > 0)
      release();
    else
      release();
  }
}
int main(void) {
  int error = 0;
  wait(nondet_int(), nondet_int(), nondet_int(), &error);
  return 0;
}
