// holds
union word { unsigned whole; unsigned char bytes[4]; };
int main(void) {
  union word w;
  w.whole = 0x01020304u;
  __CPROVER_assert(w.bytes[0] == 4 && w.bytes[3] == 1, "little end first");
  w.bytes[1] = 0;
  __CPROVER_assert(w.whole == 0x01020004u, "one byte");
}
