//! Library functions whose results depend on the environment, in the test file: they take the next values of the test.
//!
//! After the headers, macros replace the library's functions by these.

use crate::supply::{kept, put};
use nub_c_ir::environment_text;
use nub_report::c_tests::{Read, ReadKind};
use std::fmt::Write;

const NEVER_FAILS: &str = "writing to a string cannot fail";

/// Headers that declare them: the macro must come after the declaration.
const HEADERS: &str = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <time.h>\n";

/// Functions for the inputs in the texts that are shared with the model.
const INPUTS: &str = "\
#define nub_size size_t
#define nub_any_int(what) ((int)nub_take())
#define nub_any_long(what) ((long)nub_take())
#define nub_any_char(what) ((char)nub_take())
#define nub_any_uchar(what) ((unsigned char)nub_take())
#define nub_any_size_t(what) ((size_t)nub_take())
#define nub_assume(condition) ((void)(condition))
#define nub_left_open(what) 0
#define nub_new(size) (nub_take() ? 0 : nub_keep(size))
#define nub_new_stream() (nub_take() ? 0 : (void *)tmpfile())
static void *nub_kept_here[1024];
__attribute__((unused)) static void *nub_keep(size_t size) {
    static unsigned n;
    return nub_kept_here[n++ % 1024] = calloc(1, size);
}
";

const NO_INPUTS: &str = "\
#undef nub_size
#undef nub_assume
#undef nub_left_open
#undef nub_new
#undef nub_new_stream
";

/// Functions that return a number and do nothing else, with their parameters.
const RESULTS: &[(&str, &str)] = &[
    ("fclose", "FILE *a"),
    ("pclose", "FILE *a"),
    ("feof", "FILE *a"),
    ("ferror", "FILE *a"),
    ("fseek", "FILE *a, long b, int c"),
    ("remove", "const char *a"),
    ("rename", "const char *a, const char *b"),
    ("printf", "const char *a, ..."),
    ("fprintf", "FILE *a, const char *b, ..."),
    ("dprintf", "int a, const char *b, ..."),
    ("vprintf", "const char *a, __builtin_va_list b"),
    ("vfprintf", "FILE *a, const char *b, __builtin_va_list c"),
    ("vdprintf", "int a, const char *b, __builtin_va_list c"),
    ("puts", "const char *a"),
    ("fputs", "const char *a, FILE *b"),
    ("putchar", "int a"),
    ("fputc", "int a, FILE *b"),
    ("putc", "int a, FILE *b"),
    ("fflush", "FILE *a"),
    ("putchar_unlocked", "int a"),
];

/// Of the functions that tests read from, those that this file knows, by name.
pub(crate) fn known<'r>(sources: &[&'r Read]) -> Vec<&'r str> {
    let is_known = |read: &&&Read| {
        read.kind == ReadKind::Library
            || (read.kind == ReadKind::Fails && environment_text(&read.source).is_some())
    };
    let mut names: Vec<&str> = sources.iter().filter(is_known).map(|read| read.source.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// The headers, to come before everything else.
pub(crate) fn headers(names: &[&str]) -> &'static str {
    if names.is_empty() { "" } else { HEADERS }
}

/// The functions, and macros that replace the library's functions by them.
pub(crate) fn replacements(names: &[&str], labels: &[&str]) -> String {
    if names.is_empty() {
        return String::new();
    }
    let mut text = format!("\n{INPUTS}");
    for name in names {
        if let Some(body) = environment_text(name) {
            let body = body.replacen(&format!("{name}("), &format!("nub_{name}("), 1);
            write!(text, "{}static {body}", kept(name, labels)).expect(NEVER_FAILS);
            continue;
        }
        let Some((_, params)) = RESULTS.iter().find(|(known, _)| known == name) else { continue };
        let n_params = params.split(',').filter(|param| !param.contains("...")).count();
        let unused: String = ["a", "b", "c"].iter().take(n_params).map(|a| format!("(void){a}; ")).collect();
        let kept = kept(name, labels);
        writeln!(text, "{kept}static int nub_{name}({params}) {{ {unused}return (int)nub_take(); }}")
            .expect(NEVER_FAILS);
    }
    text.push_str(NO_INPUTS);
    for name in names {
        // Some are macros of the headers.
        write!(text, "#undef {name}\n{}", put(name, labels)).expect(NEVER_FAILS);
    }
    text
}

/// Restores the library's functions, for the tests themselves.
pub(crate) fn restoration(names: &[&str]) -> String {
    names.iter().map(|name| format!("#undef {name}\n")).collect()
}
