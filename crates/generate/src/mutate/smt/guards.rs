//! Puts assertions under fresh guards, and checks under assumptions.
//!
//! ```text
//! (assert p)(assert q)(check-sat)
//!   ->   (declare-const g Bool)(assert (=> g p))(assert q)
//!        (check-sat-assuming ((not g)))(check-sat-assuming (g))
//! ```

use super::{Draw, Splice};
use nub_smtlib::CommandKind;

/// At most this many guards.
const MAX_GUARDS: u32 = 4;

pub(super) fn propose(draw: &mut Draw) -> Option<Vec<Splice>> {
    let seed = draw.seed;
    let check = seed.commands.iter().rfind(|(_, kind)| *kind == CommandKind::CheckSat);
    let &(check, _) = check.filter(|_| seed.is_flat())?;
    let mut splices = Vec::new();
    let mut guarded: Vec<usize> = Vec::new();
    let mut guards = Vec::new();
    for _ in 0..draw.rng.between(1, MAX_GUARDS) {
        let at = draw.pick(&seed.assertions)?;
        let command = seed.commands[at].0;
        let Some(formula) = seed.formula(command).filter(|_| command < check && !guarded.contains(&at))
        else {
            continue;
        };
        let guard = draw.fresh();
        let span = seed.span(formula);
        splices.push(Splice::insert(span.start, format!("(=> {guard} ")));
        splices.push(Splice::insert(span.end, ")"));
        guarded.push(at);
        guards.push(guard);
    }
    let declare = |guard: &String| format!("(declare-fun {guard} () Bool)\n");
    let declarations: String = guards.iter().map(declare).collect();
    splices.push(Splice::insert(seed.declarations_at(), declarations));
    let mut checks = String::new();
    for _ in 0..draw.rng.between(1, 2) {
        let literals: Vec<String> = guards.iter().map(|guard| literal(draw, guard)).collect();
        checks.push_str(&format!("(check-sat-assuming ({}))\n", literals.join(" ")));
    }
    checks.push_str(&format!("(check-sat-assuming ({}))", guards.join(" ")));
    splices.push(Splice::replace(seed.span(check), checks));
    (!guards.is_empty()).then_some(splices)
}

fn literal(draw: &mut Draw, guard: &str) -> String {
    if draw.rng.percent(50) { guard.to_owned() } else { format!("(not {guard})") }
}

#[cfg(test)]
mod tests {
    use crate::mutate::MutationKind;
    use crate::mutate::testing::expect;

    #[test]
    fn guards_are_declared_and_assumed() {
        let seed = "(declare-const p Bool)(assert p)(check-sat)";
        let wanted = "(declare-fun nub_1 () Bool)\n(declare-const p Bool)(assert (=> nub_1 p))(check-sat-assuming ((not nub_1)))\n(check-sat-assuming (nub_1))";
        expect(MutationKind::Guards, seed, &[wanted]);
    }
}
