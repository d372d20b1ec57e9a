//! Functions with a parameter of type `va_list`. Only a function with variable arguments can make one, so that tests call one, which calls the
//! function under test. It takes the other parameters in their order, then a number.

use nub_c_ir::{FunctionId, Program};
use nub_report::c_tests::TestEntry;

/// What tests call instead of a function, if that takes a list of arguments.
pub(crate) fn entry(program: &Program, function: FunctionId) -> Option<TestEntry> {
    let tested = program.function(function);
    let types = &program.types;
    let is_list = |ty| types.is_argument_list(ty);
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
        params.push(format!("__typeof__({}) nub_a{at}", types.spell_in_test(param.ty)));
        // Qualifiers are not modelled.
        let cast = if types.pointee(param.ty).is_some() { "(void *)" } else { "" };
        args.push(format!("{cast}nub_a{at}"));
    }
    params.push("int nub_last".to_owned());
    let name = format!("nub_call_{}", tested.name);
    let call = format!("{}({})", tested.name, args.join(", "));
    let has_result = types.size_of(tested.result).is_some();
    let result = format!("__typeof__({})", types.spell_in_test(tested.result));
    let (keep, give) = match has_result {
        true => (format!("{result} nub_result = "), "    return nub_result;\n"),
        false => (String::new(), ""),
    };
    let params = params.join(", ");
    let definition =
        format!("static {result} {name}({params}, ...) {{\n{before}    {keep}{call};\n{after}{give}}}\n");
    Some(TestEntry { name, definition })
}

/// Arguments as such a function takes them.
pub(crate) fn entry_arguments(program: &Program, function: FunctionId, args: &mut Vec<String>) {
    let params = program.function(function).params();
    let is_list = |at: usize| params.get(at).is_some_and(|param| program.types.is_argument_list(param.ty));
    let n_before = args.len();
    let mut at = 0..;
    args.retain(|_| !at.next().is_some_and(is_list));
    if args.len() < n_before {
        args.push("0".to_owned());
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
}
