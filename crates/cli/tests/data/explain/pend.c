#include <assert.h>
/* A call of a kernel from an interrupt goes on: a return is missing in line 8. Globals are all that it changes. */
int nondet_int(void);
int nesting, locked, count, waiting, error;
static void pend(int timeout) {
  error = 0;
  if (nesting > 0) {
    error = 2;
  }
  if (locked > 0) {
    error = 3;
    return;
  }
  if (count > 0) {
    count--;
    return;
  }
  waiting = timeout + 1;
}
void check(int in, int lock, int n, int timeout) {
  if (in < 0 || in > 9 || lock < 0 || lock > 9 || n < 0 || n > 9 || timeout < 0 || timeout > 99)
    return;
  nesting = in;
  locked = lock;
  count = n;
  waiting = 0;
  pend(timeout);
  assert(nesting == 0 || waiting == 0);
}
