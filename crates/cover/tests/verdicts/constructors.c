// holds
void __CPROVER_assert(int, const char *);
int x, order;
static __attribute__((constructor)) void late(void);
__attribute__((constructor(101))) void early(void) { order = order * 10 + 1; }
static void late(void) { order = order * 10 + 2; x = 42; }
int main(void) {
    while (order < 100) order = order * 10 + 3;
    __CPROVER_assert(x == 42 && order == 123, "both ran, in this order");
    return 0;
}
