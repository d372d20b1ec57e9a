// holds
struct bits { unsigned a : 3; int b : 2; _Bool c : 1; unsigned : 0; unsigned char d : 7; };
int main(void) {
  struct bits x = {9, 1, 2, 255};
  __CPROVER_assert(x.a == 1 && x.b == 1 && x.c == 1 && x.d == 127, "cut to their widths");
  x.b = 3;
  x.a--;
  x.a--;
  __CPROVER_assert(x.b == -1 && x.a == 7, "signed and unsigned");
  __CPROVER_assert(x.a - 8 < 0, "promoted to int");
  __CPROVER_assert(sizeof(struct bits) == 8, "a new unit after the width 0");
}
