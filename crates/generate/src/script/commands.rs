//! The commands of a script: options, declarations, assertions, and questions.

use super::builder::Builder;
use super::incremental::Levels;
use super::theories::Fragment;
use crate::config::ExpectedStatus;
use nub_smtlib::SortId;

impl Builder<'_> {
    /// Appends the whole script.
    pub(super) fn write(&mut self, out: &mut Vec<u8>) {
        let logic = self.set_up();
        self.define_functions();
        let mut commands = Vec::new();
        if self.config.status == Some(ExpectedStatus::Unsat) {
            self.contradiction(&mut commands);
        }
        let mut levels = Levels::default();
        if self.config.incremental {
            self.levels(&mut levels, &mut commands);
        } else {
            (0..self.config.assertions).for_each(|_| self.assertion(&mut commands));
        }
        commands.extend_from_slice(b"(check-sat)\n");
        if self.config.models {
            commands.extend_from_slice(b"(get-model)\n");
        }
        if self.config.cores {
            commands.extend_from_slice(b"(get-unsat-core)\n");
        }
        self.pop_all(&mut levels, &mut commands);
        self.write_options(logic, out);
        out.extend_from_slice(&self.declarations);
        out.extend_from_slice(&self.definitions);
        out.extend_from_slice(&commands);
    }

    fn write_options(&self, logic: &str, out: &mut Vec<u8>) {
        let config = self.config;
        for (option, is_set) in [(":produce-models", config.models), (":produce-unsat-cores", config.cores)] {
            if is_set {
                out.extend_from_slice(format!("(set-option {option} true)\n").as_bytes());
            }
        }
        out.extend_from_slice(format!("(set-logic {logic})\n").as_bytes());
        if let Some(status) = config.status {
            out.extend_from_slice(format!("(set-info :status {})\n", status.name()).as_bytes());
        }
    }

    /// A truth value with its share of all terms, approximately; true under the chosen values, if there are any.
    fn truth(&mut self) -> Vec<u8> {
        let share = (self.config.terms / self.config.assertions).max(1);
        // Joining the terms adds about a third.
        let wanted = self.arena.n_applications() + (2 * share).div_ceil(3);
        self.arena.open();
        while self.arena.n_applications() < wanted {
            self.grow();
        }
        let root = self.merged();
        let root = self.made_true(root);
        self.close_with(root)
    }

    /// Appends an assertion, with a name if cores are requested.
    pub(super) fn assertion(&mut self, commands: &mut Vec<u8>) {
        let truth = self.truth();
        self.assert_text(&truth, commands);
    }

    fn assert_text(&mut self, truth: &[u8], commands: &mut Vec<u8>) {
        if self.config.cores {
            let name = self.symbol("n");
            commands.extend_from_slice(b"(assert (! ");
            commands.extend_from_slice(truth);
            commands.extend_from_slice(format!(" :named {name}))\n").as_bytes());
        } else {
            commands.extend_from_slice(b"(assert ");
            commands.extend_from_slice(truth);
            commands.extend_from_slice(b")\n");
        }
    }

    /// Four assertions that cannot all be true: p or q, p or not q, p implies r, not both p and r.
    fn contradiction(&mut self, commands: &mut Vec<u8>) {
        let parts: Vec<String> = (0..3).map(|_| self.part()).collect();
        let [p, q, r] = parts.as_slice() else { return };
        let core = &self.catalog.core;
        let (not, and, or, implies) = (core.not.name, core.and.name, core.or.name, core.implies.name);
        let mut truths = [
            format!("({or} {p} {q})"),
            format!("({or} {p} ({not} {q}))"),
            format!("({implies} {p} {r})"),
            format!("({not} ({and} {p} {r}))"),
        ];
        self.rng.shuffle(&mut truths);
        for truth in truths {
            self.assert_text(truth.as_bytes(), commands);
        }
    }

    /// A truth value, in full or as the name of a definition.
    fn part(&mut self) -> String {
        let text = String::from_utf8_lossy(&self.truth()).into_owned();
        if self.rng.percent(50) {
            return text;
        }
        let name = self.symbol("h");
        self.definitions.extend_from_slice(format!("(define-fun {name} () Bool {text})\n").as_bytes());
        name
    }

    /// Whether quantifiers may occur.
    pub(super) fn has_quantifiers(&self) -> bool {
        self.config.theories.has(Fragment::Quantifiers)
    }

    /// The text of a free constant of sort `Bool`.
    pub(super) fn proposition(&mut self) -> (super::arena::TermIdx, String) {
        let term = self.constant(SortId::BOOL);
        (term, String::from_utf8_lossy(self.arena.bytes(self.arena.get(term).head)).into_owned())
    }
}
