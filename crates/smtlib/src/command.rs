//! The commands of SMT-LIB and its dialects.

macro_rules! commands {
    ($($name:literal => $variant:ident, $doc:literal;)*) => {
        /// What a top-level list is, by its first symbol.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum CommandKind {
            $(#[doc = $doc] $variant,)*
            /// Any other command: it is kept and can be removed, but is not analysed.
            Other,
        }

        impl CommandKind {
            /// The kind of the command with this first symbol.
            pub fn of(name: &[u8]) -> CommandKind {
                match name {
                    $($name => CommandKind::$variant,)*
                    _ => CommandKind::Other,
                }
            }
        }
    };
}

commands! {
    b"assert" => Assert, "`(assert t)`";
    b"assert-soft" => AssertSoft, "`(assert-soft t :weight n)`, z3";
    b"block-model" => BlockModel, "cvc5";
    b"check-sat" => CheckSat, "`(check-sat)`";
    b"check-sat-assuming" => CheckSatAssuming, "`(check-sat-assuming (l…))`";
    b"check-sat-using" => CheckSatUsing, "`(check-sat-using tactic)`, z3";
    b"declare-const" => DeclareConst, "`(declare-const x S)`";
    b"declare-codatatypes" => DeclareCodatatypes, "cvc5, as `declare-datatypes`";
    b"declare-codatatype" => DeclareCodatatype, "cvc5, as `declare-datatype`";
    b"declare-datatype" => DeclareDatatype, "`(declare-datatype D d)`";
    b"declare-datatypes" => DeclareDatatypes, "`(declare-datatypes ((D n)…) (d…))`";
    b"declare-fun" => DeclareFun, "`(declare-fun f (S…) S)`";
    b"declare-sort" => DeclareSort, "`(declare-sort S n)`";
    b"declare-sort-parameter" => DeclareSortParameter, "2.7: `(declare-sort-parameter A)`";
    b"declare-var" => DeclareVar, "SyGuS, z3 fixedpoint: `(declare-var x S)`";
    b"declare-rel" => DeclareRel, "z3 fixedpoint: `(declare-rel r (S…))`";
    b"declare-heap" => DeclareHeap, "separation logic";
    b"declare-oracle-fun" => DeclareOracleFun, "cvc5";
    b"declare-pool" => DeclarePool, "cvc5";
    b"define-const" => DefineConst, "`(define-const x S t)`";
    b"define-fun" => DefineFun, "`(define-fun f ((x S)…) S t)`";
    b"define-fun-rec" => DefineFunRec, "`(define-fun-rec f ((x S)…) S t)`";
    b"define-funs-rec" => DefineFunsRec, "`(define-funs-rec ((f ((x S)…) S)…) (t…))`";
    b"define-sort" => DefineSort, "`(define-sort S (A…) S)`";
    b"define" => Define, "yices and cvc5 dialect: `(define x t)`";
    b"echo" => Echo, "`(echo s)`";
    b"eval" => Eval, "z3: `(eval t)`";
    b"exit" => Exit, "`(exit)`";
    b"get-assertions" => GetAssertions, "`(get-assertions)`";
    b"get-assignment" => GetAssignment, "`(get-assignment)`";
    b"get-info" => GetInfo, "`(get-info k)`";
    b"get-model" => GetModel, "`(get-model)`";
    b"get-option" => GetOption, "`(get-option k)`";
    b"get-proof" => GetProof, "`(get-proof)`";
    b"get-unsat-assumptions" => GetUnsatAssumptions, "`(get-unsat-assumptions)`";
    b"get-unsat-core" => GetUnsatCore, "`(get-unsat-core)`";
    b"get-value" => GetValue, "`(get-value (t…))`";
    b"get-objectives" => GetObjectives, "z3";
    b"get-qe" => GetQe, "cvc5: `(get-qe t)`";
    b"get-abduct" => GetAbduct, "cvc5";
    b"get-interpolant" => GetInterpolant, "cvc5";
    b"maximize" => Maximize, "z3: `(maximize t)`";
    b"minimize" => Minimize, "z3: `(minimize t)`";
    b"pop" => Pop, "`(pop n)`";
    b"push" => Push, "`(push n)`";
    b"query" => Query, "z3 fixedpoint: `(query t)`";
    b"reset" => Reset, "`(reset)`";
    b"reset-assertions" => ResetAssertions, "`(reset-assertions)`";
    b"rule" => Rule, "z3 fixedpoint: `(rule t)`";
    b"set-info" => SetInfo, "`(set-info k v)`";
    b"set-logic" => SetLogic, "`(set-logic L)`";
    b"set-option" => SetOption, "`(set-option k v)`";
    b"simplify" => Simplify, "z3 and cvc5: `(simplify t)`";
    b"synth-fun" => SynthFun, "SyGuS: `(synth-fun f ((x S)…) S grammar?)`";
    b"synth-inv" => SynthInv, "SyGuS";
    b"constraint" => Constraint, "SyGuS: `(constraint t)`";
    b"assume" => Assume, "SyGuS: `(assume t)`";
    b"inv-constraint" => InvConstraint, "SyGuS";
    b"check-synth" => CheckSynth, "SyGuS";
}

impl CommandKind {
    /// True if SMT-LIB 2.6 or 2.7 has the command.
    pub fn is_standard(self) -> bool {
        use CommandKind::*;
        matches!(
            self,
            Assert
                | CheckSat
                | CheckSatAssuming
                | DeclareConst
                | DeclareDatatype
                | DeclareDatatypes
                | DeclareFun
                | DeclareSort
                | DeclareSortParameter
                | DefineConst
                | DefineFun
                | DefineFunRec
                | DefineFunsRec
                | DefineSort
                | Echo
                | Exit
                | GetAssertions
                | GetAssignment
                | GetInfo
                | GetModel
                | GetOption
                | GetProof
                | GetUnsatAssumptions
                | GetUnsatCore
                | GetValue
                | Pop
                | Push
                | Reset
                | ResetAssertions
                | SetInfo
                | SetLogic
                | SetOption
        )
    }

    /// True if the command declares a symbol.
    pub fn declares(self) -> bool {
        use CommandKind::*;
        matches!(
            self,
            DeclareConst
                | DeclareCodatatypes
                | DeclareCodatatype
                | DeclareDatatype
                | DeclareDatatypes
                | DeclareFun
                | DeclareSort
                | DeclareSortParameter
                | DeclareVar
                | DeclareRel
                | DeclareOracleFun
                | DeclarePool
                | DefineConst
                | DefineFun
                | DefineFunRec
                | DefineFunsRec
                | DefineSort
                | Define
                | SynthFun
                | SynthInv
        )
    }
}
