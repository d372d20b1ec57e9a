//! Ranks the lines of a program that is given as text, and applies the edits that are found.

use nub_c_ir::{DataModel, ProgramSource};
use nub_repair::{EditText, Macros, Ranking, Refusal, RepairSettings, rank};

/// Ranks a program without errors, whose runs start in `main`. `files` are the names and texts of files before preprocessing.
#[track_caller]
pub fn try_rank(
    text: &str,
    files: &[(&str, &[u8])],
    settings: &RepairSettings,
) -> Result<Option<Ranking>, Refusal> {
    let (unit, found) = nub_c_syntax::parse(text.as_bytes());
    assert!(found.is_empty(), "{found:?} in\n{text}");
    let (program, found) = nub_c_ir::lower(&unit, &DataModel::lp64());
    assert!(found.is_empty(), "{found:?} in\n{text}");
    let main = program.function_by_name("main").unwrap();
    // Text without line markers is in the file that has no name.
    let file = if files.iter().any(|(name, _)| name.is_empty()) { "" } else { "test.c" };
    let source = ProgramSource { program: &program, text: text.as_bytes(), file };
    rank(source, main, &Macros::new(files), settings)
}

/// The ranking with default settings, if some run fails.
#[track_caller]
#[allow(dead_code)] // not every test needs it
pub fn rank_text(text: &str) -> Option<Ranking> {
    try_rank(text, &[], &RepairSettings::default()).unwrap()
}

/// The text with an edit applied. If the edit replaces something, it must be what the edit says.
#[allow(dead_code)] // not every test needs it
pub fn applied(text: &str, edit: &EditText) -> String {
    let place = edit.place.as_ref().unwrap();
    let offset = |line: u32, column: u32| {
        let before: usize = text.split_inclusive('\n').take(line as usize - 1).map(str::len).sum();
        before + column as usize - 1
    };
    let (start, end) = (offset(place.line, place.column), offset(place.end_line, place.end_column));
    assert_eq!(&text[start..end], edit.old);
    format!("{}{}{}", &text[..start], edit.new, &text[end..])
}
