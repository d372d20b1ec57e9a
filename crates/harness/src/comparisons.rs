//! Functions that compare texts. C fixes only the sign of their results (C17 7.24.4), and libraries differ in the rest: glibc returns the difference of
//! two characters, the address sanitizer -1 or 1. A test that expects what the function under test makes of such a result has functions of its own, which
//! return what our models do.

use crate::replaced::Replacement;

pub(crate) const COMPARISONS: &[Replacement] = &[
    (
        "memcmp",
        "int nub_memcmp(const void *a, const void *b, __SIZE_TYPE__ n) { const unsigned char *p = a, *q = b; for (; n; n--, p++, q++) if (*p != *q) return *p - *q; return 0; }",
    ),
    (
        "strcmp",
        "int nub_strcmp(const char *a, const char *b) { for (; *a && *a == *b; a++) b++; return *(const unsigned char *)a - *(const unsigned char *)b; }",
    ),
    (
        "strncmp",
        "int nub_strncmp(const char *a, const char *b, __SIZE_TYPE__ n) { for (; n; n--, a++, b++) if (!*a || *a != *b) return *(const unsigned char *)a - *(const unsigned char *)b; return 0; }",
    ),
    (
        "strcasecmp",
        "static int nub_small(char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : (unsigned char)c; }\n\
         int nub_strcasecmp(const char *a, const char *b) { for (; *a && nub_small(*a) == nub_small(*b); a++) b++; return nub_small(*a) - nub_small(*b); }",
    ),
    (
        "strncasecmp",
        "static int nub_lower(char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : (unsigned char)c; }\n\
         int nub_strncasecmp(const char *a, const char *b, __SIZE_TYPE__ n) { for (; n; n--, a++, b++) if (!*a || nub_lower(*a) != nub_lower(*b)) return nub_lower(*a) - nub_lower(*b); return 0; }",
    ),
];
