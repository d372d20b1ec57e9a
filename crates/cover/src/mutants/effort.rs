//! How much the selection of values may cost. Everything is counted in clauses, questions and conflicts, so the result does not depend on the clock.

use super::Mutation;

/// A budget. Work is a number of conflicts, or of questions, times the clauses involved.
#[derive(Clone, Copy, Debug)]
pub(super) struct SharpeningEffort {
    /// Terms of all mutants together, in addition to [`TERMS_RATIO`] times the terms of the function. A loop that is unrolled far has many terms, and
    /// selecting values must not cost more than finding the tests.
    pub terms: usize,
    /// Work of all questions about one test.
    pub questions: u64,
    /// Work of one such question, in conflicts.
    pub question: u64,
    /// Clauses of all copies, where all tests change at once.
    pub clauses_of_copies: usize,
    /// Work of the question about all tests, and of one about a few of them.
    pub whole: u64,
    pub part: u64,
    /// Values that are tried without the solver, each of three times.
    pub tries: usize,
    /// The same, times terms.
    pub evaluated: usize,
    /// Steps of all runs of mutants while the interpreter searches for values, and the same while they are made readable.
    pub steps: u64,
}

impl SharpeningEffort {
    /// For mutants that only help to select values: about as much as finding the tests, and a few hundredths of a second.
    pub const SMALL: SharpeningEffort =
        SharpeningEffort { terms: 40_000, steps: 100_000, ..SharpeningEffort::LARGE };
    /// For mutants that the user requested.
    pub const LARGE: SharpeningEffort = SharpeningEffort {
        terms: usize::MAX,
        questions: 20_000_000,
        question: 100_000_000,
        clauses_of_copies: 600_000,
        whole: 1_000_000_000,
        part: 50_000_000,
        tries: 9_000,
        evaluated: 18_000_000,
        steps: 4_000_000,
    };

    /// What the user requested.
    pub fn of(mutation: &Mutation) -> SharpeningEffort {
        if mutation.wanted.is_some() { SharpeningEffort::LARGE } else { SharpeningEffort::SMALL }
    }

    /// Terms of all mutants of a function with this many terms.
    pub fn max_terms(&self, n_terms: usize) -> usize {
        self.terms.saturating_add(TERMS_RATIO * n_terms)
    }

    /// Conflicts for a question about this many clauses.
    pub fn conflicts(&self, n_clauses: usize) -> u64 {
        (self.question / n_clauses.max(1) as u64).clamp(MIN_CONFLICTS, MAX_CONFLICTS)
    }

    /// Questions about this many clauses.
    pub fn n_questions(&self, n_clauses: usize) -> u64 {
        self.questions / n_clauses.max(1) as u64
    }
}

/// Terms of all mutants for each term of the function.
const TERMS_RATIO: usize = 2;
/// Conflicts for one question, at least and at most.
const MIN_CONFLICTS: u64 = 10;
const MAX_CONFLICTS: u64 = 1_000;
