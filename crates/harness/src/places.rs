//! How a test in C names what it sets before the call and checks after it.
//!
//! Memory behind a pointer is named through the object of the test, not through the pointer: the function may change the pointer, and the pointer may
//! be to `const`.

use nub_c_ir::{Global, Program, RecordType, Type, TypeId};
use nub_unroll::{InputPlace, InputStep, ObjectKind, Unrolled, type_of_argument};
use std::fmt::Write;

const NEVER_FAILS: &str = "writing to a string cannot fail";

/// What `FILE` is in the headers of Linux.
const STREAM: &str = "struct _IO_FILE";

/// An argument of a call, calls counted from 0.
pub(crate) fn parameter(call: u32, index: usize) -> String {
    match call {
        0 => format!("arg{index}"),
        _ => format!("arg{index}_{}", call + 1),
    }
}

/// The object that a pointer among the inputs points to.
pub(crate) fn object_name(number: usize) -> String {
    format!("object{number}")
}

/// The name of a global in a test. An object that is `const` and defined elsewhere has another name in the test file, under which it can be set.
pub(crate) fn global_name(global: &Global) -> String {
    if global.is_extern && global.is_const { format!("nub_{}", global.name) } else { global.name.clone() }
}

/// Whether a test can name it: it is not static in a function, nor a compound literal.
pub(crate) fn has_name(global: &Global) -> bool {
    global.owner.is_none() && !global.name.contains('.')
}

/// A `FILE` of the C library.
pub(crate) fn is_stream(program: &Program, ty: TypeId) -> bool {
    matches!(program.types.get(ty), Type::Record(record) if program.types.spell_record(*record) == STREAM)
}

/// The flag of `<stdatomic.h>`. Its only member has another name in each compiler's header, and code must not name it, because the whole is atomic.
fn is_atomic_flag(record: &RecordType) -> bool {
    [&record.tag, &record.alias].into_iter().any(|name| name == "atomic_flag") && record.fields.len() == 1
}

/// The names of places in one run.
#[derive(Clone, Copy)]
pub(crate) struct Places<'p> {
    pub program: &'p Program,
    pub unrolled: &'p Unrolled,
}

impl Places<'_> {
    /// How a test writes a place of type `leaf`; `None` for what it cannot reach. The target of a `void *` has the type that was found there.
    pub fn lvalue(&self, place: &InputPlace, leaf: Option<TypeId>) -> Option<String> {
        self.named(place, leaf).map(|(text, _)| text)
    }

    /// The same on the left of an assignment. A member that is `const` is set through a pointer; a bit-field that is has no address.
    pub fn target(&self, place: &InputPlace, leaf: Option<TypeId>) -> Option<String> {
        let (text, ty) = self.named(place, leaf)?;
        let (InputPlace::Parameter { path, .. } | InputPlace::Global { path, .. }) = place else {
            return Some(text);
        };
        let types = &self.program.types;
        let inside = path.rsplit(|step| matches!(step, InputStep::Pointee(_))).next().unwrap_or_default();
        let mut fields = inside.iter().filter_map(|step| match step {
            InputStep::Field(record, field) => Some(&types.record(*record).fields[*field as usize]),
            _ => None,
        });
        let is_constant = fields.clone().any(|field| field.is_const);
        match fields.next_back() {
            Some(_) if !is_constant => Some(text),
            Some(field) if field.bits.is_some() => None,
            Some(_) => Some(format!("*(__typeof__({}) *)&{text}", types.spell_in_test(ty))),
            None => Some(text),
        }
    }

    fn named(&self, place: &InputPlace, leaf: Option<TypeId>) -> Option<(String, TypeId)> {
        let (mut text, mut ty, path) = self.root(place)?;
        let mut path = path;
        if let Some((object, element, rest)) = self.object(place) {
            (text, ty, path) = (object, element, rest);
        }
        for (at, step) in path.iter().enumerate() {
            (text, ty) = self.step(text, ty, *step, path.get(at + 1), leaf)?;
        }
        Some((text, ty))
    }

    fn root<'a>(&self, place: &'a InputPlace) -> Option<(String, TypeId, &'a [InputStep])> {
        match place {
            InputPlace::Parameter { call, index, path } => {
                let ty = type_of_argument(self.program, self.unrolled.function, *index)?;
                Some((parameter(*call, *index), ty, path))
            }
            InputPlace::Global { global, path } => {
                let global = &self.program.globals[global.index()];
                has_name(global).then(|| (global_name(global), global.ty, path.as_slice()))
            }
            InputPlace::Calls | InputPlace::Read { .. } | InputPlace::Uninitialised { .. } => None,
        }
    }

    /// The element of the object that the last pointer on the way points to, its type, and the steps from there.
    fn object<'a>(&self, place: &'a InputPlace) -> Option<(String, TypeId, &'a [InputStep])> {
        let (InputPlace::Parameter { path, .. } | InputPlace::Global { path, .. }) = place else {
            return None;
        };
        let last = path.iter().rposition(|step| matches!(step, InputStep::Pointee(_)))?;
        let (InputStep::Pointee(index), pointer) = (path[last], shortened(place, last)) else { return None };
        let is_it = |kind: &ObjectKind| matches!(kind, ObjectKind::Pointee(place) if *place == pointer);
        let number = self.unrolled.objects.iter().position(|object| is_it(&object.kind))?;
        let types = &self.program.types;
        let element =
            self.unrolled.objects[number].ty.filter(|ty| types.size_of(*ty).is_some_and(|size| size > 0))?;
        (!is_stream(self.program, element))
            .then(|| (format!("{}[{index}]", object_name(number)), element, &path[last + 1..]))
    }

    fn step(
        &self,
        mut text: String,
        ty: TypeId,
        step: InputStep,
        next: Option<&InputStep>,
        leaf: Option<TypeId>,
    ) -> Option<(String, TypeId)> {
        let types = &self.program.types;
        match step {
            InputStep::Pointee(index) => {
                let pointee = types.pointee(ty)?;
                if *types.get(pointee) == Type::Void {
                    let found = match next {
                        Some(InputStep::Field(record, _)) => types.spell_record_in_test(*record),
                        _ => types.spell_in_test(leaf?),
                    };
                    text = format!("((__typeof__({found}) *){text})");
                }
                write!(text, "[{index}]").expect(NEVER_FAILS);
                Some((text, pointee))
            }
            InputStep::Index(index) => {
                write!(text, "[{index}]").expect(NEVER_FAILS);
                match types.get(ty) {
                    Type::Array(element, _) => Some((text, *element)),
                    _ => Some((text, ty)),
                }
            }
            InputStep::Field(record, field) => {
                let field = &types.record(record).fields[field as usize];
                if is_atomic_flag(types.record(record)) {
                    return Some((format!("*(unsigned char *)&{text}"), field.ty));
                }
                if !field.name.is_empty() {
                    write!(text, ".{}", field.name).expect(NEVER_FAILS);
                }
                Some((text, field.ty))
            }
        }
    }
}

/// The place with the first `n_steps` steps of its path.
fn shortened(place: &InputPlace, n_steps: usize) -> InputPlace {
    let mut place = place.clone();
    if let InputPlace::Parameter { path, .. } | InputPlace::Global { path, .. } = &mut place {
        path.truncate(n_steps);
    }
    place
}
