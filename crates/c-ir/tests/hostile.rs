//! Any input: no panic, an answer, and a valid representation. Also for long and deep programs.
#![allow(clippy::unwrap_used)]

mod random;

use nub_c_ir::interp::{RunOutcome, RuntimeValue};
use nub_c_ir::{
    DataModel, FunctionId, InterpreterLimits, Program, Recording, RunInputs, lower, run, validate,
};
use random::Rng;
use std::path::Path;

fn lowered(text: &[u8], model: &DataModel) -> Program {
    let (unit, _) = nub_c_syntax::parse(text);
    let (program, _) = lower(&unit, model);
    validate(&program).unwrap_or_else(|fault| panic!("{fault}\n{}", String::from_utf8_lossy(text)));
    program
}

fn run_all(program: &Program) {
    let limits = InterpreterLimits {
        steps: 2_000,
        depth: 50,
        recording: Recording::Nothing,
        ..InterpreterLimits::default()
    };
    for at in 0..program.functions.len() {
        let id = FunctionId(at as u32);
        let _ = program.refusals(id);
        let _ = nub_c_ir::dump::function(program, id);
        run(program, id, &RunInputs::default(), &limits);
    }
}

fn result(text: &str) -> Option<RuntimeValue> {
    let program = lowered(text.as_bytes(), &DataModel::lp64());
    let start = program.function_by_name("f").unwrap();
    assert!(program.refusals(start).is_empty(), "{:?}", program.refusals(start));
    let found = run(
        &program,
        start,
        &RunInputs::default(),
        &InterpreterLimits { recording: Recording::Nothing, ..InterpreterLimits::default() },
    );
    assert_eq!(found.outcome, RunOutcome::Returned);
    found.returned
}

/// Tokens to insert at random.
const TOKENS: &[&str] = &[
    "int",
    "(",
    ")",
    "{",
    "}",
    ";",
    "*",
    "&",
    "[",
    "]",
    "struct s",
    "0",
    "1",
    "x",
    "=",
    "return",
    "if",
    "else",
    "case 3:",
    "default:",
    "sizeof",
    "...",
    ",",
    "float",
    "goto a;",
    "a:",
    "break;",
    "->x",
    ".y",
    "union",
    "enum {A}",
    "typedef",
    "static",
    "extern",
    "\"s\"",
    "'c'",
    "++",
    "?",
    ":",
    "while(1)",
    "do",
    "__func__",
    "void",
    "(int[]){1}",
    "({1;})",
    "<<",
    "/",
    "%",
    "0x7fffffff",
    "const",
    "[-1]",
    "[3]",
];

/// Texts of the golden cases with words removed, doubled or inserted.
#[test]
fn broken_programs_are_survived() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let mut paths: Vec<_> = folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    paths.sort();
    let texts: Vec<String> = paths.iter().map(|path| std::fs::read_to_string(path).unwrap()).collect();
    let n_rounds =
        if std::env::var_os("NUB_FULL").is_some_and(|value| value == "1") { 50_000 } else { 1_500 };
    let odd = DataModel::parse("int_bitlength: 4\nlong_bitlength: 20\nlong_long_bitlength: 33\n").0;
    let models = [DataModel::lp64(), DataModel::ilp32(), DataModel::int16(), odd];
    let mut rng = Rng::new(7);
    for _ in 0..n_rounds {
        let text = texts[rng.below(texts.len())].clone();
        let mut words: Vec<&str> = text.split_inclusive([' ', '\n', '(', ')', ';', ',']).collect();
        for _ in 0..1 + rng.below(4) {
            let at = rng.below(words.len());
            match rng.below(4) {
                0 => drop(words.remove(at)),
                1 => words.insert(at, words[rng.below(words.len())]),
                2 => words.insert(at, rng.pick(TOKENS)),
                _ => words[at] = rng.pick(TOKENS),
            }
            if words.is_empty() {
                words.push(";");
            }
        }
        let model = models[rng.below(models.len())].clone();
        run_all(&lowered(words.join(" ").as_bytes(), &model));
    }
}

#[test]
fn long_chains_are_lowered() {
    let n = 5_000;
    assert_eq!(
        result(&format!("int f(void) {{ int x = 1; return x{}; }}", " + x".repeat(n))),
        Some(RuntimeValue::Int(5_001))
    );
    assert_eq!(
        result(&format!("int f(void) {{ int x = 1; return x{}; }}", " && x".repeat(n))),
        Some(RuntimeValue::Int(1))
    );
    assert_eq!(
        result(&format!("int f(void) {{ int x = 1; return !!x{}; }}", " || x".repeat(n))),
        Some(RuntimeValue::Int(1))
    );
    let chain: String = (0..n).map(|at| format!("if (x == {at}) return {at}; else ")).collect();
    assert_eq!(
        result(&format!("int f(void) {{ int x = 4999; {chain} return -1; }}")),
        Some(RuntimeValue::Int(4_999))
    );
    let cases: String = (0..n).map(|at| format!("case {at}: ")).collect();
    assert_eq!(
        result(&format!("int f(void) {{ int x = 4999; switch (x) {{ {cases} return 7; }} return 0; }}")),
        Some(RuntimeValue::Int(7))
    );
    let lines = "x = x * 3u + 1u;\n".repeat(n);
    assert!(result(&format!("unsigned f(void) {{ unsigned x = 1;\n{lines} return x; }}")).is_some());
}

#[test]
fn deep_nesting_is_answered() {
    for depth in [50, 255, 1_998, 5_000] {
        let cases = [
            format!("int f(void) {{ return {}1{}; }}", "(".repeat(depth), ")".repeat(depth)),
            format!("int f(void) {{ return {}1; }}", "-".repeat(depth)),
            format!("int f(void) {{ {} return 1; {} }}", "{".repeat(depth), "}".repeat(depth)),
            format!("int f(int x) {{ {} return 1; }}", "if (x) ".repeat(depth)),
            format!("int x = {}1{};", "{".repeat(depth), "}".repeat(depth)),
            format!("int f(int x) {{ return {} 1; }}", "x ? 2 : ".repeat(depth)),
            format!("int {}f; int g(void) {{ return sizeof f; }}", "*".repeat(depth)),
            format!("int f(int x) {{ return {}x{}; }}", "({ ".repeat(depth), "; })".repeat(depth)),
        ];
        for text in cases {
            run_all(&lowered(text.as_bytes(), &DataModel::lp64()));
        }
    }
}

/// Generated programs nest this deeply.
#[test]
fn nesting_within_the_limit_has_a_value() {
    let depth = 900;
    let chain: String = (0..depth).map(|at| format!("x == {at} ? {at} : ")).collect();
    let ifs: String = (0..depth).map(|at| format!("if (x > {at}) {{ r++; ")).collect();
    let (open, close, ends) = ("(".repeat(depth), " + 1)".repeat(depth), "}".repeat(depth));
    for (text, value) in [
        (format!("int f(void) {{ int x = 850; return {chain} -1; }}"), 850),
        (format!("int f(void) {{ int x = 850, r = 0; {ifs} {ends} return r; }}"), 850),
        (format!("int f(void) {{ int x = 7; return {open} x {close}; }}"), 907),
    ] {
        assert_eq!(result(&text), Some(RuntimeValue::Int(value)));
    }
}

#[test]
fn huge_objects_are_refused() {
    for text in [
        "int a[1 << 30][1 << 30]; int f(void) { return a[0][0]; }",
        "struct s { char a[1ul << 39], b[1ul << 39], c[1ul << 39]; }; int f(void) { return sizeof(struct s); }",
        "int a[] = { [1ul << 39] = 1 }; int f(void) { return a[0]; }",
        "int a[] = { [0 ... 100000000] = 1 }; int f(void) { return a[0]; }",
    ] {
        let program = lowered(text.as_bytes(), &DataModel::lp64());
        let start = program.function_by_name("f").unwrap();
        let small =
            program.globals.iter().all(|global| program.types.size_of(global.ty).unwrap_or(0) < 1 << 30);
        assert!(!program.refusals(start).is_empty() || small, "{text}");
    }
}
