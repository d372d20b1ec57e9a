/* A ring of bytes. */
#define SIZE 4
int items[SIZE], head, count, lost;
static int wrap(int at)
{
    if (at >= SIZE)
        return at - SIZE;
    return at;
}
int put(int item)
{
    int tail;
    if (count == SIZE) {
        lost = lost + 1;
        head = wrap(head + 1);
        count = count - 1;
    }
    tail = wrap(head + count);
    items[tail] = item;
    count = count + 1;
    return count;
}
int take(int otherwise)
{
    int item;
    if (count == 0)
        return otherwise;
    item = items[head];
    head = wrap(head + 1);
    count = count - 1;
    return item;
}
/* harness */
#include <assert.h>
int nondet_int(void);
void nub_assume(int);
int main(void)
{
    int i, a = nondet_int(), b = nondet_int(), old, old_head;
    for (i = 0; i < SIZE; i++)
        items[i] = nondet_int();
    head = nondet_int(); count = nondet_int(); lost = 0;
    nub_assume(head >= 0 && head < SIZE && count >= 0 && count <= SIZE);
    old = count; old_head = head;
    put(a);
    assert(head >= 0 && head < SIZE && count >= 0 && count <= SIZE);
    assert(count == old + 1 || old == SIZE);
    put(b);
    assert(lost <= 2);
    assert(count <= SIZE && head >= 0 && head < SIZE);
    if (old == 0) {
        assert(take(-1) == a);
        assert(take(-1) == b);
        assert(count == 0 && lost == 0);
    }
    return 0;
}
