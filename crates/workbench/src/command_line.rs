//! The `nub` command that does the same as a form, for users to copy.

use crate::answer::RequestRefusal;
use crate::forms::{CompareForm, CoverForm, ExplainForm, Form, FuzzForm, GenerateForm, ReduceForm};
use nub_jobs::quote_word as quoted;

/// Words of a command line, in the order in which users write them.
#[derive(Default)]
pub(crate) struct Words(Vec<String>);

impl Words {
    /// `nub COMMAND`.
    pub fn new(command: &str) -> Words {
        Words(vec!["nub".to_owned(), command.to_owned()])
    }

    /// One more word.
    pub fn word(mut self, word: impl Into<String>) -> Words {
        self.0.push(word.into());
        self
    }

    /// Many more words.
    pub fn words(mut self, words: impl IntoIterator<Item = String>) -> Words {
        self.0.extend(words);
        self
    }

    /// An option with its value, unless the value is the default.
    pub fn option(self, name: &str, value: impl Into<Option<String>>) -> Words {
        match value.into().filter(|value| !value.is_empty()) {
            Some(value) => self.word(name).word(value),
            None => self,
        }
    }

    /// An option without a value, if it is chosen.
    pub fn flag(self, chosen: Option<&str>) -> Words {
        match chosen {
            Some(name) => self.word(name),
            None => self,
        }
    }

    /// The words as a list.
    pub fn list(&self) -> &[String] {
        &self.0
    }

    /// As a line for a shell.
    pub fn line(&self) -> String {
        self.0.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
    }
}

fn number<T: ToString>(value: Option<T>) -> Option<String> {
    value.map(|value| value.to_string())
}

/// What a form refers to, for its command line.
pub(crate) trait Names {
    /// The path of a file of the page.
    ///
    /// # Errors
    /// If there is none.
    fn path(&self, file: &str) -> Result<String, RequestRefusal>;
    /// The words of a registered program.
    ///
    /// # Errors
    /// If there is none.
    fn program(&self, name: &str) -> Result<Vec<String>, RequestRefusal>;
}

/// The command that does the same as a form.
///
/// # Errors
/// If the form names a file or program that does not exist.
pub fn command_line(form: &Form, names: &dyn Names) -> Result<Words, RequestRefusal> {
    match form {
        Form::Reduce(form) => reduce_words(form, names),
        Form::Compare(form) => compare_words(form, names),
        Form::Cover(form) => Ok(cover_words(form, &names.path(&form.file)?)),
        Form::Explain(form) => Ok(explain_words(form, &names.path(&form.file)?)),
        Form::Fuzz(form) => fuzz_words(form, names),
        Form::Generate(form) => Ok(generate_words(form)),
    }
}

fn reduce_words(form: &ReduceForm, names: &dyn Names) -> Result<Words, RequestRefusal> {
    let cross = match form.cross_check.as_str() {
        "" => None,
        name => Some(names.program(name)?.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")),
    };
    let words = Words::new("reduce")
        .word(names.path(&form.file)?)
        .option("--strategy", form.strategy.clone())
        .option("--match-out", form.match_out.clone())
        .option("--match-err", form.match_err.clone())
        .flag(form.ignore_output.then_some("--ignore-output"))
        .flag(form.hang.then_some("--hang"))
        .flag(form.simplify.then_some("--simplify"))
        .option("--cross-check", cross)
        .option("--timeout", number(form.timeout))
        .option("--memory", number(form.memory))
        .option("--max-time", number(form.max_time))
        .option("--max-asks", number(form.max_runs))
        .option("-j", number(form.jobs))
        .option("--seed", number(form.seed));
    Ok(words.word("--").words(names.program(&form.program)?))
}

fn compare_words(form: &CompareForm, names: &dyn Names) -> Result<Words, RequestRefusal> {
    let names_of = form.strategies.join(",");
    let compare = if names_of.is_empty() { String::new() } else { format!("={names_of}") };
    let words = Words::new("reduce")
        .word(names.path(&form.file)?)
        .word(format!("--compare-strategies{compare}"))
        .option("--max-time", number(form.max_time))
        .option("--max-asks", number(form.max_runs));
    Ok(words.word("--").words(names.program(&form.program)?))
}

fn cover_words(form: &CoverForm, path: &str) -> Words {
    Words::new("cover")
        .word(path)
        .option("-f", form.function.clone())
        .option("-c", form.criterion.clone())
        .option("--mcdc", form.mcdc.clone())
        .flag(form.boundaries.then_some("--boundaries"))
        .flag(form.globals.then_some("--globals"))
        .option("--calls", number(form.calls))
        .option("--unwind", number(form.unwind))
        .option("--max-time", number(form.max_time))
        .flag(form.mutants.then_some("--mutants"))
        .option("-n", number(form.max_tests))
        .option("--tests", form.tests.as_ref().map(|_| "tests.json".to_owned()))
}

fn explain_words(form: &ExplainForm, path: &str) -> Words {
    let assumed = form.assume.iter().flat_map(|text| ["--assume".to_owned(), text.clone()]);
    let trusted = form.trust.iter().flat_map(|name| ["--trust".to_owned(), name.clone()]);
    Words::new("explain")
        .word(path)
        .option("-f", form.function.clone())
        .option("--property", form.property.clone())
        .words(assumed)
        .words(trusted)
        .option("--unwind", number(form.unwind))
        .option("--closest", number(form.closest))
}

fn fuzz_words(form: &FuzzForm, names: &dyn Names) -> Result<Words, RequestRefusal> {
    let mut words = Words::new("fuzz");
    for name in &form.solvers {
        let command: Vec<String> = names.program(name)?.iter().map(|word| quoted(word)).collect();
        words = words.word("-s").word(format!("{name}={}", command.join(" ")));
    }
    Ok(words
        .option("--generate", generate_spec(form))
        .option("--seed", number(form.seed))
        .option("--max-time", number(form.max_time))
        .option("--max-inputs", number(form.max_inputs))
        .option("--max-groups", number(form.max_groups))
        .option("--timeout", number(form.timeout)))
}

/// What a campaign generates, as `--generate` takes it.
pub fn generate_spec(form: &FuzzForm) -> String {
    let options = Words::default()
        .option("-n", number(form.nodes))
        .option("--vars", number(form.vars))
        .option("--maxwidth", number(form.maxwidth));
    if options.list().is_empty() {
        return form.generate.clone();
    }
    let (format, theories) = form.generate.split_once(':').unwrap_or((&form.generate, ""));
    Words::default()
        .option("--to", format.to_owned())
        .option("--theories", theories.to_owned())
        .words(options.0)
        .line()
}

fn generate_words(form: &GenerateForm) -> Words {
    Words::new("generate")
        .option("--to", form.to.clone())
        .option("--seed", number(form.seed))
        .option("--nodes", number(form.nodes))
        .option("--depth", number(form.depth))
        .option("--vars", number(form.vars))
        .option("--arrays", number(form.arrays))
        .option("--writes", number(form.writes))
        .option("--minwidth", number(form.minwidth))
        .option("--maxwidth", number(form.maxwidth))
        .option("--arrmaxwidth", number(form.arrmaxwidth))
        .option("--dag", number(form.dag))
        .option("--clauses", number(form.clauses))
        .flag(form.noarrays.then_some("--noarrays"))
        .flag(form.cnf.then_some("--cnf"))
        .flag(form.cnfonly.then_some("--cnfonly"))
        .flag(form.all.then_some("--all"))
        .flag(form.oldformat.then_some("--oldformat"))
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Fixed;

    impl Names for Fixed {
        fn path(&self, file: &str) -> Result<String, RequestRefusal> {
            Ok(file.to_owned())
        }

        fn program(&self, name: &str) -> Result<Vec<String>, RequestRefusal> {
            Ok(vec![format!("./{name}"), "a b".to_owned()])
        }
    }

    fn line(text: &str) -> String {
        command_line(&serde_json::from_str(text).unwrap(), &Fixed).unwrap().line()
    }

    #[test]
    fn forms_are_command_lines() {
        assert_eq!(
            line(
                r#"{"kind":"reduce","file":"bug.smt2","program":"z3","strategy":"hdd*","match_err":"it's","timeout":5}"#
            ),
            r#"nub reduce bug.smt2 --strategy 'hdd*' --match-err 'it'\''s' --timeout 5 -- ./z3 'a b'"#
        );
        assert_eq!(
            line(r#"{"kind":"compare","file":"a.btor","program":"b","strategies":["ddmin","hdd"]}"#),
            "nub reduce a.btor --compare-strategies=ddmin,hdd -- ./b 'a b'"
        );
        assert_eq!(
            line(r#"{"kind":"cover","file":"a.c","function":"f","globals":true}"#),
            "nub cover a.c -f f --globals"
        );
        assert_eq!(
            line(r#"{"kind":"cover","file":"a.c","boundaries":true,"mutants":true,"calls":3}"#),
            "nub cover a.c --boundaries --calls 3 --mutants"
        );
        assert_eq!(
            line(r#"{"kind":"explain","file":"a.c","assume":["x > 0 @ 3"]}"#),
            "nub explain a.c --assume 'x > 0 @ 3'"
        );
        assert_eq!(
            line(r#"{"kind":"fuzz","solvers":["z3"],"generate":"smt2:bv"}"#),
            "nub fuzz -s 'z3=./z3 '\\''a b'\\''' --generate smt2:bv"
        );
    }
}
