// holds
void __CPROVER_assert(int, const char *);
struct a { int n; };
struct b { char c; int n; };
typedef union { struct a *a; struct b *b; } any __attribute__((__transparent_union__));
int first(any p) { return p.a->n; }
int second(any p) { return p.b->n; }
int is_null(any p) { return p.a == 0; }
int main(void) {
    struct a x = { 3 };
    struct b y = { 'c', 4 };
    __CPROVER_assert(first(&x) == 3 && second(&y) == 4, "a member is passed as the union");
    void *any_pointer = &x;
    __CPROVER_assert(first(any_pointer) == 3 && first((void *)&x) == 3, "a pointer to void is any member");
    __CPROVER_assert(is_null(0) && is_null((void *)0) && !is_null(&y), "a null pointer is any member");
    return 0;
}
