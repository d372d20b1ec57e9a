//! Functions that write to a stream that the function under test is given. Callers also pass streams on as `void *`, so a test may pass plain memory,
//! which the library's functions must not see. What is written is not modelled: in the tests nothing is.

use crate::replaced::Replacement;
use nub_c_ir::{Body, Program};

pub(crate) const WRITERS: &[Replacement] = &[
    ("fprintf", "int nub_fprintf(FILE *a, const char *b, ...) { (void)a; (void)b; return 0; }"),
    (
        "vfprintf",
        "int nub_vfprintf(FILE *a, const char *b, __builtin_va_list c) { (void)a; (void)b; (void)c; return 0; }",
    ),
    ("fputs", "int nub_fputs(const char *a, FILE *b) { (void)a; (void)b; return 0; }"),
    ("fputc", "int nub_fputc(int a, FILE *b) { (void)b; return (unsigned char)a; }"),
    ("putc", "int nub_putc(int a, FILE *b) { (void)b; return (unsigned char)a; }"),
    ("fflush", "int nub_fflush(FILE *a) { (void)a; return 0; }"),
    ("setbuf", "void nub_setbuf(FILE *a, char *b) { (void)a; (void)b; }"),
];

/// Those that a program calls and does not define.
pub(crate) fn writers(program: &Program) -> Vec<String> {
    let is_own = |name: &str| {
        program.function_by_name(name).is_some_and(|id| {
            let function = program.function(id);
            matches!(function.body, Body::Defined) && !function.is_model
        })
    };
    program.stream_writers.iter().filter(|name| !is_own(name)).cloned().collect()
}
