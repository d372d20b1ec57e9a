//! Variables in scope that a statement does not read.

use super::operands::OperandSource;
use super::sites::{Site, is_changeable};
use nub_c_ir::{GlobalId, LocalId, LocalKind, Place, PlaceBase, Program};

/// Variables that are tried, per site.
const MAX_VISIBLE: usize = 24;

/// A variable that is not an operand.
#[derive(Clone, Debug)]
pub(super) struct Visible {
    pub name: String,
    pub place: Place,
}

/// Integer variables of the function and of the file that are in scope at a site and not read there: first parameters and locals that are
/// declared before it, then globals of its file that are declared before it or used by program code.
pub(super) fn visible(program: &Program, site: &Site, is_used: &[bool]) -> Vec<Visible> {
    if site.part == nub_report::ranking::Part::Initialiser {
        return Vec::new();
    }
    let function = program.function(site.function);
    let mut found = Vec::new();
    let mut add = |name: &str, base: PlaceBase, ty| {
        let place = Place { base, steps: Vec::new(), ty };
        let is_operand =
            |source: &OperandSource| matches!(source, OperandSource::Again(own) if *own == place);
        let is_new = !site.operands.iter().any(|operand| is_operand(&operand.source));
        if is_new && is_changeable(program, ty) && !name.is_empty() && !name.starts_with('.') {
            found.push(Visible { name: name.to_owned(), place });
        }
    };
    for (index, local) in function.locals.iter().enumerate() {
        let is_before = local.span.start <= site.span.start;
        if local.kind != LocalKind::Temporary && is_before {
            add(&local.name, PlaceBase::Local(LocalId(index as u32)), local.ty);
        }
    }
    for (index, global) in program.globals.iter().enumerate() {
        let is_own = global.owner.is_none_or(|owner| owner == site.function);
        let is_before =
            global.position.file == function.position.file && global.span.start <= site.span.start;
        if is_own && (is_before || is_used.get(index).copied().unwrap_or(false)) {
            add(&global.name, PlaceBase::Global(GlobalId(index as u32)), global.ty);
        }
    }
    found.truncate(MAX_VISIBLE);
    found
}
