void *memcpy(void *to, const void *from, nub_size n) {
    char *t = to;
    const char *f = from;
    nub_not_null(to);
    nub_not_null(from);
    nub_apart(t, f, n);
    for (nub_size i = 0; i < n; i++) t[i] = f[i];
    return to;
}
void *memmove(void *to, const void *from, nub_size n) {
    char *t = to;
    const char *f = from;
    nub_not_null(to);
    nub_not_null(from);
    if (t <= f) for (nub_size i = 0; i < n; i++) t[i] = f[i];
    else for (nub_size i = n; i > 0; i--) t[i - 1] = f[i - 1];
    return to;
}
void *memset(void *to, int value, nub_size n) {
    unsigned char *t = to;
    nub_not_null(to);
    for (nub_size i = 0; i < n; i++) t[i] = (unsigned char)value;
    return to;
}
/* A number with the sign of a difference: C fixes nothing else of what functions that compare return. */
int nub_sized(int difference, int n) { return difference && (n < 0) == (difference < 0) ? n : difference; }
int memcmp(const void *a, const void *b, nub_size n) {
    const unsigned char *p = a, *q = b;
    nub_not_null(a);
    nub_not_null(b);
    if (n) nub_is_there(p + (n - 1));
    if (n) nub_is_there(q + (n - 1));
    for (nub_size i = 0; i < n; i++)
        if (p[i] != q[i]) {
            int other = nub_left_open("result");
            return other ? nub_sized(p[i] - q[i], other) : p[i] - q[i];
        }
    return 0;
}
void *memchr(const void *s, int c, nub_size n) {
    const unsigned char *p = s;
    nub_not_null(s);
    for (nub_size i = 0; i < n; i++)
        if (p[i] == (unsigned char)c) return (void *)(p + i);
    return 0;
}
nub_size strlen(const char *s) {
    nub_size n = 0;
    while (s[n]) n++;
    return n;
}
nub_size strnlen(const char *s, nub_size most) {
    nub_size n = 0;
    while (n < most && s[n]) n++;
    return n;
}
char *strcpy(char *to, const char *from) {
    for (nub_size i = 0;; i++) {
        nub_apart(to + i, from);
        nub_apart(from + i, to);
        to[i] = from[i];
        if (!from[i]) return to;
    }
}
char *strncpy(char *to, const char *from, nub_size n) {
    nub_size i = 0;
    nub_not_null(to);
    nub_not_null(from);
    for (; i < n && from[i]; i++) {
        nub_apart(to + i, from);
        nub_apart(from + i, to);
        to[i] = from[i];
    }
    for (; i < n; i++) to[i] = 0;
    return to;
}
char *strcat(char *to, const char *from) {
    nub_size n = 0, i = 0;
    while (to[n]) n++;
    for (;; i++) {
        nub_apart(to + n + i, from);
        to[n + i] = from[i];
        if (!from[i]) return to;
    }
}
char *strncat(char *to, const char *from, nub_size most) {
    nub_size n = 0, i = 0;
    nub_not_null(from);
    while (to[n]) n++;
    for (; i < most && from[i]; i++) {
        nub_apart(to + n + i, from);
        to[n + i] = from[i];
    }
    to[n + i] = 0;
    return to;
}
int strcmp(const char *a, const char *b) {
    nub_size i = 0;
    int other = nub_left_open("result");
    while (a[i] && a[i] == b[i]) i++;
    if (other) return nub_sized((unsigned char)a[i] - (unsigned char)b[i], other);
    return (unsigned char)a[i] - (unsigned char)b[i];
}
int strncmp(const char *a, const char *b, nub_size n) {
    nub_not_null(a);
    nub_not_null(b);
    for (nub_size i = 0; i < n; i++) {
        if (a[i] != b[i]) {
            int other = nub_left_open("result");
            if (other) return nub_sized((unsigned char)a[i] - (unsigned char)b[i], other);
            return (unsigned char)a[i] - (unsigned char)b[i];
        }
        if (!a[i]) return 0;
    }
    return 0;
}
char *strchr(const char *s, int c) {
    for (nub_size i = 0;; i++) {
        if (s[i] == (char)c) return (char *)(s + i);
        if (!s[i]) return 0;
    }
}
char *strrchr(const char *s, int c) {
    const char *last = 0;
    for (nub_size i = 0;; i++) {
        if (s[i] == (char)c) last = s + i;
        if (!s[i]) return (char *)last;
    }
}
char *strstr(const char *s, const char *part) {
    nub_is_there(s);
    for (nub_size i = 0;; i++) {
        nub_size j = 0;
        while (part[j] && s[i + j] == part[j]) j++;
        if (!part[j]) return (char *)(s + i);
        if (!s[i]) return 0;
    }
}
nub_size strspn(const char *s, const char *set) {
    nub_size n = 0;
    nub_is_there(set);
    while (s[n] && strchr(set, s[n])) n++;
    return n;
}
nub_size strcspn(const char *s, const char *set) {
    nub_size n = 0;
    nub_is_there(set);
    while (s[n] && !strchr(set, s[n])) n++;
    return n;
}
char *strpbrk(const char *s, const char *set) {
    nub_size n = strcspn(s, set);
    return s[n] ? (char *)(s + n) : 0;
}
char *strsep(char **place, const char *set) {
    char *start = *place;
    nub_not_null(set);
    if (start) {
        char *end = start + strcspn(start, set);
        *place = *end ? end + 1 : 0;
        if (*end) *end = 0;
    }
    return start;
}
char *strtok_r(char *s, const char *set, char **rest) {
    char *start = s ? s : *rest, *end;
    start += strspn(start, set);
    end = start + strcspn(start, set);
    *rest = *end ? end + 1 : end;
    if (*end) *end = 0;
    return end == start ? 0 : start;
}
void bzero(void *p, nub_size n) { memset(p, 0, n); }
int strcasecmp(const char *a, const char *b) {
    for (; *a && tolower((unsigned char)*a) == tolower((unsigned char)*b); a++) b++;
    int difference = tolower((unsigned char)*a) - tolower((unsigned char)*b), other = nub_left_open("result");
    return other ? nub_sized(difference, other) : difference;
}
int strncasecmp(const char *a, const char *b, nub_size n) {
    nub_not_null(a);
    nub_not_null(b);
    for (; n; n--, a++, b++) {
        int difference = tolower((unsigned char)*a) - tolower((unsigned char)*b);
        if (difference || !*a) {
            int other = nub_left_open("result");
            return other ? nub_sized(difference, other) : difference;
        }
    }
    return 0;
}
void *memrchr(const void *s, int c, nub_size n) {
    const unsigned char *p = s;
    nub_not_null(s);
    while (n--) {
        if (p[n] == (unsigned char)c) return (void *)(p + n);
    }
    return 0;
}
char *stpcpy(char *to, const char *from) {
    nub_size n = 0;
    strcpy(to, from);
    while (to[n]) n++;
    return to + n;
}
void *mempcpy(void *to, const void *from, nub_size n) { return (char *)memcpy(to, from, n) + n; }
char *strchrnul(const char *s, int c) {
    while (*s && *s != (char)c) s++;
    return (char *)s;
}
