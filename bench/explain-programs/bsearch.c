/* Binary search. */
int table[8];
int find(int n, int key)
{
    int low = 0, high = n, middle;
    while (low < high) {
        middle = low + (high - low) / 2;
        if (table[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < n && table[low] == key)
        return low;
    return -1;
}
/* harness */
#include <assert.h>
int nondet_int(void);
void nub_assume(int);
int main(void)
{
    int n = nondet_int(), key = nondet_int(), at, i;
    nub_assume(n >= 0 && n <= 6);
    for (i = 0; i < 8; i++)
        table[i] = nondet_int();
    for (i = 0; i + 1 < n; i++)
        nub_assume(table[i] < table[i + 1]);
    at = find(n, key);
    assert(at >= -1 && at < n);
    assert(at == -1 || table[at] == key);
    assert(!(n > 0 && table[0] == key) || at == 0);
    assert(!(n > 0 && table[n - 1] == key) || at == n - 1);
    return 0;
}
