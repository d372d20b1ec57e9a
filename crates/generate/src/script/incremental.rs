//! Scripts with several questions: levels, local declarations, assumptions, values.

use super::arena::Place;
use super::builder::Builder;

/// Limit on the levels that are open at the same time.
const MAX_LEVELS: u32 = 4;
/// Limit on the assumptions of one question.
const MAX_ASSUMPTIONS: u32 = 3;
/// Limit on the constants in one `get-value`.
const MAX_VALUES: u32 = 3;

/// Open levels.
#[derive(Default)]
pub(super) struct Levels {
    n_open: u32,
}

impl Builder<'_> {
    /// All assertions, on levels that are opened and closed, with questions in between. Levels may be left open.
    pub(super) fn levels(&mut self, levels: &mut Levels, commands: &mut Vec<u8>) {
        let mut n_left = self.config.assertions;
        self.push(levels, commands);
        while n_left > 0 {
            match self.rng.below(10) {
                0..=4 => {
                    self.assertion(commands);
                    n_left -= 1;
                }
                5 if levels.n_open < MAX_LEVELS => self.push(levels, commands),
                6 if levels.n_open > 0 => self.pop(levels, commands),
                7 => {
                    commands.extend_from_slice(b"(check-sat)\n");
                    self.values(commands);
                }
                8 => {
                    self.assume(commands);
                    self.values(commands);
                }
                _ => {}
            }
        }
    }

    fn push(&mut self, levels: &mut Levels, commands: &mut Vec<u8>) {
        let n_levels = self.rng.between(1, 2);
        commands.extend_from_slice(format!("(push {n_levels})\n").as_bytes());
        (0..n_levels).for_each(|_| self.arena.open());
        levels.n_open += n_levels;
        if self.rng.percent(50) {
            self.declare_local(commands);
        }
    }

    /// Declares a constant that is local to its level.
    fn declare_local(&mut self, commands: &mut Vec<u8>) {
        let sort = self.some_sort();
        let name = self.symbol("local");
        let command = format!("(declare-const {name} {})\n", self.universe.text(sort));
        commands.extend_from_slice(command.as_bytes());
        let term = self.arena.atom(name.as_bytes(), sort, Place::Here);
        self.evaluate_constant(term, sort);
        self.arena.offer(term);
    }

    fn pop(&mut self, levels: &mut Levels, commands: &mut Vec<u8>) {
        let n_levels = self.rng.between(1, levels.n_open.min(2));
        commands.extend_from_slice(format!("(pop {n_levels})\n").as_bytes());
        (0..n_levels).for_each(|_| self.arena.close());
        levels.n_open -= n_levels;
    }

    /// Closes all levels.
    pub(super) fn pop_all(&mut self, levels: &mut Levels, commands: &mut Vec<u8>) {
        while levels.n_open > 0 {
            self.pop(levels, commands);
        }
    }

    /// `check-sat-assuming` with constants and their negations; if a model is known, only what is true in it.
    fn assume(&mut self, commands: &mut Vec<u8>) {
        let mut literals: Vec<String> = Vec::new();
        for _ in 0..self.rng.between(1, MAX_ASSUMPTIONS) {
            let (term, name) = self.proposition();
            let is_positive = self.is_true(term).unwrap_or_else(|| self.rng.percent(50));
            let not = self.catalog.core.not.name;
            literals.push(if is_positive { name } else { format!("({not} {name})") });
        }
        commands.extend_from_slice(format!("(check-sat-assuming ({}))\n", literals.join(" ")).as_bytes());
    }

    /// `get-value`, if models are requested.
    fn values(&mut self, commands: &mut Vec<u8>) {
        if !self.config.models || !self.rng.percent(60) {
            return;
        }
        let mut names = Vec::new();
        for _ in 0..self.rng.between(1, MAX_VALUES) {
            let sort = self.some_sort();
            let term = self.constant(sort);
            names.push(String::from_utf8_lossy(self.arena.bytes(self.arena.get(term).head)).into_owned());
        }
        commands.extend_from_slice(format!("(get-value ({}))\n", names.join(" ")).as_bytes());
    }
}
