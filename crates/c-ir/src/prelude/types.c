typedef __typeof__(sizeof 0) nub_size;
typedef __typeof__(__builtin_choose_expr(sizeof(long) == sizeof(long long), 0l, 0ll)) nub_intmax;
typedef __typeof__(__builtin_choose_expr(sizeof(long) == sizeof(long long), 0ul, 0ull)) nub_uintmax;
