//! From bytes to spans, in one walk over the tokens.
//!
//! A token is a run of bytes without blanks. Its first byte says what it is; letters have a meaning only at the start of a
//! line: `c` comment, `p` header, `a` and `e` blocks, `h` a hard clause, `%` the end. Everything else becomes part
//! of a clause, even if it is not a number, so that a reducer can remove it.

use crate::number::{Value, is_blank, number_at, token_end};
use crate::{
    Clause, DimacsFault, DimacsFile, DimacsKind, DimacsLit, FaultKind, FaultSet, Header, Literal, Number,
    Quantifier, QuantifierBlock, Weight, rules,
};
use nub_text::{MAX_INPUT, Span};

/// Faults whose span is kept. Their kinds are always kept.
const MAX_FAULTS: usize = 1 << 20;
/// Bytes per literal in large random files. Used to reserve memory: growing the tables would copy them repeatedly.
const BYTES_PER_LITERAL: usize = 5;
const BYTES_PER_CLAUSE: usize = 16;

pub(crate) fn read(text: Vec<u8>, kind: DimacsKind) -> DimacsFile {
    assert!(text.len() <= MAX_INPUT, "longer texts are refused before");
    let mut file = DimacsFile {
        text: Vec::new(),
        kind,
        header: None,
        literals: Vec::new(),
        clauses: Vec::new(),
        weights: Vec::new(),
        blocks: Vec::new(),
        comments: Vec::new(),
        others: Vec::new(),
        end_marker: None,
        faults: Vec::new(),
        fault_kinds: FaultSet::default(),
    };
    file.literals.reserve(text.len() / BYTES_PER_LITERAL);
    file.clauses.reserve(text.len() / BYTES_PER_CLAUSE);
    let mut reader = Reader { text: &text, at: 0, is_line_start: true, open: None, max_var: u64::MAX, file };
    reader.all();
    let mut file = reader.file;
    file.text = text;
    rules::check(&mut file);
    file
}

impl DimacsFile {
    pub(crate) fn fault(&mut self, kind: FaultKind, span: Span) {
        // The first fault of every kind is kept, no matter how many precede it.
        if self.faults.len() < MAX_FAULTS || !self.fault_kinds.contains(kind) {
            self.faults.push(DimacsFault { kind, span });
        }
        self.fault_kinds.insert(kind);
    }
}

struct Reader<'t> {
    text: &'t [u8],
    at: usize,
    /// True before the first token of a line.
    is_line_start: bool,
    open: Option<Open>,
    /// The number of variables in the header.
    max_var: u64,
    file: DimacsFile,
}

/// A clause or block whose 0 has not been read yet.
struct Open {
    start: usize,
    first: u32,
    end: usize,
    role: Role,
}

#[derive(Clone, Copy, PartialEq)]
enum Role {
    Clause,
    Block(Quantifier),
}

impl Reader<'_> {
    fn all(&mut self) {
        while self.skip_blanks() {
            match self.text[self.at] {
                b'-' | b'0'..=b'9' => self.number(),
                b'c' => self.comment(),
                b'%' => return self.end_marker(),
                byte if byte.is_ascii_alphabetic() && self.is_line_start => self.line(byte),
                b'h' if self.open.is_none() && self.file.kind == DimacsKind::WcnfNew => self.hard(),
                _ => self.bad_token(),
            }
        }
        self.close_without_zero();
    }

    /// Moves to the next token; false at the end of the file.
    fn skip_blanks(&mut self) -> bool {
        while let Some(&byte) = self.text.get(self.at) {
            if !is_blank(byte) {
                return true;
            }
            self.is_line_start |= byte == b'\n';
            self.at += 1;
        }
        false
    }

    /// A line that begins with a letter.
    fn line(&mut self, letter: u8) {
        let is_word = token_end(self.text, self.at) == self.at + 1;
        let may_quantify = matches!(self.file.kind, DimacsKind::Cnf | DimacsKind::Qdimacs);
        if letter == b'h' && is_word && self.file.kind == DimacsKind::WcnfNew {
            return self.hard();
        }
        self.close_without_zero();
        match letter {
            b'p' if is_word => self.header(),
            b'a' if is_word && may_quantify => self.quantifier(Quantifier::ForAll),
            b'e' if is_word && may_quantify => self.quantifier(Quantifier::Exists),
            b'a' if is_word && self.file.kind == DimacsKind::IncCnf => self.other(None),
            _ => self.other(Some(FaultKind::StrayLine)),
        }
    }

    fn number(&mut self) {
        let start = self.at;
        let (value, end) = number_at(self.text, start);
        self.is_line_start = false;
        self.at = end;
        let span = Span { start: start as u32, end: end as u32 };
        if self.open.is_none() && self.file.kind.is_weighted() {
            self.begin(start, Role::Clause);
            return self.weight(span, value);
        }
        match value {
            Value::Plain(0) => self.close(span),
            Value::Plain(number) => self.literal(span, i64::try_from(number)),
            Value::Negative(number) => self.literal(span, i64::try_from(number).map(|number| -number)),
            Value::Overflow => self.unreadable(span, FaultKind::NumberOverflow),
            Value::Bad => self.unreadable(span, FaultKind::BadToken),
        }
    }

    fn literal<E>(&mut self, span: Span, number: Result<i64, E>) {
        let Some(lit) = number.ok().and_then(DimacsLit::from_int) else {
            return self.unreadable(span, FaultKind::NumberOverflow);
        };
        if u64::from(lit.var().number()) > self.max_var {
            self.file.fault(FaultKind::VariableAboveHeader, span);
        }
        self.push(Literal { span, lit: Some(lit) });
    }

    fn bad_token(&mut self) {
        let end = token_end(self.text, self.at);
        let span = Span::new(self.at, end);
        self.at = end;
        self.is_line_start = false;
        if self.open.is_none() && self.file.kind.is_weighted() {
            self.begin(span.start as usize, Role::Clause);
            return self.weight(span, Value::Bad);
        }
        self.unreadable(span, FaultKind::BadToken);
    }

    fn unreadable(&mut self, span: Span, kind: FaultKind) {
        self.file.fault(kind, span);
        self.push(Literal { span, lit: None });
    }

    fn push(&mut self, literal: Literal) {
        match &mut self.open {
            Some(open) => open.end = literal.span.end as usize,
            None => {
                self.begin(literal.span.start as usize, Role::Clause);
                return self.push(literal);
            }
        }
        self.file.literals.push(literal);
    }

    fn begin(&mut self, start: usize, role: Role) {
        let first = self.file.literals.len() as u32;
        self.open = Some(Open { start, first, end: start + 1, role });
    }

    fn weight(&mut self, span: Span, value: Value) {
        let value = match value {
            Value::Plain(value) if value > 0 => Some(value),
            _ => {
                self.file.fault(FaultKind::BadWeight, span);
                None
            }
        };
        let top = self.file.header.and_then(|header| header.top);
        if let (Some(value), Some(top)) = (value, top)
            && value > top.value
        {
            self.file.fault(FaultKind::WeightAboveTop, span);
        }
        self.file.weights.push(Weight { span, value });
        if let Some(open) = &mut self.open {
            open.end = span.end as usize;
        }
    }

    fn hard(&mut self) {
        self.close_without_zero();
        let start = self.at;
        self.begin(start, Role::Clause);
        let end = token_end(self.text, start);
        self.at = end;
        self.is_line_start = false;
        let span = Span::new(start, end);
        if end == start + 1 {
            self.file.weights.push(Weight { span, value: None });
        } else {
            self.weight(span, Value::Bad);
        }
        if let Some(open) = &mut self.open {
            open.end = end;
        }
    }

    /// Ends the open clause or block at its 0; without one, the 0 is an empty clause.
    fn close(&mut self, zero: Span) {
        if self.open.is_none() {
            self.begin(zero.start as usize, Role::Clause);
        }
        self.finish(zero.end, zero.start);
    }

    fn close_without_zero(&mut self) {
        if let Some(open) = &self.open {
            let end = open.end as u32;
            self.file.fault(FaultKind::MissingZero, Span { start: open.start as u32, end });
            self.finish(end, end);
        }
    }

    fn finish(&mut self, end: u32, zero: u32) {
        let Some(Open { start, first, role, .. }) = self.open.take() else { return };
        let span = Span { start: start as u32, end };
        let n_literals = self.file.literals.len() as u32 - first;
        match role {
            Role::Clause => self.file.clauses.push(Clause { span, zero, first, n_literals }),
            Role::Block(quantifier) => {
                self.file.blocks.push(QuantifierBlock { span, quantifier, zero, first, n_literals });
            }
        }
    }

    fn quantifier(&mut self, quantifier: Quantifier) {
        let span = Span::new(self.at, self.at + 1);
        if !self.file.clauses.is_empty() {
            self.file.fault(FaultKind::LateQuantifier, span);
        }
        if self.file.kind == DimacsKind::Cnf {
            self.file.fault(FaultKind::StrayLine, span);
        }
        self.begin(self.at, Role::Block(quantifier));
        self.at += 1;
        self.is_line_start = false;
    }

    /// The rest of this line, without trailing blanks.
    fn rest_of_line(&mut self) -> Span {
        let rest = &self.text[self.at..];
        let end = self.at + memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        let length = self.text[self.at..end].iter().rposition(|&byte| !is_blank(byte)).map_or(0, |at| at + 1);
        let span = Span::new(self.at, self.at + length);
        self.at = end;
        span
    }

    fn comment(&mut self) {
        let span = self.rest_of_line();
        self.file.comments.push(span);
    }

    fn other(&mut self, fault: Option<FaultKind>) {
        let span = self.rest_of_line();
        if let Some(kind) = fault {
            self.file.fault(kind, span);
        }
        self.file.others.push(span);
    }

    fn end_marker(&mut self) {
        self.close_without_zero();
        let end = self.text.iter().rposition(|&byte| !is_blank(byte)).map_or(self.at, |at| at + 1);
        self.file.end_marker = Some(Span::new(self.at, end));
        self.at = self.text.len();
    }

    fn header(&mut self) {
        if self.file.header.is_some() {
            return self.other(Some(FaultKind::SecondHeader));
        }
        let span = self.rest_of_line();
        if !self.file.clauses.is_empty() || !self.file.blocks.is_empty() {
            self.file.fault(FaultKind::LateHeader, span);
        }
        let (header, is_good) = header(self.text, span, self.file.kind);
        if !is_good {
            self.file.fault(FaultKind::BadHeader, span);
        }
        self.max_var = header.n_vars.map_or(u64::MAX, |number| number.value);
        self.file.header = Some(header);
    }
}

/// The header in `span`, and whether it is correct.
fn header(text: &[u8], span: Span, kind: DimacsKind) -> (Header, bool) {
    let mut words = Vec::new();
    let mut at = span.start as usize;
    // A header with more words cannot be read anyway.
    const MAX_WORDS: usize = 6;
    while at < span.end as usize && words.len() < MAX_WORDS {
        let end = token_end(text, at);
        if end > at {
            words.push(Span::new(at, end));
        }
        at = end.max(at) + 1;
    }
    let number = |index: usize| {
        let span: Span = *words.get(index)?;
        match number_at(text, span.start as usize).0 {
            Value::Plain(value) => Some(Number { span, value }),
            _ => None,
        }
    };
    let (n_vars, n_clauses, top) = (number(2), number(3), number(4));
    let is_named = words.get(1).map(|word| word.slice(text)) == kind.header_word().map(str::as_bytes);
    let is_counted = n_vars.is_some() && n_clauses.is_some();
    let is_long_enough = match kind {
        DimacsKind::Cnf | DimacsKind::Qdimacs => is_counted && words.len() == 4,
        DimacsKind::Wcnf => is_counted && (words.len() == 4 || (words.len() == 5 && top.is_some())),
        DimacsKind::IncCnf => words.len() == 2,
        DimacsKind::WcnfNew => false,
    };
    (Header { span, n_vars, n_clauses, top }, is_named && is_long_enough)
}
