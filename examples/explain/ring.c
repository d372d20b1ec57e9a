/* A ring buffer of four bytes, with a mistake in line 20. */
void __CPROVER_assume(int condition);
void __CPROVER_assert(int condition, const char *text);

static unsigned char ring[4];
static unsigned head, count;

static void put(unsigned char byte) {
  if (count < 4) {
    ring[(head + count) % 4] = byte;
    count++;
  }
}

static int get(void) {
  int byte;
  if (count == 0)
    return -1;
  byte = ring[head];
  head = head + 1;
  count--;
  return byte;
}

void check(int n) {
  int i;
  __CPROVER_assume(n <= 6);
  for (i = 0; i < n; i++) {
    put((unsigned char)i);
    __CPROVER_assert(get() == i, "what comes out is what went in");
  }
}
