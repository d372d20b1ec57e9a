// fails: a pointer to no object in line 4
int main(void) {
  char *text = "abc";
  text[0] = 'x';
  return text[0];
}
