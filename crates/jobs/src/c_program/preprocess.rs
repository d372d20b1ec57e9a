//! The text of the program, preprocessed by a compiler if necessary.

use crate::c_program::model_macros::{order_macros, size_macros};
use crate::c_program::target::is_of_host;
use crate::context::JobContext;
use crate::failure::Failure;
use crate::input::read;
use crate::request::ProgramOptions;
use nub_c_ir::DataModel;
use nub_process::{Cancel, ChildInput, Command, ProcessEnd, ProcessLimits};
use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

/// Time limit of the preprocessor.
const MAX_SECONDS: u64 = 60;
/// Maximum size of preprocessed text.
const MAX_BYTES: usize = 256 << 20;

/// A program after preprocessing.
pub struct Preprocessed {
    /// The text to parse.
    pub text: Vec<u8>,
    /// The user's text, if it was preprocessed by nub. Compiling this text also checks our preprocessing.
    pub original: Option<Vec<u8>>,
}

/// Reads the file; calls the compiler if it has directives that nub does not handle, or macros that only compilers define.
pub fn text_of(path: &Path, options: &ProgramOptions, context: &JobContext) -> Result<Preprocessed, Failure> {
    let text = read(path)?;
    let is_done = path.extension().is_some_and(|extension| extension == "i");
    let has_others = !options.compiler_options.is_empty();
    let has_options = has_others || !options.define.is_empty() || !options.include.is_empty();
    if is_done || (!has_directives(&text) && !has_options && !has_predefined(&text)) {
        return Ok(Preprocessed { text, original: None });
    }
    match nub_c_syntax::few_directives(&text, &options.define) {
        Some(expanded) if !has_others => Ok(Preprocessed { text: expanded, original: Some(text) }),
        _ => Ok(Preprocessed { text: preprocess(path, options, context)?, original: None }),
    }
}

/// Whether there is a directive other than a line marker.
fn has_directives(text: &[u8]) -> bool {
    let lines = text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_start);
    let directives = lines.filter_map(|line| line.strip_prefix(b"#")).map(<[u8]>::trim_ascii_start);
    directives.into_iter().any(|rest| {
        let is_marker = rest.first().is_none_or(u8::is_ascii_digit) || rest.starts_with(b"line");
        !is_marker && !rest.starts_with(b"pragma")
    })
}

/// Whether the text uses a macro that compilers define, such as `__INT_MAX__` or `__ATOMIC_ACQUIRE`. False if it has line markers: then a
/// compiler has expanded them. O(n).
fn has_predefined(text: &[u8]) -> bool {
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let is_macro = |word: &[u8]| {
        let is_ours = word.starts_with(b"__CPROVER_") || word.starts_with(b"__VERIFIER_");
        word.starts_with(b"__") && word.get(2).is_some_and(u8::is_ascii_uppercase) && !is_ours
    };
    let is_marked = text.starts_with(b"# ") || text.windows(3).any(|bytes| bytes == b"\n# ");
    !is_marked && text.split(|byte| !is_name(byte)).any(is_macro)
}

/// The data model; `None` if it cannot be read, which is reported where it is used.
fn model(options: &ProgramOptions) -> Option<DataModel> {
    let named = DataModel::by_name(options.model());
    named.or_else(|| Some(DataModel::parse(&std::fs::read_to_string(options.model()).ok()?).0))
}

/// Calls the compiler.
pub fn preprocess(path: &Path, options: &ProgramOptions, context: &JobContext) -> Result<Vec<u8>, Failure> {
    let mut words: Vec<OsString> = vec!["-E".into()];
    words.extend(options.compiler_words());
    if let Some(model) = model(options) {
        words.extend(order_macros(&model).into_iter().map(OsString::from));
        let sizes = if is_of_host(options) { size_macros(&model) } else { Vec::new() };
        words.extend(sizes.into_iter().map(OsString::from));
    }
    words.push(path.into());
    let command = Command {
        program: options.compiler(),
        args: words,
        folder: None,
        env: Vec::new(),
        input: ChildInput::Null,
    };
    let limits = ProcessLimits {
        wall: Some(Duration::from_secs(MAX_SECONDS)),
        keep_output: MAX_BYTES,
        ..ProcessLimits::default()
    };
    let no_compiler = |error: String| {
        let message = format!(
            "{} needs a preprocessor, and `{}` cannot be run: {error}",
            path.display(),
            options.compiler().display()
        );
        Failure::usage(message)
            .with_hint("install a C compiler, name one with --cc, or give preprocessed text")
    };
    let runner = context.runner().map_err(|failure| no_compiler(failure.message))?;
    let outcome =
        runner.run(&command, &limits, &Cancel::new()).map_err(|error| no_compiler(error.to_string()))?;
    if outcome.end != ProcessEnd::Exit(0) {
        let errors = String::from_utf8_lossy(&outcome.stderr.bytes).trim_end().to_owned();
        return Err(Failure::usage(format!("the preprocessor failed\n{errors}")));
    }
    Ok(outcome.stdout.bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_markers_are_no_directives() {
        assert!(!has_directives(b"# 1 \"a.c\"\nint f(void);\n#pragma once\n"));
        assert!(has_directives(b"int x;\n  # include <stdio.h>\n"));
        assert!(has_directives(b"#define A 1\n"));
    }

    #[test]
    fn macros_of_compilers_need_one() {
        assert!(has_predefined(
            b"int f(int *p) { return __atomic_load_n(p, __ATOMIC_ACQUIRE) < __INT_MAX__; }"
        ));
        assert!(!has_predefined(
            b"int f(int x) { __CPROVER_assume(x); __attribute__((unused)) int y; return __func__[0]; }"
        ));
        assert!(!has_predefined(b"# 1 \"a.c\"\nextern int __REDIRECT;\n"));
    }
}
