/* Goals of most states: covered, infeasible, infeasible if, undefined, beyond the bound. */
int mode;
int f(unsigned char a, int b, char key) {
    int n = 0;
    if (a > 300) n = 1;
    if (mode == 3) n = 2;
    if (key == 'q' && a > 9) n = 4;
    if (b == 2147483647) {
        b = b + 1;
        if (b < 0) n = 3;
    }
    return n;
}
