/* A set point that is followed with a limited rate. */
int value, target, rate_up, rate_down, limit_low, limit_high;
static int clamp(int x, int low, int high)
{
    if (x < low)
        return low;
    if (x > high)
        return high;
    return x;
}
static int dead_band(int error, int width)
{
    if (error > width)
        return error - width;
    if (error < -width)
        return error + width;
    return 0;
}
int next(int width)
{
    int error = target - value;
    int change = dead_band(error, width);
    if (change > rate_up)
        change = rate_up;
    if (change < -rate_down)
        change = -rate_down;
    value = clamp(value + change, limit_low, limit_high);
    return change;
}
/* harness */
#include <assert.h>
int nondet_int(void);
void nub_assume(int);
int main(void)
{
    int width = nondet_int(), before, change;
    value = nondet_int(); target = nondet_int(); rate_up = nondet_int(); rate_down = nondet_int();
    limit_low = nondet_int(); limit_high = nondet_int();
    nub_assume(limit_low >= -1000 && limit_low < limit_high && limit_high <= 1000);
    nub_assume(value >= limit_low && value <= limit_high && target >= -2000 && target <= 2000);
    nub_assume(rate_up >= 1 && rate_up <= 50 && rate_down >= 1 && rate_down <= 80 && width >= 0 && width <= 20);
    before = value;
    change = next(width);
    assert(value >= limit_low && value <= limit_high);
    assert(value - before <= rate_up);
    assert(before - value <= rate_down);
    assert(!(target == before) || value == before);
    assert(!(target > before) || value >= before);
    assert(!(target < before) || value <= before);
    assert(!(target - before > width + rate_up) || value > before || value == limit_high);
    assert(change <= rate_up);
    return 0;
}
