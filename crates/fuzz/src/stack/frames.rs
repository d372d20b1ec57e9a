//! One line of a stack trace.

use std::sync::LazyLock;

use regex::Regex;

/// A frame as printed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Frame {
    /// Its number, where frames are numbered.
    pub number: Option<u32>,
    /// The function, without arguments.
    pub function: String,
    /// File and line of the call, without folders and columns.
    pub place: Option<String>,
    /// Python prints the innermost frame last.
    pub is_python: bool,
}

impl Frame {
    /// `function at file:line`.
    pub(super) fn text(&self) -> String {
        match &self.place {
            Some(place) => format!("{} at {place}", self.function),
            None => self.function.clone(),
        }
    }
}

fn compile(text: &str) -> Regex {
    Regex::new(text).expect("expressions in this file are constants, and the tests use each")
}

/// Sanitizers and gdb.
static NUMBERED: LazyLock<Regex> =
    LazyLock::new(|| compile(r"^\s*#(?<number>\d{1,6})\s+(?:(?:0x)?[0-9a-fA-F]{4,}\s+in\s+)?(?<rest>\S.*)$"));
/// A place at the end of such a line: `at a.c:3` or `/x/a.c:3:7`.
static PLACE: LazyLock<Regex> =
    LazyLock::new(|| compile(r"^(?<before>.*?)\s+(?:at\s+)?(?<place>[^\s():]+:\d+)(?::\d+)?$"));
/// A module at the end: `(/lib/libc.so+0x12)`, `from /lib/libc.so`.
static MODULE: LazyLock<Regex> =
    LazyLock::new(|| compile(r"\s*(?:\([^()\s]*\+0x[0-9a-f]+\)(?:\s+\(BuildId:[^)]*\))?|from\s+\S+)\s*$"));
static GLIBC: LazyLock<Regex> =
    LazyLock::new(|| compile(r"^\s*[^\s()]+\((?<function>[^()\s]*?)\+0x[0-9a-f]+\)\s*\[0x[0-9a-f]+\]\s*$"));
static RUST: LazyLock<Regex> =
    LazyLock::new(|| compile(r"^\s*(?<number>\d{1,6}):\s+(?:0x[0-9a-f]+ - )?(?<function>\S.*::\S.*|main)$"));
static RUST_PLACE: LazyLock<Regex> = LazyLock::new(|| compile(r"^\s+at (?<place>[^\s:]+:\d+)(?::\d+)?$"));
static JAVA: LazyLock<Regex> =
    LazyLock::new(|| compile(r"^\s+at (?<function>[\w.$/@]+(?:\.<init>)?)\((?<place>[^()]*)\)$"));
static PYTHON: LazyLock<Regex> =
    LazyLock::new(|| compile(r#"^  File "(?<file>[^"]*)", line (?<line>\d+)(?:, in (?<function>\S+))?"#));

/// The frame on a line, if it shows one.
pub(super) fn frame_of(line: &str) -> Option<Frame> {
    numbered(line)
        .or_else(|| glibc(line))
        .or_else(|| rust(line))
        .or_else(|| java(line))
        .or_else(|| python(line))
}

/// Rust prints the place of a frame on the line below.
pub(super) fn add_place(last: Option<&mut Frame>, line: &str) {
    if let (Some(frame), Some(found)) = (last, RUST_PLACE.captures(line)) {
        frame.place.get_or_insert_with(|| without_folders(&found["place"]));
    }
}

fn numbered(line: &str) -> Option<Frame> {
    let found = NUMBERED.captures(line)?;
    let number = found["number"].parse().ok()?;
    let rest = MODULE.replace(&found["rest"], "");
    if rest.is_empty() {
        // A module without symbols: nothing to compare, but the numbering continues.
        return Some(Frame {
            number: Some(number),
            function: "??".to_owned(),
            place: None,
            is_python: false,
        });
    }
    let (function, place) = match PLACE.captures(&rest) {
        Some(parts) => (parts["before"].to_owned(), Some(without_folders(&parts["place"]))),
        None => (rest.into_owned(), None),
    };
    Some(Frame { number: Some(number), function: bare(&function), place, is_python: false })
}

fn glibc(line: &str) -> Option<Frame> {
    let found = GLIBC.captures(line)?;
    let function = if found["function"].is_empty() { "??" } else { &found["function"] };
    Some(Frame { number: None, function: bare(function), place: None, is_python: false })
}

fn rust(line: &str) -> Option<Frame> {
    let found = RUST.captures(line)?;
    let number = found["number"].parse().ok();
    Some(Frame { number, function: bare(&found["function"]), place: None, is_python: false })
}

fn java(line: &str) -> Option<Frame> {
    let found = JAVA.captures(line)?;
    let place = found["place"].contains(':').then(|| found["place"].to_owned());
    Some(Frame { number: None, function: found["function"].to_owned(), place, is_python: false })
}

fn python(line: &str) -> Option<Frame> {
    let found = PYTHON.captures(line)?;
    let function = found.name("function").map_or("<module>", |function| function.as_str());
    let place = without_folders(&format!("{}:{}", &found["file"], &found["line"]));
    Some(Frame { number: None, function: function.to_owned(), place: Some(place), is_python: true })
}

fn without_folders(place: &str) -> String {
    place.rsplit(['/', '\\']).next().unwrap_or(place).to_owned()
}

/// The name of a function without what changes between builds: arguments, template arguments, clones made by the
/// compiler (`.constprop.0`), versions (`@@GLIBC_2.2`), hashes of Rust.
fn bare(function: &str) -> String {
    if function.starts_with('<') && !function.contains("::") {
        return function.trim().to_owned();
    }
    let mut kept = String::with_capacity(function.len());
    let mut depth = 0usize;
    // The `>` of an arrow is not a closing bracket.
    let function = function
        .replace("(anonymous namespace)::", "")
        .replace("operator()", "operator_call")
        .replace("->", "");
    for letter in function.chars() {
        match letter {
            '(' | '<' | '[' | '{' => depth += 1,
            ')' | '>' | ']' | '}' => depth = depth.saturating_sub(1),
            _ if depth == 0 => kept.push(letter),
            _ => {}
        }
    }
    let kept = kept.trim().trim_end_matches(" const").trim();
    // A return type before the name: `void f`. `operator new` is one name.
    let name = match kept.rsplit_once(' ') {
        Some((before, name)) if !before.ends_with("operator") => name,
        _ => kept,
    };
    let name = name.split('@').next().unwrap_or(name);
    let name = name.split(".constprop").next().unwrap_or(name);
    let name = name.split(".isra").next().unwrap_or(name);
    let name = name.split(".part").next().unwrap_or(name);
    let name = name.trim_end_matches(".cold").trim_end_matches(".llvm");
    // What is left of `<T as Trait>::f` and of `f::{{closure}}`.
    without_hash(name).trim_matches(':').to_owned()
}

/// `f::h0123456789abcdef` is `f`.
fn without_hash(name: &str) -> &str {
    match name.rsplit_once("::h") {
        Some((name, hash)) if hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()) => name,
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_all_formats() {
        for (line, text) in [
            ("    #2 0x55d1aa in elim_vars /src/pre/btorder.c:401:7", "elim_vars at btorder.c:401"),
            ("    #2 0x55d1aa in elim_vars /src/pre/btorder.c:401", "elim_vars at btorder.c:401"),
            (
                "#2  0x000055d1 in elim_vars (b=0x1, s=\"x y\") at ../pre/btorder.c:401",
                "elim_vars at btorder.c:401",
            ),
            ("#0  elim_vars (b=0x1) at btorder.c:401", "elim_vars at btorder.c:401"),
            ("#3  0x00007f in raise () from /lib/libc.so.6", "raise"),
            ("    #6 0x7fc8 in __libc_start_main (/lib/libc.so.6+0x21bf6)", "__libc_start_main"),
            ("    #6 0x7fc8 in f (/a/b+0x21bf6) (BuildId: 12ab)", "f"),
            ("    #7 0x55bbe7  (/opt/boolector+0x5099)", "0x55bbe7"),
            (
                "    #1 0x7fc8e in smt::context::propagate(unsigned int, bool) /z3/src/smt/smt_context.cpp:1:2",
                "smt::context::propagate at smt_context.cpp:1",
            ),
            (
                "    #1 0x7fc8e in void std::vector<int, A<int> >::push(int const&) const /a/v.h:9",
                "std::vector::push at v.h:9",
            ),
            ("    #1 0x7fc8e in operator new(unsigned long) /a/v.h:9", "operator new at v.h:9"),
            ("./boolector(elim_vars+0x1a) [0x401136]", "elim_vars"),
            ("./boolector(+0x1a)[0x401136]", "??"),
            ("   2: nub::der::elim_vars::h0123456789abcdef", "nub::der::elim_vars"),
            ("   5: nub::tests::f::{{closure}}", "nub::tests::f"),
            ("   7: <fn() -> Result<(), String> as core::ops::FnOnce<()>>::call_once", "call_once"),
            ("   2:     0x55e3a1b2c3d4 - core::panicking::panic_fmt", "core::panicking::panic_fmt"),
            ("\tat org.smt.Der.elimVars(Der.java:401)", "org.smt.Der.elimVars at Der.java:401"),
            ("  File \"/x/der.py\", line 401, in elim_vars", "elim_vars at der.py:401"),
            ("#4 0x1234 in f.constprop.0 a.c:3", "f at a.c:3"),
        ] {
            assert_eq!(frame_of(line).map(|frame| frame.text()).as_deref(), Some(text), "{line}");
        }
    }

    #[test]
    fn lines_that_are_no_frames() {
        for line in [
            "sat",
            "#b0101",
            "#x00ff",
            "((x #b01))",
            "==1==ERROR: AddressSanitizer: SEGV",
            "",
            "#",
            "# comment",
            "12: error here and there",
            "at the end",
            "v 1 -2 0",
            "(error \"line 3 column 5: x\")",
            "3: 4",
        ] {
            let is_frame = frame_of(line).filter(|frame| frame.number.is_some() || frame.place.is_some());
            assert_eq!(is_frame.map(|frame| frame.text()), None, "{line}");
        }
    }

    #[test]
    fn rust_places_come_below() {
        let mut frame = frame_of("   3: nub::f").unwrap();
        add_place(Some(&mut frame), "             at /src/der.rs:401:7");
        assert_eq!(frame.text(), "nub::f at der.rs:401");
    }
}
