int nondet_int(void);
void __CPROVER_assume(int);
void abort(void);
int main(void) {
    int x = nondet_int();
    __CPROVER_assume(x > 0 && x < 10);
    assert(x != 5 || x > 3);
    if (x > 8) ; else __assert_fail("x > 8", "file.c", 1, "main");
    if (x == 9) abort();
}
