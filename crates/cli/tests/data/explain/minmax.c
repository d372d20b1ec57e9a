#include <assert.h>
int nondet_int(void);
int main(void) {
  int input1 = nondet_int(), input2 = nondet_int(), input3 = nondet_int();
  int least = input1;
  int most = input1;
  if (most < input2)
    most = input2;
  if (most < input3)
    most = input3;
  if (least > input2)
    most = input2;
  if (least > input3)
    least = input3;
  assert(least <= most);
  return 0;
}
