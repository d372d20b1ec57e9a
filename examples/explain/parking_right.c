/* The fee of a car park, in cents. */
void __CPROVER_assume(int condition);
void __CPROVER_assert(int condition, const char *text);

static int fee(int hours, int is_night) {
  int rate = 200;
  int total;

  if (is_night)
    rate = 100;
  total = hours * rate;
  if (total > 1500)
    total = 1500;
  return total;
}

void check(int hours, int is_night) {
  int now, later;

  __CPROVER_assume(hours >= 0 && hours < 48);
  now = fee(hours, is_night);
  later = fee(hours + 1, is_night);
  __CPROVER_assert(now <= later, "a longer stay does not cost less");
}
