#include <assert.h>
static int maximum(const int *a, int n) {
  int m = a[1];
  for (int i = 2; i < n; i++)
    if (a[i] > m)
      m = a[i];
  return m;
}
void check(int a[4]) {
  int m = maximum(a, 4);
  for (int i = 0; i < 4; i++)
    assert(m >= a[i]);
}
