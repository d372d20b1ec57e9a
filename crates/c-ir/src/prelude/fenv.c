/* The numbers of x86: to nearest, down, up, towards zero. */
int fesetround(int mode) {
    if (mode & ~0xc00) return 1;
    nub_set_rounding(mode >> 10);
    return 0;
}
int fegetround(void) { return nub_rounding() << 10; }
