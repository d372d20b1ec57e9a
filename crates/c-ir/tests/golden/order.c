int g;
int side(int *p) { return ++*p; }
int f(int x) {
    int a[3] = { 1, 2, 3 };
    int y = x + side(&x);
    a[x & 1] = x++;
    return y + (x = 4) + x--;
}
