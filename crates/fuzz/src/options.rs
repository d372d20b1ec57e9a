//! Which options of a solver may be tried, and what else is known about it.
//!
//! A [`Table`] is read from text; those of z3, cvc5, Bitwuzla, Boolector and Yices are built in, and users can give their
//! own. Only options that keep a solver sound and that its makers do not call experimental are listed: maintainers ask
//! for that (cvc5 issues 5734 and 8158). The format, one thing a line, `#` starts a comment:
//!
//! ```text
//! program z3                           names of the program; z3-4.8.7 is one, too
//! languages smtlib dimacs              what it reads
//! batch reset                          how scripts are joined: reset, pushpop or none
//! always dimacs -dimacs                arguments it needs for a language
//! model btor -m                        arguments that make it print models
//! proof dimacs --no-binary {} {proof}   arguments that make it write a DRAT proof as text; `{}` is the input
//! time-limit -T:{seconds}              its own limits, if it has any
//! memory-limit -memory:{megabytes}
//! hidden-signals 6 11 14               exit statuses that mean a signal
//!
//! option validate model_validate=true
//! option relevancy smt.relevancy={} ; values 0 1 2
//! option seed smt.random_seed={} ; range 1 100
//! option eager --bitblast=eager ; languages smtlib ; logics QF_BV QF_UFBV ; conflicts cores ; requires models
//! ```
//!
//! [`Table::probes`] lists what to try on an installed version, and [`Table::without`] removes what it
//! rejects.

mod choose;
mod parse;
mod shipped;

use std::fmt;

use crate::answers::Language;

pub use parse::{TableError, TableFault};

/// How scripts are joined for one process.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Batch {
    /// Not at all.
    #[default]
    None,
    /// With `(reset)` between them.
    Reset,
    /// Each between `(push 1)` and `(pop 1)`.
    PushPop,
}

/// One option.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Choice {
    name: String,
    /// The arguments as written; `{}` is the value.
    args: Vec<String>,
    values: Values,
    /// Empty if it applies to all.
    languages: Vec<Language>,
    /// Empty if it applies to all.
    logics: Vec<String>,
    conflicts: Vec<String>,
    requires: Vec<String>,
}

/// What replaces `{}`.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Values {
    /// There is no `{}`.
    Flag,
    /// One of these.
    Words(Vec<String>),
    /// A number, both ends included.
    Range(i64, i64),
}

/// The options and properties of one solver. By default, all languages are tried, without options or batches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    programs: Vec<String>,
    languages: Vec<Language>,
    batch: Batch,
    always: Vec<(Language, Vec<String>)>,
    model: Vec<(Language, Vec<String>)>,
    proof: Vec<(Language, Vec<String>)>,
    time_limit: Vec<String>,
    memory_limit: Vec<String>,
    hidden_signals: Vec<i32>,
    options: Vec<Choice>,
}

impl Default for Table {
    fn default() -> Table {
        Table {
            programs: Vec::new(),
            languages: Language::ALL.to_vec(),
            batch: Batch::None,
            always: Vec::new(),
            model: Vec::new(),
            proof: Vec::new(),
            time_limit: Vec::new(),
            memory_limit: Vec::new(),
            hidden_signals: Vec::new(),
            options: Vec::new(),
        }
    }
}

/// Stands for the file of a proof in the arguments of an option.
pub(crate) const PROOF_HOLE: &str = "{proof}";

/// Options for one run, each removable on its own.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct OptionSet {
    /// The arguments of each option.
    pub args: Vec<Vec<String>>,
}

impl OptionSet {
    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.args.is_empty()
    }

    /// Whether the solver is asked for a proof.
    pub(crate) fn asks_for_proof(&self) -> bool {
        self.args.iter().flatten().any(|word| word.contains(PROOF_HOLE))
    }

    /// The set without one of its options.
    #[must_use]
    pub fn without(&self, index: usize) -> OptionSet {
        let kept = self.args.iter().enumerate().filter(|(other, _)| *other != index);
        OptionSet { args: kept.map(|(_, args)| args.clone()).collect() }
    }
}

impl fmt::Display for OptionSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<&str> = self.args.iter().flatten().map(String::as_str).collect();
        f.write_str(&words.join(" "))
    }
}

/// One option with one value, to be tried at the start of a campaign.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Probe {
    option: String,
    value: Option<String>,
    /// The option alone, with what it requires.
    pub set: OptionSet,
    /// A language it applies to.
    pub language: Language,
}

impl Table {
    /// The languages the solver reads.
    #[must_use]
    pub fn languages(&self) -> &[Language] {
        &self.languages
    }

    /// How scripts are joined for it.
    #[must_use]
    pub fn batch(&self) -> Batch {
        self.batch
    }

    /// Arguments the solver needs for a language.
    #[must_use]
    pub fn always(&self, language: Language) -> &[String] {
        of_language(&self.always, language)
    }

    /// Arguments that make the solver print models, where the input itself cannot ask for them.
    #[must_use]
    pub fn model(&self, language: Language) -> &[String] {
        of_language(&self.model, language)
    }

    /// Arguments that make the solver write a proof into the file [`PROOF_HOLE`] stands for.
    #[must_use]
    pub fn proof(&self, language: Language) -> &[String] {
        of_language(&self.proof, language)
    }

    /// Arguments for the solver's own time limit; none if it has no such option.
    #[must_use]
    pub fn time_limit(&self, seconds: u64) -> Vec<String> {
        let fill = |arg: &String| {
            let millis = seconds.saturating_mul(1_000).to_string();
            arg.replace("{seconds}", &seconds.to_string()).replace("{milliseconds}", &millis)
        };
        self.time_limit.iter().map(fill).collect()
    }

    /// Arguments for the solver's own memory limit; none if it has no such option.
    #[must_use]
    pub fn memory_limit(&self, megabytes: u64) -> Vec<String> {
        self.memory_limit.iter().map(|arg| arg.replace("{megabytes}", &megabytes.to_string())).collect()
    }

    /// Exit statuses that mean a signal, for information only: [`crate::observe`] uses the output instead.
    #[must_use]
    pub fn hidden_signals(&self) -> &[i32] {
        &self.hidden_signals
    }

    /// Number of options.
    #[must_use]
    pub fn n_options(&self) -> usize {
        self.options.len()
    }
}

fn of_language(table: &[(Language, Vec<String>)], language: Language) -> &[String] {
    table.iter().find(|(other, _)| *other == language).map_or(&[], |(_, args)| args)
}
