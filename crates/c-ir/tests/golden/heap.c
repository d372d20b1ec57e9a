void *malloc(unsigned long);
void free(void *);
int scanf(const char *, ...);
int f(void) {
    int *p = malloc(sizeof(int) * 2), n;
    scanf("%d %d", p, &n);
    static int count = 3;
    count += *p;
    free(p);
    goto out;
    count = 0;
out:
    return n ?: count;
}
