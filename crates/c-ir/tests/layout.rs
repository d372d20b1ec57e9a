//! Sizes, offsets, alignments, bits of bit-fields, types and values of constant expressions: as the compiler says.
#![allow(clippy::unwrap_used)]

mod compiler;
mod random;

use nub_c_ir::interp::RuntimeValue;
use nub_c_ir::{Constant, DataModel, InterpreterLimits, Program, RunInputs, lower, run};
use random::{Generator, Rng, TYPES};
use std::fmt::Write;

fn n_rounds() -> u64 {
    if std::env::var_os("NUB_FULL").is_some_and(|value| value == "1") { 100 } else { 4 }
}

/// A record with up to eight members, bit-fields, arrays and earlier records among them.
fn record(rng: &mut Rng, at: usize, measures: &mut Vec<String>) -> String {
    let keyword = rng.pick(&["struct", "struct", "struct", "union"]);
    let name = format!("{keyword} r{at}");
    let mut text = format!("{name} {{\n");
    for member in 0..1 + rng.below(8) {
        let ty = rng.pick(TYPES);
        let width = match ty {
            "_Bool" => 1,
            "signed char" | "unsigned char" | "char" => 8,
            "short" | "unsigned short" => 16,
            "int" | "unsigned" => 32,
            _ => 64,
        };
        match rng.below(8) {
            0..3 => writeln!(text, "  {ty} m{member} : {};", 1 + rng.below(width)).unwrap(),
            3 => writeln!(text, "  {ty} : {};", rng.below(width + 1)).unwrap(),
            4 => writeln!(text, "  {ty} m{member}[{}];", 1 + rng.below(3)).unwrap(),
            5 if at > 0 => writeln!(text, "  T{} m{member};", rng.below(at)).unwrap(),
            6 => writeln!(text, "  {ty} *m{member};").unwrap(),
            _ => writeln!(text, "  {ty} m{member};").unwrap(),
        }
        let is_plain = text.lines().last().is_some_and(|line| line.contains(" m") || line.contains("*m"));
        if is_plain && !text.lines().last().unwrap_or_default().contains(':') {
            measures.push(format!("__builtin_offsetof({name}, m{member})"));
        }
    }
    let attribute = rng.pick(&["", "", "", " __attribute__((packed))", " __attribute__((aligned(16)))"]);
    writeln!(text, "  char end;\n}}{attribute};\ntypedef {name} T{at};").unwrap();
    measures.push(format!("sizeof({name})"));
    measures.push(format!("_Alignof({name})"));
    text
}

/// The elements of a global array.
fn elements(program: &Program, name: &str) -> Vec<u128> {
    let global = program.globals.iter().find(|global| global.name == name).unwrap();
    let values = global.initial.iter().map(|piece| match piece.value {
        Constant::Int(bits) => bits,
        _ => panic!("a number is expected"),
    });
    values.collect()
}

fn lowered(text: &str, model: &DataModel) -> Program {
    let (unit, syntax) = nub_c_syntax::parse(text.as_bytes());
    assert!(syntax.iter().all(|found| found.severity != nub_text::Severity::Error), "{syntax:?}\n{text}");
    let (program, diagnostics) = lower(&unit, model);
    assert!(
        diagnostics.iter().all(|found| found.severity != nub_text::Severity::Error),
        "{diagnostics:?}\n{text}"
    );
    program
}

/// Compares the array `all` of a text, element by element.
fn compare(text: &str, what: &[String]) {
    let mut source = text.to_owned();
    source.push_str("int printf(const char *, ...);\nint main(void) { for (unsigned i = 0; i < sizeof all / sizeof *all; i++) ");
    source.push_str("printf(\"%llx\\n\", (unsigned long long)all[i]); return 0; }\n");
    let Some(found) = compiler::compile_and_run(&source, &[]) else { return };
    let ours = elements(&lowered(text, &DataModel::lp64()), "all");
    assert_eq!(ours.len(), what.len());
    for ((bits, line), what) in ours.iter().zip(found.lines()).zip(what) {
        assert_eq!(format!("{bits:x}"), line, "{what}: ours before the compiler's\n{text}");
    }
}

#[test]
fn records_are_laid_out_as_the_compiler_does() {
    for seed in 1..=n_rounds() {
        let mut rng = Rng::new(seed);
        let (mut text, mut measures) = (String::new(), Vec::new());
        for at in 0..25 {
            text.push_str(&record(&mut rng, at, &mut measures));
        }
        writeln!(text, "unsigned long all[] = {{ {} }};", measures.join(",\n  ")).unwrap();
        compare(&text, &measures);
    }
}

/// Which bits a bit-field has: all of them are set in a record of zeros, and the bytes are summed up.
#[test]
fn bit_fields_are_where_the_compiler_puts_them() {
    for seed in 1..=n_rounds() {
        let mut rng = Rng::new(seed + 2000);
        let (mut text, mut names, mut n_functions) = (String::new(), Vec::new(), 0);
        for at in 0..12 {
            let record = record(&mut rng, at, &mut Vec::new());
            text.push_str(&record);
            for line in record.lines().filter(|line| line.contains(" m") && line.contains(" : ")) {
                let member =
                    line.split(" : ").next().and_then(|head| head.split_whitespace().last()).unwrap();
                writeln!(
                    text,
                    "unsigned long long b{n_functions}(void) {{ union {{ T{at} r; unsigned char b[sizeof(T{at})]; }} u; unsigned long long h = 0; \
                     for (unsigned i = 0; i < sizeof u.b; i++) u.b[i] = 0; u.r.{member} = -1; \
                     for (unsigned i = 0; i < sizeof u.b; i++) h = h * 31 + u.b[i]; return h + (u.r.{member} < 0); }}"
                )
                .unwrap();
                names.push(format!("T{at}.{member}"));
                n_functions += 1;
            }
        }
        let calls: String = (0..n_functions).map(|at| format!("printf(\"%llx\\n\", b{at}()); ")).collect();
        let source =
            format!("{text}int printf(const char *, ...);\nint main(void) {{ {calls} return 0; }}\n");
        let Some(found) = compiler::compile_and_run(&source, &[]) else { return };
        let program = lowered(&text, &DataModel::lp64());
        for (at, line) in found.lines().enumerate() {
            let start = program.function_by_name(&format!("b{at}")).unwrap();
            let returned =
                run(&program, start, &RunInputs::default(), &InterpreterLimits::default()).returned;
            let Some(RuntimeValue::Int(bits)) = returned else { panic!("{}: {returned:?}", names[at]) };
            assert_eq!(format!("{bits:x}"), line, "{}: ours before the compiler's\n{text}", names[at]);
        }
    }
}

/// After this, gcc lays out records in the other byte order.
const OTHER_ORDER: &str = "#pragma scalar_storage_order big-endian\n";

/// Does the compiler know the pragma?
fn has_other_order() -> bool {
    let probe = "union u { unsigned i; unsigned char b[4]; };\nint putchar(int);\nint main(void) { union u u; u.i = 'n'; putchar(u.b[3]); return 0; }\n";
    compiler::compile_and_run(&format!("{OTHER_ORDER}{probe}"), &[]).is_some_and(|text| text == "n")
}

/// A function that writes a number to a member and sums up the bytes, then writes other bytes and adds what the member has.
fn write_and_read(name: &str, record: &str, member: &str) -> String {
    format!(
        "unsigned long long {name}(void) {{ union {{ {record} r; unsigned char b[sizeof({record})]; }} u; unsigned long long h = 0; \
         for (unsigned i = 0; i < sizeof u.b; i++) u.b[i] = 0; u.r.{member} = 0x8a1b2c3d4e5f6071ull; \
         for (unsigned i = 0; i < sizeof u.b; i++) h = h * 31 + u.b[i]; \
         for (unsigned i = 0; i < sizeof u.b; i++) u.b[i] = (i + 1) * 37; return h * 31 + (unsigned long long)u.r.{member}; }}\n"
    )
}

/// Members on a big-endian machine, compared with gcc's records of the other byte order. Pointers keep their order there, and are omitted.
#[test]
fn members_of_big_endian_machines() {
    if !has_other_order() {
        eprintln!("skipped: the compiler has no records of another byte order");
        return;
    }
    for seed in 1..=n_rounds() {
        let mut rng = Rng::new(seed + 3000);
        let (mut text, mut names) = (String::new(), Vec::new());
        for at in 0..12 {
            let record =
                record(&mut rng, at, &mut Vec::new()).replace(" *m", " m").replace("_Bool", "unsigned char");
            text.push_str(&record);
            let members =
                record.lines().filter(|line| line.contains(" m") && !line.trim_start().starts_with('T'));
            for line in members {
                let head = line.split([':', ';', '[']).next().unwrap_or_default();
                let element = if line.contains('[') { "[0]" } else { "" };
                let member = format!("{}{element}", head.split_whitespace().last().unwrap_or_default());
                text.push_str(&write_and_read(&format!("b{}", names.len()), &format!("T{at}"), &member));
                names.push(format!("T{at}.{member}"));
            }
        }
        let calls: String = (0..names.len()).map(|at| format!("printf(\"%llx\\n\", b{at}()); ")).collect();
        let source = format!(
            "{OTHER_ORDER}{text}int printf(const char *, ...);\nint main(void) {{ {calls} return 0; }}\n"
        );
        let found = compiler::compile_and_run(&source, &[]).unwrap();
        let program = lowered(&text, &DataModel::by_name("lp64be").unwrap());
        for (line, (at, name)) in found.lines().zip(names.iter().enumerate()) {
            let start = program.function_by_name(&format!("b{at}")).unwrap();
            let returned =
                run(&program, start, &RunInputs::default(), &InterpreterLimits::default()).returned;
            let Some(RuntimeValue::Int(bits)) = returned else { panic!("{name}: {returned:?}") };
            assert_eq!(format!("{bits:x}"), line, "{name}: ours before the compiler's\n{text}");
        }
    }
}

/// The 32-bit numbers after the label `all` in an assembly of x86.
fn assembled(assembly: &str) -> Vec<u128> {
    let mut lines = assembly.lines().map(str::trim);
    lines.find(|line| *line == "all:").unwrap();
    let mut found = Vec::new();
    for line in lines {
        let mut words = line.split_whitespace();
        match (words.next(), words.next().and_then(|number| number.parse::<u128>().ok())) {
            (Some(".long"), Some(number)) => found.push(number),
            (Some(".zero"), Some(number)) => found.extend(vec![0; number as usize / 4]),
            _ => break,
        }
    }
    found
}

/// The 32-bit machine needs no library for this: its assembly is read.
#[test]
fn records_of_the_32_bit_machine_too() {
    for seed in 1..=n_rounds() {
        let mut rng = Rng::new(seed + 1000);
        let (mut text, mut measures) = (String::new(), Vec::new());
        for at in 0..25 {
            text.push_str(&record(&mut rng, at, &mut measures));
        }
        let text = narrow_long(&text);
        let text = format!("{text}unsigned long all[] = {{ {} }};\n", measures.join(",\n  "));
        let Some(assembly) = compiler::assembly(&text, &["-m32", "-fno-asynchronous-unwind-tables"]) else {
            return;
        };
        let ours = elements(&lowered(&text, &DataModel::ilp32()), "all");
        for ((bits, theirs), what) in ours.iter().zip(assembled(&assembly)).zip(&measures) {
            assert_eq!(*bits, theirs, "{what}: ours before the compiler's\n{text}");
        }
    }
}

/// Turns bit-fields of `long` with more than 32 bits into ones of `long long`.
fn narrow_long(text: &str) -> String {
    let fix = |line: &str| match line.split_once(" : ") {
        Some((head, width)) if width.trim_end_matches(';').parse::<u32>().is_ok_and(|width| width > 32) => {
            let head =
                if head.contains("long long") { head.to_owned() } else { head.replace("long", "long long") };
            format!("{head} : {width}\n")
        }
        _ => format!("{line}\n"),
    };
    text.lines().map(fix).collect()
}

#[test]
fn constant_expressions_are_as_the_compiler_computes_them() {
    for seed in 1..=n_rounds() {
        let mut wanted = Vec::new();
        for at in 0..60 {
            let expr = Generator::constant(seed * 100 + at, 4);
            // What is undefined is not a constant expression, and not compared.
            let text = format!("unsigned long long all[] = {{ {expr} }};\n");
            let (unit, _) = nub_c_syntax::parse(text.as_bytes());
            let (_, diagnostics) = lower(&unit, &DataModel::lp64());
            if diagnostics.iter().all(|found| found.severity != nub_text::Severity::Error) {
                wanted.push(expr.clone());
                wanted.push(format!("sizeof({expr})"));
                // The sign of the type.
                wanted.push(format!("(__typeof__({expr}))-1 < (__typeof__({expr}))1"));
            }
        }
        assert!(wanted.len() > 60, "too few are defined");
        compare(&format!("unsigned long long all[] = {{ {} }};\n", wanted.join(",\n  ")), &wanted);
    }
}
