//! Program dependence graphs of small programs, edge by edge.

#![allow(clippy::unwrap_used)]

use nub_explain::ProgramSource;
use nub_explain::pdg::Pdg;

/// The edges from line to line; lines of the text count from 1.
fn edges(text: &str, root: &str) -> Vec<(u32, u32)> {
    let (unit, _) = nub_c_syntax::parse(text.as_bytes());
    let (program, _) = nub_c_ir::lower(&unit, &nub_c_ir::DataModel::lp64());
    let root = program.function_by_name(root).unwrap();
    let pdg = Pdg::new(ProgramSource { program: &program, text: text.as_bytes(), file: "f.c" }, root);
    pdg.edges.iter().map(|(from, to)| (pdg.nodes[*from].line, pdg.nodes[*to].line)).collect()
}

#[test]
fn a_branch_decides_and_definitions_reach() {
    let text = "int f(int a) {\n  int b = 1;\n  if (a)\n    b = 2;\n  return b;\n}\n";
    assert_eq!(edges(text, "f"), [(2, 5), (3, 4), (4, 5)]);
}

#[test]
fn a_whole_write_hides_what_was_before() {
    let text = "int f(int a) {\n  int b = 1;\n  b = 2;\n  return b;\n}\n";
    assert_eq!(edges(text, "f"), [(3, 4)]);
    let array = "int f(int a) {\n  int b[2] = {1, 1};\n  b[0] =\n 2;\n  return b[a];\n}\n";
    assert!(edges(array, "f").contains(&(2, 5)), "an element is not the whole array");
}

#[test]
fn loops_carry_values_and_decide_about_themselves() {
    let text =
        "int f(int n) {\n  int s = 0;\n  while (n > 0) {\n    s += n;\n    n--;\n  }\n  return s;\n}\n";
    let found = edges(text, "f");
    for edge in [(2, 4), (3, 4), (3, 5), (5, 3), (5, 4), (4, 7), (2, 7)] {
        assert!(found.contains(&edge), "{edge:?} {found:?}");
    }
    assert!(!found.contains(&(3, 7)) && !found.contains(&(4, 5)), "{found:?}");
}

#[test]
fn what_comes_after_an_early_return_depends_on_it() {
    let text = "int f(int a) {\n  if (a)\n    return 1;\n  a = 2;\n  return a;\n}\n";
    let found = edges(text, "f");
    assert_eq!(found, [(2, 3), (2, 4), (2, 5), (4, 5)]);
}

#[test]
fn calls_pass_arguments_and_results() {
    let text =
        "int g(int x) {\n  int y = x;\n  return y;\n}\nint f(int a) {\n  int b = g(a);\n  return b;\n}\n";
    let found = edges(text, "f");
    for edge in [(6, 2), (2, 3), (3, 6), (6, 7)] {
        assert!(found.contains(&edge), "{edge:?} {found:?}");
    }
}

#[test]
fn globals_and_pointers_carry_values_between_functions() {
    let text = "int g;\nvoid set(int *p) {\n  *p = 1;\n  g = 2;\n}\nint f(void) {\n  int a = 0;\n  set(&a);\n  return\n    a +\n    g;\n}\n";
    let found = edges(text, "f");
    assert!(found.contains(&(3, 9)), "through a pointer: {found:?}");
    assert!(found.contains(&(4, 9)), "through a global: {found:?}");
}

#[test]
fn initial_values_have_lines() {
    let text = "int limits[2] = {\n  3,\n  4};\nint f(int a) {\n  return limits[a & 1];\n}\n";
    assert_eq!(edges(text, "f"), [(2, 5), (3, 5)]);
}

#[test]
fn loops_without_end_and_recursion_end() {
    let text = "int g(int x);\nint f(int x) {\n  if (x)\n    return g(x);\n  for (;;)\n    x++;\n}\nint g(int x) {\n  return f(x - 1);\n}\n";
    let found = edges(text, "f");
    assert!(found.contains(&(4, 9)) && found.contains(&(9, 4)) && found.contains(&(3, 6)), "{found:?}");
}

/// Many branches, some of them nested, on a small stack.
#[test]
fn many_branches() {
    let (deep, long) = (40, 2_000);
    let text = format!(
        "int f(int a) {{\n{}a = 1;\n{}{}return a;\n}}\n",
        "if (a) {\n".repeat(deep),
        "}\n".repeat(deep),
        "if (a)\na = 2;\n".repeat(long)
    );
    let run = move || edges(&text, "f").len();
    let found = std::thread::Builder::new().stack_size(1 << 20).spawn(run).unwrap().join().unwrap();
    assert!(found >= deep + 2 * long, "{found}");
}
