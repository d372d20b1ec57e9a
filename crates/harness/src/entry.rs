//! What tests call instead of the function under test.
//!
//! For a function with a parameter of type `va_list`: only a function with variable arguments can create one, so tests call such a function, which calls the
//! function under test. It takes the other parameters in their order, then a number. For a `main` with constructors or destructors: a function that
//! calls those as well, since the `main` of the test file is another one. For a function that is declared `pure` or `const`: a function that uses its
//! value, since a compiler drops calls whose value is not used, and what the function does to stubs with them.

use crate::c_file::MAIN;
use nub_c_ir::{FunctionId, Program, TypeId};
use nub_report::c_tests::TestEntry;

/// What tests call instead of a function, if they cannot call it directly.
pub(crate) fn entry(program: &Program, function: FunctionId) -> Option<TestEntry> {
    match program.function(function) {
        tested if tested.name == "main" => around_main(program, function),
        tested if tested.is_droppable && program.types.size_of(tested.result).is_some() => {
            with_lists(program, function).or_else(|| Some(kept(program, function)))
        }
        _ => with_lists(program, function),
    }
}

/// A function that uses the value.
fn kept(program: &Program, function: FunctionId) -> TestEntry {
    let tested = program.function(function);
    let (params, args): (Vec<String>, Vec<String>) =
        tested.params().iter().enumerate().map(|(at, param)| passed_on(program, at, param.ty)).unzip();
    let params = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
    definition(program, function, &params, &format!("{}({})", tested.name, args.join(", ")), ("", ""))
}

/// A function that runs what the program runs around its `main`.
fn around_main(program: &Program, main: FunctionId) -> Option<TestEntry> {
    let (before, after) = &program.around_main;
    if before.is_empty() && after.is_empty() {
        return None;
    }
    let calls = |functions: &[FunctionId]| -> String {
        functions.iter().map(|id| format!("    {}();\n", program.function(*id).name)).collect()
    };
    let params = program.function(main).params();
    let (params, args): (Vec<String>, Vec<String>) =
        params.iter().enumerate().map(|(at, param)| passed_on(program, at, param.ty)).unzip();
    let params = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
    let call = format!("{MAIN}({})", args.join(", "));
    Some(definition(program, main, &params, &call, (&calls(before), &calls(after))))
}

/// A function with variable arguments that calls one with lists of them.
fn with_lists(program: &Program, function: FunctionId) -> Option<TestEntry> {
    let tested = program.function(function);
    let is_list = |ty| program.types.is_argument_list(ty);
    if !tested.params().iter().any(|param| is_list(param.ty)) {
        return None;
    }
    let (mut params, mut args, mut before, mut after) =
        (Vec::new(), Vec::new(), String::new(), String::new());
    for (at, param) in tested.params().iter().enumerate() {
        if is_list(param.ty) {
            before.push_str(&format!(
                "    __builtin_va_list nub_list{at};\n    __builtin_va_start(nub_list{at}, nub_last);\n"
            ));
            after.push_str(&format!("    __builtin_va_end(nub_list{at});\n"));
            args.push(format!("nub_list{at}"));
            continue;
        }
        let (param, arg) = passed_on(program, at, param.ty);
        params.push(param);
        args.push(arg);
    }
    params.push("int nub_last, ...".to_owned());
    let call = format!("{}({})", tested.name, args.join(", "));
    Some(definition(program, function, &params.join(", "), &call, (&before, &after)))
}

/// A parameter and the argument that passes it on.
fn passed_on(program: &Program, at: usize, ty: TypeId) -> (String, String) {
    // Qualifiers are not modelled.
    let cast = if program.types.pointee(ty).is_some() { "(void *)" } else { "" };
    (format!("__typeof__({}) nub_a{at}", program.types.spell_in_test(ty)), format!("{cast}nub_a{at}"))
}

/// The function that makes the call, with statements before and after it.
fn definition(
    program: &Program,
    tested: FunctionId,
    params: &str,
    call: &str,
    (before, after): (&str, &str),
) -> TestEntry {
    let tested = program.function(tested);
    let result = format!("__typeof__({})", program.types.spell_in_test(tested.result));
    let (keep, give) = match program.types.size_of(tested.result).is_some() {
        true if tested.is_droppable => {
            (format!("volatile {result} nub_result = "), "    return nub_result;\n")
        }
        true => (format!("{result} nub_result = "), "    return nub_result;\n"),
        false => (String::new(), ""),
    };
    let name = format!("nub_call_{}", tested.name);
    let definition =
        format!("static {result} {name}({params}) {{\n{before}    {keep}{call};\n{after}{give}}}\n");
    TestEntry { name, definition }
}

/// Turns the arguments of a function into those of its entry, if it has one.
pub(crate) fn entry_arguments(program: &Program, function: FunctionId, args: &mut Vec<String>) {
    let params = program.function(function).params();
    let is_list = |at: usize| params.get(at).is_some_and(|param| program.types.is_argument_list(param.ty));
    let n_before = args.len();
    let mut at = 0..;
    args.retain(|_| !at.next().is_some_and(is_list));
    let n_lists = n_before - args.len();
    if n_lists > 0 {
        // The number; what is in the lists comes after it.
        args.insert(params.len() - n_lists, "0".to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_made_by_a_function_that_takes_arguments() {
        let text = "char *f(char *const *s, __builtin_va_list l, char c) { return s[c]; } int g(int a) { return a; }";
        let (unit, _) = nub_c_syntax::parse(text.as_bytes());
        let program = nub_c_ir::lower(&unit, &nub_c_ir::DataModel::lp64()).0;
        let f = program.function_by_name("f").unwrap();
        let expected = "static __typeof__(char *) nub_call_f(__typeof__(char **) nub_a0, __typeof__(char) nub_a2, int nub_last, ...) {\n\
                        \x20   __builtin_va_list nub_list1;\n    __builtin_va_start(nub_list1, nub_last);\n\
                        \x20   __typeof__(char *) nub_result = f((void *)nub_a0, nub_list1, nub_a2);\n    __builtin_va_end(nub_list1);\n    return nub_result;\n}\n";
        assert_eq!(entry(&program, f).unwrap().definition, expected);
        let mut args = ["arg0", "0", "7"].map(str::to_owned).to_vec();
        entry_arguments(&program, f, &mut args);
        assert_eq!(args, ["arg0", "7", "0"]);
        assert_eq!(entry(&program, program.function_by_name("g").unwrap()), None);
    }

    #[test]
    fn tests_of_main_run_what_runs_around_it() {
        let text = "static int n; __attribute__((destructor)) void last(void) { n = 0; } __attribute__((constructor)) static void first(void) { n = 1; } \
                    int main(int c, char **v) { return n + c; }";
        let (unit, _) = nub_c_syntax::parse(text.as_bytes());
        let program = nub_c_ir::lower(&unit, &nub_c_ir::DataModel::lp64()).0;
        let main = program.function_by_name("main").unwrap();
        let expected = "static __typeof__(int) nub_call_main(__typeof__(int) nub_a0, __typeof__(char **) nub_a1) {\n    first();\n\
                        \x20   __typeof__(int) nub_result = nub_main_of_the_program(nub_a0, (void *)nub_a1);\n    last();\n    return nub_result;\n}\n";
        assert_eq!(entry(&program, main).unwrap().definition, expected);
    }
}
