//! Proves that a rule preserves the meaning: instances are proved by the built-in solver.

use nub_edits::smtlib::rules::{Instance, ParsedRule};
use nub_solve::{SatLimits, SolveConfig, SolveVerdict as Answer, smtlib};
use nub_text::Diagnostic;
use std::fmt;

/// Conflicts after which the solver gives up on an instance.
const MAX_CONFLICTS: u64 = 200_000;

/// What is known about a rule. A claim states exactly what was proved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Claim {
    /// It has one instance, which is proved.
    Sound,
    /// All instances up to a limit are proved.
    SoundUpTo {
        /// Maximum width and index, if there are any.
        numbers: Option<u32>,
        /// Maximum number of arguments of a rest, if there is one.
        rest: Option<usize>,
        /// How many instances were proved.
        n_instances: usize,
    },
    /// At this instance, with these values, pattern and replacement differ.
    Unsound {
        /// Widths and indices; empty if there are none.
        at: String,
        /// Names and values.
        values: Vec<(String, String)>,
    },
    /// Not decided, and why.
    Unproved(String),
}

/// The result for one instance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InstanceVerdict {
    /// Pattern and replacement are equal whenever the condition holds.
    Sound,
    /// They differ for these values.
    Differs(Vec<(String, String)>),
    /// Not decided, and why.
    Open(String),
}

impl Claim {
    /// Whether all tried instances are proved.
    pub fn is_sound(&self) -> bool {
        matches!(self, Claim::Sound | Claim::SoundUpTo { .. })
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Claim::Sound => f.write_str("sound (proved)"),
            Claim::SoundUpTo { numbers, rest, n_instances } => {
                let numbers = numbers.map(|max| format!("widths and indices up to {max}"));
                let rest = rest.map(|max| format!("up to {max} arguments for a rest"));
                let limits: Vec<String> = numbers.into_iter().chain(rest).collect();
                write!(f, "sound for {} (proved, {n_instances} instances)", limits.join(" and "))
            }
            Claim::Unsound { at, values } => {
                let at = if at.is_empty() { String::new() } else { format!("{at}; ") };
                let values: Vec<String> =
                    values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
                write!(f, "unsound: {at}{}", values.join(", "))
            }
            Claim::Unproved(why) => write!(f, "unproved: {why}"),
        }
    }
}

/// Proves a rule at all widths and indices up to a limit.
///
/// # Errors
/// If the rule is ill sorted.
pub fn prove(rule: &ParsedRule, max_width: u32, limits: &SatLimits) -> Result<Claim, Diagnostic> {
    let instances = rule.instances(max_width)?;
    for instance in &instances.all {
        match prove_instance(rule, instance, limits) {
            InstanceVerdict::Sound => {}
            InstanceVerdict::Differs(values) => {
                return Ok(Claim::Unsound { at: instance.words(rule), values });
            }
            InstanceVerdict::Open(why) => {
                let at = instance.words(rule);
                return Ok(Claim::Unproved(if at.is_empty() { why } else { format!("{at}: {why}") }));
            }
        }
    }
    Ok(if rule.is_family() {
        Claim::SoundUpTo {
            numbers: rule.has_numbers().then_some(instances.max_number),
            rest: rule.has_rest().then_some(nub_edits::smtlib::rules::MAX_REST),
            n_instances: instances.all.len(),
        }
    } else {
        Claim::Sound
    })
}

/// Proves one instance.
pub fn prove_instance(rule: &ParsedRule, instance: &Instance, limits: &SatLimits) -> InstanceVerdict {
    let obligation = match rule.obligation(instance) {
        Ok(obligation) => obligation,
        Err(error) => return InstanceVerdict::Open(error.to_string()),
    };
    match answer(&obligation.script, limits).0 {
        Ok(Some(Answer::Unsat)) => InstanceVerdict::Sound,
        Ok(Some(Answer::Sat)) => {
            InstanceVerdict::Differs(values(&obligation.script, &obligation.terms, limits))
        }
        Ok(Some(Answer::Unknown(reason))) => InstanceVerdict::Open(reason.to_string()),
        Ok(None) => InstanceVerdict::Open("the solver gave no answer".to_owned()),
        Err(diagnostic) => InstanceVerdict::Open(diagnostic.message),
    }
}

fn answer(script: &str, limits: &SatLimits) -> (Result<Option<Answer>, Diagnostic>, String) {
    let config = SolveConfig { limits: limits.with_conflicts(MAX_CONFLICTS), ..SolveConfig::default() };
    let mut printed = Vec::new();
    let answer = smtlib::run(script.as_bytes(), &config, &mut |bytes| printed.extend_from_slice(bytes));
    (answer, String::from_utf8_lossy(&printed).into_owned())
}

/// The values of terms in the model that the solver finds.
fn values(script: &str, terms: &[(String, String)], limits: &SatLimits) -> Vec<(String, String)> {
    let value = |term: &String| {
        let (_, printed) = answer(&format!("{script}(get-value ({term}))\n"), limits);
        let line = printed.lines().nth(1)?.strip_prefix("((")?.strip_suffix("))")?;
        line.strip_prefix(term.as_str())
            .or(line.rsplit_once(' ').map(|(_, value)| value))
            .map(|text| text.trim().to_owned())
    };
    terms.iter().filter_map(|(name, term)| Some((name.clone(), value(term)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use nub_edits::smtlib::rules::read;

    fn claim(text: &str) -> Claim {
        prove(&read(text.as_bytes()).unwrap()[0], 4, &SatLimits::none()).unwrap()
    }

    #[test]
    fn claims_are_as_wide_as_their_proofs() {
        assert_eq!(claim("(rule r ((x Bool)) (not (not x)) x)"), Claim::Sound);
        let zero = claim("(rule r ((x (_ BitVec n))) (bvadd x (_ bv0 n)) x)");
        assert_eq!(zero.to_string(), "sound for widths and indices up to 4 (proved, 4 instances)");
        let rest = claim("(rule r ((xs Bool :rest)) (or true xs) true)");
        assert_eq!(rest.to_string(), "sound for up to 3 arguments for a rest (proved, 4 instances)");
        assert_eq!(claim("(rule r ((c Bool) (x ?A)) (ite c x x) x)"), Claim::Sound);
    }

    #[test]
    fn unsound_rules_have_counterexamples() {
        let wrong = claim("(rule r ((x (_ BitVec n)) (y (_ BitVec n))) (bvsub x y) (bvadd x y))");
        // In one bit they are the same.
        let Claim::Unsound { at, values } = wrong else { panic!("{wrong:?}") };
        assert_eq!(at, "n = 2");
        assert_eq!(
            values.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(),
            ["x", "y", "pattern", "replacement"]
        );
        assert!(values.iter().all(|(_, value)| value.starts_with("#b")), "{values:?}");
        assert_ne!(values[2].1, values[3].1);
        assert!(matches!(claim("(rule r ((x Bool) (y Bool)) (=> x y) (or x y))"), Claim::Unsound { .. }));
    }

    #[test]
    fn conditions_count() {
        let with = |condition: &str| {
            claim(&format!(
                "(rule r ((x (_ BitVec n)) (k (_ BitVec n) :literal)) (bvshl x k) (_ bv0 n) :when {condition})"
            ))
        };
        assert!(with("(>= (value k) n)").is_sound());
        assert!(matches!(with("(>= (value k) (- n 1))"), Claim::Unsound { .. }));
        let fold = "(rule r ((a (_ BitVec n) :literal) (b (_ BitVec n) :literal)) (bvmul a b) (bits (* (value a) (value b)) n))";
        assert!(claim(fold).is_sound());
    }

    #[test]
    fn what_the_solver_does_not_know_is_not_proved() {
        assert!(matches!(claim("(rule r ((x Int)) (+ x 0) x)"), Claim::Unproved(_)));
    }

    #[test]
    fn shipped_rules_that_claim_to_keep_the_meaning_do() {
        // These mutators of ddSMT deliberately do not preserve the meaning; its signed predicates are also
        // wrong.
        let is_unsound = |name: &str| {
            ["arith-strengthen", "str-", "bv-zeroextend-pred/bvs"]
                .iter()
                .any(|prefix| name.starts_with(prefix))
        };
        for rule in nub_edits::smtlib::mutators::shipped_rules() {
            match prove(&rule, 3, &SatLimits::none()).unwrap() {
                Claim::Unsound { at, values } => {
                    assert!(is_unsound(&rule.name), "{}: {at} {values:?}", rule.name)
                }
                Claim::Unproved(why) => assert!(
                    ["arith-", "str-", "seq-"].iter().any(|prefix| rule.name.starts_with(prefix)),
                    "{}: {why}",
                    rule.name
                ),
                _ => {}
            }
        }
    }
}
