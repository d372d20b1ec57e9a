//! Functions that compare texts. C fixes only the sign of their results (C17 7.24.4), and libraries differ in the rest: glibc returns the difference of
//! two characters, the address sanitizer -1 or 1. A test that expects what the function under test makes of such a result has functions of its own, which
//! return what our models do.

use crate::replaced::Replacement;
use nub_c_ir::{FunctionId, Program};

pub(crate) const COMPARISONS: &[Replacement] = &[
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

/// Those whose models a run of the function can reach.
pub(crate) fn compared(program: &Program, function: FunctionId) -> impl Iterator<Item = String> {
    let models = program.reachable(function).into_iter().map(|id| program.function(id));
    let names = models.filter(|function| function.is_model).map(|function| function.name.clone());
    names.filter(|name| COMPARISONS.iter().any(|(known, _)| known == name))
}
