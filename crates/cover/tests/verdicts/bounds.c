// fails: an index out of bounds in line 5
int main(void) {
  int table[4] = {1, 2, 3, 4}, i, sum = 0;
  __CPROVER_assume(i >= 0);
  for (i = 0; i <= 4; i++) sum += table[i];
  return sum;
}
