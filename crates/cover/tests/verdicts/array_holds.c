// holds
int main(void) {
  int table[] = {[3] = 9, [1] = 5}, i;
  __CPROVER_assert(sizeof(table) == 4 * sizeof(int), "as long as the last index says");
  __CPROVER_assume(i >= 0 && i < 4);
  table[i]++;
  __CPROVER_assert(table[0] + table[1] + table[2] + table[3] == 15, "one more");
}
