// fails: signed overflow in line 4
int main(void) {
  int x;
  int y = x + 1;
  return y == 0;
}
