/* Conditions that exclude each other, and decisions in every place that C has for them. */
static int both(int p, int q) { return p + 2 * q; }

int coupled(int a, int b, unsigned c) {
    int r = 0, flag;
    if (a > 3) {
        if (a > 2 && b) /* never false on the left */
            r = 1;
    }
    while (r < 5 && b > r)
        r++;
    flag = a == 7 || (b == 9 && c != 0);
    r += both(a < 0 && b < 0, !(c == 1 || c == 2));
    do {
        c >>= 4;
    } while (c > 100 && !flag);
    for (int i = 0; i < 2; i++)
        r += flag ? b > 0 && c == 5 : 1;
    return r ? r : a == 7 || b == 7;
}
