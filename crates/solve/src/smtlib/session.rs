//! The commands of a script, one after the other.

use super::print;
use super::source::Source;
use super::terms::Terms;
use crate::eliminate::Eliminated;
use crate::{BvAnswer, BvModel, BvSolver, Models, OutputSink, Proofs, Reason, SolveConfig, SolveVerdict};
use nub_bitvec::{Pool, Rewriting, TermId};
use nub_smtlib::{CommandKind, DeclId, DeclKind, NodeId, NodeKind, SortId};
use nub_text::Diagnostic;
use rustc_hash::{FxHashMap, FxHashSet};

/// Limit on the open levels, the same as in the analysis.
const MAX_LEVELS: usize = 1 << 16;

/// How to go on after a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Then {
    Next,
    Exit,
}

/// The result of the last question. An assertion, a level or a reset discards it.
enum Last {
    Nothing,
    Sat(BvModel),
    /// The assumptions in the core.
    Unsat(FxHashSet<TermId>),
    Unknown,
}

/// A named assertion that cores may mention; it is assumed, not asserted.
struct Tracked {
    term: TermId,
    name: NodeId,
}

/// The state of a script.
pub(super) struct Session<'a, 'o> {
    source: &'a Source<'a>,
    config: &'a SolveConfig,
    out: OutputSink<'o>,
    terms: Terms<'a>,
    solver: BvSolver,
    /// True if some command requests a core: then named assertions are tracked.
    wants_cores: bool,
    /// True if there is only one question and nothing is ever removed.
    asks_once: bool,
    tracked: Vec<Tracked>,
    /// By open level: the number of tracked assertions before it.
    levels: Vec<usize>,
    assumptions: Vec<(TermId, NodeId)>,
    last: Last,
    verdict: Option<SolveVerdict>,
}

type Result<T> = std::result::Result<T, Diagnostic>;

impl<'a, 'o> Session<'a, 'o> {
    pub(super) fn new(
        source: &'a Source<'a>,
        config: &'a SolveConfig,
        out: OutputSink<'o>,
    ) -> Session<'a, 'o> {
        Session {
            source,
            config,
            out,
            terms: Terms::with_pool(source, Pool::with_rewriting(config.rewriting)),
            solver: BvSolver::new(config.solver()),
            wants_cores: source.script.commands().any(|(_, kind)| kind == CommandKind::GetUnsatCore),
            asks_once: asks_once(source) && config.rewriting == Rewriting::On,
            tracked: Vec::new(),
            levels: Vec::new(),
            assumptions: Vec::new(),
            last: Last::Nothing,
            verdict: None,
        }
    }

    /// The answer to the last question.
    pub(super) fn last_verdict(self) -> Option<SolveVerdict> {
        self.verdict
    }

    fn line(&mut self, text: &str) {
        (self.out)(format!("{text}\n").as_bytes());
    }

    pub(super) fn command(&mut self, node: NodeId, kind: CommandKind) -> Result<Then> {
        use CommandKind::*;
        match kind {
            SetLogic | SetInfo | SetOption | DeclareSort | DefineSort => {}
            DeclareConst => {
                let [symbol, _] = self.source.arguments(node)?;
                self.terms.declare(symbol)?;
            }
            DeclareFun => {
                let [symbol, _, _] = self.source.arguments(node)?;
                self.terms.declare(symbol)?;
            }
            DefineFun => {
                let [symbol, _, _, body] = self.source.arguments(node)?;
                self.terms.define(symbol, body)?;
            }
            DefineConst => {
                let [symbol, _, body] = self.source.arguments(node)?;
                self.terms.define(symbol, body)?;
            }
            Assert => self.assert(node)?,
            CheckSat => {
                let [] = self.source.arguments(node)?;
                self.assumptions.clear();
                self.check(node)?;
            }
            CheckSatAssuming => self.check_assuming(node)?,
            Push => self.push(node)?,
            Pop => self.pop(node)?,
            Reset | ResetAssertions => self.reset(),
            GetValue => self.get_value(node)?,
            GetModel => self.get_model(node)?,
            GetUnsatCore => self.get_core(),
            GetUnsatAssumptions => self.get_assumptions(),
            Echo => self.echo(node)?,
            GetInfo | GetOption | GetProof | GetAssignment | GetAssertions => self.line("unsupported"),
            Exit => return Ok(Then::Exit),
            _ => {
                let head = self
                    .source
                    .tree()
                    .first_child(node)
                    .map_or(&b""[..], |head| self.source.script.slice(head));
                let name = String::from_utf8_lossy(head).into_owned();
                return Err(self.source.refuse(node, format!("command `{name}` is not supported")));
            }
        }
        Ok(Then::Next)
    }

    fn assert(&mut self, node: NodeId) -> Result<()> {
        let [term] = self.source.arguments(node)?;
        let made = self.formula(term)?;
        self.last = Last::Nothing;
        match self.name_of(term).filter(|_| self.wants_cores) {
            Some(name) => self.tracked.push(Tracked { term: made, name }),
            None => self.solver.assert(made),
        }
        Ok(())
    }

    /// A term of sort `Bool`. The solver would accept any term of one bit, but SMT-LIB does not.
    fn formula(&mut self, term: NodeId) -> Result<TermId> {
        let made = self.terms.translate(term)?;
        if self.terms.smt_sort(term) == SortId::BOOL {
            Ok(made)
        } else {
            Err(self.source.refuse(term, "a term of sort Bool is expected here"))
        }
    }

    /// The name of `(! t :named name)`.
    fn name_of(&self, term: NodeId) -> Option<NodeId> {
        let tree = self.source.tree();
        let first = tree.first_child(term)?;
        let children: Vec<NodeId> = tree.children(term).skip(2).collect();
        let is_annotation = self.source.script.slice(first) == b"!";
        let named = children.windows(2).find(|pair| self.source.script.slice(pair[0]) == b":named");
        named.filter(|_| is_annotation).map(|pair| pair[1])
    }

    fn check_assuming(&mut self, node: NodeId) -> Result<()> {
        let [list] = self.source.arguments(node)?;
        self.assumptions.clear();
        for term in self.listed(list)? {
            let made = self.formula(term)?;
            self.assumptions.push((made, term));
        }
        self.check(node)
    }

    fn listed(&self, list: NodeId) -> Result<Vec<NodeId>> {
        if !self.source.tree().is_list(list) {
            return Err(self.source.refuse(list, "a list of terms is expected here"));
        }
        Ok(self.source.tree().children(list).collect())
    }

    fn check(&mut self, node: NodeId) -> Result<()> {
        let tracked = self.tracked.iter().map(|tracked| tracked.term);
        let assumed: Vec<TermId> = tracked.chain(self.assumptions.iter().map(|(term, _)| *term)).collect();
        let answer = if self.asks_once { self.ask_once() } else { self.ask(&assumed) };
        let verdict = match self.with_floats_checked(answer) {
            BvAnswer::Sat(model) => {
                self.last = Last::Sat(model);
                SolveVerdict::Sat
            }
            BvAnswer::Unsat(core) => {
                self.last = Last::Unsat(core.into_iter().collect());
                self.name_lits(node);
                SolveVerdict::Unsat
            }
            BvAnswer::Unknown(reason) => {
                self.last = Last::Unknown;
                SolveVerdict::Unknown(reason)
            }
        };
        self.line(verdict.word());
        if verdict == SolveVerdict::Sat && self.config.models == Models::Always {
            self.get_model(node)?;
        }
        self.verdict = Some(verdict);
        Ok(())
    }

    /// States the conditions on floats, and asks the solver.
    fn ask(&mut self, assumed: &[TermId]) -> BvAnswer {
        let roots: Vec<TermId> = self.solver.assertions().chain(assumed.iter().copied()).collect();
        for condition in self.terms.floats.new_conditions(&self.terms.pool, &roots) {
            self.solver.assert_always(condition);
        }
        if let Some(model) = self.guess(assumed) {
            return BvAnswer::Sat(model);
        }
        self.solver.check(&mut self.terms.pool, assumed, &self.config.limits)
    }

    /// A model of simple values, only tried if there are floats: for other questions the search is just as fast.
    fn guess(&self, assumed: &[TermId]) -> Option<BvModel> {
        if self.terms.floats.terms.is_empty() {
            return None;
        }
        let roots: Vec<TermId> = self.solver.assertions().chain(assumed.iter().copied()).collect();
        BvModel::guessed(&self.terms.pool, &roots)
    }

    /// Answers the only question of a script: no later command can need a variable that an assertion defines.
    fn ask_once(&mut self) -> BvAnswer {
        let roots: Vec<TermId> = self.solver.assertions().collect();
        let eliminated = Eliminated::of(&mut self.terms.pool, &roots);
        if eliminated.is_nothing() {
            return self.ask(&[]);
        }
        self.solver.reassert(eliminated.roots.clone());
        match self.ask(&[]) {
            BvAnswer::Sat(model) => {
                let pool = &self.terms.pool;
                model.extended(pool, &roots, |assignment| eliminated.complete(pool, assignment))
            }
            answer => answer,
        }
    }

    /// Checks every operation on floats by the evaluator, which shares no code with the terms that were solved.
    fn with_floats_checked(&self, answer: BvAnswer) -> BvAnswer {
        let BvAnswer::Sat(model) = &answer else { return answer };
        match self.terms.floats.terms.first_wrong(&self.terms.pool, model.assignment()) {
            Some(operation) => BvAnswer::Unknown(Reason::WrongFloat(operation)),
            None => answer,
        }
    }

    /// Records in the certificate, if there is one, what literals mean.
    fn name_lits(&self, node: NodeId) {
        if matches!(self.config.proofs, Proofs::None) {
            return;
        }
        let declared: FxHashMap<TermId, DeclId> =
            self.declared_at(node).into_iter().map(|(id, term)| (term, id)).collect();
        let name = |id: &DeclId| String::from_utf8_lossy(self.source.name(*id)).into_owned();
        self.config.name_lits(&self.solver, &self.terms.pool, |term| declared.get(&term).map(name));
    }

    /// The number of levels in a command; one by default.
    fn count(&self, node: NodeId) -> Result<usize> {
        let mut children = self.source.tree().children(node).skip(1);
        match (children.next(), children.next()) {
            (None, _) => Ok(1),
            (Some(count), None) => self.source.numeral(count).map(|count| count as usize),
            _ => Err(self.source.refuse(node, "this command takes one number")),
        }
    }

    fn push(&mut self, node: NodeId) -> Result<()> {
        let n_new = self.count(node)?;
        if self.levels.len() + n_new > MAX_LEVELS {
            return Err(self.source.refuse(node, format!("more than {MAX_LEVELS} levels")));
        }
        self.last = Last::Nothing;
        for _ in 0..n_new {
            self.solver.push();
            self.levels.push(self.tracked.len());
        }
        Ok(())
    }

    fn pop(&mut self, node: NodeId) -> Result<()> {
        let n_old = self.count(node)?;
        let Some(n_left) = self.levels.len().checked_sub(n_old) else {
            let message = format!("cannot pop {n_old} levels: {} are open", self.levels.len());
            return Err(self.source.refuse(node, message));
        };
        self.last = Last::Nothing;
        for n_tracked in self.levels.drain(n_left..).rev() {
            self.solver.pop();
            self.tracked.truncate(n_tracked);
        }
        Ok(())
    }

    fn reset(&mut self) {
        self.solver = BvSolver::new(self.config.solver());
        self.terms.floats.forget_stated();
        self.tracked.clear();
        self.levels.clear();
        self.assumptions.clear();
        self.last = Last::Nothing;
    }

    /// Answers a question that is not allowed now. As the standard requires, the script continues.
    fn error(&mut self, message: &str) {
        self.line(&format!("(error \"{message}\")"));
    }

    fn get_value(&mut self, node: NodeId) -> Result<()> {
        let [list] = self.source.arguments(node)?;
        let nodes = self.listed(list)?;
        let mut terms = Vec::with_capacity(nodes.len());
        for &term in &nodes {
            terms.push(self.terms.translate(term)?);
        }
        let Last::Sat(model) = &self.last else {
            self.error("there is no model");
            return Ok(());
        };
        let values = model.values(&self.terms.pool, &terms);
        let mut text = b"(".to_vec();
        for (at, (&term, value)) in nodes.iter().zip(&values).enumerate() {
            let value = print::value(self.source, self.terms.smt_sort(term), value);
            let start: &[u8] = if at == 0 { b"(" } else { b"\n (" };
            text.extend([start, self.source.script.slice(term), b" ", value.as_bytes(), b")"].concat());
        }
        text.extend_from_slice(b")\n");
        (self.out)(&text);
        Ok(())
    }

    /// Declarations that are visible at a node, in order.
    fn declared_at(&self, node: NodeId) -> Vec<(DeclId, TermId)> {
        let analysis = self.source.analysis;
        let is_visible = |id: &DeclId| {
            let decl = analysis.decl(*id);
            decl.kind == DeclKind::Fun && decl.scope.0 <= node && node < decl.scope.1
        };
        let visible = analysis.decl_ids().filter(is_visible);
        visible.filter_map(|id| Some((id, self.terms.meaning(id)?))).collect()
    }

    fn get_model(&mut self, node: NodeId) -> Result<()> {
        let declared = self.declared_at(node);
        let Last::Sat(model) = &self.last else {
            self.error("there is no model");
            return Ok(());
        };
        let terms: Vec<TermId> = declared.iter().map(|(_, term)| *term).collect();
        let mut text = b"(\n".to_vec();
        for ((id, _), value) in declared.iter().zip(model.values(&self.terms.pool, &terms)) {
            text.extend(print::definition(self.source, *id, &value));
        }
        text.extend_from_slice(b")\n");
        (self.out)(&text);
        Ok(())
    }

    /// Prints those of some nodes whose terms are in the core.
    fn blame(&mut self, candidates: &[(TermId, NodeId)]) {
        let Last::Unsat(core) = &self.last else {
            return self.error("the last answer is not unsat");
        };
        let blamed = candidates.iter().filter(|(term, _)| core.contains(term));
        let texts: Vec<&[u8]> = blamed.map(|(_, node)| self.source.script.slice(*node)).collect();
        (self.out)(&[b"(", &texts.join(&b' ')[..], b")\n"].concat());
    }

    fn get_core(&mut self) {
        let tracked: Vec<(TermId, NodeId)> =
            self.tracked.iter().map(|tracked| (tracked.term, tracked.name)).collect();
        self.blame(&tracked);
    }

    fn get_assumptions(&mut self) {
        let assumptions = self.assumptions.clone();
        self.blame(&assumptions);
    }

    /// Prints the string as written, including the quotes, as the standard requires.
    fn echo(&mut self, node: NodeId) -> Result<()> {
        let [text] = self.source.arguments(node)?;
        if self.source.tree().kind(text) != NodeKind::String {
            return Err(self.source.refuse(text, "a string is expected here"));
        }
        let text = self.source.script.slice(text).to_vec();
        (self.out)(&[&text[..], b"\n"].concat());
        Ok(())
    }
}

/// True if there is one `check-sat` and there are no levels, cores and assumptions.
fn asks_once(source: &Source<'_>) -> bool {
    use CommandKind::*;
    let is_more =
        |kind| matches!(kind, Push | Pop | Reset | ResetAssertions | CheckSatAssuming | GetUnsatCore);
    let commands = || source.script.commands().map(|(_, kind)| kind);
    commands().filter(|kind| *kind == CheckSat).count() == 1 && !commands().any(is_more)
}
