/* A heater with hysteresis, a pump that runs on, and a lock after too many starts. */
int is_on, pump, rest, starts, locked;
static int too_cold(int t, int wanted, int gap) { return t < wanted - gap; }
static int too_warm(int t, int wanted, int gap) { return t > wanted + gap; }
void tick(int t, int wanted, int gap, int fault)
{
    int was = is_on;
    if (locked || fault)
        is_on = 0;
    else if (is_on && too_warm(t, wanted, gap))
        is_on = 0;
    else if (!is_on && too_cold(t, wanted, gap))
        is_on = 1;
    if (is_on && !was)
        starts = starts + 1;
    if (starts > 5)
        locked = 1;
    if (is_on)
        rest = 3;
    else if (rest > 0)
        rest = rest - 1;
    pump = is_on || rest > 0;
}
/* harness */
#include <assert.h>
int nondet_int(void);
void nub_assume(int);
int main(void)
{
    int t = nondet_int(), wanted = nondet_int(), gap = nondet_int(), fault = nondet_int(), was, old_starts, old_rest;
    is_on = nondet_int(); rest = nondet_int(); starts = nondet_int(); locked = nondet_int(); pump = 0;
    nub_assume(t >= -50 && t <= 150 && wanted >= 5 && wanted <= 90 && gap >= 0 && gap <= 10 && (fault == 0 || fault == 1));
    nub_assume((is_on == 0 || is_on == 1) && rest >= 0 && rest <= 3 && starts >= 0 && starts <= 5 && (locked == 0 || locked == 1));
    was = is_on; old_starts = starts; old_rest = rest;
    tick(t, wanted, gap, fault);
    assert(!is_on || pump);
    assert(!fault || !is_on);
    assert(rest >= 0 && rest <= 3);
    assert(!(t > wanted + 10) || !is_on);
    assert(!(t < wanted - 10 && !fault && !locked) || is_on);
    assert(starts == old_starts || (is_on && !was));
    assert(old_rest == 0 || is_on || rest == old_rest - 1);
    return 0;
}
