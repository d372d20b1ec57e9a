f() { _Nonnull x = 1; }
