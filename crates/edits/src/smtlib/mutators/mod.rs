//! The mutators of ddSMT 2 as passes: which of our passes correspond to each mutator, and passes that only ddSMT needs.
//!
//! Term rewrites are rules in `ddsmt.rules`, in the language of [`super::rules`]: the part of a rule's name before the `/` is
//! the mutator. Mutators that no rule can express have a file here.

mod bv_notation;
mod children;
mod de_morgan;
mod dt_identity;
mod erase;
mod let_body;
mod rec_functions;
mod sections;
mod variables;
mod xor_constants;

use super::rules::{ParsedRule, RulePass, read};
use super::{
    SmtView, annotations::Annotations, arguments::Arguments, arity::Arity, assuming::Assuming,
    bv_width::BvWidth, commands::Commands, constants::SmtConstants, datatypes::DatatypeParts,
    define_inline::DefineInline, eliminate::Eliminate, flatten::Flatten, fresh::Fresh, hoist::SmtHoist,
    hoist_rest::HoistRest, let_inline::LetInline, literals::LiteralsOf, logic::LogicName, logic::Unquote,
    match_cases::MatchCases, names::SmtNames, quantifiers::SmtQuantifiers, rewrites::ShortFloatSorts,
    scopes::Scopes, symbols::Symbols, tokens::Tokens, truncate::Truncate, unused::SmtUnused,
};
use crate::Pass;
use crate::smtlib::SmtBand;
pub use variables::Direction;

/// Every mutator that nub has passes for.
pub const MUTATOR_NAMES: &[&str] = &[
    "binary-reduction",
    "constants",
    "erase-node",
    "merge-children",
    "substitute-children",
    "replace-by-variable",
    "arith-negate-relations",
    "arith-constants",
    "arith-strengthen-relations",
    "bv-norm-constants",
    "bv-zero-concat",
    "bv-double-negation",
    "bv-elim-bvcomp",
    "bv-eval-extend",
    "bv-extract-constants",
    "bv-extract-zeroextend",
    "bv-ite-to-bvcomp",
    "bv-reflexive-nand",
    "bv-simp-constants",
    "bv-zeroextend-pred",
    "bv-reduce-bitwidth",
    "bv-merge-extend",
    "bool-de-morgan",
    "bool-double-negations",
    "bool-false-eq",
    "bool-implications",
    "bool-negate-quants",
    "bool-xor-constants",
    "dt-rm-constructor",
    "dt-rm-datatype",
    "dt-rm-identity",
    "fp-short-sort",
    "check-sat-assuming",
    "eliminate-variables",
    "inline-functions",
    "introduce-fresh-variables",
    "let-elimination",
    "let-substitution",
    "remove-annotation",
    "remove-recursive-function",
    "simplify-logic",
    "simplify-quoted-symbols",
    "simplify-symbol-names",
    "seq-nth-unit",
    "str-index-not-found",
    "str-replace-all",
    "str-constants",
];

/// Term rewrites of ddSMT.
const RULES: &str = include_str!("ddsmt.rules");
/// Term rewrites on relations of numbers, for both sorts of numbers.
const NUMBER_RULES: &str = include_str!("numbers.rules");
/// Predicates that `bv-zeroextend-pred` is about.
const PREDICATES: [&str; 10] =
    ["=", "distinct", "bvult", "bvule", "bvugt", "bvuge", "bvslt", "bvsle", "bvsgt", "bvsge"];

/// Passes of one mutator.
pub type Passes = Vec<Box<dyn Pass<SmtView>>>;

/// The passes that correspond to exactly this mutator; empty if there are none.
pub fn passes(mutator: &str, direction: Direction) -> Passes {
    let all = SmtBand::ALL;
    let mut passes: Passes = match mutator {
        "binary-reduction" => vec![Box::new(Truncate), Box::new(sections::Sections)],
        "constants" => {
            vec![
                Box::new(SmtConstants { band: all, choice: 0 }),
                Box::new(SmtConstants { band: all, choice: 1 }),
            ]
        }
        "erase-node" => erase_node(),
        "merge-children" => vec![Box::new(Flatten)],
        "substitute-children" => {
            vec![Box::new(SmtHoist { band: all }), Box::new(HoistRest), Box::new(children::Children)]
        }
        "replace-by-variable" => vec![Box::new(variables::ByVariable { direction })],
        "arith-constants" => vec![Box::new(LiteralsOf::Numbers)],
        "bv-simp-constants" => vec![Box::new(LiteralsOf::Bits)],
        "str-constants" => vec![Box::new(LiteralsOf::Strings)],
        "bv-norm-constants" => vec![Box::new(bv_notation::BvNotation)],
        "bv-reduce-bitwidth" => vec![Box::new(BvWidth)],
        "bool-de-morgan" => vec![Box::new(de_morgan::DeMorgan)],
        "bool-negate-quants" => vec![Box::new(de_morgan::NegatedQuantifiers)],
        "bool-xor-constants" => vec![Box::new(xor_constants::XorConstants)],
        "dt-rm-constructor" => vec![Box::new(DatatypeParts::Constructors)],
        "dt-rm-datatype" => vec![Box::new(DatatypeParts::Types)],
        "dt-rm-identity" => vec![Box::new(dt_identity::DtIdentity)],
        "fp-short-sort" => vec![Box::new(ShortFloatSorts)],
        "check-sat-assuming" => vec![Box::new(Assuming)],
        "eliminate-variables" => vec![Box::new(Eliminate)],
        "inline-functions" => vec![Box::new(DefineInline)],
        "introduce-fresh-variables" => vec![Box::new(Fresh)],
        "let-elimination" => vec![Box::new(let_body::LetBody)],
        "let-substitution" => vec![Box::new(LetInline)],
        "remove-annotation" => vec![Box::new(Annotations)],
        "remove-recursive-function" => vec![Box::new(rec_functions::RecFunctions)],
        "simplify-logic" => vec![Box::new(LogicName)],
        "simplify-quoted-symbols" => vec![Box::new(Unquote)],
        "simplify-symbol-names" => vec![Box::new(SmtNames)],
        _ => Vec::new(),
    };
    let rules = shipped_rules().into_iter().filter(|rule| mutator_of(rule) == mutator);
    passes.extend(rules.map(|rule| Box::new(RulePass::new(rule, None)) as Box<dyn Pass<SmtView>>));
    passes
}

fn erase_node() -> Passes {
    vec![
        Box::new(Scopes::Whole),
        Box::new(Commands::Asserts),
        Box::new(Commands::All),
        Box::new(Scopes::Pair),
        Box::new(Scopes::Pop),
        Box::new(SmtUnused),
        Box::new(Arguments),
        Box::new(Symbols),
        Box::new(SmtQuantifiers),
        Box::new(Arity),
        Box::new(MatchCases),
        Box::new(erase::Erase),
        Box::new(Tokens),
    ]
}

/// The mutator that a rule belongs to.
pub fn mutator_of(rule: &ParsedRule) -> &str {
    rule.name.split('/').next().unwrap_or_default()
}

/// The rules that nub ships for ddSMT's mutators.
///
/// # Panics
/// If one of them is ill formed. The tests read all of them.
pub fn shipped_rules() -> Vec<ParsedRule> {
    let mut text = RULES.to_owned();
    for sort in ["Int", "Real"] {
        text.push_str(&NUMBER_RULES.replace("NUMBER", sort));
    }
    for op in PREDICATES {
        text.push_str(&zero_extended(op));
    }
    read(text.as_bytes()).expect("the shipped rules are well formed")
}

/// A predicate over two extended operands: becomes the predicate over the operands, with the longer extension shortened.
fn zero_extended(op: &str) -> String {
    format!(
        "(rule bv-zeroextend-pred/{op}-same ((x (_ BitVec n)) (y (_ BitVec n)) (i :index)) \
         ({op} ((_ zero_extend i) x) ((_ zero_extend i) y)) ({op} x y))\n\
         (rule bv-zeroextend-pred/{op}-left ((x (_ BitVec n)) (y (_ BitVec m)) (i :index) (j :index)) \
         ({op} ((_ zero_extend i) x) ((_ zero_extend j) y)) ({op} ((_ zero_extend (- i j)) x) y) :when (> i j))\n\
         (rule bv-zeroextend-pred/{op}-right ((x (_ BitVec n)) (y (_ BitVec m)) (i :index) (j :index)) \
         ({op} ((_ zero_extend i) x) ((_ zero_extend j) y)) ({op} x ((_ zero_extend (- j i)) y)) :when (< i j))\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render;

    #[track_caller]
    fn check(mutator: &str, before: &str, expected: &[&str]) {
        let view = SmtView::new(before.as_bytes());
        let mut texts: Vec<String> = Vec::new();
        for pass in passes(mutator, Direction::Inc) {
            let edits = pass.edits(&view);
            texts.extend(
                edits
                    .iter()
                    .map(|edit| String::from_utf8_lossy(&render(view.text(), &edit.splices)).into_owned()),
            );
        }
        for text in expected {
            assert!(texts.iter().any(|other| other == text), "{mutator}: {text} is not in {texts:#?}");
        }
        assert_eq!(texts.is_empty(), expected.is_empty(), "{mutator}: {texts:#?}");
    }

    #[test]
    fn shipped_rules_are_well_sorted() {
        for rule in shipped_rules() {
            rule.instances(3).unwrap_or_else(|error| panic!("{}: {}", rule.name, error.message));
        }
    }

    #[test]
    fn every_name_has_passes_and_every_rule_a_name() {
        for name in MUTATOR_NAMES {
            assert!(!passes(name, Direction::Inc).is_empty(), "{name}");
        }
        for rule in shipped_rules() {
            assert!(MUTATOR_NAMES.contains(&mutator_of(&rule)), "{}", rule.name);
        }
    }

    #[test]
    fn what_only_ddsmt_has() {
        check("let-elimination", "(assert (let ((x p)) (f q)))", &["(assert (f q))"]);
        check("bool-de-morgan", "(assert (not (and (not a) b)))", &["(assert (or a (not b)))"]);
        check("bool-de-morgan", "(assert (not (f a)))", &[]);
        check(
            "bool-negate-quants",
            "(assert (not (forall ((x Int)) p)))",
            &["(assert (exists ((x Int)) (not p)))"],
        );
        check("bool-xor-constants", "(assert (xor a false b))", &["(assert (xor a b))"]);
        check("bool-xor-constants", "(assert (xor a true))", &["(assert (not a))"]);
        let both = "(define-funs-rec ((f () Int) (g () Int)) (1 2))";
        check(
            "remove-recursive-function",
            both,
            &["(define-funs-rec ( (g () Int)) ( 2))", "(define-funs-rec ((f () Int)) (1))"],
        );
        let list = "(declare-datatype L ((c (h Int) (t Int))))(assert (= (t (c 1 2)) 0))";
        check("dt-rm-identity", list, &["(declare-datatype L ((c (h Int) (t Int))))(assert (= 2 0))"]);
        check("bv-norm-constants", "(assert (= #b00000000000011 x))", &["(assert (= (_ bv3 14) x))"]);
        check(
            "erase-node",
            "(declare-const x Int)(assert (= x 1))",
            &["(assert (= x 1))", "(declare-const x)(assert (= x 1))"],
        );
        let two = "(declare-const a Int)(declare-const b Int)(assert (< a b))";
        check("replace-by-variable", two, &["(declare-const a Int)(declare-const b Int)(assert (< b b))"]);
        check("simplify-quoted-symbols", "(declare-const |a| Int)", &["(declare-const a Int)"]);
        check("simplify-logic", "(set-logic QF_NIA)", &["(set-logic QF_LIA)"]);
        check("simplify-logic", "(set-logic QF_LIA)", &["(set-logic QF_)"]);
    }

    #[test]
    fn rules_of_ddsmt() {
        let bits = "(declare-const a (_ BitVec 4))(declare-const b (_ BitVec 4))";
        let term = |mutator: &str, before: &str, after: &str| {
            check(mutator, &format!("{bits}(assert {before})"), &[&format!("{bits}(assert {after})")]);
        };
        term("bv-elim-bvcomp", "(= #b1 (bvcomp a b))", "(= a b)");
        term("bv-elim-bvcomp", "(= (bvcomp a b) #b0)", "(not (= a b))");
        term("bv-ite-to-bvcomp", "(= #b1 (ite (= a b) #b1 #b0))", "(= #b1 (bvcomp a b))");
        term("bv-reflexive-nand", "(= a (bvnand b b))", "(= a (bvnot b))");
        term("bv-extract-constants", "(= #b10 ((_ extract 2 1) #b0100))", "(= #b10 #b10)");
        term("bv-eval-extend", "(= #x0f ((_ sign_extend 4) #xf))", "(= #x0f #xff)");
        term("bv-eval-extend", "(= #x0f ((_ zero_extend 4) #xf))", "(= #x0f #x0f)");
        term("bv-extract-zeroextend", "(= #b0 ((_ extract 6 6) ((_ zero_extend 3) a)))", "(= #b0 #b0)");
        let pushed = "(= a ((_ zero_extend 2) ((_ extract 3 2) a)))";
        term("bv-extract-zeroextend", "(= a ((_ extract 5 2) ((_ zero_extend 3) a)))", pushed);
        let predicate = "(bvult ((_ zero_extend 3) a) ((_ zero_extend 3) b))";
        term("bv-zeroextend-pred", predicate, "(bvult a b)");
        term("arith-negate-relations", "(not (< 1 2))", "(>= 1 2)");
        term("arith-strengthen-relations", "(<= 1 2 3)", "(< 1 2 3)");
        term(
            "str-replace-all",
            "(= \"\" (str.replace_all \"a\" \"b\" \"c\"))",
            "(= \"\" (str.replace \"a\" \"b\" \"c\"))",
        );
        term("str-index-not-found", "(= 1 (str.indexof \"a\" \"b\" 0))", "(= 1 (- 1))");
        term("seq-nth-unit", "(= 1 (seq.nth (seq.unit 2) 0))", "(= 1 2)");
        term("bool-implications", "(=> (not true) false)", "(or true false)");
        term("bool-false-eq", "(= (= a b) false)", "(not (= a b))");
    }
}
