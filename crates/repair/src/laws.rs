//! Laws of the instrumented program: empty tables change nothing.

use super::runs::{Change, Stage};
use super::site_tables::{Instrumented, Style, instrument};
use super::sites::{Site, sites};
use super::suspects::used_globals;
use super::target::Target;
use super::visible::visible;
use nub_c_ir::{Argument, DataModel, FunctionId, InterpreterLimits, Program, RunInputs, run, validate};
use nub_random::Rng;

/// Programs with all kinds of sites: conditions with several leaves, loops, `switch`, `?:`, arguments, tables, members, calls that are skipped.
const PROGRAMS: [&str; 4] = [
    "static const int table[4] = { 3, 1, 4, 1 }; int g = 7;
     static int is_odd(int x) { return x % 2 != 0; }
     static int at(int i) { return table[i & 3]; }
     int f(int a, int b) {
        int r = a > 0 && is_odd(a) && b != at(a) ? a - 1 : b;
        while (r > 3 && (b & 1 || r > 9)) { r -= 2; g += r; if (r == 5) break; }
        return r + g;
     }",
    "struct pair { int x; unsigned y : 3; };
     int f(int a, int b) {
        struct pair p = { a, b };
        switch (p.y) { case 0: return p.x; case 1: p.x += 2; case 2: p.x ^= b; break; default: p.y = 1; }
        return p.x + p.y;
     }",
    "static int sum(int n, const int *v) { int s = 0; for (int i = 0; i < n; i++) s += v[i]; return s; }
     int f(int a, int b) {
        int v[3] = { a & 255, b & 255, 1 };
        int n = a < b || a == 7 ? 3 : 2;
        do v[n - 1]++; while (v[n - 1] < 0);
        return sum(n, v);
     }",
    "int f(int a, int b) { char c = (char)a; _Bool t = b; if (!(t && c < 'x') || a == b) c = t ? 'y' : c; return c; }",
];

struct Made {
    program: Program,
    start: FunctionId,
    sites: Vec<Site>,
}

fn made(text: &str) -> Made {
    let (unit, found) = nub_c_syntax::parse(text.as_bytes());
    assert!(found.is_empty(), "{found:?}");
    let (program, found) = nub_c_ir::lower(&unit, &DataModel::lp64());
    assert!(found.is_empty(), "{found:?}");
    let start = program.function_by_name("f").expect("each program has a function f");
    let sites = sites(&program, text.as_bytes(), start, |_| true);
    assert!(sites.len() > 4, "{}", sites.len());
    Made { program, start, sites }
}

impl Made {
    fn instrumented(&self, n_entries: usize, style: Style) -> Instrumented {
        let is_used = used_globals(&self.program, &vec![true; self.program.functions.len()]);
        let visible: Vec<_> = self.sites.iter().map(|site| visible(&self.program, site, &is_used)).collect();
        let made = instrument(&self.program, self.start, &self.sites, &visible, n_entries, style);
        assert_eq!(validate(&made.program), Ok(()));
        made
    }
}

fn random_inputs(random: &mut Rng) -> RunInputs {
    let mut number = || Argument::Int(u128::from(random.below(24_u64)).wrapping_sub(8));
    RunInputs { arguments: vec![number(), number()], ..RunInputs::default() }
}

#[test]
fn empty_tables_change_nothing() {
    for text in PROGRAMS {
        let made = made(text);
        for (n_entries, style) in [(0, Style::Telling), (1, Style::Plain), (3, Style::Telling)] {
            let instrumented = made.instrumented(n_entries, style);
            // What is visible at a site is read there, even if it has no value yet.
            let limits = InterpreterLimits {
                ignored: Target::Assertions(None).ignored(),
                ..InterpreterLimits::default()
            };
            let mut random = Rng::new(0);
            for _ in 0..60 {
                let inputs = random_inputs(&mut random);
                let before = run(&made.program, made.start, &inputs, &limits);
                let after = run(&instrumented.program, made.start, &inputs, &limits);
                assert_eq!(before.returned, after.returned, "{inputs:?} in\n{text}");
                assert_eq!(
                    before.globals[..],
                    after.globals[..before.globals.len()],
                    "{inputs:?} in\n{text}"
                );
            }
        }
    }
}

#[test]
fn a_change_to_the_value_that_is_there_changes_nothing_and_another_one_is_seen() {
    for text in PROGRAMS {
        let made = made(text);
        let instrumented = made.instrumented(1, Style::Telling);
        let (target, is_program) = (Target::Assertions(None), vec![true; made.program.functions.len()]);
        let stage = Stage {
            instrumented: &instrumented,
            start: made.start,
            target: &target,
            is_program: &is_program,
            handed_on: &super::effects::HandedOn::default(),
            max_steps: super::runs::MAX_STEPS,
        };
        let mut random = Rng::new(0);
        let mut n_different = 0;
        for _ in 0..3 {
            let inputs = random_inputs(&mut random);
            let (_, instances) = stage.instances(&inputs, &[]);
            let before = stage.output(&inputs, &[]);
            for instance in &instances {
                let change = |value: u128| Change {
                    site: instance.site,
                    keys: instance.keys.clone(),
                    extra: None,
                    value,
                };
                let same = [change(instance.now)];
                // A value that is used as a truth value is 0 or 1.
                assert_eq!(stage.output(&inputs, &same), before, "{instance:?} in\n{text}");
                n_different += usize::from(stage.output(&inputs, &[change(instance.now ^ 1)]) != before);
            }
        }
        assert!(n_different > 5, "{n_different} in\n{text}");
    }
}
