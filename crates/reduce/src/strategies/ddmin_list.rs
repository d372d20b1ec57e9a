//! Zeller's `ddmin` ([Vida08] §4.1.1) on the elements of a file that is a list: lines of a text, clauses of a
//! formula.
//!
//! ```text
//! 1. Two partitions.
//! 2. Ask every partition; one that fails is the new test case, of two partitions.
//!    Ask every complement; one that fails is the new test case, of one partition less.
//! 3. Otherwise twice as many partitions, up to one per element; then the test case is 1-minimal.
//! ```
//!
//! With two partitions the complement of one is the other, so complements are not asked. The empty test case passes
//! by definition and is never asked. The number of partitions after a success is Zeller's, as in figure 4.1; the
//! prose of the thesis leaves it open. Up to n² + 3n asks for n elements.
//!
//! With several workers the next tests are asked speculatively, as if the ones before would pass. The first that
//! fails in the order above counts, so the result is the same as with one worker.

use crate::dimacs::Dimacs;
use crate::plain::Plain;
use crate::{Engine, ReductionStop, SubjectFormat};
use nub_edits::dimacs::clauses::Clauses;
use nub_edits::plain::lines::Lines;
use nub_edits::{Edit, MergedEdits, Pass};

/// `ddmin` on the lines of a text.
pub fn ddmin_lines(engine: &mut Engine<'_, Plain>) -> Result<(), ReductionStop> {
    ddmin_list(engine, &Lines)
}

/// `ddmin` on the clauses of a DIMACS file.
pub fn ddmin_clauses(engine: &mut Engine<'_, Dimacs>) -> Result<(), ReductionStop> {
    ddmin_list(engine, &Clauses)
}

/// `ddmin` on the edits of a pass, each of which removes one element. A test case keeps everything that is not an
/// element.
pub fn ddmin_list<F: SubjectFormat>(
    engine: &mut Engine<'_, F>,
    pass: &dyn Pass<F::View>,
) -> Result<(), ReductionStop> {
    let elements = engine.state.edits(pass);
    let search = Search { pass: pass.name(), elements };
    let before = engine.text().len();
    let result = search.run(engine);
    engine.end_step(pass.name(), before);
    result
}

struct Search {
    pass: &'static str,
    /// The elements, each as the edit that removes it.
    elements: Vec<Edit>,
}

/// Elements of a test case by number, in order.
type Case = Vec<usize>;

/// A test of step 2.
#[derive(Clone, Copy)]
enum Test {
    Partition(usize),
    Complement(usize),
}

impl Search {
    fn run(&self, engine: &mut Engine<'_, impl SubjectFormat>) -> Result<(), ReductionStop> {
        let mut case: Case = (0..self.elements.len()).collect();
        let mut n_partitions = 2;
        while case.len() >= 2 {
            n_partitions = n_partitions.min(case.len());
            match self.first_failing(engine, &case, n_partitions)? {
                Some((Test::Partition(_), smaller)) => {
                    case = smaller;
                    n_partitions = 2;
                }
                Some((Test::Complement(_), smaller)) => {
                    case = smaller;
                    n_partitions = (n_partitions - 1).max(2);
                }
                None if n_partitions == case.len() => break,
                None => n_partitions *= 2,
            }
        }
        Ok(())
    }

    /// Step 2: the first partition or complement that fails becomes the subject.
    fn first_failing(
        &self,
        engine: &mut Engine<'_, impl SubjectFormat>,
        case: &[usize],
        n_partitions: usize,
    ) -> Result<Option<(Test, Case)>, ReductionStop> {
        let partitions = (0..n_partitions).map(Test::Partition);
        let n_complements = if n_partitions > 2 { n_partitions } else { 0 };
        let mut tests = partitions.chain((0..n_complements).map(Test::Complement));
        let found = engine.first_failing(self.pass, |engine| {
            let test = tests.next()?;
            let part = part(case, n_partitions, test);
            let bytes = self.bytes(engine, &part);
            Some(((test, part), bytes))
        })?;
        let Some((found, bytes)) = found else { return Ok(None) };
        engine.adopt(self.pass, bytes)?;
        Ok(Some(found))
    }

    /// The file with only the elements of `kept`.
    fn bytes<F: SubjectFormat>(&self, engine: &Engine<'_, F>, kept: &[usize]) -> Vec<u8> {
        let mut splices = MergedEdits::default();
        let mut kept = kept.iter().copied().peekable();
        for (index, element) in self.elements.iter().enumerate() {
            if kept.next_if_eq(&index).is_none() {
                splices.add(element);
            }
        }
        engine.format().clean_up(engine.view(), &mut splices);
        engine.spliced(&splices)
    }
}

/// The elements of a test. Partitions are of nearly equal size.
fn part(case: &[usize], n_partitions: usize, test: Test) -> Case {
    let range = |index: usize| case.len() * index / n_partitions..case.len() * (index + 1) / n_partitions;
    match test {
        Test::Partition(index) => case[range(index)].to_vec(),
        Test::Complement(index) => [&case[..range(index).start], &case[range(index).end..]].concat(),
    }
}
