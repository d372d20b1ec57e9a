struct pair { int first; char rest[4]; };
int f(struct pair *p, int n, int (*g)(int)) {
    struct pair copy = *p, *q = &copy;
    char *c = q->rest + n;
    int table[2][3] = { { 1 }, { [2] = 5 } };
    *c = 'x';
    return g(table[n][1]) + (c - copy.rest) + (p != 0 && p->first);
}
