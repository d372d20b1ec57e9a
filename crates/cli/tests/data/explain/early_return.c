#include <assert.h>
/* e >= 1 is meant in line 4. The harness lets no other values through. */
static int next(int s, int e) {
  if (s == 2 && e > 1)
    return 3;
  return s;
}
void check(int s, int e) {
  if (e < 0 || e > 1)
    return;
  int r = next(s, e);
  assert(!(s == 2 && e) || r == 3);
}
