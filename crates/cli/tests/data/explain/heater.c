#include <assert.h>
/* The heater must be off when the ignition is: && is meant in line 6. */
struct ctl { int level, timer, temp; };
static void step(struct ctl *c, int ign, int temp) {
  c->temp = temp;
  if (ign || temp < 18) {
    c->level = 2;
    if (c->timer > 600)
      c->level = 1;
    c->timer++;
  } else {
    c->level = 0;
    c->timer = 0;
  }
}
void check(int ign, int temp, int timer) {
  struct ctl c = {0, 0, 0};
  if (timer < 0 || timer > 999 || temp < -40 || temp > 60)
    return;
  c.timer = timer;
  step(&c, ign, temp);
  assert(ign || c.level == 0);
}
