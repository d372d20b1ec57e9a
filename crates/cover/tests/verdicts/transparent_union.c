// holds
void __CPROVER_assert(int, const char *);
struct a { int n; };
struct b { char c; int n; };
typedef union { struct a *a; struct b *b; } any __attribute__((__transparent_union__));
int first(any p) { return p.a->n; }
int second(any p) { return p.b->n; }
int main(void) {
    struct a x = { 3 };
    struct b y = { 'c', 4 };
    __CPROVER_assert(first(&x) == 3 && second(&y) == 4, "a member is passed as the union");
    return 0;
}
