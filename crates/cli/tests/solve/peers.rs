//! Other solvers give the same answers, they accept our models, and our evaluator accepts theirs.
//!
//! Runs with `NUB_E2E=1`, and with `NUB_FULL=1` besides on 5,000 files; `NUB_E2E_COUNT` sets how many files each set has. A solver that is
//! not installed is reported and skipped: boolector, z3, cvc5, cadical, and bitwuzla as a program or as a Python package
//! (`pip install bitwuzla`).

use super::common::{self, Bench};
use nub_solve::{ModelCheck, check_btor_model, check_model};
use std::io::Write;
use std::process::{Command, Stdio};

/// Runs the Python package of Bitwuzla on standard input.
const BITWUZLA: &str = "
import sys, bitwuzla
options = bitwuzla.Options()
options.set(bitwuzla.Option.PRODUCE_MODELS, True)
options.set(bitwuzla.Option.TIME_LIMIT_PER, 20000)
bitwuzla.Parser(bitwuzla.TermManager(), options).parse(sys.stdin.read(), False, False)
";

/// Messages of solvers about unsupported terms.
const BEYOND_PEERS: &[&str] = &["write-chains connecting two different constant arrays", "unsupported"];

/// Files per set: a few hundred in all, or 5,000.
fn n_files() -> Option<usize> {
    let is_on = |name: &str| std::env::var_os(name).is_some_and(|value| value == "1");
    // The long run starts this program twice, with and without solvers.
    let n_files = match (is_on("NUB_E2E"), is_on("NUB_FULL")) {
        (true, true) => 1_000,
        (true, false) => 80,
        _ => return None,
    };
    Some(std::env::var("NUB_E2E_COUNT").map_or(n_files, |count| count.parse().unwrap()))
}

/// A program and its arguments.
#[derive(Clone, Copy)]
struct Peer {
    name: &'static str,
    program: &'static str,
    args: &'static [&'static str],
}

const Z3: Peer = Peer { name: "z3", program: "z3", args: &["-in", "-T:20"] };
const CVC5: Peer = Peer {
    name: "cvc5",
    program: "cvc5",
    args: &["--lang", "smt2", "--arrays-exp", "--produce-models", "--tlimit", "20000", "-"],
};
const BITWUZLA_PROGRAM: Peer = Peer { name: "bitwuzla", program: "bitwuzla", args: &["-m", "-t", "20000"] };
const BITWUZLA_PACKAGE: Peer = Peer { name: "bitwuzla", program: "python3", args: &["-c", BITWUZLA] };
const BOOLECTOR: Peer = Peer { name: "boolector", program: "boolector", args: &["-m", "-t", "20"] };
const CADICAL: Peer = Peer { name: "cadical", program: "cadical", args: &["-q", "-t", "20"] };

impl Peer {
    /// What it prints; empty if it is not installed.
    fn ask(self, text: &str) -> String {
        let mut command = Command::new(self.program);
        command.args(self.args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let Ok(mut child) = command.spawn() else { return String::new() };
        let mut input = child.stdin.take().unwrap();
        // A solver that stops reading has printed why.
        let _ = input.write_all(text.as_bytes());
        drop(input);
        let output = child.wait_with_output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    }
}

/// The first answer in an output.
fn answer(output: &str) -> Option<&'static str> {
    output.lines().find_map(|line| match line {
        "sat" | "s SATISFIABLE" => Some("sat"),
        "unsat" | "s UNSATISFIABLE" => Some("unsat"),
        _ => None,
    })
}

/// The peers that answer an easy query; the others are reported.
fn installed(peers: &[Peer], easy: &str) -> Vec<Peer> {
    let (there, missing): (Vec<Peer>, Vec<Peer>) =
        peers.iter().partition(|peer| answer(&peer.ask(easy)) == Some("sat"));
    for peer in missing.iter().filter(|peer| there.iter().all(|other| other.name != peer.name)) {
        println!("solve: {} ({}) is not asked: it is not installed", peer.name, peer.program);
    }
    there
}

/// The definitions of a model as assertions before the question.
fn with_model(text: &str, printed: &str) -> String {
    let (before, _) = text.split_once("(check-sat)").unwrap();
    let mut script = before.to_owned();
    for line in printed.lines().filter_map(|line| line.strip_prefix("  (define-fun ")) {
        let (name, rest) = line.split_once(" () ").unwrap();
        let mut depth = 0;
        let end = rest.char_indices().find_map(|(at, c)| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            (depth == 0).then_some(at + 1)
        });
        let value = rest[end.unwrap()..].strip_suffix(')').unwrap();
        script.push_str(&format!("(assert (= {name}{value}))\n"));
    }
    script + "(check-sat)\n"
}

/// How often each kind of evidence was seen.
#[derive(Default, Debug)]
struct Tally {
    files: usize,
    sat: usize,
    /// Answers of peers that agree with ours.
    agreed: usize,
    /// Our models, accepted by a peer.
    ours: usize,
    /// Models of peers, accepted by our evaluator.
    theirs: usize,
    /// Models of peers that our evaluator does not understand.
    unread: usize,
}

impl Tally {
    fn file(&mut self, bench: &Bench, name: &str, peers: &[Peer]) {
        let text = bench.read(name);
        let run = bench.nub(&["solve", name, "--model"]);
        let ours = answer(&run.stdout).unwrap_or_else(|| panic!("{name}: {run:?}"));
        self.files += 1;
        self.sat += usize::from(ours == "sat");
        let is_script = name.ends_with(".smt2");
        for peer in peers {
            let asked = if is_script { format!("{text}(get-model)\n") } else { text.clone() };
            let said = peer.ask(&asked);
            let Some(theirs) = answer(&said) else { continue };
            assert_eq!(theirs, ours, "{name}: {} and we", peer.name);
            self.agreed += 1;
            if ours == "sat" {
                self.their_model(peer, name, &text, &said);
            }
            if ours == "sat" && is_script {
                self.our_model(peer, name, &with_model(&text, &run.stdout));
            }
        }
    }

    fn our_model(&mut self, peer: &Peer, name: &str, script: &str) {
        let said = peer.ask(script);
        if BEYOND_PEERS.iter().any(|limit| said.contains(limit)) {
            return;
        }
        match answer(&said) {
            Some("sat") => self.ours += 1,
            None => {}
            _ => panic!("{name}: {} refuses our model:\n{script}", peer.name),
        }
    }

    fn their_model(&mut self, peer: &Peer, name: &str, text: &str, said: &str) {
        let check = match name {
            name if name.ends_with(".smt2") => check_model(text.as_bytes(), said.as_bytes()),
            name if name.ends_with(".btor") => check_btor_model(text.as_bytes(), said.as_bytes()),
            _ => return,
        };
        match check {
            ModelCheck::Valid => self.theirs += 1,
            ModelCheck::Unsupported { .. } => self.unread += 1,
            ModelCheck::Invalid { assertion } => {
                let assertion = &text[assertion.range()];
                panic!("{name}: `{assertion}` is false in the model of {}:\n{said}", peer.name)
            }
        }
    }
}

#[test]
fn peers_have_the_same_answers_and_models() {
    let Some(n_files) = n_files() else {
        return println!("solve: 0 cases: set NUB_E2E=1 to run with real solvers");
    };
    let smt = installed(&[Z3, CVC5, BITWUZLA_PROGRAM, BITWUZLA_PACKAGE], "(set-logic QF_BV)(check-sat)");
    let btor = installed(&[BOOLECTOR], "1 one 1\n2 root 1 1\n");
    let cnf = installed(&[CADICAL], "p cnf 1 1\n1 0\n");
    let sets: [(&str, &[&str], &[Peer]); 5] = [
        ("btor", &["-n", "80"], &btor),
        ("smt2", &["-n", "80"], &smt),
        ("smt2", &["-n", "40", "--seed", "7000"], &smt),
        ("smt2", &["-n", "60", "--status", "unsat"], &smt),
        ("cnf", &["--vars", "80", "--clauses", "4.26"], &cnf),
    ];
    let bench = Bench::new();
    for (at, (format, options, peers)) in sets.into_iter().enumerate() {
        let folder = format!("d{at}");
        let fixed = ["generate", "--to", format, "--count", &n_files.to_string(), "--out", &folder];
        bench.nub(&[&fixed[..], options].concat()).expect(0);
        let mut tally = Tally::default();
        for name in common::names(&bench.path(&folder)) {
            tally.file(&bench, &format!("{folder}/{name}"), peers);
        }
        println!("solve: {format} {options:?}: {tally:?}");
        assert_eq!(tally.files, n_files);
        assert!(tally.agreed * 10 >= n_files * peers.len() * 9, "peers often give no answer");
        assert!(tally.unread * 20 <= tally.theirs, "models of peers are not understood");
    }
}
