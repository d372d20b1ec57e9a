double _Complex half(double _Complex x) { return x / 2; }
int vla(int n) { int a[n]; return a[0]; }
int assembly(void) { asm("nop"); return 0; }
int missing(void) { return unknown_function(1) + undeclared; }
int fine(int x) { return x; }
struct s;
int incomplete(void) { struct s x; return 0; }
int member(struct s *p) { return p->x; }
