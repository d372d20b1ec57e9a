//! The operators that scripts may use, from the operator table of `nub_smtlib`, grouped by use.

use super::config::ScriptConfig;
use super::theories::Fragment;
use super::universe::{Kind, N_KINDS};
use nub_smtlib::ops::{self, IndexRange, OperatorSignature, Pat, Slot, SortRule, Theory};
use nub_smtlib::{SmtOp, SortId};

/// An operator of the table.
pub(super) type OpRef = &'static SmtOp;

/// Theories of the table in the order of [`Catalog::groups`].
const GROUPS: [Theory; 7] = [
    Theory::Core,
    Theory::BitVectors,
    Theory::FloatingPoint,
    Theory::Arrays,
    Theory::Arith,
    Theory::Strings,
    Theory::Datatypes,
];

/// Operators that merging and literals need by name. The table has all of them.
pub(super) struct Core {
    pub not: OpRef,
    pub and: OpRef,
    pub or: OpRef,
    pub implies: OpRef,
    pub equal: OpRef,
    pub distinct: OpRef,
    pub ite: OpRef,
}

/// Operators for scripts of one configuration.
pub(super) struct Catalog {
    /// Operators with arguments, theory by theory; no group is empty.
    pub groups: Vec<Vec<OpRef>>,
    /// Operators without arguments.
    pub constants: Vec<OpRef>,
    /// By kind of sort: operators that turn an argument into a truth value, with the position of the argument.
    pub tests: [Vec<(OpRef, usize)>; N_KINDS],
    pub core: Core,
}

impl Catalog {
    pub(super) fn new(config: &ScriptConfig) -> Catalog {
        let usable = |op: &OpRef| config.dialect.reads(op) && is_known(op);
        let mut groups = Vec::new();
        let mut constants = Vec::new();
        for theory in GROUPS.into_iter().filter(|theory| is_wanted(config, *theory)) {
            let all = ops::all().iter().copied().filter(|op| op.theory == theory).filter(usable);
            let (leaves, inner): (Vec<OpRef>, Vec<OpRef>) = all.partition(|op| op.is_constant());
            constants.extend(leaves);
            if !inner.is_empty() {
                groups.push(inner);
            }
        }
        let mut by_kind: [Vec<(OpRef, usize)>; N_KINDS] = Default::default();
        for (kind, op, place) in groups.iter().flatten().flat_map(|op| tests(op)) {
            by_kind[kind as usize].push((op, place));
        }
        Catalog { groups, constants, tests: by_kind, core: core() }
    }

    /// The first operator with a rule.
    pub(super) fn by_rule(&self, rule: SortRule) -> Option<OpRef> {
        let mut all = self.groups.iter().flatten().chain(&self.constants);
        all.find(|op| op.signature == OperatorSignature::Rule(rule)).copied()
    }

    /// All operators.
    pub(super) fn all(&self) -> impl Iterator<Item = OpRef> + '_ {
        self.groups.iter().flatten().chain(&self.constants).copied()
    }
}

fn is_wanted(config: &ScriptConfig, theory: Theory) -> bool {
    use Fragment::*;
    let theories = config.theories;
    match theory {
        Theory::Core => true,
        Theory::BitVectors => theories.has(Bv),
        Theory::FloatingPoint => theories.has(Fp),
        Theory::Arrays => theories.has(Arrays),
        Theory::Arith => theories.has_any(&[Ints, Reals, Strings]),
        Theory::Strings => theories.has(Strings),
        Theory::Datatypes => theories.has(Datatypes),
        _ => false,
    }
}

/// Whether the generator can create an application: the signatures of a few dialect operators are not precise enough.
fn is_known(op: &OpRef) -> bool {
    if op.indices.1 == u8::MAX || op.is_constant() && !is_literal(op) {
        return false;
    }
    match op.signature {
        OperatorSignature::Fixed(params, result) => {
            result != Pat::Any && params.iter().all(|pat| is_simple(*pat))
        }
        OperatorSignature::Nary(param, result) => result != Pat::Any && is_simple(param),
        OperatorSignature::Rule(rule) => match rule {
            // The variants of cvc5's own conversions differ only in their names.
            SortRule::ToFp => op.origin == ops::OperatorOrigin::Standard,
            SortRule::Concat
            | SortRule::Extract
            | SortRule::Repeat
            | SortRule::Extend
            | SortRule::IntToBv
            | SortRule::FloatToBv
            | SortRule::Fp
            | SortRule::FloatConstant
            | SortRule::FloatToIeee
            | SortRule::Select
            | SortRule::Store
            | SortRule::ConstArray
            | SortRule::Ite
            | SortRule::Is => true,
            _ => false,
        },
    }
}

/// Whether it can be used to write literals: a name, a character, a special floating-point number.
fn is_literal(op: OpRef) -> bool {
    op.indices.1 == 0
        || op.index_range == IndexRange::CodePoint
        || op.signature == OperatorSignature::Rule(SortRule::FloatConstant)
}

fn is_simple(pat: Pat) -> bool {
    !matches!(pat, Pat::Any | Pat::Fun(_) | Pat::Field(_) | Pat::Seq(_) | Pat::Set(_) | Pat::Bag(_))
}

/// The ways in which an operator can test an argument.
fn tests(op: OpRef) -> Vec<(Kind, OpRef, usize)> {
    let gives_truth = op.constant_result() == Some(SortId::BOOL);
    let params: Vec<Pat> = match op.signature {
        OperatorSignature::Fixed(params, _) => params.to_vec(),
        OperatorSignature::Nary(param, _) => vec![param],
        _ => Vec::new(),
    };
    let places = params.into_iter().enumerate().filter(|_| gives_truth);
    let of_kinds = |(place, pat)| kinds(op, pat).iter().map(move |kind| (*kind, op, place));
    places.flat_map(of_kinds).collect()
}

/// The kinds of sorts that a pattern matches.
fn kinds(op: OpRef, pat: Pat) -> &'static [Kind] {
    match (pat, op.strict_num) {
        (Pat::Num, None) => &[Kind::Int, Kind::Real],
        (Pat::Num, Some(SortId::INT)) | (Pat::Slot(Slot::Is(SortId::INT)), _) => &[Kind::Int],
        (Pat::Num, Some(_)) | (Pat::Slot(Slot::Is(SortId::REAL)), _) => &[Kind::Real],
        (Pat::Slot(Slot::Is(SortId::STRING)) | Pat::Text(_), _) => &[Kind::Text],
        (Pat::Slot(Slot::Is(SortId::REGLAN)), _) => &[Kind::RegLan],
        (Pat::BitVec(_), _) => &[Kind::Bits],
        (Pat::Float(_), _) => &[Kind::Float],
        _ => &[],
    }
}

fn core() -> Core {
    let find = |name: &str| {
        let found = ops::by_name(name.as_bytes()).and_then(|id| id.get());
        found.expect("Core is in the table, as the tests of the table check")
    };
    Core {
        not: find("not"),
        and: find("and"),
        or: find("or"),
        implies: find("=>"),
        equal: find("="),
        distinct: find("distinct"),
        ite: find("ite"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::Theories;

    #[test]
    fn theories_choose_groups() {
        let catalog = |theories: &str| {
            Catalog::new(&ScriptConfig { theories: theories.parse().unwrap(), ..ScriptConfig::default() })
        };
        assert_eq!(catalog("core").groups.len(), 1);
        assert_eq!(catalog("strings").groups.len(), 3);
        let all = catalog("all");
        assert_eq!(all.groups.len(), GROUPS.len());
        let tests = &all.tests[Kind::RegLan as usize];
        assert!(tests.iter().any(|(op, place)| (op.name, *place) == ("str.in_re", 1)));
        assert!(all.all().any(|op| op.name == "RNE"));
        assert_eq!(Theories::all().to_string(), "all");
    }
}
