//! Every rewrite of `sound` is proved by z3: the assertion before and after is equivalent ([Mafteiu20] §3.3).
//!
//! `NUB_E2E=1 cargo test -p nub-reduce --test sound_proved -- --nocapture`; `NUB_FULL=1` uses 765 scripts instead of 20.
//! Without `NUB_E2E=1`, or without z3 on `PATH`, it prints that and does nothing.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::print_stdout)] // tests start programs

use nub_edits::smtlib::SmtView;
use nub_oracle::FnOracle;
use nub_process::Cancel;
use nub_random::Rng;
use nub_reduce::strategies::{Recursion, sound};
use nub_reduce::{AllowedCandidates, Engine, Quiet, ReduceConfig, smt::SmtLib};
use std::io::Write;
use std::process::{Command, Stdio};

const DECLARATIONS: &str = "(declare-const p Bool)(declare-const q Bool)(declare-const a Int)(declare-const b Int)\
    (declare-const u Real)(declare-const x (_ BitVec 8))\n";
const N_ASSERTIONS: usize = 4;

/// Random scripts: the same seed, the same scripts.
struct Scripts(Rng);

impl Scripts {
    fn below(&mut self, n: u64) -> u64 {
        self.0.below(n)
    }

    fn pick<'t>(&mut self, words: &[&'t str]) -> &'t str {
        words[self.below(words.len() as u64) as usize]
    }

    fn list(&mut self, head: &str, least: u64, mut item: impl FnMut(&mut Scripts) -> String) -> String {
        let n = least + self.below(3);
        let items: Vec<String> = (0..n).map(|_| item(self)).collect();
        format!("({head} {})", items.join(" "))
    }

    /// A Boolean term, rich in what the rules look for.
    fn boolean(&mut self, depth: u32) -> String {
        if depth == 0 {
            return self.pick(&["p", "q", "true", "false", "(= x #x00)"]).to_owned();
        }
        let comparison = self.pick(&["<", "<=", ">", ">=", "="]);
        match self.below(9) {
            0 => self.list("and", 1, |rng| rng.boolean(depth - 1)),
            1 => self.list("or", 1, |rng| rng.boolean(depth - 1)),
            2 => format!("(not {})", self.boolean(depth - 1)),
            3 => format!("(not (not {}))", self.boolean(depth - 1)),
            4 => self.list(comparison, 2, |rng| rng.integer(depth - 1)),
            5 => format!("(not ({comparison} {} {}))", self.integer(depth - 1), self.integer(depth - 1)),
            6 => {
                let [a, b, c] = [0, 1, 2].map(|_| self.integer(depth - 1));
                format!("(and ({comparison} {a} {b}) ({comparison} {b} {c}))")
            }
            7 => {
                let name = self.pick(&["p", "q", "unused"]);
                format!("(let (({name} {}) (z 1)) {})", self.boolean(depth - 1), self.boolean(depth - 1))
            }
            _ => {
                let binder = self.pick(&["forall", "exists"]);
                format!("({binder} ((k Int) (p Bool)) {})", self.boolean(depth - 1))
            }
        }
    }

    /// Linear, so that z3 decides it.
    fn integer(&mut self, depth: u32) -> String {
        if depth == 0 {
            return self.pick(&["a", "b", "0", "1", "2"]).to_owned();
        }
        match self.below(4) {
            0 => self.list("+", 2, |rng| rng.integer(depth - 1)),
            1 => format!("(* {} {})", self.pick(&["0", "1", "3"]), self.integer(depth - 1)),
            2 => format!("(+ {} (+ 0 {}))", self.integer(depth - 1), self.integer(depth - 1)),
            _ => self.integer(0),
        }
    }
}

/// The assertions of a script, as they are written.
fn assertions(text: &[u8]) -> Vec<String> {
    let view = SmtView::new(text);
    let tree = view.tree();
    let asserts = view.commands().iter().filter(|(node, _)| view.slice(*node).starts_with(b"(assert "));
    asserts
        .map(|(node, _)| String::from_utf8_lossy(view.slice(tree.child(*node, 1).unwrap())).into_owned())
        .collect()
}

/// z3's answer for each pair: can the two differ?
fn differ(pairs: &[(String, String)]) -> Vec<String> {
    let mut script = DECLARATIONS.to_owned();
    for (before, after) in pairs {
        script += &format!("(push 1)(assert (not (= {before} {after})))(check-sat)(pop 1)\n");
    }
    let mut z3 = Command::new("z3")
        .args(["-in", "-T:60"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    z3.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
    let output = z3.wait_with_output().unwrap();
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}

fn reduced(text: &str, recursion: Recursion) -> Vec<u8> {
    let format = SmtLib::new(text.as_bytes(), AllowedCandidates::WellFormed);
    let oracle = FnOracle::new(|bytes: &[u8]| bytes.ends_with(b"(check-sat)\n"));
    let (_, after, _) = Engine::run(
        &format,
        &oracle,
        text.into(),
        ReduceConfig::default(),
        &Cancel::new(),
        &mut Quiet,
        |engine| sound(engine, recursion),
    );
    after
}

#[test]
fn every_rewrite_keeps_the_meaning() {
    if nub_test_kit::end_to_end_tool("z3").is_none() {
        return;
    }
    let n_scripts = if std::env::var_os("NUB_FULL").is_some() { 765 } else { 20 };
    let mut rng = Scripts(Rng::new(1));
    let (mut n_changed, mut n_same) = (0, 0);
    for number in 0..n_scripts {
        let asserts: String = (0..N_ASSERTIONS).map(|_| format!("(assert {})\n", rng.boolean(3))).collect();
        let text = format!("{DECLARATIONS}{asserts}(check-sat)\n");
        let recursion =
            if number % 50 == 7 { Recursion::Recursive { max_states: 200 } } else { Recursion::Iterative };
        let (before, after) = (assertions(text.as_bytes()), assertions(&reduced(&text, recursion)));
        assert_eq!(before.len(), after.len(), "{text}");
        let pairs: Vec<_> = before.into_iter().zip(after).filter(|(before, after)| before != after).collect();
        let answers = differ(&pairs);
        for ((before, after), answer) in pairs.iter().zip(&answers) {
            assert_eq!(answer, "unsat", "{before}\nbecame\n{after}");
        }
        assert_eq!(pairs.len(), answers.len(), "{text}");
        n_changed += pairs.len();
        n_same += N_ASSERTIONS - pairs.len();
    }
    println!("sound_proved: {n_scripts} scripts, {n_changed} changed assertions proved, {n_same} left alone");
    assert!(n_changed >= n_scripts, "the scripts give the rules something to do");
}
