//! Functions that write to a stream that the function under test is given. Callers also pass streams on as `void *`, so a test may pass plain memory,
//! which the library's functions must not see. What is written is not modelled: in the tests nothing is.

use nub_c_ir::{Body, Program};

/// The replaced functions: the name, and the definition under another name.
const WRITERS: &[(&str, &str)] = &[
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

/// Comes before the program, and before any header: their declarations get the new name too.
pub(crate) fn renamed(names: &[String], taken: &[&str]) -> String {
    entries(names, taken).map(|(name, _)| format!("#define {name} nub_{name}\n")).collect()
}

/// Comes after the program and the headers of the tests. The tests themselves use `fflush`, which no header has declared by then.
pub(crate) fn definitions(names: &[String], taken: &[&str]) -> String {
    let mut text = String::new();
    for (name, definition) in entries(names, taken) {
        text.push_str(&format!("{definition}\n#undef {name}\n"));
        if *name == "fflush" {
            text.push_str("int fflush(FILE *);\n");
        }
    }
    text
}

/// Without those whose results are values of the tests: they are replaced elsewhere.
fn entries<'n>(
    names: &'n [String],
    taken: &'n [&str],
) -> impl Iterator<Item = &'static (&'static str, &'static str)> + 'n {
    let is_wanted = move |name: &str| names.iter().any(|known| known == name) && !taken.contains(&name);
    WRITERS.iter().filter(move |(name, _)| is_wanted(name))
}
