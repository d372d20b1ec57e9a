//! The result of fault localisation by repair, ready to be printed or written as JSON.

use schemars::JsonSchema;
use serde::Serialize;

/// Lines of the program, the most likely fault locations first.
#[derive(Clone, PartialEq, Debug, JsonSchema, Serialize)]
pub struct Ranking {
    /// The list, without lines that no failing run reaches.
    pub lines: Vec<RankedLine>,
    /// Number of failing runs used.
    pub n_counterexamples: usize,
    /// Their inputs by name, in the order in which they are read. The evidence of a line is from the first run where possible.
    pub counterexamples: Vec<Vec<(String, String)>>,
    /// Number of passing runs generated to measure what else a fix changes.
    pub n_passing: usize,
    /// What was found out about the program as a whole.
    pub verdict: RepairVerdict,
    /// Functions that are assumed correct: the assertion, the harness, the reference. Their lines are not listed.
    pub trusted: Vec<String>,
    /// How much solving it took.
    pub effort: SolvingEffort,
    /// Remarks about the ranking, as sentences.
    pub notes: Vec<String>,
}

/// One line, or several if the statement spans them.
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
    /// The function; empty for an initialiser at file scope.
    pub function: String,
    /// The statement, in one line.
    pub text: String,
    /// Which part of it is changed.
    pub part: Part,
    /// How much a change of this line alone can fix.
    pub tier: Tier,
    /// Share of the failing runs that the change fixes, between 0 and 1. Undecided runs count half.
    pub score: f64,
    /// Share of the generated passing runs whose outcome the change alters, between 0 and 1.
    pub damage: f64,
    /// Counterexamples that reach this line and pass with another value here.
    pub n_repaired: usize,
    /// Counterexamples for which a change at one point makes all runs through this point pass.
    pub n_point_repairs: usize,
    /// Counterexamples for which this is undecided within the limits.
    pub n_unknown: usize,
    /// One change at one point, if there is one.
    pub evidence: Option<Evidence>,
    /// Whether a change of this line alone is known to be enough.
    pub proof: RepairProof,
    /// A small edit of this line that fixes failing runs, if there is one.
    pub edit: Option<EditText>,
    /// Other small edits of this line that are also proved to fix the program.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub alternatives: Vec<EditText>,
    /// Macros on this line, with the lines that define them.
    pub macros: Vec<MacroUse>,
}

/// Which part of a statement is changed.
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
    /// An operation with undefined behaviour. The run fails there; no value is changed.
    Undefined,
}

/// How much a change of one line alone can fix.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Tier {
    /// Using only its own operands, the line can be changed at one point so that all runs through this point pass.
    OwnOperands,
    /// The same, if the line also reads this variable.
    OneMoreVariable {
        /// The variable.
        variable: String,
    },
    /// Another value makes a counterexample pass, but other runs through the same point need different
    /// values.
    OneRunOnly,
    /// No value of this line makes a counterexample pass.
    Nothing,
}

/// A change at one point.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize)]
pub struct Evidence {
    /// Which of [`Ranking::counterexamples`] it is from.
    pub counterexample: usize,
    /// What the statement reads there, with values; for [`Tier::OneMoreVariable`] that variable is the last.
    pub operands: Vec<(String, String)>,
    /// The current value.
    pub now: String,
    /// A value with which the run passes.
    pub repaired: String,
    /// The interpreter confirmed that the run fails without the change and passes with it.
    pub is_replayed: bool,
}

/// A small edit of a line.
#[derive(Clone, PartialEq, Debug, JsonSchema, Serialize)]
pub struct EditText {
    /// What is done.
    pub kind: EditKind,
    /// The expression that is replaced.
    pub old: String,
    /// The replacement, to be inserted verbatim.
    pub new: String,
    /// Where the expression is in the file; `None` if part of it comes from a macro, or the file could not be
    /// read.
    pub place: Option<EditPlace>,
    /// Counterexamples that pass with it.
    pub n_repaired: usize,
    /// Share of the generated passing runs whose outcome it alters, between 0 and 1.
    pub damage: f64,
    /// Share of the generated passing runs in which the statement has another value, whether or not that changes the
    /// outcome.
    pub altered: f64,
    /// The edited program was parsed and searched again: no run fails up to the bounds of the loops; with `partner`, no run
    /// with both edits.
    pub is_proved: bool,
    /// With the edit, some value of the statement becomes the same in all known runs.
    pub is_vacuous: bool,
    /// The line of the other edit, if only both together fix the program.
    pub partner: Option<u32>,
}

/// Where an edit is made, in the file before preprocessing. Lines and columns count from 1, columns in bytes; the end is the position
/// after the last byte.
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
    /// With the small edit of the line no run fails, up to the bounds of the loops.
    Edited {
        /// No run is longer than the bounds.
        is_complete: bool,
        /// Whether the proof was repeated independently and checked.
        checked: CertificationResult,
        /// Assumptions of the proof where C leaves the behaviour open.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[schemars(default)]
        premises: Vec<String>,
    },
    /// If the line is changed at this many points, no run fails, up to the bounds of the loops.
    Repairs {
        /// The points.
        n_entries: usize,
        /// No run is longer than the bounds.
        is_complete: bool,
        /// Whether the proof was repeated independently and checked.
        checked: CertificationResult,
        /// Assumptions of the proof where C leaves the behaviour open.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[schemars(default)]
        premises: Vec<String>,
    },
    /// No such change exists: some run fails whatever the line computes from its operands.
    Refuted,
    /// Undecided: with this many points changed, runs still fail.
    Open {
        /// The points.
        n_entries: usize,
    },
}

/// What was found out about the program as a whole.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum RepairVerdict {
    /// Changing this line alone fixes the program.
    OneLineRepairs {
        /// The first such line: a position in [`Ranking::lines`].
        index: usize,
    },
    /// Small edits of these two lines, positions in [`Ranking::lines`], fix the program together.
    TwoLinesRepair {
        /// The first of them.
        index: usize,
        /// The other.
        other: usize,
        /// No change of one statement is enough, as with [`RepairVerdict::NoSingleLine`].
        is_single_refuted: bool,
        /// Whether the proof was repeated independently and checked.
        checked: CertificationResult,
    },
    /// Proved: for every expression there is a counterexample that fails whatever its value, so no change of one expression is
    /// enough. Known only if none of them is a pointer, a record or a computed location, and none is evaluated twice in a run.
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
    /// Number of calls of the SAT solver.
    pub n_questions: usize,
    /// Statements and parts of them that were examined.
    pub n_sites: usize,
    /// Runs of the interpreter.
    pub n_runs: usize,
}

/// The result of a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, JsonSchema, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CertificationResult {
    /// The proof was checked.
    Checked,
    /// Not tried, too large, or too hard for the time that a check may take.
    #[default]
    NotChecked,
    /// The claim or its proof is wrong: a bug in nub.
    Wrong,
}

/// What an edit does, the most plausible first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, JsonSchema, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum EditKind {
    /// The statement is changed to match similar statements of its function.
    Pattern,
    /// Another operator.
    Operator,
    /// Another number.
    Number,
    /// A negation is added or removed.
    Negation,
    /// A wider type, in which the result fits.
    Wider,
    /// The function returns before the statement would have undefined behaviour.
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
    /// One is added or subtracted.
    Offset,
    /// The value is assigned to another target, or added to the existing value.
    Target,
    /// The expression is replaced by one of its operands.
    Dropped,
    /// One more condition.
    Condition,
}

impl EditKind {
    /// Edits that replace one token by one of a few others. Such an edit is unlikely to be right by chance; of the other kinds there
    /// are many at each place.
    pub const TOKENS: [EditKind; 3] = [EditKind::Operator, EditKind::Number, EditKind::Negation];
    /// Edits at a place of undefined behaviour. They follow from the violated rule, so there are only one or two at each
    /// place.
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

    /// Whether there are few such edits at each place, so that a successful one is seldom right by chance.
    pub fn is_rare(self) -> bool {
        let lists = [&EditKind::TOKENS[..], &EditKind::RULES, &EditKind::FLOATS];
        self == EditKind::Pattern || lists.iter().any(|list| list.contains(&self))
    }
}
