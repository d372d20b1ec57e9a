// refused: a rule that is not checked may be violated in line 4: a string literal is modified
int main(void) {
  char *text = "abc";
  text[0] = 'x';
  return text[0];
}
