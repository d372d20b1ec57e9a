//! The last commit says what it does and why.

use nub_process::{Cancel, ChildInput, Command, ProcessEnd, ProcessLimits, Runner};

/// A longer subject is cut off where logs are read.
const MAX_SUBJECT: usize = 72;

/// The output of git; `None` without git or a repository.
fn git(args: &[&str]) -> Option<String> {
    let command = Command {
        program: "git".into(),
        args: args.iter().map(Into::into).collect(),
        folder: Some(super::root()),
        env: Vec::new(),
        input: ChildInput::Null,
    };
    let outcome = Runner::new().ok()?.run(&command, &ProcessLimits::default(), &Cancel::new()).ok()?;
    (outcome.end == ProcessEnd::Exit(0)).then(|| String::from_utf8_lossy(&outcome.stdout.bytes).into_owned())
}

/// What is wrong with a message.
fn fault(message: &str) -> Option<String> {
    let (subject, body) = message.split_once('\n').unwrap_or((message, ""));
    let n_chars = subject.chars().count();
    if n_chars > MAX_SUBJECT {
        return Some(format!(
            "its subject has {n_chars} characters, and {MAX_SUBJECT} are allowed: {subject}"
        ));
    }
    if !subject.contains(": ") {
        return Some(format!("its subject does not begin with an area (`solve: `): {subject}"));
    }
    body.trim().is_empty().then(|| format!("it has no body that says why: {subject}"))
}

#[test]
fn the_last_commit_has_a_subject_and_a_body() {
    // The last commit of a shallow clone may be from somebody else.
    let is_whole = git(&["rev-parse", "--is-shallow-repository"]).is_some_and(|text| text.trim() == "false");
    let last = git(&["log", "-1", "--no-merges", "--format=%B"]).filter(|_| is_whole);
    let Some(last) = last else { return println!("no whole repository: nothing is checked") };
    if let Some(fault) = fault(&last) {
        panic!("the last commit: {fault}");
    }
}

#[test]
fn faults_of_messages_are_found() {
    assert_eq!(fault("solve: answer earlier\n\nWhy, with the figure.\n"), None);
    assert!(fault("solve: answer earlier\n").is_some(), "no body");
    assert!(fault("answer earlier\n\nWhy.\n").is_some(), "no area");
    assert!(fault(&format!("solve: {}\n\nWhy.\n", "x".repeat(70))).is_some(), "too long");
}
