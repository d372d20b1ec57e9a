//! How a C file supplies what the function under test reads while it runs: from `nondet_int` and its like, and from `scanf`.
//!
//! The values of a test stand in one array, in the order in which they are read. `scanf` and its like are replaced by macros, after
//! `stdio.h` was read and before the program is.

use crate::case::{Case, Read, Suite};
use crate::stubs::alias;
use std::fmt::Write;

const NEVER_FAILS: &str = "writing to a string cannot fail";

const NEXT: &str = "\
struct nub_read { long long value; unsigned size; };
static const struct nub_read *nub_next;
";

/// Each object behind the format gets the next value.
const SCAN: &str = "\
static int nub_scan(const char *format, va_list objects) {
    int n = 0;
    for (; *format; format++) {
        void *object;
        if (*format != '%') continue;
        if (*++format == 0) break;
        if (*format == '%' || *format == '*') continue;
        object = va_arg(objects, void *);
        switch (nub_next->size) {
        case sizeof(char): *(char *)object = (char)nub_next->value; break;
        case sizeof(short): *(short *)object = (short)nub_next->value; break;
        case sizeof(int): *(int *)object = (int)nub_next->value; break;
        default: *(long long *)object = nub_next->value;
        }
        nub_next++;
        n++;
    }
    return n;
}
";

/// Functions that scan, with what they have before the format.
const SCANNERS: [(&str, &str); 3] =
    [("fscanf", "FILE *file, "), ("sscanf", "const char *text, "), ("scanf", "")];

/// The entry of [`SCANNERS`] for a function; `__isoc99_scanf` is what some headers make of `scanf`.
fn scanner(source: &str) -> Option<usize> {
    SCANNERS.iter().position(|(name, _)| source == *name || source.ends_with(&format!("_{name}")))
}

/// Does a test read with `scanf` or its like?
pub fn scans(suite: &Suite) -> bool {
    sources(suite).iter().any(|read| scanner(&read.source).is_some())
}

/// What stands before the program is included.
pub fn before_program(suite: &Suite) -> String {
    let sources = sources(suite);
    if sources.is_empty() {
        return String::new();
    }
    let scanning: Vec<(&str, usize)> =
        sources.iter().filter_map(|read| Some((read.source.as_str(), scanner(&read.source)?))).collect();
    if scanning.is_empty() {
        return format!("\n{NEXT}\n");
    }
    let mut text = format!("#include <stdarg.h>\n#include <stdio.h>\n\n{NEXT}\n{SCAN}");
    for (index, (name, first)) in SCANNERS.iter().enumerate() {
        let mut calls = scanning.iter().filter(|(_, scanner)| *scanner == index).peekable();
        if calls.peek().is_some() {
            write!(
                text,
                "\nstatic int nub_{name}({first}const char *format, ...) {{\n    va_list objects;\n    int n;\n    \
                 va_start(objects, format);\n    n = nub_scan(format, objects);\n    va_end(objects);\n    return n;\n}}\n"
            )
            .expect(NEVER_FAILS);
        }
        for (source, _) in calls {
            writeln!(text, "#define {source} nub_{name}").expect(NEVER_FAILS);
        }
    }
    text.push('\n');
    text
}

/// What stands after it: bodies of the functions that have none.
pub fn after_program(suite: &Suite) -> String {
    let mut text = String::new();
    for Read { source, ty, .. } in sources(suite).into_iter().filter(|read| scanner(&read.source).is_none()) {
        let body = format!("return ({ty})nub_next++->value;");
        match suite.stubs.supplied.contains(source) {
            true => writeln!(text, "{}", alias(ty, source, &body)),
            false => writeln!(text, "{ty} {source}(void) {{ {body} }}"),
        }
        .expect(NEVER_FAILS);
    }
    if text.is_empty() { text } else { format!("\n{text}") }
}

/// One read of each function that is read from, by name.
fn sources(suite: &Suite) -> Vec<&Read> {
    let mut sources: Vec<&Read> = suite.cases.iter().flat_map(|case| &case.reads).collect();
    sources.sort_by(|a, b| a.source.cmp(&b.source));
    sources.dedup_by(|a, b| a.source == b.source);
    sources
}

/// The values of one test, as statements.
pub fn values(case: &Case) -> String {
    if case.reads.is_empty() {
        return String::new();
    }
    let value = |read: &Read| format!("{{ {}, sizeof({}) }}", read.value, read.ty);
    let values: Vec<String> = case.reads.iter().map(value).collect();
    format!(
        "    static const struct nub_read reads[] = {{ {} }};\n    nub_next = reads;\n",
        values.join(", ")
    )
}
