int abs(int x) { return x < 0 ? -x : x; }
long labs(long x) { return x < 0 ? -x : x; }
long long llabs(long long x) { return x < 0 ? -x : x; }
int atoi(const char *s) {
    int n = 0, negative = 0;
    while (*s == ' ' || (*s >= '\t' && *s <= '\r')) s++;
    if (*s == '-' || *s == '+') negative = *s++ == '-';
    while (*s >= '0' && *s <= '9') n = 10 * n - (*s++ - '0');
    return negative ? n : -n;
}
void srand(unsigned seed) { (void)seed; }
int *__errno_location(void) {
    static int errno;
    return &errno;
}
void __CPROVER_cover(int condition) { (void)condition; }
void __CPROVER_input(const char *name, ...) { (void)name; }
void __CPROVER_output(const char *name, ...) { (void)name; }
long atol(const char *s) {
    long n = 0;
    int negative = 0;
    while (*s == ' ' || (*s >= '\t' && *s <= '\r')) s++;
    if (*s == '-' || *s == '+') negative = *s++ == '-';
    while (*s >= '0' && *s <= '9') n = 10 * n - (*s++ - '0');
    return negative ? n : -n;
}
long long atoll(const char *s) {
    long long n = 0;
    int negative = 0;
    while (*s == ' ' || (*s >= '\t' && *s <= '\r')) s++;
    if (*s == '-' || *s == '+') negative = *s++ == '-';
    while (*s >= '0' && *s <= '9') n = 10 * n - (*s++ - '0');
    return negative ? n : -n;
}
int nub_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'z') return c - 'a' + 10;
    return c >= 'A' && c <= 'Z' ? c - 'A' + 10 : 99;
}
/* The digits of a number: up to `limit`, or one more than that if the number is larger. Quotients are constant where the base is. */
unsigned long long nub_digits(const char *s, const char *start, char **end, int base, unsigned long long limit, int *is_over) {
    unsigned long long n = 0, most;
    const char *first;
    if ((base == 0 || base == 16) && s[0] == '0' && (s[1] == 'x' || s[1] == 'X') && nub_digit(s[2]) < 16) {
        s += 2;
        base = 16;
    } else if (base == 0) {
        base = *s == '0' ? 8 : 10;
    }
    most = limit / base;
    for (first = s; nub_digit(*s) < base; s++) {
        unsigned long long digit = nub_digit(*s);
        if (n > most || (n == most && digit > limit % base)) *is_over = 1;
        n = n * base + digit;
    }
    if (end) *end = (char *)(s == first ? start : s);
    if (*is_over) *__errno_location() = 34;
    return *is_over ? limit : n;
}
/* The number in a text: at most `most`, and one more than that below zero. */
long long nub_signed(const char *s, char **end, int base, unsigned long long most) {
    const char *p = s;
    int is_negative = 0, is_over = 0;
    unsigned long long n;
    __CPROVER_precondition(base == 0 || (base >= 2 && base <= 36), "the base is 0 or between 2 and 36");
    while (*p == ' ' || (*p >= '\t' && *p <= '\r')) p++;
    if (*p == '-' || *p == '+') is_negative = *p++ == '-';
    n = nub_digits(p, s, end, base, is_negative ? most + 1 : most, &is_over);
    return is_negative ? (long long)-n : (long long)n;
}
unsigned long long nub_unsigned(const char *s, char **end, int base, unsigned long long most) {
    const char *p = s;
    int is_negative = 0, is_over = 0;
    unsigned long long n;
    __CPROVER_precondition(base == 0 || (base >= 2 && base <= 36), "the base is 0 or between 2 and 36");
    while (*p == ' ' || (*p >= '\t' && *p <= '\r')) p++;
    if (*p == '-' || *p == '+') is_negative = *p++ == '-';
    n = nub_digits(p, s, end, base, most, &is_over);
    return is_negative && !is_over ? -n : n;
}
long strtol(const char *s, char **end, int base) { return nub_signed(s, end, base, ~0ul >> 1); }
long long strtoll(const char *s, char **end, int base) { return nub_signed(s, end, base, ~0ull >> 1); }
nub_intmax strtoimax(const char *s, char **end, int base) { return nub_signed(s, end, base, ~0ull >> 1); }
unsigned long strtoul(const char *s, char **end, int base) { return nub_unsigned(s, end, base, ~0ul); }
unsigned long long strtoull(const char *s, char **end, int base) { return nub_unsigned(s, end, base, ~0ull); }
nub_uintmax strtoumax(const char *s, char **end, int base) { return nub_unsigned(s, end, base, ~0ull); }
void __CPROVER_havoc_object(void *p) {
    char *s = (char *)p - __CPROVER_POINTER_OFFSET(p);
    nub_size n = __CPROVER_OBJECT_SIZE(p);
    for (nub_size i = 0; i < n; i++) s[i] = nondet_char();
}
void __CPROVER_havoc_slice(void *p, nub_size n) {
    char *s = p;
    __CPROVER_precondition(__CPROVER_w_ok(p, n), "the memory can be written");
    for (nub_size i = 0; i < n; i++) s[i] = nondet_char();
}
void __CPROVER_array_copy(void *to, const void *from) {
    nub_size n = __CPROVER_OBJECT_SIZE(to) - __CPROVER_POINTER_OFFSET(to);
    __CPROVER_precondition(__CPROVER_r_ok(from, n), "the memory can be read");
    memcpy(to, from, n);
}
void __CPROVER_array_replace(void *to, const void *from) {
    nub_size n = __CPROVER_OBJECT_SIZE(from) - __CPROVER_POINTER_OFFSET(from);
    __CPROVER_precondition(__CPROVER_w_ok(to, n), "the memory can be written");
    memcpy(to, from, n);
}
void nub_swap(char *a, char *b, nub_size size) {
    for (nub_size i = 0; i < size; i++) {
        char c = a[i];
        a[i] = b[i];
        b[i] = c;
    }
}
/* Equal elements keep their order; the standard leaves that open, and how often elements are compared. */
void qsort(void *base, nub_size n, nub_size size, int (*compare)(const void *, const void *)) {
    char *start = base;
    nub_not_null(base);
    for (nub_size i = 1; i < n; i++)
        for (nub_size j = i; j > 0; j--) {
            int order = compare(start + (j - 1) * size, start + j * size);
            if (order <= 0 && !(nub_left_open("equal elements") && order == 0)) break;
            nub_swap(start + (j - 1) * size, start + j * size, size);
        }
    nub_compared_more_often();
}
void *bsearch(const void *key, const void *base, nub_size n, nub_size size, int (*compare)(const void *, const void *)) {
    nub_size low = 0, high = n;
    nub_not_null(key);
    nub_not_null(base);
    while (low < high) {
        nub_size middle = low + (high - low) / 2;
        nub_size other = (nub_size)nub_left_open("equal elements");
        if (other > low && other <= high) middle = other - 1;
        const char *element = (const char *)base + middle * size;
        int order = compare(key, element);
        nub_compared_more_often();
        if (order == 0) return (void *)element;
        if (order < 0) high = middle;
        else low = middle + 1;
    }
    return 0;
}
/* For whoever takes their addresses; calls by name are instructions. */
void *malloc(nub_size n) { return __builtin_malloc(n); }
void *calloc(nub_size n, nub_size size) { return __builtin_calloc(n, size); }
void *realloc(void *p, nub_size n) { return __builtin_realloc(p, n); }
void free(void *p) { __builtin_free(p); }
