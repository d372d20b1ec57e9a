// holds
int main(void) {
  unsigned char a, b;
  unsigned short s = 65535;
  __CPROVER_assert(a + b <= 510, "no wrap in int");
  __CPROVER_assert((unsigned char)(a + b) == ((a + b) & 255), "wrap on conversion");
  __CPROVER_assert(s + 1 == 65536, "short is promoted");
  __CPROVER_assert(-1 > 0u, "unsigned wins");
  __CPROVER_assert(sizeof('a') == sizeof(int) && sizeof(a + b) == sizeof(int), "types of results");
}
