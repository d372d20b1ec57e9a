//! `diagnose` names each problem of an oracle.

#![allow(clippy::disallowed_methods)] // tests make their own files

mod common;

use common::{Place, runner};
use nub_oracle::{Convention, DoctorFinding, OracleConfig, diagnose};
use nub_process::Cancel;

fn findings(config: OracleConfig) -> Vec<DoctorFinding> {
    let found = diagnose(config, runner(), b"bug", &Cancel::new());
    assert!(found.iter().all(|finding| !finding.to_string().is_empty()));
    found
}

#[test]
fn healthy() {
    let place = Place::new();
    assert!(matches!(findings(place.script("grep -q bug $1"))[..], [DoctorFinding::Fine { .. }]));
    assert!(matches!(findings(place.golden("grep bug $1"))[..], [DoctorFinding::Fine { .. }]));
}

#[test]
fn does_not_fail_or_run() {
    let place = Place::new();
    assert!(matches!(findings(place.script("exit 1"))[..], [DoctorFinding::DoesNotFail { .. }]));
    let config = place.config(Convention::Golden { command: ["no-such-solver"].into() });
    assert!(matches!(findings(config)[..], [DoctorFinding::CannotRun(_)]));
}

#[test]
fn depends_on_the_folder() {
    let place = Place::new();
    std::fs::write(place.user().join("data"), "").unwrap();
    let body = "test -e data && grep -q bug $1";
    assert!(matches!(findings(place.script(body))[..], [DoctorFinding::DependsOnFolder { .. }]));
    let body = "test -e data && exit 3; exit 4";
    assert!(matches!(findings(place.golden(body))[..], [DoctorFinding::DependsOnFolder { .. }]));
}

#[test]
fn flaky_and_unstable() {
    let place = Place::new();
    let counter = place.user().join("counter");
    let count = format!("echo x >> {0}; n=$(wc -l < {0});", counter.display());
    assert_eq!(
        findings(place.script(&format!("{count} test $n != 2")))[..],
        [DoctorFinding::Flaky { fails: 2, n: 3 }]
    );
    std::fs::remove_file(&counter).unwrap();
    let body = format!("{count} test $n = 2 && echo red || echo blue");
    let found = findings(place.golden(&body));
    assert!(
        matches!(&found[..], [DoctorFinding::UnstableOutput { one, other, .. }] if one == "blue" && other == "red"),
        "{found:?}"
    );
}

#[test]
fn empty_strays_and_litter() {
    let place = Place::new();
    assert!(matches!(findings(place.script("exit 0"))[..], [DoctorFinding::EmptyFails]));
    let found = findings(place.script("touch core.1; (sleep 60 >/dev/null 2>&1 &) ; grep -q bug $1"));
    assert!(found.iter().any(|finding| matches!(finding, DoctorFinding::Strays { .. })), "{found:?}");
    let litter = DoctorFinding::WritesBeside { names: vec!["core.1".into()] };
    assert!(found.contains(&litter) && matches!(found[0], DoctorFinding::Fine { .. }), "{found:?}");
}

#[test]
fn slow() {
    let place = Place::new();
    let found = findings(place.script("sleep 1.1; grep -q bug $1"));
    assert!(found.iter().any(|finding| matches!(finding, DoctorFinding::Slow { .. })), "{found:?}");
    let mut config = place.golden("grep -q bug $1 && sleep 0.5; exit 0");
    config.slow = Some(nub_oracle::Slow::AtLeast(std::time::Duration::from_millis(200)));
    assert!(matches!(findings(config.clone())[..], [DoctorFinding::Fine { .. }]));
    config.slow = Some(nub_oracle::Slow::AtLeast(std::time::Duration::from_secs(60)));
    assert!(matches!(findings(config)[..], [DoctorFinding::DoesNotFail { .. }]));
}
