//! From lines to a graph.

use super::{BtorModel, BtorNodeId, Ref};
use crate::rules::Misfit;
use crate::{BtorFault, BtorFile, BtorLine, FaultKind, LineId, Operand, OperandKind, Sort, Tag};
use nub_bitvec::Value;
use nub_text::{Diagnostic, Severity};

/// A constant wider than this with few digits is represented as a narrow one that is extended: large widths are cheap to write, and
/// memory must stay proportional to the length of the file.
const MAX_CHEAP_WIDTH: u32 = 4096;

impl BtorModel {
    /// The meaning of a file. The error is the list of its errors; warnings do not matter.
    pub fn of(file: &BtorFile) -> Result<BtorModel, Vec<BtorFault>> {
        let is_error = |fault: &&BtorFault| fault.kind.severity() == Severity::Error;
        let errors: Vec<BtorFault> = file.faults().iter().filter(is_error).cloned().collect();
        if !errors.is_empty() {
            return Err(errors);
        }
        let mut reader = FromFile {
            file,
            model: BtorModel::new(),
            meanings: vec![None; file.lines().len()],
            has_next: vec![false; file.lines().len()],
        };
        reader.find_btor_states();
        for (at, line) in file.lines().iter().enumerate() {
            reader.read(LineId::new(at), line).map_err(|misfit| vec![fault_of(line, &misfit)])?;
        }
        Ok(reader.model)
    }
}

fn fault_of(line: &BtorLine, misfit: &Misfit) -> BtorFault {
    let hint = misfit.kind.hint();
    let diagnostic = Diagnostic::error(line.tag_span, misfit.message.clone()).with_hint(hint);
    BtorFault { kind: misfit.kind, diagnostic }
}

struct FromFile<'a> {
    file: &'a BtorFile,
    model: BtorModel,
    /// The node that each line denotes: for `proxy` and `root`, their operand.
    meanings: Vec<Option<Ref>>,
    /// BTOR: by variable, whether a later line defines its next value.
    has_next: Vec<bool>,
}

impl FromFile<'_> {
    fn find_btor_states(&mut self) {
        for line in self.file.lines() {
            if matches!(line.tag, Some(Tag::Next | Tag::Anext)) {
                let state =
                    self.file.operands(line).iter().find(|operand| operand.kind == OperandKind::State);
                if let Some(target) = state.and_then(|operand| operand.line) {
                    self.has_next[target.index()] = true;
                }
            }
        }
    }

    /// The node that a reference denotes. Lines without errors only refer to known nodes.
    fn refer(&self, operand: &Operand) -> Result<Ref, Misfit> {
        let meaning = operand.line.and_then(|line| self.meanings[line.index()]);
        let missing = || crate::rules::misfit(FaultKind::UndefinedReference, None, "not defined".to_owned());
        meaning.map(|meaning| meaning ^ operand.negated).ok_or_else(missing)
    }

    /// All references of a line.
    fn refs(&self, line: &BtorLine) -> Result<Vec<Ref>, Misfit> {
        let operands = self.file.operands(line).iter();
        operands
            .filter(|operand| operand.kind == OperandKind::Node)
            .map(|operand| self.refer(operand))
            .collect()
    }

    fn read(&mut self, at: LineId, line: &BtorLine) -> Result<(), Misfit> {
        let Some(tag) = line.tag else { return Ok(()) };
        let meaning = match tag {
            Tag::Sort => None,
            Tag::Init | Tag::Next | Tag::Anext => {
                self.assign(at, line, tag)?;
                None
            }
            _ if tag.is_property() => self.property(at, line, tag)?,
            Tag::Proxy => self.refs(line)?.first().copied(),
            _ => Some(self.node(at, line, tag)?),
        };
        if let (Some(meaning), Some(symbol)) = (meaning, line.symbol) {
            self.model.set_symbol(meaning.node(), symbol.slice(self.file.text()));
        }
        self.meanings[at.index()] = meaning;
        Ok(())
    }

    fn assign(&mut self, at: LineId, line: &BtorLine, tag: Tag) -> Result<(), Misfit> {
        let operands = self.file.operands(line);
        let of_kind = |kind| operands.iter().find(|operand| operand.kind == kind);
        let (Some(state), Some(value)) = (of_kind(OperandKind::State), of_kind(OperandKind::Node)) else {
            return Ok(());
        };
        let (state, value) = (self.refer(state)?.node(), self.refer(value)?);
        match tag {
            Tag::Init => self.model.set_init(state, value)?,
            _ => self.model.set_next(state, value)?,
        }
        self.model.state_mut(state)?.origin.get_or_insert(at);
        Ok(())
    }

    /// Returns the operand of a root, because other lines may refer to it; `None` for other properties.
    fn property(&mut self, at: LineId, line: &BtorLine, tag: Tag) -> Result<Option<Ref>, Misfit> {
        let refs = self.refs(line)?;
        self.model.add_property(tag, &refs)?;
        if let Some(symbol) = line.symbol {
            self.model.set_property_symbol(symbol.slice(self.file.text()));
        }
        if let Some(last) = self.model.properties.last_mut() {
            last.origin = Some(at);
        }
        Ok((tag == Tag::Root).then(|| refs[0]))
    }

    fn node(&mut self, at: LineId, line: &BtorLine, tag: Tag) -> Result<Ref, Misfit> {
        let sort = line.sort.unwrap_or(Sort::BIT);
        let node = match tag {
            Tag::Var | Tag::Array if self.has_next[at.index()] => self.model.push_state(sort),
            Tag::Var | Tag::Array | Tag::Input => self.model.push_input(sort),
            Tag::State => self.model.push_state(sort),
            Tag::Const | Tag::Constd | Tag::Consth => self.digits(line, tag, sort.width())?,
            Tag::Zero | Tag::One | Tag::Ones => self.model.push_special(tag, sort.width()),
            Tag::Nego => self.nego(line)?,
            _ => self.operator(line, tag)?,
        };
        Ok(node.into())
    }

    fn operator(&mut self, line: &BtorLine, tag: Tag) -> Result<BtorNodeId, Misfit> {
        let refs = self.refs(line)?;
        let operands = self.file.operands(line).iter();
        let numbers = operands.filter(|operand| operand.kind == OperandKind::Number);
        // The widths have been checked, so they fit.
        let params: Vec<u32> = numbers.map(|operand| operand.value as u32).collect();
        self.model.push_op(tag, &refs, &params)
    }

    /// Negation overflows if and only if division by minus one does.
    fn nego(&mut self, line: &BtorLine) -> Result<BtorNodeId, Misfit> {
        let refs = self.refs(line)?;
        let ones = self.model.push_special(Tag::Ones, self.model.sort(refs[0]).width());
        self.model.push_op(Tag::Sdivo, &[refs[0], ones.into()], &[])
    }

    fn digits(&mut self, line: &BtorLine, tag: Tag, width: u32) -> Result<BtorNodeId, Misfit> {
        let text = self.file.text();
        let operand = self.file.operands(line).iter().find(|operand| operand.kind == OperandKind::Digits);
        let digits = operand.map_or(&b"0"[..], |operand| operand.span.slice(text));
        let room = u32::try_from(digits.len()).unwrap_or(u32::MAX).saturating_mul(4).max(MAX_CHEAP_WIDTH);
        let narrow = width.min(room);
        let value = match tag {
            Tag::Const => Value::parse_binary(digits),
            Tag::Consth => Value::parse_hex(narrow, digits),
            _ => Value::parse_decimal(narrow, digits),
        };
        let bad = || crate::rules::misfit(FaultKind::BadConstant, None, "not a constant".to_owned());
        let node = self.model.push_digits(tag, value.ok_or_else(bad)?);
        if narrow == width || tag == Tag::Const {
            return Ok(node);
        }
        let extend = if digits[0] == b'-' { Tag::Sext } else { Tag::Uext };
        self.model.push_op(extend, &[node.into()], &[width - narrow])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BtorDialect, print};

    fn model(text: &str, dialect: BtorDialect) -> BtorModel {
        BtorModel::of(&BtorFile::read(text.as_bytes(), dialect)).unwrap()
    }

    fn printed(text: &str, dialect: BtorDialect) -> String {
        String::from_utf8(print(&model(text, dialect), dialect)).unwrap()
    }

    #[test]
    fn ids_become_dense() {
        let text = "7 var 8 x ; comment\n\n30 proxy 8 -7\n2 add 8 30 7\n5 root 8 2\n9 root 8 -5\n";
        assert_eq!(printed(text, BtorDialect::Btor), "1 var 8 x\n2 add 8 -1 1\n3 root 8 2\n4 root 8 -2\n");
    }

    #[test]
    fn old_forms_become_new_ones() {
        let text = "1 array 8 2\n2 var 2\n3 var 8\n4 write 8 1 2 3\n5 var 1\n6 cond 8 5 4 1\n7 nego 1 3\n8 root 1 7\n";
        let expected = "1 array 8 2\n2 var 2\n3 var 8\n4 write 8 2 1 2 3\n5 var 1\n6 acond 8 2 5 4 1\n\
                        7 ones 8\n8 sdivo 1 3 7\n9 root 1 8\n";
        assert_eq!(printed(text, BtorDialect::Btor), expected);
    }

    #[test]
    fn errors_are_no_model() {
        let text = "1 var 8\n2 add 9 1 1\n3 root 1 5";
        let faults = BtorModel::of(&BtorFile::read(text.as_bytes(), BtorDialect::Btor)).unwrap_err();
        let kinds: Vec<_> = faults.iter().map(|fault| fault.kind).collect();
        assert_eq!(
            kinds,
            [FaultKind::WrongWidth, FaultKind::UndefinedReference],
            "the missing newline is none"
        );
    }

    #[test]
    fn wide_constants_cost_what_they_are_written_with() {
        let model =
            model("1 sort bitvec 2147483646\n2 constd 1 -3\n3 consth 1 ff\n4 ones 1\n", BtorDialect::Btor2);
        let tags: Vec<_> = model.nodes().iter().map(|node| node.tag).collect();
        assert_eq!(tags, [Tag::Constd, Tag::Sext, Tag::Consth, Tag::Uext, Tag::Ones]);
        assert!(model.nodes().iter().all(|node| node.sort.width() <= BtorDialect::MAX_WIDTH));
    }
}
