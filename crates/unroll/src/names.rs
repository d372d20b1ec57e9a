//! Names for parts of objects, as C would write them.

use crate::places::{Object, ObjectKind};
use crate::unrolled::{AssignmentTarget, InputStep, ObjectId, Unrolled};
use nub_c_ir::{FloatKind, IntKind, Program, RecordId, Type, TypeId, Types};

/// The steps from an object of this type to the scalar at an offset; of a union through the member whose cells it has.
pub(crate) fn path(types: &Types, ty: TypeId, offset: u64) -> Vec<InputStep> {
    let (mut ty, mut offset) = (ty, offset);
    let mut steps = Vec::new();
    loop {
        match types.get(ty) {
            Type::Array(element, _) => {
                let size = types.size_of(*element).unwrap_or(0).max(1);
                steps.push(InputStep::Index(offset / size));
                (ty, offset) = (*element, offset % size);
            }
            Type::Record(record) => {
                let Some((number, start)) = field_at(types, *record, offset) else { return steps };
                steps.push(InputStep::Field(*record, number));
                (ty, offset) = (types.record(*record).fields[number as usize].ty, offset - start);
                if types.record(*record).fields[number as usize].bits.is_some() {
                    return steps;
                }
            }
            _ => return steps,
        }
    }
}

/// The member at an offset, and where it starts.
fn field_at(types: &Types, id: RecordId, offset: u64) -> Option<(u32, u64)> {
    let record = types.record(id);
    let number = if record.is_union {
        stored_member(types, id)?
    } else {
        // Among members at one offset the last one that is not empty.
        record.fields.iter().rposition(|field| field.offset <= offset)?
    };
    Some((u32::try_from(number).ok()?, record.fields[number].offset))
}

/// The member whose cells a union has: the largest, of several equally large ones the first with a pointer, or else the first that has all values of its
/// bytes, or else the first.
pub(crate) fn stored_member(types: &Types, id: RecordId) -> Option<usize> {
    let fields = &types.record(id).fields;
    let whole = (0..fields.len()).filter(|at| fields[*at].bits.is_none());
    let size = |at: usize| types.size_of(fields[at].ty).unwrap_or(0);
    let largest = whole.clone().map(size).max()?;
    let mut largest = whole.filter(|at| size(*at) == largest);
    let first = largest.clone().next();
    let has_all_values = |at: &usize| !contains(types, fields[*at].ty, is_restricted);
    let with_pointer = largest.clone().find(|at| contains(types, fields[*at].ty, is_pointer));
    with_pointer.or_else(|| largest.find(has_all_values)).or(first)
}

fn is_pointer(ty: &Type) -> bool {
    matches!(ty, Type::Pointer(_))
}

/// Whether a scalar of this type cannot hold all values of its bytes.
pub(crate) fn is_restricted(ty: &Type) -> bool {
    matches!(ty, Type::Int(IntKind::Bool) | Type::Float(FloatKind::LongDouble))
}

/// Whether a value of this type contains a scalar of such a type. O(size of the type, arrays counted once).
fn contains(types: &Types, ty: TypeId, is_such: impl Fn(&Type) -> bool) -> bool {
    let mut todo = vec![ty];
    while let Some(ty) = todo.pop() {
        match types.get(ty) {
            found if is_such(found) => return true,
            Type::Array(element, _) => todo.push(*element),
            Type::Record(record) => todo.extend(types.record(*record).fields.iter().map(|field| field.ty)),
            _ => {}
        }
    }
    false
}

/// A name and steps from there.
pub(crate) fn render(types: &Types, root: &str, steps: &[InputStep]) -> String {
    let mut name = root.to_owned();
    let mut rest = steps.iter().peekable();
    while let Some(step) = rest.next() {
        let is_prefix = *step == InputStep::Pointee(0) && !matches!(rest.peek(), Some(InputStep::Field(..)));
        // A prefix operator binds less tightly than what follows.
        if name.starts_with('*') && !is_prefix {
            name = format!("({name})");
        }
        match *step {
            InputStep::Pointee(0) => match rest.peek() {
                Some(InputStep::Field(record, number)) => {
                    name = format!("{name}->{}", field_name(types, *record, *number));
                    rest.next();
                }
                _ => name = format!("*{name}"),
            },
            InputStep::Pointee(index) | InputStep::Index(index) => name = format!("{name}[{index}]"),
            InputStep::Field(record, number) => {
                let field = field_name(types, record, number);
                // An unnamed member is skipped.
                if !field.is_empty() {
                    name = format!("{name}.{field}");
                }
            }
        }
    }
    name
}

/// The same for the steps to a part of an object, by the name of the pointer that leads into it. What lies before that has a negative index.
pub(crate) fn render_in(types: &Types, object: &Object, root: &str, steps: &[InputStep]) -> String {
    let size = object.ty.and_then(|ty| types.size_of(ty)).unwrap_or(1).max(1);
    let n_before = if object.part.is_some() { 0 } else { object.before / size };
    match steps.split_first() {
        Some((InputStep::Pointee(index), rest)) if *index < n_before => {
            render(types, &format!("{root}[-{}]", n_before - index), rest)
        }
        Some((InputStep::Pointee(index), rest)) if n_before > 0 => {
            let shifted: Vec<InputStep> =
                std::iter::once(InputStep::Pointee(index - n_before)).chain(rest.iter().copied()).collect();
            render(types, root, &shifted)
        }
        _ => render(types, root, steps),
    }
}

fn field_name(types: &Types, record: RecordId, number: u32) -> &str {
    types.record(record).fields.get(number as usize).map_or("", |field| &field.name)
}

/// Steps from the name of an object to one of its scalars.
pub(crate) fn steps_in(types: &Types, kind: &ObjectKind, ty: Option<TypeId>, offset: u64) -> Vec<InputStep> {
    let Some(ty) = ty else { return Vec::new() };
    let size = types.size_of(ty).unwrap_or(0).max(1);
    match kind {
        ObjectKind::Pointee(_) => {
            let mut steps = vec![InputStep::Pointee(offset / size)];
            steps.extend(path(types, ty, offset % size));
            steps
        }
        ObjectKind::Heap(_) => {
            let mut steps = vec![InputStep::Index(offset / size)];
            steps.extend(path(types, ty, offset % size));
            steps
        }
        _ => path(types, ty, offset),
    }
}

impl Unrolled {
    /// The name of a part of an object: `x`, `p->x`, `buf[3]`. Empty for temporaries.
    pub fn part_name(&self, program: &Program, object: ObjectId, offset: u64) -> String {
        let Some(found) = self.objects.get(object.index()) else { return String::new() };
        let steps = steps_in(&program.types, &found.kind, found.ty, offset);
        render_in(&program.types, found, &found.name, &steps)
    }

    /// The name of what an assignment changes; that of the whole object if the part is not constant.
    pub fn target_name(&self, program: &Program, target: AssignmentTarget) -> String {
        match target {
            AssignmentTarget::Part { object, offset } => self.part_name(program, object, offset),
            AssignmentTarget::Several { object } => object
                .and_then(|object| self.objects.get(object.index()))
                .map_or_else(String::new, |found| found.name.clone()),
            AssignmentTarget::Nothing => String::new(),
        }
    }
}
