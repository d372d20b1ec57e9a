//! Functions of the library that do something which C leaves open, and which a program can observe: `qsort` and `bsearch` choose among equal elements and
//! compare as often as they like, functions such as `isalpha` return any number that is not 0. A test expects what our models do, so a test program has
//! functions of its own that do the same.

use crate::replaced::Replacement;

pub(crate) const SORTING: &[Replacement] = &[
    (
        "qsort",
        "void nub_qsort(void *base, __SIZE_TYPE__ n, __SIZE_TYPE__ size, int (*compare)(const void *, const void *)) {\n\
         \x20   char *start = base;\n\
         \x20   for (__SIZE_TYPE__ i = 1; i < n; i++)\n\
         \x20       for (__SIZE_TYPE__ j = i; j > 0 && compare(start + (j - 1) * size, start + j * size) > 0; j--)\n\
         \x20           for (__SIZE_TYPE__ k = 0; k < size; k++) {\n\
         \x20               char *a = start + (j - 1) * size + k, *b = a + size, c = *a;\n\
         \x20               *a = *b;\n\
         \x20               *b = c;\n\
         \x20           }\n\
         }",
    ),
    (
        "bsearch",
        "void *nub_bsearch(const void *key, const void *base, __SIZE_TYPE__ n, __SIZE_TYPE__ size, int (*compare)(const void *, const void *)) {\n\
         \x20   for (__SIZE_TYPE__ low = 0, high = n; low < high;) {\n\
         \x20       __SIZE_TYPE__ middle = low + (high - low) / 2;\n\
         \x20       char *element = (char *)base + middle * size;\n\
         \x20       int order = compare(key, element);\n\
         \x20       if (order == 0) return element;\n\
         \x20       if (order < 0) high = middle;\n\
         \x20       else low = middle + 1;\n\
         \x20   }\n\
         \x20   return 0;\n\
         }",
    ),
];

/// Headers may define these as macros, which do not use the functions.
pub(crate) const CLASSES: &[Replacement] = &[
    (
        "isalnum",
        "int nub_isalnum(int c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }",
    ),
    ("isalpha", "int nub_isalpha(int c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }"),
    ("isblank", "int nub_isblank(int c) { return c == ' ' || c == '\\t'; }"),
    ("iscntrl", "int nub_iscntrl(int c) { return (c >= 0 && c < 32) || c == 127; }"),
    ("isdigit", "int nub_isdigit(int c) { return c >= '0' && c <= '9'; }"),
    ("isgraph", "int nub_isgraph(int c) { return c > 32 && c < 127; }"),
    ("islower", "int nub_islower(int c) { return c >= 'a' && c <= 'z'; }"),
    ("isprint", "int nub_isprint(int c) { return c >= 32 && c < 127; }"),
    (
        "ispunct",
        "int nub_ispunct(int c) { return c > 32 && c < 127 && (c < '0' || c > '9') && ((c | 32) < 'a' || (c | 32) > 'z'); }",
    ),
    ("isspace", "int nub_isspace(int c) { return c == ' ' || (c >= '\\t' && c <= '\\r'); }"),
    ("isupper", "int nub_isupper(int c) { return c >= 'A' && c <= 'Z'; }"),
    (
        "isxdigit",
        "int nub_isxdigit(int c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f'); }",
    ),
];
