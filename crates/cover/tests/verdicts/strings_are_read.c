// holds
int main(void) {
  char *text = "ab\0c";
  char copy[] = "abc";
  copy[0] = 'x';
  __CPROVER_assert(text[1] == 'b' && text[2] == 0 && text[3] == 'c', "units");
  __CPROVER_assert(sizeof copy == 4 && copy[0] == 'x' && copy[3] == 0, "an array of its own");
}
