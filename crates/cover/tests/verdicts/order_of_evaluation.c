// holds
int calls;
int touch(int value) { calls++; return value; }
int main(void) {
  int x = touch(0) && touch(1);
  int y = touch(1) || touch(1);
  int z = (touch(3), touch(4));
  __CPROVER_assert(x == 0 && y == 1 && z == 4 && calls == 4, "what is skipped is not called");
}
