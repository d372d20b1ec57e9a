/* What kind of triangle? */
static int can_be(int a, int b, int c)
{
    if (a <= 0 || b <= 0 || c <= 0)
        return 0;
    return a < b + c && b < a + c && c < a + b;
}
static int n_equal(int a, int b, int c)
{
    int n = 0;
    if (a == b)
        n = n + 1;
    if (b == c)
        n = n + 1;
    if (a == c)
        n = n + 1;
    return n;
}
int kind(int a, int b, int c)
{
    int same;
    if (!can_be(a, b, c))
        return 0;
    same = n_equal(a, b, c);
    if (same == 3)
        return 3;
    if (same == 1)
        return 2;
    return 1;
}
/* harness */
#include <assert.h>
int nondet_int(void);
void nub_assume(int);
int main(void)
{
    int a = nondet_int(), b = nondet_int(), c = nondet_int(), answer;
    nub_assume(a >= -10 && a <= 1000 && b >= -10 && b <= 1000 && c >= -10 && c <= 1000);
    answer = kind(a, b, c);
    assert(answer >= 0 && answer <= 3);
    assert(answer == kind(b, a, c));
    assert(answer == kind(c, b, a));
    assert(!(a > 0 && a == b && b == c) || answer == 3);
    assert(answer != 3 || (a == b && b == c));
    assert(a > 0 || answer == 0);
    return 0;
}
