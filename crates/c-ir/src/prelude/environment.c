/* What comes from outside of the program. Test files have the same text under other names: there the next value of the test is taken. */
char *fgets(char *s, int n, void *file) {
    int i, length = nub_any_int("length");
    (void)file;
    nub_assume(length >= -1 && length < n && (length != 0 || n == 1));
    if (length < 0) {
        /* After an error, C says nothing about the array. */
        if (nub_left_open("result")) for (i = 0; i < n; i++) s[i] = (char)nub_left_open("result");
        return 0;
    }
    for (i = 0; i < length; i++) {
        char c = nub_any_char("");
        nub_assume(c != '\n' || i == length - 1);
        s[i] = c;
    }
    s[length] = 0;
    return s;
}
nub_size fread(void *to, nub_size size, nub_size n, void *file) {
    nub_size i, count = nub_any_size_t("returns");
    unsigned char *bytes = to;
    (void)file;
    nub_assume(count <= n && (count == 0 || size != 0));
    for (i = 0; i < count * size; i++) bytes[i] = nub_any_uchar("");
    /* Nor about an element of which only a part was read. */
    if (count < n && nub_left_open("result"))
        for (i = count * size; i < count * size + size; i++) bytes[i] = (unsigned char)nub_left_open("result");
    return count;
}
nub_size fwrite(const void *from, nub_size size, nub_size n, void *file) {
    nub_size count = nub_any_size_t("returns");
    (void)from;
    (void)file;
    nub_assume(count <= n && (count == 0 || size != 0));
    return count;
}
void *fopen(const char *name, const char *mode) {
    (void)name;
    (void)mode;
    return nub_new_stream();
}
void *freopen(const char *name, const char *mode, void *file) {
    (void)name;
    (void)mode;
    (void)file;
    return nub_new_stream();
}
void *fdopen(int number, const char *mode) {
    (void)number;
    (void)mode;
    return nub_new_stream();
}
void *popen(const char *command, const char *mode) {
    (void)command;
    (void)mode;
    return nub_new_stream();
}
void *tmpfile(void) {
    return nub_new_stream();
}
char *getenv(const char *name) {
    int i;
    char *text = nub_new(8);
    (void)name;
    if (!text) return 0;
    for (i = 0; i < 8; i++) text[i] = nub_any_char("");
    /* Longer texts are beyond the bound, as rounds of a loop are. */
    if (text[7]) for (;;) {}
    return text;
}
char *strdup(const char *s) {
    nub_size i, n = strlen(s) + 1;
    char *copy = 0;
    switch (n) {
    case 1: copy = nub_new(1); break;
    case 2: copy = nub_new(2); break;
    case 3: copy = nub_new(3); break;
    case 4: copy = nub_new(4); break;
    case 5: copy = nub_new(5); break;
    case 6: copy = nub_new(6); break;
    case 7: copy = nub_new(7); break;
    case 8: copy = nub_new(8); break;
    case 9: copy = nub_new(9); break;
    case 10: copy = nub_new(10); break;
    case 11: copy = nub_new(11); break;
    case 12: copy = nub_new(12); break;
    case 13: copy = nub_new(13); break;
    case 14: copy = nub_new(14); break;
    case 15: copy = nub_new(15); break;
    case 16: copy = nub_new(16); break;
    /* Longer texts are beyond the bound, as rounds of a loop are. */
    default: while (n) n |= 1;
    }
    for (i = 0; copy && i < n; i++) copy[i] = s[i];
    return copy;
}
long time(long *t) {
    long now = nub_any_long("");
    nub_assume(now >= -1 || nub_left_open("result"));
    if (t) *t = now;
    return now;
}
long clock(void) {
    long now = nub_any_long("");
    nub_assume(now >= -1 || nub_left_open("result"));
    return now;
}
int system(const char *command) {
    (void)command;
    return nub_any_int("returns");
}
