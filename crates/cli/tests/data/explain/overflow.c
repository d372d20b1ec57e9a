int mean(int a, int b) {
  int sum = a + b;
  return sum / 2;
}
