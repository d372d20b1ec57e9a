// holds
int main(void) {
  int n, i = 0, rounds = 0;
  __CPROVER_assume(n >= 0 && n < 5);
again:
  if (i >= n) goto done;
  i++;
  if (i & 1) goto again;
  rounds++;
  goto again;
done:
  __CPROVER_assert(rounds == n / 2, "every other round");
}
