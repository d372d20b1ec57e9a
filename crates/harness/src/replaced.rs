//! Functions of the library that the test program replaces: the program calls them by another name, and that name is defined after it.

use crate::comparisons::COMPARISONS;
use crate::streams::WRITERS;

/// The name, and the definition under another name.
pub(crate) type Replacement = (&'static str, &'static str);

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
fn entries<'n>(names: &'n [String], taken: &'n [&str]) -> impl Iterator<Item = &'static Replacement> + 'n {
    let is_wanted = move |name: &str| names.iter().any(|known| known == name) && !taken.contains(&name);
    WRITERS.iter().chain(COMPARISONS).filter(move |(name, _)| is_wanted(name))
}
