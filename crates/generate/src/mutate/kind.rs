//! The names of the techniques.

macro_rules! kinds {
    ($($kind:ident, $name:literal, $doc:literal;)*) => {
        /// A technique of mutation.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        pub enum MutationKind {
            $(#[doc = $doc] $kind,)*
        }

        impl MutationKind {
            /// All of them, in order.
            pub const ALL: &'static [MutationKind] = &[$(MutationKind::$kind,)*];

            /// Its name, as in reports and on the command line.
            pub fn name(self) -> &'static str {
                match self {
                    $(MutationKind::$kind => $name,)*
                }
            }
        }
    };
}

kinds! {
    SwapOperator, "swap-operator", "Another operator at the same sorts; SMT-LIB, BTOR, BTOR2.";
    ReplaceTerm, "replace-term", "Another term of the same sort; an operand of BTOR and BTOR2.";
    ExchangeTerms, "exchange-terms", "Two terms of one sort change places; SMT-LIB.";
    CornerConstant, "corner-constant", "A literal becomes a corner value of its sort; SMT-LIB, BTOR, BTOR2.";
    FillTerm, "fill-term", "A leaf becomes a small generated term; SMT-LIB.";
    WrapTerm, "wrap-term", "A term becomes an operand of a new operator; SMT-LIB.";
    FuseFiles, "fuse-files", "Declarations and assertions of a second file; SMT-LIB.";
    Transplant, "transplant", "A term of a second file with its declarations; SMT-LIB.";
    PushPop, "push-pop", "Assertions over levels, with several checks; SMT-LIB.";
    Guards, "guards", "Assertions under fresh guards, with assumptions; SMT-LIB.";
    ExtraCheck, "extra-check", "A second check, or one after `reset-assertions`; SMT-LIB.";
    EditAssertion, "edit-assertion", "An assertion is repeated, negated or dropped; SMT-LIB.";
    IntroduceLet, "introduce-let", "A term gets a name by `let`; SMT-LIB.";
    InlineLet, "inline-let", "A variable of `let` becomes its value; SMT-LIB.";
    Quantify, "quantify", "A free constant becomes a bound variable; SMT-LIB.";
    NegateOperand, "negate-operand", "The minus before a reference; BTOR, BTOR2.";
    EditLiteral, "edit-literal", "A literal is flipped, replaced, added or dropped; DIMACS.";
    EditClause, "edit-clause", "A clause is repeated with a change, added or dropped; DIMACS.";
}

/// A set of techniques.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KindSet(u32);

impl KindSet {
    /// No technique.
    pub const NONE: KindSet = KindSet(0);
    /// Every technique.
    pub const ALL: KindSet = KindSet((1 << MutationKind::ALL.len()) - 1);

    /// The set with one technique added.
    pub fn with(self, kind: MutationKind) -> KindSet {
        KindSet(self.0 | 1 << kind as u8)
    }

    /// The set with one technique removed.
    pub fn without(self, kind: MutationKind) -> KindSet {
        KindSet(self.0 & !(1 << kind as u8))
    }

    /// True if the technique is in it.
    pub fn contains(self, kind: MutationKind) -> bool {
        self.0 & 1 << kind as u8 != 0
    }
}

impl FromIterator<MutationKind> for KindSet {
    fn from_iter<I: IntoIterator<Item = MutationKind>>(kinds: I) -> KindSet {
        kinds.into_iter().fold(KindSet::NONE, KindSet::with)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_hold_what_was_put_in() {
        assert_eq!(MutationKind::ALL.iter().copied().collect::<KindSet>(), KindSet::ALL);
        let set = KindSet::NONE.with(MutationKind::Guards).with(MutationKind::EditClause);
        assert!(set.contains(MutationKind::Guards) && !set.contains(MutationKind::PushPop));
        assert_eq!(set.without(MutationKind::Guards), KindSet::NONE.with(MutationKind::EditClause));
        let names: Vec<&str> = MutationKind::ALL.iter().map(|kind| kind.name()).collect();
        let mut unique = names.clone();
        unique.sort_unstable();
        unique.dedup();
        assert_eq!(names.len(), unique.len());
    }
}
