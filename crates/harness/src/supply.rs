//! How a C file supplies what the function under test reads while it runs: results of `nondet_int` and similar functions, values for `scanf`, and
//! whether an allocation fails.
//!
//! The values of a test are in one array, in the order in which they are read; stubs have an array each, because C does not say which of two calls in
//! one statement comes first. Macros replace `scanf`, `malloc` and similar functions, after the headers and before the program.

use crate::calls::{COMPARING, expectation, has_calls};
use crate::case::TestSuite;
use crate::environment;
use crate::floats;
use crate::replaced;
use crate::stub_text;
use crate::stubs::alias;
use crate::volatile;
use nub_report::c_tests::{Read, ReadKind, StubText, TestCase};
use std::fmt::Write;

const NEVER_FAILS: &str = "writing to a string cannot fail";

/// The end of the values has a size of its own: a program that has changed since may read more values than there are.
const NEXT: &str = "\
enum { NUB_RESULT = 0, NUB_END = 255 };
struct nub_read { long long value; unsigned size; };
static const struct nub_read nub_nothing[] = { { 0, NUB_END } };
static const struct nub_read *nub_next = nub_nothing, **nub_from = &nub_next;
__attribute__((unused)) static long long nub_take(void) { return (*nub_from)->size == NUB_END ? 0 : (*nub_from)++->value; }
";

/// Each object after the format gets the next value; the first value is the result, if the program uses it.
const SCAN: &str = "\
static int nub_scan(const char *format, va_list objects) {
    int n = 0, is_counted = nub_next->size == NUB_RESULT, most = is_counted ? (int)nub_take() : 0;
    for (; *format; format++) {
        void *object;
        if (*format != '%') continue;
        if (*++format == 0) break;
        if (*format == '%' || *format == '*') continue;
        object = va_arg(objects, void *);
        if (is_counted && n >= most) break;
        switch (nub_next->size) {
        case sizeof(char): *(char *)object = (char)nub_take(); break;
        case sizeof(short): *(short *)object = (short)nub_take(); break;
        case sizeof(int): *(int *)object = (int)nub_take(); break;
        default: *(long long *)object = (long long)nub_take();
        }
        n++;
    }
    return is_counted ? most : n;
}
";

/// How stubs that never return end the program, unless the file has said so before.
const LEAVING: &str = "\
#ifndef nub_leave
#define nub_leave() (exit)(0)
#endif
";

/// Functions that allocate, with their parameters and arguments, and when they must fail: sanitizers end the program instead.
const ALLOCATORS: [(&str, &str, &str, &str); 6] = [
    ("malloc", "size_t size", "size", ONE),
    ("calloc", "size_t count, size_t size", "count, size", MANY),
    ("aligned_alloc", "size_t align, size_t size", "align, size", ONE),
    ("memalign", "size_t align, size_t size", "align, size", ONE),
    ("realloc", "void *old, size_t size", "old, size", ONE),
    ("reallocarray", "void *old, size_t count, size_t size", "old, count, size", MANY),
];

/// No object is larger than half of the address space.
const ONE: &str = "size > (size_t)-1 / 2";
const MANY: &str = "(count && size > (size_t)-1 / 2 / count)";

/// Functions of the library that are redefined, whatever their parameters are.
const LIBRARY: [&str; 5] = ["getchar", "fgetc", "getc", "rand", "random"];

/// Functions that scan, with the parameters before the format.
const SCANNERS: [(&str, &str); 3] =
    [("fscanf", "FILE *file, "), ("sscanf", "const char *text, "), ("scanf", "")];

/// The entry of [`SCANNERS`] for a function; some headers replace `scanf` by `__isoc99_scanf`.
fn scanner(source: &str) -> Option<usize> {
    SCANNERS.iter().position(|(name, _)| source == *name || source.ends_with(&format!("_{name}")))
}

/// Whether a test needs the headers of the library: it reads with `scanf` or a similar function, allocates, or has a copy of the program that does.
pub fn needs_headers(suite: &TestSuite) -> bool {
    let is_macro = |read: &&Read| {
        matches!(read.kind, ReadKind::Fails | ReadKind::Library) || scanner(&read.source).is_some()
    };
    suite.stubs.copy.is_some() || sources(suite).iter().any(is_macro)
}

/// The text before the program is included.
pub fn before_program(suite: &TestSuite) -> String {
    let hooks = suite.stubs.copy.as_ref().map(|copy| format!("\n{}", copy.hooks)).unwrap_or_default();
    let sources = sources(suite);
    let outside = environment::known(&sources);
    let renamed = replaced::renamed(&suite.stubs.replaced, &outside);
    if sources.is_empty() && !has_calls(suite) {
        return renamed + &hooks;
    }
    let is_allocating = sources.iter().any(|read| read.kind == ReadKind::Fails);
    let scanning: Vec<(&str, usize)> =
        sources.iter().filter_map(|read| Some((read.source.as_str(), scanner(&read.source)?))).collect();
    let mut text = renamed + environment::headers(&outside);
    if !scanning.is_empty() {
        text.push_str("#include <stdarg.h>\n#include <stdio.h>\n");
    }
    if is_allocating {
        text.push_str("#include <stdlib.h>\n");
    }
    let is_wide = |read: &Read| read.value.contains("__int128");
    let next = if suite.cases.iter().flat_map(|case| &case.reads).any(is_wide) {
        NEXT.replace("long long", "__int128")
    } else {
        NEXT.to_owned()
    };
    text.push_str(&format!("{hooks}\n{next}"));
    let labels: Vec<&str> = suite.stubs.undefined_macros.iter().map(String::as_str).collect();
    text.push_str(if labels.is_empty() { "" } else { LABEL });
    // Floats need this only where something reads them.
    let is_float = |ty: &str| matches!(ty, "float" | "double");
    let reads_floats = suite.cases.iter().flat_map(|case| &case.reads).any(|read| is_float(&read.ty));
    let stubs_take_floats = stub_text::used(suite).any(|stub| stub.definition.contains("nub_take_"));
    text.push_str(if reads_floats || stubs_take_floats { floats::TAKE } else { "" });
    if !scanning.is_empty() {
        text.push_str(&scanners(&scanning, &labels));
    }
    for (name, parameters, arguments, is_too_large) in ALLOCATORS {
        if sources.iter().any(|read| read.kind == ReadKind::Fails && read.source == name) {
            let real = if labels.contains(&name) { format!("nub_real_{name}") } else { name.to_owned() };
            if labels.contains(&name) {
                writeln!(text, "extern void *{real}({parameters}) NUB_LABEL(\"{name}\");")
                    .expect(NEVER_FAILS);
            }
            let body = format!("return nub_take() || {is_too_large} ? 0 : {real}({arguments});");
            let kept = kept(name, &labels);
            write!(
                text,
                "\n{kept}static void *nub_{name}({parameters}) {{ {body} }}\n{}",
                put(name, &labels)
            )
            .expect(NEVER_FAILS);
        }
    }
    text.push_str(&environment::replacements(&outside, &labels));
    text.push('\n');
    text
}

/// A name for the assembler, which no `#undef` of the program removes.
const LABEL: &str = "\
#define NUB_TEXT(words) #words
#define NUB_TEXT_OF(words) NUB_TEXT(words)
#define NUB_LABEL(name) __asm__(NUB_TEXT_OF(__USER_LABEL_PREFIX__) name)
";

/// The compiler does not see that a label is used.
pub(crate) fn kept(name: &str, labels: &[&str]) -> &'static str {
    if labels.contains(&name) { "__attribute__((used)) " } else { "" }
}

/// Replaces a library function by `nub_NAME`: with a macro, or, where the program would undefine that, with its label.
pub(crate) fn put(name: &str, labels: &[&str]) -> String {
    if labels.contains(&name) {
        format!("extern __typeof__({name}) {name} NUB_LABEL(\"nub_{name}\");\n")
    } else {
        format!("#define {name} nub_{name}\n")
    }
}

/// What headers of glibc call a function that scans, by the version of C. They say so themselves, so that no other name can be said.
const SCANNER_LABELS: [&str; 3] = ["", "__isoc99_", "__isoc23_"];

fn scanners(scanning: &[(&str, usize)], labels: &[&str]) -> String {
    let mut text = format!("\n{SCAN}");
    for (index, (name, first)) in SCANNERS.iter().enumerate() {
        let mut calls = scanning.iter().filter(|(_, scanner)| *scanner == index).peekable();
        if calls.peek().is_none() {
            continue;
        }
        let unused = first.split([' ', '*', ',']).rfind(|word| !word.is_empty());
        let unused = unused.map(|name| format!("    (void){name};\n")).unwrap_or_default();
        let params = format!("{first}const char *format, ...");
        let body = format!(
            "{{\n    va_list objects;\n    int n;\n{unused}    va_start(objects, format);\n    \
             n = nub_scan(format, objects);\n    va_end(objects);\n    return n;\n}}\n"
        );
        if labels.contains(name) {
            for prefix in SCANNER_LABELS {
                let own = format!("nub_{name}{prefix}");
                write!(
                    text,
                    "\nint {own}({params}) NUB_LABEL(\"{prefix}{name}\");\nint {own}({params}) {body}"
                )
                .expect(NEVER_FAILS);
            }
            continue;
        }
        write!(text, "\nstatic int nub_{name}({params}) {body}").expect(NEVER_FAILS);
        for (source, _) in calls {
            writeln!(text, "#define {source} nub_{name}").expect(NEVER_FAILS);
        }
    }
    text
}

/// The text after the program: bodies of the functions that have none.
pub fn after_program(suite: &TestSuite) -> String {
    let sources = sources(suite);
    let outside = environment::known(&sources);
    let mut text = environment::restoration(&outside);
    text.push_str(&replaced::definitions(&suite.stubs.replaced, &outside));
    let is_function = |read: &&Read| read.kind == ReadKind::Value && scanner(&read.source).is_none();
    for Read { source, ty, .. } in sources.into_iter().filter(is_function) {
        let body = format!("return {};", floats::take(ty));
        if LIBRARY.contains(&source.as_str()) {
            writeln!(text, "{}", alias(ty, source, &body))
        } else {
            writeln!(text, "{ty} {source}(void) {{ {body} }}")
        }
        .expect(NEVER_FAILS);
    }
    if has_calls(suite) {
        text.push_str(COMPARING);
        let has_floats = stub_text::used(suite).any(|stub| stub.definition.contains("nub_float_word"));
        text.push_str(if has_floats { floats::FLOAT_WORD } else { "" });
    }
    let leaves = stub_text::used(suite).any(|stub| stub.definition.contains(stub_text::LEAVE));
    text.push_str(if leaves { LEAVING } else { "" });
    stub_text::used(suite).for_each(|stub| text.push_str(&stub.definition));
    if text.is_empty() { text } else { format!("\n{text}") }
}

/// One read for each function that is read from, by name.
fn sources(suite: &TestSuite) -> Vec<&Read> {
    let is_function = |read: &&Read| !matches!(read.kind, ReadKind::Volatile(_));
    let mut sources: Vec<&Read> =
        suite.cases.iter().flat_map(|case| &case.reads).filter(is_function).collect();
    sources.sort_by(|a, b| a.source.cmp(&b.source));
    sources.dedup_by(|a, b| a.source == b.source);
    sources
}

/// The values of one test, as statements.
pub fn values(case: &TestCase) -> String {
    let sites = case.reads.iter().filter_map(|read| match read.kind {
        ReadKind::Volatile(site) => Some((site, read.value.as_str())),
        _ => None,
    });
    let mut text = volatile::values(sites);
    let value = |read: &Read| match read.kind {
        ReadKind::Scanned => Some(format!("{{ {}, NUB_RESULT }}", read.value)),
        ReadKind::Value | ReadKind::Fails | ReadKind::Library => Some(entry(read)),
        ReadKind::Stub | ReadKind::Volatile(_) => None,
    };
    let values: Vec<String> = case.reads.iter().filter_map(value).collect();
    if !values.is_empty() {
        writeln!(
            text,
            "    static const struct nub_read reads[] = {{ {}, {{ 0, NUB_END }} }};\n    nub_next = reads;",
            values.join(", ")
        )
        .expect(NEVER_FAILS);
    }
    text
}

/// The calls that one test expects, as statements, and the values of each function that is called.
pub fn expected_calls(suite: &TestSuite, case: &TestCase) -> String {
    if !has_calls(suite) {
        return String::new();
    }
    let mut text = expectation(&case.calls)
        + "    nub_expected = nub_first = calls;\n    nub_n_ahead = 0;\n    nub_difference = 0;\n";
    for StubText { name, .. } in stub_text::used(suite) {
        let is_own = |read: &&Read| read.kind == ReadKind::Stub && read.source == *name;
        let values: Vec<String> = case.reads.iter().filter(is_own).map(entry).collect();
        if values.is_empty() { writeln!(text, "    nub_of_{name} = nub_nothing;") } else { writeln!(
                text,
                "    static const struct nub_read of_{name}[] = {{ {}, {{ 0, NUB_END }} }};\n    nub_of_{name} = of_{name};",
                values.join(", ")
            ) }
        .expect(NEVER_FAILS);
    }
    text
}

/// A value with its size.
fn entry(read: &Read) -> String {
    format!("{{ {}, sizeof({}) }}", read.value, read.ty)
}
