//! Changes on one reading of the subject, accepted one after the other.

use super::Simplify;
use crate::strategies::substitution::State;
use crate::{Engine, Format, Stop};
use nub_edits::dag::{Dag, Edge, Node, REPLACEMENTS, Replacement, Substitution, simplify};
use nub_edits::render;

/// What has been accepted since the subject was read, and how to ask for more. All nodes are those of that reading.
pub(super) struct Trial<'t, 'e, F: Format> {
    engine: &'t mut Engine<'e, F>,
    algorithm: &'static str,
    simplify: Simplify,
    state: State,
    /// Bytes of the subject as it was read.
    before: usize,
}

impl<'t, 'e, F: Format> Trial<'t, 'e, F>
where
    F::View: Dag,
{
    pub(super) fn new(
        engine: &'t mut Engine<'e, F>,
        algorithm: &'static str,
        simplify: Simplify,
    ) -> Trial<'t, 'e, F> {
        let before = engine.text().len();
        Trial { engine, algorithm, simplify, state: State::default(), before }
    }

    /// The subject as it was read.
    pub(super) fn view(&self) -> &F::View {
        self.engine.view()
    }

    /// Replaces nodes by zero, by ones, by fresh variables: the first that still fails is kept (§4.1.1, steps a to g).
    pub(super) fn replace(&mut self, nodes: &[Node]) -> Result<bool, Stop> {
        let states: Vec<State> =
            REPLACEMENTS.iter().filter_map(|&with| self.state.with(&self.all(nodes, with))).collect();
        self.first_failing(states)
    }

    /// Replaces nodes, each by a leaf of its own, if it still fails then. A single one that does not is remembered, so that
    /// the passes on constants need not ask for it again.
    pub(super) fn replace_each(&mut self, nodes: &[(Node, Replacement)]) -> Result<bool, Stop> {
        let each = nodes.iter().filter_map(|&(node, with)| self.view().replace(node, with));
        let mut each: Vec<Substitution> = each.collect();
        self.engine.retain_free(&mut each, |substitution| &substitution.edit);
        let Some(state) = self.state.with(&each) else { return Ok(false) };
        if self.first_failing(vec![state])? {
            return Ok(true);
        }
        if let ([(_, with)], [substitution]) = (nodes, &each[..]) {
            self.engine.remember_failure(with.pass(), &substitution.edit);
        }
        Ok(false)
    }

    fn all(&self, nodes: &[Node], with: Replacement) -> Vec<Substitution> {
        let mut all = nodes.iter().filter_map(|&node| self.view().replace(node, with)).collect();
        self.engine.retain_free(&mut all, |substitution| &substitution.edit);
        all
    }

    /// Points an edge elsewhere if it still fails then.
    pub(super) fn redirect(&mut self, parent: Node, index: usize, target: Edge) -> Result<bool, Stop> {
        let mut edits: Vec<Substitution> =
            self.view().redirect(parent, index, target).into_iter().map(Substitution::from).collect();
        self.engine.retain_free(&mut edits, |substitution| &substitution.edit);
        let state = self.state.with(&edits);
        self.first_failing(state.into_iter().collect())
    }

    /// Keeps the first of the states that fails. As many are asked at once as there are workers.
    fn first_failing(&mut self, states: Vec<State>) -> Result<bool, Stop> {
        for window in states.chunks(self.engine.jobs()) {
            let candidates: Vec<Vec<u8>> = window.iter().map(|state| self.candidate(state)).collect();
            let answers = self.engine.judge(self.algorithm, candidates)?;
            for (state, (bytes, fails)) in window.iter().zip(answers) {
                if fails {
                    self.engine.adopt(self.algorithm, bytes)?;
                    self.state = state.clone();
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// The subject with a state, without what nothing refers to any more, simplified if asked for.
    fn candidate(&self, state: &State) -> Vec<u8> {
        let format = self.engine.format;
        let mut splices = state.splices(self.view().declaration_place());
        format.clean_up(self.view(), &mut splices);
        let bytes = self.engine.spliced(&splices);
        if self.simplify == Simplify::Off {
            return bytes;
        }
        let view = format.read(bytes);
        let mut splices = simplify(&view);
        format.clean_up(&view, &mut splices);
        render(format.text(&view), &splices.splices())
    }

    /// Reads what was accepted.
    pub(super) fn end(self) {
        self.engine.end_step(self.algorithm, self.before);
    }
}
