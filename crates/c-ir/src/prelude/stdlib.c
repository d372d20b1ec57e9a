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
    static int number;
    return &number;
}
void __CPROVER_cover(int condition) { (void)condition; }
void __CPROVER_input(const char *name, ...) { (void)name; }
void __CPROVER_output(const char *name, ...) { (void)name; }
