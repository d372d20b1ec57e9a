//! The law: a rule changes neither the sort nor the value of a term. Random terms over Bool and Int, all rules, every
//! place where they apply; quantifiers range over -2..=2.

use super::RULES;
use crate::render;
use crate::smtlib::SmtView;
use nub_random::Rng;
use nub_smtlib::NodeId;
use std::collections::BTreeMap;

#[derive(Clone, Copy, PartialEq, Debug)]
enum Value {
    Bool(bool),
    Int(i128),
}

use Value::{Bool, Int};

type Env = BTreeMap<Vec<u8>, Value>;

fn truth(value: Value) -> bool {
    matches!(value, Bool(true))
}

fn number(value: Value) -> i128 {
    let Int(n) = value else { panic!("not a number") };
    n
}

fn chain(values: &[Value], holds: impl Fn(i128, i128) -> bool) -> Value {
    Bool(values.windows(2).all(|pair| holds(number(pair[0]), number(pair[1]))))
}

/// The value of a term. Recursion is bounded by the generator's depth.
fn eval(view: &SmtView, term: NodeId, env: &Env) -> Value {
    let text = view.slice(term);
    if !view.tree().is_list(term) {
        return match text {
            b"true" => Bool(true),
            b"false" => Bool(false),
            _ if text[0].is_ascii_digit() => Int(std::str::from_utf8(text).unwrap().parse().unwrap()),
            _ => env[text],
        };
    }
    let head = view.head_symbol(term).unwrap();
    match head {
        b"let" | b"forall" | b"exists" => return eval_binder(view, term, head, env),
        _ => {}
    }
    let args: Vec<Value> = view.args(term).map(|arg| eval(view, arg, env)).collect();
    match head {
        b"not" => Bool(!truth(args[0])),
        b"and" => Bool(args.iter().all(|&arg| truth(arg))),
        b"or" => Bool(args.iter().any(|&arg| truth(arg))),
        b"xor" => Bool(args.iter().filter(|&&arg| truth(arg)).count() % 2 == 1),
        b"=>" => Bool(args[..args.len() - 1].iter().any(|&arg| !truth(arg)) || truth(args[args.len() - 1])),
        b"ite" => args[if truth(args[0]) { 1 } else { 2 }],
        b"=" => Bool(args.windows(2).all(|pair| pair[0] == pair[1])),
        b"distinct" => Bool((0..args.len()).all(|i| !args[..i].contains(&args[i]))),
        b"+" => Int(args.iter().map(|&arg| number(arg)).sum()),
        b"*" => Int(args.iter().map(|&arg| number(arg)).product()),
        b"<" => chain(&args, |a, b| a < b),
        b"<=" => chain(&args, |a, b| a <= b),
        b">" => chain(&args, |a, b| a > b),
        b">=" => chain(&args, |a, b| a >= b),
        _ => panic!("operator {}", String::from_utf8_lossy(head)),
    }
}

fn eval_binder(view: &SmtView, term: NodeId, head: &[u8], env: &Env) -> Value {
    let tree = view.tree();
    let (list, body) = (tree.child(term, 1).unwrap(), tree.child(term, 2).unwrap());
    let bindings: Vec<(Vec<u8>, NodeId)> = tree
        .children(list)
        .map(|binding| {
            (view.slice(tree.child(binding, 0).unwrap()).to_vec(), tree.child(binding, 1).unwrap())
        })
        .collect();
    if head == b"let" {
        let mut inner = env.clone();
        inner.extend(bindings.into_iter().map(|(name, value)| (name, eval(view, value, env))));
        return eval(view, body, &inner);
    }
    let mut envs = vec![env.clone()];
    for (name, sort) in bindings {
        let values: Vec<Value> = match view.slice(sort) {
            b"Bool" => vec![Bool(false), Bool(true)],
            _ => (-2..=2).map(Int).collect(),
        };
        let with = |env: &Env, value: &Value| {
            let mut env = env.clone();
            env.insert(name.clone(), *value);
            env
        };
        envs = envs.iter().flat_map(|env| values.iter().map(move |value| with(env, value))).collect();
    }
    let mut all = envs.iter().map(|env| truth(eval(view, body, env)));
    Bool(if head == b"forall" { all.all(|holds| holds) } else { all.any(|holds| holds) })
}

/// Random terms: the law must hold for any.
struct Random(Rng);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0.below(n)
    }

    fn pick<'t>(&mut self, from: &[&'t str]) -> &'t str {
        from[self.below(from.len())]
    }

    fn many(&mut self, least: usize, mut make: impl FnMut(&mut Random) -> String) -> String {
        let n = least + self.below(3);
        (0..n).map(|_| make(self)).collect::<Vec<_>>().join(" ")
    }

    fn number(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.pick(&["0", "1", "2", "a", "b", "a", "b"]).to_owned();
        }
        match self.below(6) {
            0 | 1 => format!("(+ {})", self.many(1, |random| random.number(depth - 1))),
            2 | 3 => format!("(* {})", self.many(1, |random| random.number(depth - 1))),
            4 => format!(
                "(ite {} {} {})",
                self.truth(depth - 1),
                self.number(depth - 1),
                self.number(depth - 1)
            ),
            _ => self.binding(depth, Random::number),
        }
    }

    fn binding(&mut self, depth: usize, body: fn(&mut Random, usize) -> String) -> String {
        let (value, test) = (self.number(depth - 1), self.truth(depth - 1));
        format!("(let (({} {value}) (p {test})) {})", self.pick(&["a", "b"]), body(self, depth - 1))
    }

    fn truth(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.pick(&["true", "false", "p", "q", "(< a b)", "(< b a)"]).to_owned();
        }
        match self.below(10) {
            0 | 1 => format!("(not {})", self.truth(depth - 1)),
            2 | 3 => {
                let op = self.pick(&["and", "or"]);
                format!("({op} {})", self.many(1, |random| random.truth(depth - 1)))
            }
            4 => {
                let op = self.pick(&["xor", "=>", "=", "distinct"]);
                format!("({op} {})", self.many(2, |random| random.truth(depth - 1)))
            }
            5 | 6 => {
                let op = self.pick(&["<", "<=", ">", ">=", "=", "distinct"]);
                format!("({op} {})", self.many(2, |random| random.number(depth - 1)))
            }
            7 => {
                let op = self.pick(&["<", "=", ">="]);
                let (x, y, z) = (self.number(0), self.number(0), self.number(0));
                format!("(and ({op} {x} {y}) {} ({op} {y} {z}))", self.truth(depth - 1))
            }
            8 => self.binding(depth, Random::truth),
            _ => {
                let (quantifier, name) = (self.pick(&["forall", "exists"]), self.pick(&["a", "b"]));
                format!("({quantifier} (({name} Int) (q Bool)) {})", self.truth(depth - 1))
            }
        }
    }
}

const DECLARATIONS: &str =
    "(declare-const a Int)(declare-const b Int)(declare-const p Bool)(declare-const q Bool)";

fn environments() -> Vec<Env> {
    let mut envs = Vec::new();
    for n in 0..36 {
        let (a, b) = (n % 3 - 1, n / 3 % 3 - 1);
        let values = [("a", Int(a)), ("b", Int(b)), ("p", Bool(n / 9 % 2 == 0)), ("q", Bool(n / 18 == 0))];
        envs.push(values.map(|(name, value)| (name.as_bytes().to_vec(), value)).into());
    }
    envs
}

fn root(view: &SmtView) -> NodeId {
    view.tree().child(view.commands().last().unwrap().0, 1).unwrap()
}

#[test]
fn a_rule_keeps_sort_and_value() {
    let mut random = Random(Rng::new(1));
    let envs = environments();
    let mut n_fired = BTreeMap::new();
    for _ in 0..2_000 {
        let text = format!("{DECLARATIONS}(assert {})", random.truth(3)).into_bytes();
        let view = SmtView::new(&text);
        assert!(view.analysis().errors().is_empty(), "{}", String::from_utf8_lossy(&text));
        let term = root(&view);
        for rule in RULES {
            for edit in rule.everywhere(&view, term) {
                *n_fired.entry(rule.name).or_insert(0) += 1;
                let after = SmtView::new(&render(&text, &edit.splices));
                let shown = String::from_utf8_lossy(after.text());
                assert!(after.analysis().errors().is_empty(), "{}: {shown}", rule.name);
                assert!(after.tree().len() < view.tree().len(), "{}: {shown}", rule.name);
                for env in &envs {
                    let (old, new) = (eval(&view, term, env), eval(&after, root(&after), env));
                    assert_eq!(old, new, "{}: {} => {shown}", rule.name, String::from_utf8_lossy(&text));
                }
            }
        }
    }
    for rule in RULES {
        assert!(n_fired.get(rule.name).is_some_and(|n| *n > 20), "{} was hardly tested", rule.name);
    }
}
