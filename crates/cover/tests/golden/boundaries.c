/* Comparisons of integers and floats, some of which cannot be at their boundary. */
int f(int x, unsigned n, double t) {
    int r = 0;
    if (x > 10) {
        r = 1;
        if (x != 10)
            r = 2;
    }
    if (n <= 0u || t >= 0.5)
        r += 4;
    return r;
}
