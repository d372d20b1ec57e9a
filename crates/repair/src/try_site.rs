//! Everything that is found out about one site: which counterexamples it can repair, and in which tier.

use super::numbers::ordinal;
use super::point::{Point, PointSearch, Shape};
use super::runs::{Change, Instance, Run, Stage};
use super::sites::Site;
use super::{Refusal, RepairSettings};
use nub_c_ir::NumberFormat;

/// Points of one site that are tried in one run; a loop may reach many.
const MAX_POINTS: usize = 4;

/// A counterexample: the run, and what sites did in it.
pub(super) struct Witness {
    pub run: Run,
    pub instances: Vec<Instance>,
}

/// A change at one point that repairs.
#[derive(Clone, Debug)]
pub(super) struct Repair {
    /// The number of the counterexample.
    pub witness: usize,
    pub change: Change,
    /// The value without the change.
    pub now: u128,
    /// Share of passing runs whose output changes.
    pub damage: f64,
    /// Share of passing runs that reach the point, and have another value there.
    pub altered: f64,
    /// Whether the interpreter agrees: the counterexample fails without the change, and passes with it.
    pub is_replayed: bool,
}

impl Repair {
    fn new(witness: usize, change: Change, now: u128) -> Repair {
        Repair { witness, change, now, damage: 0.0, altered: 0.0, is_replayed: false }
    }
}

/// What is known about a site.
#[derive(Clone, Debug, Default)]
pub(super) struct Found {
    /// Counterexamples that some value of the site makes pass.
    pub n_repairable: usize,
    /// Changes that make one of them pass, one each, without a point repair.
    pub single: Vec<Repair>,
    /// Point repairs with its own operands.
    pub own: Vec<Repair>,
    pub n_own_unknown: usize,
    /// Point repairs with one more variable.
    pub extra: Vec<Repair>,
    pub n_extra_unknown: usize,
    /// Whether it is known for some counterexample that no value of this site makes it pass. Only for sites that no run reaches twice.
    pub is_refuted: bool,
    /// Whether no run reaches it twice.
    pub is_once: bool,
    /// Whether no function of its operands is a repair: at some point runs need different values. Known only for sites that no run reaches twice.
    pub is_own_refuted: bool,
}

impl Found {
    /// All repairs, and whether each is a point repair.
    pub fn repairs_mut(&mut self) -> impl Iterator<Item = (&mut Repair, bool)> {
        let points = self.own.iter_mut().chain(&mut self.extra).map(|repair| (repair, true));
        points.chain(self.single.iter_mut().map(|repair| (repair, false)))
    }
}

/// A point that a site's own operands do not repair, and the runs that contradict it.
struct Failed {
    witness: usize,
    instance: Instance,
    against: Vec<Run>,
}

/// Tries a site on the counterexamples.
pub(super) fn try_site(
    lab: &mut PointSearch<'_>,
    site: &Site,
    number: usize,
    witnesses: &[Witness],
    settings: &RepairSettings,
) -> Result<Found, Refusal> {
    let mut found = Found { is_once: lab.copy.is_once(number), ..Found::default() };
    let mut failed: Vec<Failed> = Vec::new();
    for (index, witness) in witnesses.iter().enumerate() {
        let is_repairable = if index < settings.n_own {
            own_operands(lab, site, number, (index, witness), &mut found, &mut failed)?
        } else {
            any_value(lab, site, number, witness)?
        };
        found.n_repairable += usize::from(is_repairable == Some(true));
        found.is_refuted |= is_repairable == Some(false) && lab.copy.is_once(number);
    }
    if found.own.is_empty() {
        for failed in failed.iter().filter(|failed| failed.witness < settings.n_extra) {
            if found.extra.last().is_none_or(|last| last.witness != failed.witness) {
                one_more_variable(lab, site, number, witnesses, failed, &mut found)?;
            }
        }
    }
    Ok(found)
}

/// Whether some value of the site makes this run pass.
fn any_value(
    lab: &mut PointSearch<'_>,
    site: &Site,
    number: usize,
    witness: &Witness,
) -> Result<Option<bool>, Refusal> {
    let mut answer = Some(false);
    for instance in points(&witness.instances, number) {
        let mut table = [change(number, &instance, None)];
        let shape = shape(lab, site, &instance);
        match lab.can_pass(&witness.run, &mut table, shape)? {
            Some(true) => return Ok(Some(true)),
            Some(false) => {}
            None => answer = None,
        }
    }
    Ok(answer)
}

/// Tier 1 on one counterexample. Returns whether some value makes it pass, whatever happens to other runs.
fn own_operands(
    lab: &mut PointSearch<'_>,
    site: &Site,
    number: usize,
    (index, witness): (usize, &Witness),
    found: &mut Found,
    failed: &mut Vec<Failed>,
) -> Result<Option<bool>, Refusal> {
    let mut single = None;
    let mut answer = Some(false);
    for instance in points(&witness.instances, number) {
        let mut table = [change(number, &instance, None)];
        let shape = shape(lab, site, &instance);
        let point = lab.repair(&witness.run, &mut table, shape)?;
        let against = match point {
            Point::Repaired => {
                let [change] = table;
                found.own.push(Repair::new(index, change, instance.now));
                return Ok(Some(true));
            }
            Point::Impossible(against) => {
                found.is_own_refuted |= lab.copy.is_once(number);
                against
            }
            Point::Unknown => {
                found.n_own_unknown += 1;
                Vec::new()
            }
        };
        // The value that was tried last may not be one with which this run passes.
        if single.is_none() {
            match lab.can_pass(&witness.run, &mut table, shape)? {
                Some(true) => {
                    let [change] = table;
                    single = Some(Repair::new(index, change, instance.now));
                    answer = Some(true);
                }
                Some(false) => {}
                None => answer = None,
            }
        }
        if single.is_some() {
            failed.push(Failed { witness: index, instance, against });
        }
    }
    found.single.extend(single);
    Ok(answer)
}

/// Different points of a site in a run, in order of execution.
fn points(instances: &[Instance], site: usize) -> Vec<Instance> {
    let mut found: Vec<Instance> = Vec::new();
    for instance in instances.iter().filter(|instance| instance.site == site) {
        if found.len() < MAX_POINTS && !found.iter().any(|other| other.keys == instance.keys) {
            found.push(instance.clone());
        }
    }
    found
}

fn change(site: usize, instance: &Instance, extra: Option<(usize, u128)>) -> Change {
    Change { site, keys: instance.keys.clone(), extra, value: 0 }
}

/// What kind of value a site has, and its present value.
pub(super) fn shape(lab: &PointSearch<'_>, site: &Site, instance: &Instance) -> Shape {
    if site.is_truth {
        return Shape::Truth { now: instance.now != 0 };
    }
    let now = match lab.stage.instrumented.program.types.number_format(site.ty) {
        Some(NumberFormat::Int(format)) if format.is_signed => {
            nub_c_ir::ints::to_signed(instance.now, format.width)
        }
        Some(NumberFormat::Float(format)) => ordinal(Some(format), instance.now),
        _ => i128::try_from(instance.now).unwrap_or(i128::MAX),
    };
    Shape::Number { now }
}

/// Tier 2: the operands and one more variable. A variable that has the same value in a run that contradicts the point cannot distinguish the two, so
/// it is not tried; each failure rules out more variables.
fn one_more_variable(
    lab: &mut PointSearch<'_>,
    site: &Site,
    number: usize,
    witnesses: &[Witness],
    failed: &Failed,
    found: &mut Found,
) -> Result<(), Refusal> {
    let instance = &failed.instance;
    let mut is_open: Vec<bool> = vec![true; instance.visible.len()];
    rule_out(&lab.stage, site, instance, &failed.against, &mut is_open);
    let mut is_unknown = false;
    for variable in 0..instance.visible.len() {
        if !is_open[variable] {
            continue;
        }
        let mut table = [change(number, instance, Some((variable, instance.visible[variable])))];
        let shape = shape(lab, site, instance);
        match lab.repair(&witnesses[failed.witness].run, &mut table, shape)? {
            Point::Repaired => {
                let [change] = table;
                found.extra.push(Repair::new(failed.witness, change, instance.now));
                return Ok(());
            }
            Point::Impossible(against) => rule_out(&lab.stage, site, instance, &against, &mut is_open),
            Point::Unknown => is_unknown = true,
        }
    }
    found.n_extra_unknown += usize::from(is_unknown);
    Ok(())
}

/// Rules out variables that cannot distinguish the run of the instance from those that contradict it. A truth value that is right for one run is
/// wrong for each of the others, so each must be distinguished; with numbers only all of them together are contradictory.
fn rule_out(stage: &Stage<'_>, site: &Site, instance: &Instance, against: &[Run], is_open: &mut [bool]) {
    if against.is_empty() {
        return;
    }
    let mut tells = vec![site.is_truth; is_open.len()];
    for run in against {
        let (_, others) = stage.instances(&run.inputs, &[]);
        let is_same = |other: &&Instance| other.site == instance.site && other.keys == instance.keys;
        let same: Vec<&Instance> = others.iter().filter(is_same).collect();
        for (variable, tells) in tells.iter_mut().enumerate() {
            let differs =
                same.iter().all(|other| other.visible.get(variable) != instance.visible.get(variable));
            *tells = if site.is_truth { *tells && differs } else { *tells || differs };
        }
    }
    is_open.iter_mut().zip(tells).for_each(|(is_open, tells)| *is_open &= tells);
}
