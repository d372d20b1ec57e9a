/* The next day, and the number of a day in its year. */
int day, month, year;
static int is_leap(int y)
{
    if (y % 400 == 0)
        return 1;
    if (y % 100 == 0)
        return 0;
    return y % 4 == 0;
}
static int length(int m, int y)
{
    if (m == 2)
        return is_leap(y) ? 29 : 28;
    if (m == 4 || m == 6 || m == 9 || m == 11)
        return 30;
    return 31;
}
int number(int d, int m, int y)
{
    int before = (m - 1) * 31;
    int shift = 0;
    if (m > 2)
        shift = is_leap(y) ? 2 : 3;
    if (m > 4)
        shift = shift + 1;
    if (m > 6)
        shift = shift + 1;
    if (m > 9)
        shift = shift + 1;
    if (m > 11)
        shift = shift + 1;
    return before - shift + d;
}
void tomorrow(void)
{
    day = day + 1;
    if (day > length(month, year)) {
        day = 1;
        month = month + 1;
    }
    if (month > 12) {
        month = 1;
        year = year + 1;
    }
}
/* harness */
#include <assert.h>
int nondet_int(void);
void nub_assume(int);
int main(void)
{
    int old, old_year;
    day = nondet_int(); month = nondet_int(); year = nondet_int();
    nub_assume(year >= 1900 && year <= 2100 && month >= 1 && month <= 12 && day >= 1 && day <= 28);
    nub_assume(month == 2 || day <= 28);
    old = number(day, month, year); old_year = year;
    assert(old >= 1 && old <= 366);
    tomorrow();
    assert(day >= 1 && day <= 31 && month >= 1 && month <= 12);
    assert(month != 2 || day <= 29);
    assert(year != old_year || number(day, month, year) == old + 1);
    assert(year == old_year || (day == 1 && month == 1 && old >= 365));
    return 0;
}
