// holds
void __CPROVER_assert(int, const char *);
static _Thread_local int n = 3;
int main(void) { static __thread int m = 4; n++; m++; __CPROVER_assert(n + m == 9, "one thread has one object"); return 0; }
