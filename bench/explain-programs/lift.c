/* A lift: one step of its controller. */
int floor_now, door_open, moving, direction;
static int wanted(int calls, int at) { return (calls >> at) & 1; }
static int above(int calls, int at)
{
    int rest = calls >> (at + 1);
    return rest != 0;
}
static int below(int calls, int at)
{
    int mask = (1 << at) - 1;
    return (calls & mask) != 0;
}
void step(int calls, int blocked)
{
    if (door_open) {
        if (!blocked)
            door_open = 0;
        moving = 0;
        return;
    }
    if (wanted(calls, floor_now)) {
        moving = 0;
        door_open = 1;
        return;
    }
    if (direction > 0 && !above(calls, floor_now))
        direction = -1;
    else if (direction < 0 && !below(calls, floor_now))
        direction = 1;
    moving = above(calls, floor_now) || below(calls, floor_now);
    if (moving && direction > 0 && above(calls, floor_now))
        floor_now = floor_now + 1;
    else if (moving && direction < 0 && below(calls, floor_now))
        floor_now = floor_now - 1;
}
/* harness */
#include <assert.h>
int nondet_int(void);
void nub_assume(int);
int main(void)
{
    int calls = nondet_int(), blocked = nondet_int(), was;
    floor_now = nondet_int(); door_open = nondet_int(); moving = nondet_int(); direction = nondet_int();
    nub_assume(calls >= 0 && calls < 256 && (blocked == 0 || blocked == 1));
    nub_assume(floor_now >= 0 && floor_now < 8 && (door_open == 0 || door_open == 1) && (moving == 0 || moving == 1));
    nub_assume(direction == 1 || direction == -1);
    nub_assume(!(door_open && moving));
    was = floor_now;
    int was_open = door_open;
    step(calls, blocked);
    assert(floor_now >= 0 && floor_now < 8);
    assert(!(door_open && moving));
    assert(!was_open || floor_now == was);
    assert(calls != 0 || !moving);
    assert(!(was_open && blocked) || door_open);
    assert(calls == 0 || was_open || door_open || moving);
    return 0;
}
