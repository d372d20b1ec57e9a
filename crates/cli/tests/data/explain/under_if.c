#include <assert.h>
/* The assertion is under a condition. Line 6 is one too much. */
static int limit(int b) {
  int r = b;
  if (b > 5)
    r = 6;
  return r;
}
void check(int is_on, int b) {
  int r = limit(b);
  if (is_on)
    assert(r <= 5);
}
