//! Assumptions as text, and the option that removes each.

use crate::report::Premise;
use nub_c_ir::analysis::leaves_order_open;
use nub_c_ir::{FunctionId, GlobalId, OpenChoice, Program};
use nub_unroll::{Assumption, ObjectId, ObjectKind, Unrolled};

/// An assumption for reports.
pub(crate) fn premise(program: &Program, unrolled: &Unrolled, assumption: &Assumption) -> Premise {
    let (text, lifted_by) = match assumption {
        Assumption::Memory => {
            ("a pointer points to no more memory than is modelled".to_owned(), Some("--elements N"))
        }
        Assumption::GivenLength(object) => (given_length(program, unrolled, *object), None),
        Assumption::OneObject => {
            ("pointers that are ordered or subtracted point into one object".to_owned(), None)
        }
        Assumption::Distinct => ("pointers that are compared point to different objects".to_owned(), None),
        Assumption::Addresses => ("no address of an object matters as a number".to_owned(), None),
        Assumption::Nans | Assumption::ZeroOfTwo | Assumption::MathResults => {
            (assumption.of_floats().unwrap_or_default().to_owned(), None)
        }
        Assumption::LeftOpen(choice) => (left_open(choice), None),
        Assumption::Linked(name) => {
            (format!("`{name}`, which is declared `weak`, is defined when the program is linked"), None)
        }
        Assumption::NotReplaced(name) => {
            (format!("no other file replaces `{name}`, which is declared `weak`"), None)
        }
        Assumption::UsesDefinition(name) => {
            (format!("calls of `{name}`, which is defined `inline`, use the definition in this file"), Some("static inline"))
        }
        Assumption::InitialValue(global) => initial_value(program, unrolled.max_calls, *global),
        Assumption::Apart(a, b) => (apart(unrolled, *a, *b), None),
        Assumption::WritesNothing(name) => (
            format!("`{name}`, which has no body here, writes nothing else that is read"),
            Some("its definition"),
        ),
        Assumption::FreshResult(name) => {
            let text = format!(
                "`{name}`, which has no body here, returns pointers only to separate objects, as large as in the tests"
            );
            (text, Some("its definition"))
        }
        Assumption::KnownFunction => ("function pointers point to functions of this file".to_owned(), None),
        Assumption::VolatileKept => {
            ("volatile pointers, structures and objects of atomic operations keep their values between accesses".to_owned(), None)
        }
        Assumption::NoMemoryAtNumbers => {
            let text = "the program uses no memory at addresses that it makes from numbers, except for registers";
            (text.to_owned(), None)
        }
        Assumption::Padding => ("bytes between members of structures are zero".to_owned(), None),
        Assumption::NotAllocated(object) => {
            (format!("{} was not allocated by `malloc`", memory(unrolled, *object)), None)
        }
    };
    Premise { text, lifted_by: lifted_by.map(str::to_owned) }
}

/// What C, the library or other threads leave open, as the tests have it.
fn left_open(choice: &OpenChoice) -> String {
    match choice {
        OpenChoice::Locale => "the locale is \"C\"".to_owned(),
        OpenChoice::Result(name) => {
            format!("`{name}` returns and writes what it does in the tests, where C leaves that open")
        }
        OpenChoice::Equals(name) => {
            format!("`{name}` compares and orders equal elements as in the tests, where C leaves that open")
        }
        OpenChoice::Errno => {
            "functions of the library set `errno` only where they do in the tests".to_owned()
        }
        OpenChoice::Threads => {
            "no other thread writes what is read after an atomic operation or a barrier".to_owned()
        }
    }
}

/// What the compiler chooses: an order of calls, and the types of some bit-fields.
pub(crate) fn choices_of_the_compiler(program: &Program, function: FunctionId) -> Vec<Premise> {
    let order = "the parts of an expression that call functions are evaluated from left to right";
    let types = "bit-fields wider than `int` have the type that they are declared with";
    let order = leaves_order_open(program, function).then_some(order);
    let types = program.uses_wide_bit_fields(function).then_some(types);
    let premise = |text: &str| Premise { text: text.to_owned(), lifted_by: None };
    order.into_iter().chain(types).map(premise).collect()
}

/// With several calls, the claim says how many: only the first one starts with initial values, and more calls may reach what these cannot.
fn initial_value(program: &Program, max_calls: u32, id: GlobalId) -> (String, Option<&'static str>) {
    let global = &program.globals[id.index()];
    let name = &global.name;
    let text = match max_calls {
        0 | 1 => format!("`{name}` has its initial value when the function is called"),
        _ => format!("`{name}` has its initial value before the first of at most {max_calls} calls"),
    };
    let lifted_by = match global.owner {
        _ if name.contains('.') => None,
        _ if max_calls > 1 => Some("--calls with a larger number, or --globals"),
        Some(_) => Some("--calls N or --globals"),
        None => Some("--globals"),
    };
    (text, lifted_by)
}

fn apart(unrolled: &Unrolled, a: ObjectId, b: ObjectId) -> String {
    format!("{} and {} do not overlap", memory(unrolled, a), memory(unrolled, b))
}

fn given_length(program: &Program, unrolled: &Unrolled, object: ObjectId) -> String {
    let found = &unrolled.objects[object.index()];
    let element = found.ty.and_then(|ty| program.types.size_of(ty)).unwrap_or(1).max(1);
    format!(
        "`{}` points to {} elements, as given, and to the first of them",
        found.name,
        found.size / element
    )
}

fn memory(unrolled: &Unrolled, object: ObjectId) -> String {
    let found = &unrolled.objects[object.index()];
    match found.kind {
        ObjectKind::Pointee(_) => format!("what `{}` points to", found.name),
        _ => format!("`{}`", found.name),
    }
}
