#include <assert.h>
static int fib(int n) {
  if (n < 2)
    return 1;
  return fib(n - 1) + fib(n - 2);
}
static const int right[] = {0, 1, 1, 2, 3, 5};
void check(int n) {
  if (n < 0 || n > 5)
    return;
  assert(fib(n) == right[n]);
}
