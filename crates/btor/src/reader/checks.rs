//! The rules of a line once its fields are read: sorts, widths, references, states.

use super::old_arrays::index_widths;
use super::{Marks, Reader};
use crate::numbers::check_digits;
use crate::rules::{Blame, Misfit, check_dialect, n_args, n_params, result_sort};
use crate::{BtorDialect, BtorLine, FaultKind, LineShape, Operand, OperandKind, Sort, Tag, WidthRule};
use nub_text::Span;

/// The references of an operator node with their sorts, if all are known.
struct Args {
    sorts: [Sort; 3],
    n: usize,
    are_known: bool,
}

impl Reader<'_> {
    /// Checks `line` and fills in its sort.
    pub(super) fn check_line(&mut self, line: &mut BtorLine, tag: Tag) -> Marks {
        match tag.op().shape {
            LineShape::Sort => self.check_sort_line(line),
            LineShape::Property | LineShape::Justice => self.check_property(line, tag),
            LineShape::Assign | LineShape::ArrayAssign => self.check_assign(line, tag),
            LineShape::Leaf | LineShape::Array | LineShape::Digits => self.check_leaf(line, tag),
            LineShape::Nodes(_) | LineShape::Slice | LineShape::Extend | LineShape::Indexed => {
                self.check_operator(line, tag)
            }
        }
    }

    /// The operand at `index`, if the line has it.
    #[inline]
    fn operand(&self, line: &BtorLine, index: usize) -> Option<Operand> {
        let at = line.operands.0 as usize + index;
        (at < line.operands.1 as usize).then(|| self.operands[at])
    }

    fn check_sort_line(&mut self, line: &mut BtorLine) -> Marks {
        match self.operand(line, 0) {
            Some(width) if width.kind == OperandKind::Number => match width.value {
                0 => {
                    let message = || "a bit-vector has at least one bit".to_owned();
                    self.faults.add(FaultKind::BadNumber, width.span, message);
                }
                value if value > u64::from(BtorDialect::MAX_WIDTH) => {
                    let message = || format!("a sort of more than {} bits", BtorDialect::MAX_WIDTH);
                    self.faults.add(FaultKind::HugeWidth, width.span, message);
                }
                value => line.names = Some(Sort::Bits(value as u32)),
            },
            Some(index) => {
                let element = self.operand(line, 1);
                let index = self.part_of_array(&index);
                let element = element.and_then(|element| self.part_of_array(&element));
                line.names = index.zip(element).map(|(index, element)| Sort::Array { index, element });
            }
            None => {}
        }
        Marks::default()
    }

    /// Width of the index or element sort of an array.
    fn part_of_array(&mut self, operand: &Operand) -> Option<u32> {
        let sort = self.named_sort(operand)?;
        if sort.is_array() {
            let message = || "an array of arrays".to_owned();
            self.faults.add(FaultKind::NestedArray, operand.span, message);
        }
        sort.bits()
    }

    /// The sort that a sort operand names; a fault if it refers to a line that is not a sort.
    #[inline]
    fn named_sort(&mut self, operand: &Operand) -> Option<Sort> {
        let line = &self.lines[operand.line?.index()];
        if line.names.is_none() && line.tag.is_some_and(|tag| tag != Tag::Sort) {
            let id = line.id;
            self.faults.add(FaultKind::NotASort, operand.span, || format!("{id} is not a sort"));
            return None;
        }
        line.names
    }

    /// The sort that the line itself declares for its node, without looking at references. In BTOR an `Ite` may be an array
    /// without declaring so; here it counts as a bit-vector.
    fn declared_sort(&mut self, line: &BtorLine, tag: Tag) -> Option<Sort> {
        let first = self.operand(line, 0)?;
        if self.dialect == BtorDialect::Btor2 {
            return self.named_sort(&first);
        }
        let width = Some(first.value as u32).filter(|&width| width > 0)?;
        if !matches!(tag.op().shape, LineShape::Array | LineShape::Indexed | LineShape::ArrayAssign) {
            return Some(Sort::Bits(width));
        }
        let second = self.operand(line, 1).filter(|operand| operand.kind == OperandKind::Width);
        let index = match second {
            Some(operand) => Some(operand.value as u32).filter(|&index| index > 0)?,
            None => self.old_index_width(line, tag)?,
        };
        Some(Sort::Array { index, element: width })
    }

    /// The index width of an old `array`, which is not declared: that of the indices it is used with.
    fn old_index_width(&mut self, line: &BtorLine, tag: Tag) -> Option<u32> {
        if tag != Tag::Array {
            return None;
        }
        let text = self.text;
        let known = self.old_index_widths.get_or_insert_with(|| index_widths(text));
        let width = known.get(&line.id).copied().filter(|&width| width <= BtorDialect::MAX_WIDTH);
        if width.is_none() {
            let message = || "the index width of the array is unknown, and no use determines it".to_owned();
            self.faults.add(FaultKind::IndexWidth, line.tag_span, message);
        }
        width
    }

    fn check_leaf(&mut self, line: &mut BtorLine, tag: Tag) -> Marks {
        line.sort = self.declared_sort(line, tag);
        let Some(sort) = line.sort else { return Marks::default() };
        if tag.is_constant() {
            if let Some(width) = sort.bits() {
                self.check_constant(line, tag, width);
            } else {
                let message = || format!("a constant cannot be {sort}");
                self.faults.add(FaultKind::WrongSort, line.tag_span, message);
                line.sort = None;
            }
        }
        Marks(if tag == Tag::Input { Marks::DEPENDS_ON_INPUT } else { 0 })
    }

    fn check_constant(&mut self, line: &BtorLine, tag: Tag, width: u32) {
        let Some(digits) = self.operand(line, 1) else { return };
        if let Err(error) = check_digits(tag, digits.span.slice(self.text), width, self.dialect) {
            self.faults.add(FaultKind::BadConstant, digits.span, || error.to_string());
        }
    }

    /// The sort of the node that a reference denotes; a fault if it does not denote a node, or is a negated array.
    #[inline]
    fn check_reference(&mut self, operand: &Operand, mark: &mut Marks) -> Option<Sort> {
        let target = operand.line?.index();
        let line = &self.lines[target];
        mark.0 |= self.marks[target].0 & Marks::DEPENDS_ON_INPUT;
        let tag = line.tag?;
        if !tag.is_node() {
            let (id, name) = (line.id, tag.name(self.dialect).unwrap_or_default());
            let message = || format!("{id} is a `{name}` line, not a node");
            self.faults.add(FaultKind::NotANode, operand.span, message);
            return None;
        }
        let sort = line.sort;
        if operand.negated && sort.is_some_and(Sort::is_array) {
            let id = line.id;
            self.faults.add(FaultKind::NegatedArray, operand.span, || format!("{id} is an array"));
        }
        sort
    }

    fn check_args(&mut self, line: &BtorLine, mark: &mut Marks) -> Args {
        let mut args = Args { sorts: [Sort::BIT; 3], n: 0, are_known: true };
        for index in line.operands.0..line.operands.1 {
            let operand = self.operands[index as usize];
            if operand.kind != OperandKind::Node {
                continue;
            }
            match self.check_reference(&operand, mark) {
                Some(sort) if args.n < args.sorts.len() => args.sorts[args.n] = sort,
                _ => args.are_known = false,
            }
            args.n += 1;
        }
        args
    }

    fn check_operator(&mut self, line: &mut BtorLine, tag: Tag) -> Marks {
        let mut mark = Marks::default();
        let args = self.check_args(line, &mut mark);
        let is_old = matches!((tag, self.dialect), (Tag::Nego, _))
            || tag == Tag::Ite
                && self.dialect == BtorDialect::Btor
                && args.n == 3
                && args.sorts[1].is_array();
        if is_old {
            let message = || "a form of BTOR before version 3".to_owned();
            self.faults.add(FaultKind::OldDialect, line.tag_span, message);
        }
        let declared = self.declared_sort(line, tag);
        let mut params = [0; 2];
        let n_numbers = self.params_of(line, &mut params);
        line.sort = declared;
        let n_wanted = n_args(tag);
        if args.n < n_wanted || !args.are_known || n_numbers != n_params(tag) {
            return mark;
        }
        let sorts = &args.sorts[..n_wanted];
        match result_sort(tag, sorts, &params[..n_numbers]) {
            Err(misfit) => self.report_misfit(line, &misfit),
            Ok(sort) => {
                if let Err(misfit) = check_dialect(tag, sorts, self.dialect) {
                    self.report_misfit(line, &misfit);
                }
                self.check_declared(line, tag, declared, sort);
            }
        }
        mark
    }

    /// The numbers of a slice or an extension.
    #[inline]
    fn params_of(&self, line: &BtorLine, params: &mut [u64; 2]) -> usize {
        let mut n = 0;
        for index in line.operands.0..line.operands.1 {
            let operand = &self.operands[index as usize];
            if operand.kind == OperandKind::Number && n < params.len() {
                params[n] = operand.value;
                n += 1;
            }
        }
        n
    }

    #[cold]
    fn report_misfit(&mut self, line: &BtorLine, misfit: &Misfit) {
        let (kind, nth) = match misfit.blame {
            Blame::Operator => (None, 0),
            Blame::Arg(nth) => (Some(OperandKind::Node), nth),
            Blame::Param(nth) => (Some(OperandKind::Number), nth),
        };
        let operands = &self.operands[line.operands.0 as usize..line.operands.1 as usize];
        let blamed = operands.iter().filter(|operand| Some(operand.kind) == kind).nth(nth);
        let span = blamed.map_or(line.tag_span, |operand| operand.span);
        self.faults.add(misfit.kind, span, || misfit.message.clone());
    }

    /// Compares the declared sort with the one that follows from the operands.
    #[inline]
    fn check_declared(&mut self, line: &mut BtorLine, tag: Tag, declared: Option<Sort>, found: Sort) {
        let is_array_without_index = self.dialect == BtorDialect::Btor
            && found.is_array()
            && (tag == Tag::Ite || tag == Tag::Write && declared.is_none());
        let Some(declared) = declared.filter(|_| !is_array_without_index) else {
            self.check_element_width(line, found);
            line.sort = Some(found);
            return;
        };
        if declared != found {
            self.report_declared(line, declared, found);
        }
    }

    /// Checks the width on an old line that defines an array: it is that of the elements.
    fn check_element_width(&mut self, line: &BtorLine, found: Sort) {
        let Some(width) = self.operand(line, 0) else { return };
        if self.dialect == BtorDialect::Btor && width.value != 0 && width.value != u64::from(found.width()) {
            let message = || format!("the line declares {} bits, but its operands give {found}", width.value);
            self.faults.add(FaultKind::WrongWidth, width.span, message);
        }
    }

    #[cold]
    fn report_declared(&mut self, line: &BtorLine, declared: Sort, found: Sort) {
        let (kind, at) = match (declared, found) {
            (Sort::Array { element: a, .. }, Sort::Array { element: b, .. })
                if a == b && self.dialect == BtorDialect::Btor =>
            {
                (FaultKind::IndexWidth, 1)
            }
            _ if declared.is_array() != found.is_array() => (FaultKind::WrongSort, 0),
            _ => (FaultKind::WrongWidth, 0),
        };
        let span = self.operand(line, at).map_or(line.tag_span, |operand| operand.span);
        let message = || format!("the line declares {declared}, but its operands give {found}");
        let hint = || match kind {
            FaultKind::WrongSort => "give the line the sort of its result".to_owned(),
            FaultKind::WrongWidth => {
                "give the line the width of its result, or change the operands".to_owned()
            }
            _ => kind.hint().to_owned(),
        };
        self.faults.add_with_hint(kind, span, message, hint);
    }

    fn check_property(&mut self, line: &mut BtorLine, tag: Tag) -> Marks {
        let mut mark = Marks::default();
        for index in line.operands.0..line.operands.1 {
            let operand = self.operands[index as usize];
            if operand.kind != OperandKind::Node {
                continue;
            }
            let Some(sort) = self.check_reference(&operand, &mut mark) else { continue };
            match (sort, tag) {
                (Sort::Array { .. }, _) => {
                    let message = || format!("expected a bit-vector, found {sort}");
                    self.faults.add(FaultKind::WrongSort, operand.span, message);
                }
                (_, Tag::Root) => self.check_root(line, sort),
                (_, Tag::Output) | (Sort::BIT, _) => {}
                _ => {
                    let message = || format!("expected 1 bit, found {sort}");
                    self.faults.add_with_hint(FaultKind::WrongWidth, operand.span, message, || {
                        "use `redor` or a comparison to get one bit".to_owned()
                    });
                }
            }
        }
        mark
    }

    /// A root is another name for its operand.
    fn check_root(&mut self, line: &mut BtorLine, found: Sort) {
        line.sort = Some(found);
        if let Some(declared) = self.declared_sort(line, Tag::Root)
            && declared != found
        {
            self.report_declared(line, declared, found);
        }
    }

    /// `init`, `next` and `anext`.
    fn check_assign(&mut self, line: &mut BtorLine, tag: Tag) -> Marks {
        let mut mark = Marks::default();
        let declared = self.declared_sort(line, tag);
        let operands = &self.operands[line.operands.0 as usize..line.operands.1 as usize];
        let state = operands.iter().find(|operand| operand.kind == OperandKind::State).copied();
        let value = operands.iter().find(|operand| operand.kind == OperandKind::Node).copied();
        let state_sort = state.and_then(|state| self.check_state(&state, tag));
        let value_sort = value.and_then(|value| self.check_reference(&value, &mut mark));
        if let (Some(declared), Some(found), Some(state)) = (declared, state_sort, state)
            && declared != found
        {
            self.report_assign(state.span, declared, found);
        } else if let (Some(state), Some(found), Some(value)) = (state_sort, value_sort, value)
            && state != found
            && !self.is_array_init(tag, state, found, &value)
        {
            self.report_assign(value.span, state, found);
        }
        if let (Tag::Init, Some(state), Some(value), Some(_)) = (tag, state, value, state_sort) {
            self.check_init(&state, &value, mark);
        }
        Marks::default()
    }

    fn report_assign(&mut self, span: Span, wanted: Sort, found: Sort) {
        let same_kind = wanted.is_array() == found.is_array();
        let kind = if same_kind { FaultKind::WrongWidth } else { FaultKind::WrongSort };
        self.faults.add(kind, span, || format!("expected {wanted}, found {found}"));
    }

    /// Checks the state that is assigned: it must be a state, not negated, and assigned only once.
    fn check_state(&mut self, operand: &Operand, tag: Tag) -> Option<Sort> {
        if operand.negated {
            let message = || "the state is negated".to_owned();
            self.faults.add(FaultKind::NegatedState, operand.span, message);
        }
        let target = operand.line?.index();
        let wanted = match (self.dialect, tag) {
            (BtorDialect::Btor2, _) => Tag::State,
            (BtorDialect::Btor, Tag::Anext) => Tag::Array,
            (BtorDialect::Btor, _) => Tag::Var,
        };
        let (id, found, sort) = (self.lines[target].id, self.lines[target].tag?, self.lines[target].sort);
        if found != wanted {
            let name = wanted.name(self.dialect).unwrap_or_default();
            self.faults.add(FaultKind::InitOnInput, operand.span, || format!("{id} is not a `{name}`"));
            return None;
        }
        let (bit, kind) = match tag {
            Tag::Init => (Marks::HAS_INIT, FaultKind::SecondInit),
            _ => (Marks::HAS_NEXT, FaultKind::SecondNext),
        };
        if self.marks[target].0 & bit != 0 {
            let name = tag.name(self.dialect).unwrap_or_default();
            self.faults.add(kind, operand.span, || format!("{id} already has its `{name}`"));
        }
        self.marks[target].0 |= bit;
        sort
    }

    /// BTOR2 allows a constant of the element sort to initialise a whole array.
    fn is_array_init(&self, tag: Tag, state: Sort, found: Sort, value: &Operand) -> bool {
        let is_constant = value
            .line
            .and_then(|line| self.lines[line.index()].tag)
            .is_some_and(|tag| tag.rule() == WidthRule::Constant);
        let is_element = matches!(state, Sort::Array { element, .. } if found == Sort::Bits(element));
        tag == Tag::Init && is_constant && is_element
    }

    fn check_init(&mut self, state: &Operand, value: &Operand, mark: Marks) {
        if let (Some(from), Some(to)) = (state.line, value.line)
            && from <= to
        {
            let message = || format!("the state {} must be defined after its initial value", state.value);
            self.faults.add(FaultKind::InitOrder, state.span, message);
        }
        if mark.0 & Marks::DEPENDS_ON_INPUT != 0 {
            let message = || "the initial value depends on an input".to_owned();
            self.faults.add(FaultKind::InitDependsOnInput, value.span, message);
        }
    }
}
