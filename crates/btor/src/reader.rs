//! From bytes to lines in one pass: fields, references, then the rules of the operator.

mod checks;
mod old_arrays;

use crate::cursor::Cursor;
use crate::fault::Faults;
use crate::ids::Ids;
use crate::numbers::{NumberError, number};
use crate::ops::LineField;
use crate::{BtorDialect, BtorFile, BtorLine, FaultKind, LineId, LineShape, Operand, OperandKind, Tag};
use nub_text::Span;
use std::collections::BTreeMap;

/// What the reader knows about a line in addition to [`BtorLine`], one byte each.
#[derive(Clone, Copy, Default)]
struct Marks(u8);

impl Marks {
    const HAS_INIT: u8 = 1;
    const HAS_NEXT: u8 = 2;
    const DEPENDS_ON_INPUT: u8 = 4;
}

pub(crate) struct Reader<'a> {
    text: &'a [u8],
    dialect: BtorDialect,
    lines: Vec<BtorLine>,
    operands: Vec<Operand>,
    ids: Ids,
    faults: Faults,
    marks: Vec<Marks>,
    /// Operands that refer to no earlier line. They are checked again when all lines are known.
    unresolved: Vec<u32>,
    last_id: u64,
    /// Computed when the first old array is found.
    old_index_widths: Option<BTreeMap<u64, u32>>,
}

impl<'a> Reader<'a> {
    pub fn new(text: &'a [u8], dialect: BtorDialect) -> Reader<'a> {
        Reader {
            text,
            dialect,
            lines: Vec::with_capacity(text.len().min(nub_text::MAX_INPUT) / 24),
            operands: Vec::with_capacity(text.len().min(nub_text::MAX_INPUT) / 8),
            ids: Ids::new(text.len()),
            faults: Faults::new(),
            marks: Vec::new(),
            unresolved: Vec::new(),
            last_id: 0,
            old_index_widths: None,
        }
    }

    pub fn run(mut self) -> BtorFile {
        if self.text.len() > nub_text::MAX_INPUT {
            let message = || format!("the file has more than {} bytes", nub_text::MAX_INPUT);
            self.faults.add(FaultKind::TooLarge, Span::default(), message);
        } else {
            self.read_lines();
            self.report_unresolved();
            self.faults.list.sort_by_key(|fault| (fault.diagnostic.span.start, fault.kind));
        }
        BtorFile {
            text: self.text.to_vec(),
            dialect: self.dialect,
            lines: self.lines,
            operands: self.operands,
            ids: self.ids,
            faults: self.faults,
        }
    }

    fn read_lines(&mut self) {
        let mut start = 0;
        for newline in memchr::memchr_iter(b'\n', self.text) {
            self.read_line(start, newline, newline + 1);
            start = newline + 1;
        }
        if start < self.text.len() {
            let end = self.text.len();
            self.read_line(start, end, end);
            let last = Span::new(end - 1, end);
            self.faults.add(FaultKind::MissingNewline, last, || "the last line has no newline".to_owned());
        }
    }

    /// Reads the line `start..next`, whose content ends at `end`.
    fn read_line(&mut self, start: usize, mut end: usize, next: usize) {
        if end > start && self.text[end - 1] == b'\r' {
            let last = Span::new(end - 1, end);
            let message = || "the line ends with a carriage return".to_owned();
            self.faults.add(FaultKind::CarriageReturn, last, message);
            while end > start && self.text[end - 1] == b'\r' {
                end -= 1;
            }
        }
        let mut cursor = Cursor::new(self.text, start, end);
        cursor.skip_indentation();
        if cursor.is_at_end() {
            return;
        }
        if cursor.is_at_comment() {
            self.report_spacing(&cursor, start, end);
            return;
        }
        let id_span = cursor.rest_of_field();
        let tag_span = cursor.field();
        let tag = Tag::by_name(tag_span.slice(self.text), self.dialect);
        let first_operand = self.operands.len() as u32;
        let mut line = BtorLine {
            span: Span { start: start as u32, end: next as u32 },
            id: self.read_id(id_span),
            id_span,
            tag_span,
            tag,
            sort: None,
            names: None,
            symbol: None,
            comment: None,
            operands: (first_operand, first_operand),
        };
        if let Some(tag) = tag {
            self.read_fields(&mut line, tag, &mut cursor);
            self.read_tail(&mut line, tag, &mut cursor);
            if self.dialect == BtorDialect::Btor2 {
                self.report_spacing(&cursor, start, end);
            }
        } else if line.id != 0 {
            self.report_unknown(&line);
        }
        line.operands.1 = self.operands.len() as u32;
        let mark = tag.map_or(Marks::default(), |tag| self.check_line(&mut line, tag));
        self.define(line, mark);
    }

    fn report_spacing(&mut self, cursor: &Cursor<'_>, start: usize, end: usize) {
        if cursor.odd_spacing && self.dialect == BtorDialect::Btor2 {
            let span = Span::new(start, end);
            let message = || "fields are not separated by exactly one space".to_owned();
            self.faults.add(FaultKind::Spacing, span, message);
        }
    }

    /// The id at `span`, 0 if it is not an id.
    #[inline]
    fn read_id(&mut self, span: Span) -> u64 {
        match number(span.slice(self.text)) {
            Ok(id) if id > 0 && id <= self.dialect.max_id() => id,
            Ok(0) | Err(NumberError::NotDigits | NumberError::LeadingZero) => {
                let text = self.text;
                self.faults.add(FaultKind::BadId, span, || format!("{} is not an id", quoted(text, span)));
                0
            }
            Ok(_) | Err(NumberError::Huge) => {
                let (text, max) = (self.text, self.dialect.max_id());
                let message = || format!("the id {} is above {max}", quoted(text, span));
                self.faults.add(FaultKind::HugeId, span, message);
                0
            }
        }
    }

    fn report_unknown(&mut self, line: &BtorLine) {
        let (text, dialect) = (self.text, self.dialect);
        if line.tag_span.is_empty() {
            let message = || "the line has no operator".to_owned();
            self.faults.add(FaultKind::WrongArity, line.id_span, message);
            return;
        }
        let message = || format!("{} is not an operator of {}", quoted(text, line.tag_span), dialect.name());
        let hint = || match Tag::by_name(line.tag_span.slice(text), dialect.other()) {
            Some(_) => format!("{} has this operator; is the file in that format?", dialect.other().name()),
            None => FaultKind::UnknownOperator.hint().to_owned(),
        };
        self.faults.add_with_hint(FaultKind::UnknownOperator, line.tag_span, message, hint);
    }

    fn read_fields(&mut self, line: &mut BtorLine, tag: Tag, cursor: &mut Cursor<'_>) {
        for &field in tag.op().shape.fields(self.dialect) {
            let is_read = match field {
                LineField::Width | LineField::IndexWidth => self.read_width(line, tag, field, cursor),
                LineField::Sort => self.read_reference(OperandKind::Sort, line, cursor),
                LineField::Node => self.read_reference(OperandKind::Node, line, cursor),
                LineField::State => self.read_reference(OperandKind::State, line, cursor),
                LineField::Number => self.read_number(line, cursor),
                LineField::Digits => self.read_digits(line, cursor),
                LineField::Nodes => self.read_nodes(line, cursor),
                LineField::SortBody => self.read_sort(line, cursor),
            };
            if !is_read {
                return;
            }
        }
        if tag == Tag::Nego && !cursor.is_at_end() {
            self.read_second_of_nego(line, cursor);
        }
    }

    /// The next field, or a fault at the end of the line.
    #[inline]
    fn next_field(&mut self, line: &BtorLine, what: &str, cursor: &mut Cursor<'_>) -> Option<Span> {
        if !cursor.is_at_end() {
            let span = cursor.field();
            if !span.is_empty() {
                return Some(span);
            }
        }
        let at = Span::new(cursor.at(), cursor.at());
        let name = line.tag_span.slice(self.text).escape_ascii();
        self.faults.add(FaultKind::WrongArity, at, || format!("`{name}` needs {what} here"));
        None
    }

    fn push(&mut self, span: Span, kind: OperandKind, value: u64) {
        self.operands.push(Operand { span, kind, negated: false, line: None, value });
    }

    /// A width of BTOR. The old format omits index widths.
    fn read_width(&mut self, line: &BtorLine, tag: Tag, field: LineField, cursor: &mut Cursor<'_>) -> bool {
        if field == LineField::IndexWidth && self.lacks_index_width(line, tag, cursor) {
            return true;
        }
        let Some(span) = self.next_field(line, "a width", cursor) else { return false };
        let text = self.text;
        let value = match number(span.slice(text)) {
            Ok(value) if value > 0 && value <= u64::from(BtorDialect::MAX_WIDTH) => value,
            Ok(1..) | Err(NumberError::Huge) => {
                let message = || format!("a width of {} bits", quoted(text, span));
                self.faults.add(FaultKind::HugeWidth, span, message);
                0
            }
            _ => {
                let message = || format!("{} is not a width", quoted(text, span));
                self.faults.add(FaultKind::BadNumber, span, message);
                0
            }
        };
        self.push(span, OperandKind::Width, value);
        true
    }

    /// Old dialects: `array W` and `write W A i v`. Recognised by the number of fields.
    fn lacks_index_width(&mut self, line: &BtorLine, tag: Tag, cursor: &mut Cursor<'_>) -> bool {
        if !matches!(tag, Tag::Array | Tag::Write) {
            return false;
        }
        let n_wanted = tag.op().shape.fields(BtorDialect::Btor).len() - 1;
        let mut ahead = Cursor::new(self.text, cursor.at(), cursor.rest().end as usize);
        let mut n_fields = 0;
        while n_fields < n_wanted && !ahead.is_at_end() && !ahead.field().is_empty() {
            n_fields += 1;
        }
        let is_old = match tag {
            Tag::Array => n_fields == 0 || !first_is_number(self.text, cursor),
            _ => n_fields == n_wanted - 1,
        };
        if is_old {
            let message = || "no index width, as before version 3 of the format".to_owned();
            self.faults.add(FaultKind::OldDialect, line.tag_span, message);
        }
        is_old
    }

    fn read_reference(&mut self, kind: OperandKind, line: &BtorLine, cursor: &mut Cursor<'_>) -> bool {
        let what = if kind == OperandKind::Sort { "the id of a sort" } else { "a reference" };
        let Some(span) = self.next_field(line, what, cursor) else { return false };
        let bytes = span.slice(self.text);
        let negated = bytes[0] == b'-' && kind != OperandKind::Sort;
        let mut operand = Operand { span, kind, negated, line: None, value: 0 };
        match number(&bytes[usize::from(negated)..]) {
            Ok(id) if id > 0 => {
                operand.value = id;
                operand.line = self.ids.get(id);
                if operand.line.is_none() {
                    self.unresolved.push(self.operands.len() as u32);
                }
            }
            Err(NumberError::Huge) => {
                let text = self.text;
                let message = || format!("{} is not defined", quoted(text, span));
                self.faults.add(FaultKind::UndefinedReference, span, message);
            }
            _ => {
                let text = self.text;
                let message = || format!("{} is not {what}", quoted(text, span));
                self.faults.add(FaultKind::BadNumber, span, message);
            }
        }
        self.operands.push(operand);
        true
    }

    fn read_number(&mut self, line: &BtorLine, cursor: &mut Cursor<'_>) -> bool {
        let Some(span) = self.next_field(line, "a number", cursor) else { return false };
        let text = self.text;
        // Numbers that are larger than any width count as the largest: every use checks a smaller bound.
        let value = match number(span.slice(text)) {
            Ok(value) => value,
            Err(NumberError::Huge) => u64::MAX,
            Err(_) => {
                let message = || format!("{} is not a number", quoted(text, span));
                self.faults.add(FaultKind::BadNumber, span, message);
                return false;
            }
        };
        self.push(span, OperandKind::Number, value);
        true
    }

    fn read_digits(&mut self, line: &BtorLine, cursor: &mut Cursor<'_>) -> bool {
        let Some(span) = self.next_field(line, "digits", cursor) else { return false };
        self.push(span, OperandKind::Digits, 0);
        true
    }

    /// The references of `justice`. The count may be larger than the number of fields on the line.
    fn read_nodes(&mut self, line: &BtorLine, cursor: &mut Cursor<'_>) -> bool {
        let count = self.operands.last().map_or(0, |operand| operand.value);
        (0..count).all(|_| self.read_reference(OperandKind::Node, line, cursor))
    }

    /// `bitvec W` or `array INDEX ELEMENT`.
    fn read_sort(&mut self, line: &BtorLine, cursor: &mut Cursor<'_>) -> bool {
        let Some(span) = self.next_field(line, "`bitvec` or `array`", cursor) else { return false };
        match span.slice(self.text) {
            b"bitvec" => self.read_number(line, cursor),
            b"array" => {
                self.read_reference(OperandKind::Sort, line, cursor)
                    && self.read_reference(OperandKind::Sort, line, cursor)
            }
            _ => {
                let text = self.text;
                let message = || format!("{} is not a kind of sort", quoted(text, span));
                self.faults.add_with_hint(FaultKind::UnknownOperator, span, message, || {
                    "write `sort bitvec WIDTH` or `sort array INDEX ELEMENT`".to_owned()
                });
                false
            }
        }
    }

    /// The table of the thesis gives `nego` two operands, but its meaning needs only one. Both forms are accepted.
    fn read_second_of_nego(&mut self, line: &BtorLine, cursor: &mut Cursor<'_>) {
        let mut ahead = Cursor::new(self.text, cursor.at(), cursor.rest().end as usize);
        if !ahead.field().is_empty() {
            self.read_reference(OperandKind::Node, line, cursor);
        }
    }

    /// Symbol and comment.
    fn read_tail(&mut self, line: &mut BtorLine, tag: Tag, cursor: &mut Cursor<'_>) {
        let may_have_symbol = self.dialect == BtorDialect::Btor2
            || matches!(tag.op().shape, LineShape::Array)
            || tag == Tag::Var;
        let mut is_over = cursor.finish();
        if may_have_symbol && !cursor.is_at_end() && (!is_over || self.dialect == BtorDialect::Btor) {
            self.read_symbol(line, cursor);
            is_over = cursor.is_at_comment() || cursor.finish();
        }
        if cursor.is_at_comment() {
            line.comment = Some(cursor.rest());
        } else if !is_over && !self.is_blamed(line) {
            let (rest, text) = (cursor.rest(), self.text);
            let message = || format!("unexpected {} at the end of the line", quoted(text, rest));
            self.faults.add(FaultKind::WrongArity, rest, message);
        }
    }

    /// True if the last fault is about this line: the fields after an unreadable one are not reported again.
    fn is_blamed(&self, line: &BtorLine) -> bool {
        self.faults.list.last().is_some_and(|fault| line.span.contains(fault.diagnostic.span))
    }

    /// In BTOR, a `;` where a symbol is allowed begins the symbol, and nothing may follow that symbol.
    fn read_symbol(&mut self, line: &mut BtorLine, cursor: &mut Cursor<'_>) {
        let from = cursor.rest();
        let word = cursor.symbol();
        if word.slice(self.text).first() == Some(&b';') && !cursor.is_at_end() {
            let message = || "the comment is read as a symbol here".to_owned();
            self.faults.add(FaultKind::CommentAsSymbol, word, message);
            cursor.back_to(from);
            return;
        }
        line.symbol = Some(word);
    }

    fn define(&mut self, line: BtorLine, mark: Marks) {
        let here = LineId::new(self.lines.len());
        if line.id != 0 {
            if let Err(first) = self.ids.insert(line.id, here) {
                let n_first = self.lines[first.index()].id;
                let message = || format!("the id {n_first} is already defined");
                self.faults.add(FaultKind::DuplicateId, line.id_span, message);
            } else if self.dialect == BtorDialect::Btor2 && line.id < self.last_id {
                let last = self.last_id;
                let message = || format!("the id {} follows the id {last}", line.id);
                self.faults.add(FaultKind::DescendingId, line.id_span, message);
            }
            self.last_id = self.last_id.max(line.id);
        }
        self.lines.push(line);
        self.marks.push(mark);
    }

    /// Reports references to later lines, to the line itself, and to undefined ids.
    fn report_unresolved(&mut self) {
        for index in 0..self.unresolved.len() {
            let operand = self.operands[self.unresolved[index] as usize];
            let id = operand.value;
            if self.ids.get(id).is_some() {
                let message = || format!("{id} is defined later, or by this line itself");
                self.faults.add(FaultKind::ForwardReference, operand.span, message);
            } else {
                let message = || format!("{id} is not defined");
                self.faults.add(FaultKind::UndefinedReference, operand.span, message);
            }
        }
    }
}

fn first_is_number(text: &[u8], cursor: &Cursor<'_>) -> bool {
    let mut ahead = Cursor::new(text, cursor.at(), cursor.rest().end as usize);
    ahead.field().slice(text).first().is_some_and(u8::is_ascii_digit)
}

/// The bytes at `span` for a message, shortened.
fn quoted(text: &[u8], span: Span) -> String {
    const MAX_SHOWN: usize = 32;
    let bytes = span.slice(text);
    let dots = if bytes.len() > MAX_SHOWN { "..." } else { "" };
    format!("`{}{dots}`", bytes[..bytes.len().min(MAX_SHOWN)].escape_ascii())
}
