// holds
void __CPROVER_assert(int, const char *);
extern int nondet_int(void);
struct entry { const void *key; const char *at; };
static const struct entry table[] = { { (const void *)((5ul << 3) | 2), (const char *)64 + 3 }, { &table, 0 } };
int main(void) {
    int at = nondet_int();
    unsigned long key = (unsigned long)table[at > 0].key;
    __CPROVER_assert(at > 0 || key == 42, "a number is a pointer in an initial value");
    __CPROVER_assert((unsigned long)table[0].at == 67, "an offset is added");
    __CPROVER_assert(at <= 0 || (table[1].key == &table && !table[1].at), "objects keep their addresses");
    return 0;
}
