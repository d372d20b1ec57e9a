#include <assert.h>
#define N 4
static void sort(int *a) {
  for (int i = 0; i < N - 1; i++)
    for (int j = 0; j < N - 2 - i; j++)
      if (a[j] > a[j + 1]) {
        int t = a[j];
        a[j] = a[j + 1];
        a[j + 1] = t;
      }
}
void check(int w, int x, int y, int z) {
  int a[N] = {w, x, y, z};
  sort(a);
  for (int i = 0; i + 1 < N; i++)
    assert(a[i] <= a[i + 1]);
}
