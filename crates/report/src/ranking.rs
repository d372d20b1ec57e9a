//! What localisation by repair finds, ready to be printed or written as JSON.

use schemars::JsonSchema;
use serde::Serialize;

/// Lines of the program, those that most likely hold the fault first.
#[derive(Clone, PartialEq, Debug, JsonSchema, Serialize)]
pub struct Ranking {
    /// The list, without lines that no run that fails reaches.
    pub lines: Vec<RankedLine>,
    /// Runs that fail and were used.
    pub n_counterexamples: usize,
    /// Their inputs in the order in which they are met, by name; the first is the run that the evidence of a line is from, where it can be.
    pub counterexamples: Vec<Vec<(String, String)>>,
    /// Runs that pass and were generated to see what a repair changes besides.
    pub n_passing: usize,
    /// What was found out about the program as a whole.
    pub verdict: RepairVerdict,
    /// Functions that are taken to be right: the assertion, the harness, the reference. Their lines are not listed.
    pub trusted: Vec<String>,
    /// How much solving it took.
    pub effort: SolvingEffort,
    /// What the reader should know, in sentences.
    pub notes: Vec<String>,
}

/// One line, or several if its statement has more.
#[derive(Clone, PartialEq, Debug, JsonSchema, Serialize)]
pub struct RankedLine {
    /// From 1.
    pub rank: usize,
    /// The file after line markers; empty if there are none.
    pub file: String,
    /// Where the statement starts.
    pub line: u32,
    /// Where it ends; the same for most.
    pub end_line: u32,
    /// The function; empty for what is initialised at file scope.
    pub function: String,
    /// The statement, in one line.
    pub text: String,
    /// What of it is changed.
    pub part: Part,
    /// How far a change of this line alone goes.
    pub tier: Tier,
    /// Share of the runs that fail which the change repairs, between 0 and 1. What was not found out counts half.
    pub score: f64,
    /// Share of the generated passing runs whose outcome the change alters, between 0 and 1.
    pub damage: f64,
    /// Counterexamples that reach this line and can be made to pass by another value here.
    pub n_repaired: usize,
    /// Counterexamples for which the point repair holds for all runs.
    pub n_point_repairs: usize,
    /// Counterexamples for which this was not found out within the limits.
    pub n_unknown: usize,
    /// One change at one point, if there is one.
    pub evidence: Option<Evidence>,
    /// Whether a change of this line alone is known to be enough.
    pub proof: RepairProof,
    /// A small edit of this line that repairs runs, if there is one.
    pub edit: Option<EditText>,
    /// Other small edits of this line that make the program right, proved as well.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub alternatives: Vec<EditText>,
    /// Macros on this line, with the lines that define them.
    pub macros: Vec<MacroUse>,
}

/// What of a statement is changed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, JsonSchema, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// The assigned value.
    Assignment,
    /// The condition of `if` or a loop, or the value of a `switch`.
    Condition,
    /// The returned value.
    Return,
    /// An argument of a call, counted from 0.
    Argument(u32),
    /// An initial value.
    Initialiser,
    /// An operation whose result is undefined. It is where the run fails; no value of it is changed.
    Undefined,
}

/// How far a change of a line alone goes.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Tier {
    /// As a function of what it already reads, it can be changed at one point so that all runs through this point pass.
    OwnOperands,
    /// The same, if it reads one more variable.
    OneMoreVariable {
        /// The variable.
        variable: String,
    },
    /// Another value lets a counterexample pass, but at the same point other runs need another one.
    OneRunOnly,
    /// No value of this line lets a counterexample pass.
    Nothing,
}

/// A change at one point.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize)]
pub struct Evidence {
    /// Which of [`Ranking::counterexamples`] it is from.
    pub counterexample: usize,
    /// What the statement reads there, with values; for [`Tier::OneMoreVariable`] that variable is the last.
    pub operands: Vec<(String, String)>,
    /// The value now.
    pub now: String,
    /// A value that repairs.
    pub repaired: String,
    /// The interpreter ran the program without and with the change: it fails and it passes.
    pub is_replayed: bool,
}

/// A small edit of a line.
#[derive(Clone, PartialEq, Debug, JsonSchema, Serialize)]
pub struct EditText {
    /// What is done.
    pub kind: EditKind,
    /// The expression that is replaced.
    pub old: String,
    /// What takes its place: put there as it is, the text is what was searched.
    pub new: String,
    /// Where the expression is in the file; `None` if a macro brought some of it, or the file could not be read.
    pub place: Option<EditPlace>,
    /// Counterexamples that pass with it.
    pub n_repaired: usize,
    /// Share of the generated passing runs whose outcome it alters, between 0 and 1.
    pub damage: f64,
    /// Share of the generated passing runs in which the statement has another value, whether or not anything comes of it.
    pub altered: f64,
    /// It was read and searched again: no run fails with it, up to the bounds of the loops; with `partner`, no run with both.
    pub is_proved: bool,
    /// With it, some value of the statement is the same in all known runs, which it was not before.
    pub is_vacuous: bool,
    /// The line of the other edit, if only both together repair the program.
    pub partner: Option<u32>,
}

/// Where an edit is made, in the file as it was before the preprocessor. Lines and columns count from 1, columns in bytes; the end is the
/// place after the last byte.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize)]
pub struct EditPlace {
    /// The file.
    pub file: String,
    /// The line of the first byte.
    pub line: u32,
    /// Its column.
    pub column: u32,
    /// The line of the end.
    pub end_line: u32,
    /// The column of the end.
    pub end_column: u32,
}

/// Whether a change of one line is enough.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum RepairProof {
    /// Not tried.
    NotTried,
    /// With the small edit of the line no run fails any more, up to the bounds of the loops.
    Edited {
        /// No run is longer than the bounds.
        is_complete: bool,
        /// Whether the proof was made again from the start, and checked.
        checked: CertificationResult,
        /// What C leaves open, and the proof takes for granted.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[schemars(default)]
        premises: Vec<String>,
    },
    /// Changed at this many points, no run fails any more, up to the bounds of the loops.
    Repairs {
        /// The points.
        n_entries: usize,
        /// No run is longer than the bounds.
        is_complete: bool,
        /// Whether the proof was made again from the start, and checked.
        checked: CertificationResult,
        /// What C leaves open, and the proof takes for granted.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[schemars(default)]
        premises: Vec<String>,
    },
    /// There is no such change: some run fails whatever the line computes from its operands.
    Refuted,
    /// Not found out: after this many points runs still fail.
    Open {
        /// The points.
        n_entries: usize,
    },
}

/// What was found out about the program as a whole.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum RepairVerdict {
    /// Changing this line alone repairs the program.
    OneLineRepairs {
        /// The first such line: a position in [`Ranking::lines`].
        index: usize,
    },
    /// Small edits of these two lines, positions in [`Ranking::lines`], repair the program together.
    TwoLinesRepair {
        /// The first of them.
        index: usize,
        /// The other.
        other: usize,
        /// No change of one statement is enough, as with [`RepairVerdict::NoSingleLine`].
        is_single_refuted: bool,
        /// Whether the proof was made again from the start, and checked.
        checked: CertificationResult,
    },
    /// For every expression there is a counterexample that no value of it can make pass: no change of one is enough. Known only if no
    /// pointer, record or computed place is among them, and none is evaluated twice in a run.
    NoSingleLine,
    /// Neither is known.
    Open,
}

/// A macro on a line.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, JsonSchema, Serialize)]
pub struct MacroUse {
    /// Its name.
    pub name: String,
    /// The file that defines it.
    pub file: String,
    /// The line of its `#define`.
    pub line: u32,
}

/// How much solving it took.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, JsonSchema, Serialize)]
pub struct SolvingEffort {
    /// Questions to the SAT solver.
    pub n_questions: usize,
    /// Statements and parts of them that were looked at.
    pub n_sites: usize,
    /// Runs of the interpreter.
    pub n_runs: usize,
}

/// What a check says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, JsonSchema, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CertificationResult {
    /// The proof was checked.
    Checked,
    /// Not tried, too large, or too hard for the time that a check may take.
    #[default]
    NotChecked,
    /// The claim is wrong, or its proof is: a defect of this program.
    Wrong,
}

/// What an edit does, the most plausible first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, JsonSchema, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum EditKind {
    /// The statement becomes like others of its function that are built alike.
    Pattern,
    /// Another operator.
    Operator,
    /// Another number.
    Number,
    /// A negation more or less.
    Negation,
    /// A wider type, in which the result fits.
    Wider,
    /// The function returns before the statement would break a rule of C.
    Guard,
    /// Another outcome if a float is a NaN.
    NanCheck,
    /// Another rounding to an integer.
    Rounding,
    /// `float` in place of `double`, or the other way round.
    Precision,
    /// Floats are compared with a tolerance.
    Tolerance,
    /// Another type for a variable.
    Type,
    /// Another variable, function, member or constant.
    Name,
    /// Two operands or arguments in the other order.
    Order,
    /// One more or less.
    Offset,
    /// What is assigned goes somewhere else, or is added to the existing value.
    Target,
    /// One operand stands for the whole.
    Dropped,
    /// One more condition.
    Condition,
}

impl EditKind {
    /// One token is another, out of a few. That such an edit is right by chance is unlikely; of others there are many at each place.
    pub const TOKENS: [EditKind; 3] = [EditKind::Operator, EditKind::Number, EditKind::Negation];
    /// Those that are made where a rule of C is broken. They follow from the rule, so that there are one or two at each place.
    pub const RULES: [EditKind; 2] = [EditKind::Wider, EditKind::Guard];
    /// Those of floats. There are a few at each place, and only where there are floats.
    pub const FLOATS: [EditKind; 5] =
        [EditKind::NanCheck, EditKind::Rounding, EditKind::Precision, EditKind::Tolerance, EditKind::Type];
    /// All that are made of any statement.
    pub const ALL: [EditKind; 14] = [
        EditKind::Pattern,
        EditKind::Operator,
        EditKind::Number,
        EditKind::Negation,
        EditKind::NanCheck,
        EditKind::Rounding,
        EditKind::Precision,
        EditKind::Tolerance,
        EditKind::Name,
        EditKind::Order,
        EditKind::Offset,
        EditKind::Target,
        EditKind::Dropped,
        EditKind::Condition,
    ];

    /// There are few such edits at each place, so that one that is right is seldom right by chance.
    pub fn is_rare(self) -> bool {
        let lists = [&EditKind::TOKENS[..], &EditKind::RULES, &EditKind::FLOATS];
        self == EditKind::Pattern || lists.iter().any(|list| list.contains(&self))
    }
}
