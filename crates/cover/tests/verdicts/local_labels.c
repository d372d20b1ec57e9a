// holds
void __CPROVER_assert(int, const char *);
int main(void) {
    int n = 0, round = 0;
again:
    for (int i = 0; i < 2; i++) { __label__ again; if (i) goto again; n += 10; again: n++; }
    if (round++ == 0) goto again;
    int v = ({ __label__ out; int k = 3; if (n) goto out; k = 4; out: k; });
    __CPROVER_assert(n == 24 && v == 3, "labels of blocks");
    return 0;
}
