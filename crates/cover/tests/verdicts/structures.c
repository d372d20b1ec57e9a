// holds
struct pair { char tag; int value; };
struct pair twice(struct pair p) { p.value *= 2; return p; }
int main(void) {
  struct pair a = {.value = 21, .tag = 'x'}, b;
  b = twice(a);
  __CPROVER_assert(a.value == 21 && b.value == 42 && b.tag == 'x', "passed by value");
  __CPROVER_assert((char *)&b.value - (char *)&b == 4 && sizeof b == 8, "padding");
}
