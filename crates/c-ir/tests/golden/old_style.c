f(a, b) char a; { return g(a) + b; }
g(c) unsigned char c; { return c; }
