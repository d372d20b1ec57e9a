//! Functions of the library that the test program replaces: the program calls them by another name, and that name is defined after it.

use crate::comparisons::COMPARISONS;
use crate::library_choices::{CLASSES, SORTING};
use crate::streams::WRITERS;
use nub_c_ir::{FunctionId, Program};

/// The name, and the definition under another name.
pub(crate) type Replacement = (&'static str, &'static str);

/// Functions whose results C leaves open, if a run of the function under test can reach their models.
pub(crate) fn models(program: &Program, function: FunctionId) -> impl Iterator<Item = String> {
    let reached = program.reachable(function).into_iter().map(|id| program.function(id));
    let names = reached.filter(|function| function.is_model).map(|function| function.name.clone());
    let open = [COMPARISONS, SORTING, CLASSES].into_iter().flatten();
    names.filter(move |name| open.clone().any(|(known, _)| known == name))
}

/// Comes before the program, and before any header: their declarations get the new name too.
pub(crate) fn renamed(names: &[String], taken: &[&str]) -> String {
    let line = |(name, _): &Replacement| {
        if CLASSES.iter().any(|(known, _)| known == name) {
            // Headers may define a macro of this name, with or without the function inside. What remains of the function has another name when it is linked.
            format!("int {name}(int) __asm__(NUB_LABEL(__USER_LABEL_PREFIX__) \"nub_{name}\");\n")
        } else {
            format!("#define {name} nub_{name}\n")
        }
    };
    let lines: String = entries(names, taken).map(line).collect();
    let label = "#define NUB_LABEL(x) NUB_TEXT(x)\n#define NUB_TEXT(x) #x\n";
    if lines.contains("NUB_LABEL") { format!("{label}{lines}") } else { lines }
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
    [WRITERS, COMPARISONS, SORTING, CLASSES].into_iter().flatten().filter(move |(name, _)| is_wanted(name))
}
