/* [Weiler13], section 5.1, after Gotlieb et al. 1998, figure 4. */
int g(short x, short y) {
    short z;
    short t;
    z = x * y;
    t = 2 * x;
    if (z <= 8) {
        t = t - y;
        if (t == 1 && x > 1) {
            t = 0;
        }
    }
    return 0;
}
