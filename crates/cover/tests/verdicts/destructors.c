// fails: after main in line 4
void __CPROVER_assert(int, const char *);
int n;
__attribute__((destructor)) void end(void) { __CPROVER_assert(n != 2, "after main"); }
int main(void) { n = 2; if (n > 1) return 0; n = 3; return 1; }
