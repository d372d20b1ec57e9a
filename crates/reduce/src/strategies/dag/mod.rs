//! The algorithms of [Vida08] §4, on any format whose view is a graph ([`Dag`]): BTOR, BTOR2, SMT-LIB terms.
//!
//! One file each, as the thesis prints them: [`ddmin`], [`hdd`] with `hdd+` and `hdd*`, [`bfs`], [`lw`], [`changeref`]
//! and `changeref+`, [`deltabtor`]. They share one [`Trial`]: nodes become zero, ones or a fresh variable, edges are
//! redirected, unreferenced sub-graphs are removed, and the rules of fig. 4.2 are applied on request.
//!
//! A step is accepted iff the failure is still present, whether or not it saves bytes; each algorithm terminates
//! because a node is replaced at most three times and an edge is redirected only to greater depth.

mod bfs;
mod changeref;
mod ddmin;
mod deltabtor;
mod descend;
mod hdd;
mod lw;
mod trial;
mod writing;

use crate::{Engine, ReductionStop, SubjectFormat};
pub(super) use descend::descend;
use nub_edits::dag::{Dag, DagNode, Graph, REPLACEMENTS};
use trial::Trial;

/// An algorithm of the thesis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Algorithm {
    /// §4.1.1
    Ddmin,
    /// §4.1.2
    Hdd,
    /// §4.1.3
    HddPlus,
    /// §4.1.4
    HddStar,
    /// §4.3.1
    Bfs,
    /// §4.3.2
    Lw,
    /// §4.3.3
    Changeref,
    /// §4.3.4
    ChangerefPlus,
    /// §4.2
    Deltabtor,
}

/// All of them, in the order of §5, and `deltabtor`, which was not compared there.
pub const ALGORITHMS: [Algorithm; 9] = [
    Algorithm::Lw,
    Algorithm::Bfs,
    Algorithm::Ddmin,
    Algorithm::Hdd,
    Algorithm::HddPlus,
    Algorithm::HddStar,
    Algorithm::Changeref,
    Algorithm::ChangerefPlus,
    Algorithm::Deltabtor,
];

/// The chain of §4.4, without `hdd+` and `hdd*`, which repetition makes superfluous.
pub const CHAIN: [Algorithm; 6] = [
    Algorithm::Ddmin,
    Algorithm::Hdd,
    Algorithm::Bfs,
    Algorithm::Lw,
    Algorithm::ChangerefPlus,
    Algorithm::Changeref,
];

impl Algorithm {
    /// Its name on the command line and in tables.
    pub fn name(self) -> &'static str {
        match self {
            Algorithm::Ddmin => "ddmin",
            Algorithm::Hdd => "hdd",
            Algorithm::HddPlus => "hdd+",
            Algorithm::HddStar => "hdd*",
            Algorithm::Bfs => "bfs",
            Algorithm::Lw => "lw",
            Algorithm::Changeref => "changeref",
            Algorithm::ChangerefPlus => "changeref+",
            Algorithm::Deltabtor => "deltabtor",
        }
    }
}

/// Whether the rules of fig. 4.2 are applied after every change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Simplify {
    /// As in tables 5.1, 5.3, 5.5.
    On,
    /// As in tables 5.2, 5.4, 5.6.
    Off,
}

/// Runs one algorithm once.
pub fn run<F>(
    engine: &mut Engine<'_, F>,
    algorithm: Algorithm,
    simplify: Simplify,
) -> Result<(), ReductionStop>
where
    F: SubjectFormat,
    F::View: Dag,
{
    // Steps are not undone here, so every candidate is checked before it is asked, however large.
    engine.state.careful = true;
    let result = drop_unreached(engine, algorithm.name()).and_then(|()| match algorithm {
        Algorithm::Ddmin => ddmin::ddmin(engine, simplify),
        Algorithm::Hdd => hdd::hdd(engine, simplify),
        Algorithm::HddPlus => hdd::hdd_plus(engine, simplify),
        Algorithm::HddStar => hdd::hdd_star(engine, simplify),
        Algorithm::Bfs => bfs::bfs(engine, simplify),
        Algorithm::Lw => lw::lw(engine, simplify),
        Algorithm::Changeref => changeref::changeref(engine, simplify),
        Algorithm::ChangerefPlus => changeref::changeref_plus(engine, simplify),
        Algorithm::Deltabtor => deltabtor::deltabtor(engine, simplify),
    });
    engine.state.careful = false;
    result
}

/// Removes everything that no root reaches, with one ask.
fn drop_unreached<F>(engine: &mut Engine<'_, F>, name: &'static str) -> Result<(), ReductionStop>
where
    F: SubjectFormat,
    F::View: Dag,
{
    let mut trial = Trial::new(engine, name, Simplify::Off);
    let result = trial.drop_unreached();
    trial.end();
    result.map(|_| ())
}

/// "Apply one algorithm as long as it can reduce the size of the file, then move on to the next" (§4.4).
pub fn combine<F>(
    engine: &mut Engine<'_, F>,
    algorithms: &[Algorithm],
    simplify: Simplify,
) -> Result<(), ReductionStop>
where
    F: SubjectFormat,
    F::View: Dag,
{
    for &algorithm in algorithms {
        while_smaller(engine, |engine| run(engine, algorithm, simplify))?;
        engine.end_stage(algorithm.name());
    }
    Ok(())
}

/// Repeats `work` while the number of nodes falls.
fn while_smaller<F>(
    engine: &mut Engine<'_, F>,
    mut work: impl FnMut(&mut Engine<'_, F>) -> Result<(), ReductionStop>,
) -> Result<(), ReductionStop>
where
    F: SubjectFormat,
    F::View: Dag,
{
    loop {
        let before = n_nodes(engine.view());
        work(engine)?;
        if n_nodes(engine.view()) >= before {
            return Ok(());
        }
    }
}

/// The size of a subject as the thesis counts it.
pub fn n_nodes(view: &impl Dag) -> usize {
    Graph::new(view).pre_order().len()
}

/// The nodes of a list that can be replaced by something simpler.
fn replaceable(view: &impl Dag, nodes: &[DagNode]) -> Vec<DagNode> {
    let can_be = |&node: &DagNode| REPLACEMENTS.iter().any(|&with| view.replace(node, with).is_some());
    nodes.iter().copied().filter(can_be).collect()
}
