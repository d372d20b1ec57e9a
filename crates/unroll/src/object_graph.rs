//! The objects of a run for the interpreter, where pointers lead from one object to the next.
//!
//! Every object that an input pointer leads to becomes one of [`RunInputs::objects`]. Every place that is an input is found in the object that
//! contains it: numbers are written into its bytes, pointers are listed beside them. Linear in the inputs and objects, times the steps of a place.

use crate::places::*;
use crate::replay::{Given, PathStart, put};
use crate::unrolled::*;
use nub_c_ir::{Argument, GlobalId, PointerIn, Program, RunInputs, StartObject, StartPointer, Type, TypeId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Bytes of all objects of a run.
const MAX_BYTES: u64 = 1 << 24;

/// What contains a place, and what places are told apart by.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
enum Root {
    Parameter(u32, usize),
    Global(GlobalId),
}

type PlaceKey<'a> = (Root, &'a [InputStep]);

/// An object, or a variable that pointers are in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Holder {
    Object(usize),
    Root(Root),
}

/// A variable: the bytes and the pointers in them.
#[derive(Default)]
struct Held {
    content: Vec<Option<u32>>,
    pointers: Vec<PointerIn>,
}

pub(crate) struct ObjectGraph<'a> {
    program: &'a Program,
    unrolled: &'a Unrolled,
    given: &'a [Given<'a>],
    /// The object that the pointer at a place leads to, by its number in the run.
    objects: FxHashMap<PlaceKey<'a>, ObjectId>,
    /// The number in [`RunInputs::objects`].
    numbers: FxHashMap<ObjectId, usize>,
    /// The inputs that decide about the pointer at a place.
    deciding: FxHashMap<PlaceKey<'a>, Vec<&'a Given<'a>>>,
}

fn key(place: &InputPlace) -> Option<PlaceKey<'_>> {
    match place {
        InputPlace::Parameter { call, index, path } => Some((Root::Parameter(*call, *index), path)),
        InputPlace::Global { global, path } => Some((Root::Global(*global), path)),
        InputPlace::Calls | InputPlace::Read { .. } | InputPlace::Uninitialised { .. } => None,
    }
}

/// The inputs of the interpreter but for values that are read; `None` if they are too large.
pub(crate) fn graph_inputs(
    program: &Program,
    unrolled: &Unrolled,
    given: &[Given<'_>],
    n_calls: u32,
) -> Option<RunInputs> {
    let graph = ObjectGraph::new(program, unrolled, given);
    let mut objects = graph.start_objects()?;
    let mut variables: FxHashMap<Root, Held> = FxHashMap::default();
    for given in given {
        if matches!(given.input.place, InputPlace::Calls | InputPlace::Read { .. }) {
            continue;
        }
        let place = key(&given.input.place)?;
        if given.input.part != InputPart::Value || !graph.is_set(&given.input.place) {
            continue;
        }
        let (holder, start, rest) = graph.holder(place)?;
        let content = match holder {
            Holder::Object(number) => &mut objects[number].content,
            Holder::Root(root) => graph.variable(&mut variables, root)?,
        };
        put(program, content, given, start, rest)?;
    }
    for place in graph.pointer_places() {
        let to = graph.pointer(place)?;
        let (holder, start, rest) = graph.holder(place)?;
        let PathStart { offset, ty } = graph.end_of(start, rest)?;
        let pointer = PointerIn { offset, ty, to };
        match holder {
            Holder::Object(number) => objects[number].pointers.push(pointer),
            Holder::Root(root) => {
                graph.variable(&mut variables, root)?;
                variables.get_mut(&root)?.pointers.push(pointer);
            }
        }
    }
    graph.finished(objects, variables, n_calls)
}

impl<'a> ObjectGraph<'a> {
    fn new(program: &'a Program, unrolled: &'a Unrolled, given: &'a [Given<'a>]) -> ObjectGraph<'a> {
        let (mut objects, mut numbers) = (FxHashMap::default(), FxHashMap::default());
        for (id, object) in (0..).map(ObjectId).zip(&unrolled.objects) {
            if let ObjectKind::Pointee(place) = &object.kind
                && let Some(place) = key(place)
            {
                numbers.insert(id, numbers.len());
                objects.insert(place, id);
            }
        }
        let mut deciding: FxHashMap<PlaceKey<'a>, Vec<&'a Given<'a>>> = FxHashMap::default();
        for given in given {
            if matches!(
                given.input.part,
                InputPart::NotNull | InputPart::LeadsTo(_) | InputPart::Element(_) | InputPart::Function(_)
            ) && let Some(place) = key(&given.input.place)
            {
                deciding.entry(place).or_default().push(given);
            }
        }
        ObjectGraph { program, unrolled, given, objects, numbers, deciding }
    }

    fn is_set(&self, place: &InputPlace) -> bool {
        self.unrolled.is_set(place, |input| u64::try_from(self.given[input].bits).unwrap_or(u64::MAX))
    }

    /// The objects, filled with zeros.
    fn start_objects(&self) -> Option<Vec<StartObject>> {
        let mut n_bytes: u64 = 0;
        let mut found = vec![StartObject::default(); self.numbers.len()];
        for (id, number) in &self.numbers {
            let object = &self.unrolled.objects[id.index()];
            n_bytes = n_bytes.checked_add(object.size).filter(|n_bytes| *n_bytes <= MAX_BYTES)?;
            let content = vec![Some(0); usize::try_from(object.size).ok()?];
            found[*number] = StartObject { content, is_allocated: object.is_allocated, pointers: Vec::new() };
        }
        Some(found)
    }

    /// What contains a place, where in it the steps that remain start, and at which type.
    fn holder(&self, (root, path): PlaceKey<'a>) -> Option<(Holder, PathStart, &'a [InputStep])> {
        let is_pointee = |step: &InputStep| matches!(step, InputStep::Pointee(_));
        let Some(last) = path.iter().rposition(is_pointee) else {
            return Some((Holder::Root(root), PathStart { offset: 0, ty: self.type_of(root)? }, path));
        };
        let InputStep::Pointee(index) = path[last] else { return None };
        let id = self.objects.get(&(root, &path[..last]))?;
        let ty = self.unrolled.objects[id.index()].ty?;
        let offset = index * self.program.types.size_of(ty)?;
        Some((Holder::Object(self.numbers[id]), PathStart { offset, ty }, &path[last + 1..]))
    }

    fn type_of(&self, root: Root) -> Option<TypeId> {
        match root {
            Root::Parameter(_, index) => {
                Some(self.program.function(self.unrolled.function).params().get(index)?.ty)
            }
            Root::Global(global) => Some(self.program.globals[global.index()].ty),
        }
    }

    /// Where steps inside of an object end, and the type there.
    fn end_of(&self, start: PathStart, steps: &[InputStep]) -> Option<PathStart> {
        let types = &self.program.types;
        let PathStart { mut offset, mut ty } = start;
        for step in steps {
            match (*step, types.get(ty)) {
                (InputStep::Field(record, number), _) => {
                    let field = types.record(record).fields.get(number as usize)?;
                    offset += field.offset;
                    ty = field.ty;
                }
                (InputStep::Index(number), Type::Array(element, _)) => {
                    offset += number * types.size_of(*element)?;
                    ty = *element;
                }
                _ => return None,
            }
        }
        Some(PathStart { offset, ty })
    }

    /// The content of a variable, zero at first.
    fn variable<'v>(
        &self,
        variables: &'v mut FxHashMap<Root, Held>,
        root: Root,
    ) -> Option<&'v mut Vec<Option<u32>>> {
        let size = self.program.types.size_of(self.type_of(root)?).filter(|size| *size <= MAX_BYTES)?;
        let new = || Held { content: vec![Some(0); size as usize], pointers: Vec::new() };
        Some(&mut variables.entry(root).or_insert_with(new).content)
    }

    /// The places of all pointers that are set, each once.
    fn pointer_places(&self) -> Vec<PlaceKey<'a>> {
        let of_objects = self.unrolled.objects.iter().filter_map(|object| match &object.kind {
            ObjectKind::Pointee(place) => Some(place),
            _ => None,
        });
        let is_pointer = |given: &&Given<'_>| {
            matches!(given.input.part, InputPart::NotNull | InputPart::LeadsTo(_) | InputPart::Function(_))
        };
        let of_inputs = self.given.iter().filter(is_pointer).map(|given| &given.input.place);
        let mut seen: FxHashSet<PlaceKey<'a>> = FxHashSet::default();
        let set = of_objects.chain(of_inputs).filter(|place| self.is_set(place));
        set.filter_map(key).filter(|place| seen.insert(*place)).collect()
    }

    /// Where the pointer at a place leads.
    fn pointer(&self, place: PlaceKey<'a>) -> Option<StartPointer> {
        let deciding = self.deciding.get(&place).map_or(&[][..], Vec::as_slice);
        if deciding.iter().any(|given| given.input.part == InputPart::NotNull && given.bits == 0) {
            return Some(StartPointer::Null);
        }
        for given in deciding {
            match &given.input.part {
                InputPart::LeadsTo(elsewhere) if given.bits != 0 => {
                    return self.elsewhere(given.input.ty, deciding, *elsewhere);
                }
                InputPart::Function(functions) => {
                    let chosen = usize::try_from(given.bits).ok().and_then(|number| functions.get(number));
                    return chosen.or(functions.last()).map(|id| StartPointer::Function(*id));
                }
                _ => {}
            }
        }
        let id = self.objects.get(&place)?;
        Some(StartPointer::Object(self.numbers[id], self.unrolled.objects[id.index()].before))
    }

    /// The target of a pointer that has no object of its own.
    fn elsewhere(&self, ty: TypeId, deciding: &[&Given<'_>], to: Elsewhere) -> Option<StartPointer> {
        let id = match to {
            Elsewhere::Address(address) => return Some(StartPointer::Address(address)),
            Elsewhere::Object(object) => object,
        };
        let object = &self.unrolled.objects[id.index()];
        let element = deciding.iter().find(|given| given.input.part == InputPart::Element(id));
        let number = element.map_or(0, |given| given.signed(self.unrolled));
        let size = self.program.types.pointee(ty).and_then(|to| self.program.types.size_of(to));
        let distance = object.element_distance(size.unwrap_or(1), number);
        let offset = u64::try_from(i128::from(object.before) + distance).ok()?;
        match &object.kind {
            ObjectKind::Global(global) => Some(StartPointer::Global(*global, offset)),
            _ => Some(StartPointer::Object(*self.numbers.get(&id)?, offset)),
        }
    }

    /// Puts everything together.
    fn finished(
        &self,
        objects: Vec<StartObject>,
        mut variables: FxHashMap<Root, Held>,
        n_calls: u32,
    ) -> Option<RunInputs> {
        let mut inputs = RunInputs { objects, n_calls: n_calls as usize, ..RunInputs::default() };
        for call in 0..n_calls {
            for index in 0..self.program.function(self.unrolled.function).n_params {
                let root = Root::Parameter(call, index);
                let held = variables.remove(&root);
                inputs.arguments.push(self.argument(self.type_of(root)?, held)?);
            }
        }
        let mut globals: Vec<(Root, Held)> = variables.into_iter().collect();
        globals.sort_by_key(|(root, _)| *root);
        for (root, held) in globals {
            let Root::Global(global) = root else { continue };
            inputs.global_pointers.extend(held.pointers.into_iter().map(|pointer| (global, pointer)));
            inputs.globals.push((global, held.content));
        }
        Some(inputs)
    }

    fn argument(&self, ty: TypeId, held: Option<Held>) -> Option<Argument> {
        let Held { content, pointers } = held.unwrap_or_default();
        Some(match self.program.types.get(ty) {
            Type::Pointer(_) => {
                Argument::To(pointers.first().map_or(StartPointer::Null, |pointer| pointer.to))
            }
            Type::Record(_) => Argument::RecordWithPointers(
                if content.is_empty() {
                    vec![Some(0); usize::try_from(self.program.types.size_of(ty)?).ok()?]
                } else {
                    content
                },
                pointers,
            ),
            Type::Int(_) | Type::Float(_) => Argument::Int(self.number(ty, &content)),
            _ => return None,
        })
    }

    /// The number that these bytes are.
    fn number(&self, ty: TypeId, content: &[Option<u32>]) -> u128 {
        let model = &self.program.types.model;
        let width = content.len() as u32 * model.char_bits;
        let mut bits: u128 = 0;
        for (at, byte) in (0..).zip(content) {
            let low = model.byte_order.lowest_bit(width, at * model.char_bits, model.char_bits);
            if low < 128 {
                bits |= u128::from(byte.unwrap_or(0)) << low;
            }
        }
        let width = self.program.types.number_format(ty).map_or(128, |format| format.width());
        nub_c_ir::ints::truncate(bits, width)
    }
}
