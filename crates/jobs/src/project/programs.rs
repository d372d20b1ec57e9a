//! The tests of a project as programs: one C file for each function, a Makefile and a CMake file for all of them.
//!
//! A test includes the file under test by its name, from the folder that `-iquote` names, and is compiled with the options of the project's own
//! command. So tests can be read, moved and compiled without nub.

use super::unit::Unit;
use crate::words::quote;
use nub_report::counted;
use std::fmt::Write;

const NEVER_FAILS: &str = "writing to a string cannot fail";

/// The tests of one function.
pub struct TestProgram<'p> {
    /// The file of the function.
    pub unit: &'p Unit,
    /// The function.
    pub function: &'p str,
    /// The C file below the folder, such as `tests/inflate/inflate_table.c`.
    pub path: String,
}

impl TestProgram<'_> {
    /// The name of the program and of its target.
    fn target(&self) -> String {
        format!("{}__{}", self.unit.id, self.function)
    }

    /// The compiler options, each with its value.
    fn options(&self) -> Vec<String> {
        let folder = self.unit.file.parent().map(|folder| folder.to_string_lossy().into_owned());
        let mut groups = vec![format!("-iquote {}", quote(&folder.unwrap_or_default()))];
        let mut words = self.unit.program.compiler_options.iter().peekable();
        while let Some(word) = words.next() {
            // A value that is a word of its own does not start with a dash.
            let value =
                words.next_if(|next| !next.starts_with('-') && word.starts_with("-i") || word == "-I");
            groups.push(match value {
                Some(value) => format!("{word} {}", quote(value)),
                None => quote(word),
            });
        }
        groups
    }
}

/// The Makefile: `make check` compiles and runs all tests.
pub fn makefile(programs: &[TestProgram<'_>]) -> String {
    let names: Vec<String> = programs.iter().map(|program| format!("bin/{}", program.target())).collect();
    let mut text = format!(
        "# Tests of {}. Made by nub cover --project; results are as observed, not as specified.\n\
         #   make check -k      compiles and runs all\n\
         CC ?= cc\nCFLAGS ?= -g -O0 -w\nLDLIBS ?= -lm\n\nPROGRAMS = \\\n  {}\n\n\
         .PHONY: all check clean\nall: $(PROGRAMS)\ncheck: $(PROGRAMS:=.passed)\nclean:\n\trm -rf bin\n\
         bin/%.passed: bin/%\n\t./$<\n\t@touch $@\n",
        counted(names.len(), "function"),
        names.join(" \\\n  ")
    );
    for (program, name) in programs.iter().zip(&names) {
        let options = program.options().join(" ").replace('$', "$$");
        write!(
            text,
            "\n{name}: {}\n\t@mkdir -p bin\n\t$(CC) $(CFLAGS) {options} -o $@ $< $(LDLIBS)\n",
            program.path
        )
        .expect(NEVER_FAILS);
    }
    text
}

/// The CMake file: one CTest test for each function.
pub fn cmake(programs: &[TestProgram<'_>]) -> String {
    let mut text = format!(
        "# Tests of {} for CTest. Made by nub cover --project; results are as observed, not as specified.\n\
         cmake_minimum_required(VERSION 3.12)\nproject(nub_tests C)\nenable_testing()\n",
        counted(programs.len(), "function")
    );
    for program in programs {
        let target = program.target();
        // `SHELL:` keeps an option and its value together: CMake drops words that it has seen before.
        let options: Vec<String> =
            program.options().iter().map(|option| format!("\"SHELL:{}\"", cmake_text(option))).collect();
        write!(
            text,
            "\nadd_executable({target} \"{}\")\ntarget_compile_options({target} PRIVATE {} -w)\n\
             target_link_libraries({target} m)\nadd_test(NAME {target} COMMAND {target})\n",
            program.path,
            options.join(" ")
        )
        .expect(NEVER_FAILS);
    }
    text
}

/// Text between the quotes of a CMake argument.
fn cmake_text(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('$', "\\$")
}
