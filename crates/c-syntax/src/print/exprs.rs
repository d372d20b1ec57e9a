//! Printing of expressions, constants and initialisers.

use super::{Piece, Printer};
use crate::ast::*;
use std::fmt::Write;

impl<'a> Printer<'a> {
    pub(super) fn expr(&mut self, kind: &'a AstExprKind) {
        use Piece::{Expr, Name, Text, TypeName};
        match *kind {
            AstExprKind::Ident(ident) => self.pieces.push(Name(ident.name)),
            AstExprKind::Int(literal) => self.pieces.push(Piece::Owned(int(literal))),
            AstExprKind::Float(literal) => self.pieces.push(Piece::Source(literal.span)),
            AstExprKind::Char(literal) => self.pieces.push(Piece::Owned(character(literal))),
            AstExprKind::String(id) => self.string(id),
            AstExprKind::Unary(op, of) if op.is_postfix() => {
                self.push_all([Text("("), Expr(of), Text(self.gap(of)), Text(op.spelling()), Text(")")]);
            }
            AstExprKind::Unary(op, of) => {
                let blank = if matches!(op, AstUnaryOp::Real | AstUnaryOp::Imag) { " " } else { "" };
                self.push_all([Text("("), Text(op.spelling()), Text(blank), Expr(of), Text(")")]);
            }
            AstExprKind::Binary(op, left, right) => self.infix(left, op.spelling(), "", right),
            AstExprKind::Assign(op, left, right) => {
                self.infix(left, op.map_or("", AstBinaryOp::spelling), "=", right)
            }
            AstExprKind::Comma(left, right) => self.infix(left, ",", "", right),
            AstExprKind::Conditional { condition, then, otherwise } => {
                self.push_all([Text("("), Expr(condition), Text(" ? ")]);
                self.pieces.extend(then.map(Expr));
                self.push_all([Text(" : "), Expr(otherwise), Text(")")]);
            }
            AstExprKind::Call { callee, ref args } => {
                self.push_all([Expr(callee), Text("(")]);
                self.list(", ", args, |printer, &arg| printer.pieces.push(Expr(arg)));
                self.text(")");
            }
            AstExprKind::Index(base, index) => self.push_all([Expr(base), Text("["), Expr(index), Text("]")]),
            AstExprKind::Member { base, access, member } => {
                let access = if access == MemberAccess::Dot { "." } else { "->" };
                let gap = Text(self.gap(base));
                self.push_all([Text("("), Expr(base), gap, Text(access), Name(member.name), Text(")")]);
            }
            AstExprKind::Cast(ty, of) => {
                self.push_all([Text("(("), TypeName(ty), Text(")"), Expr(of), Text(")")])
            }
            AstExprKind::CompoundLiteral(ty, init) => {
                self.push_all([Text("(("), TypeName(ty), Text(")"), Piece::Init(init), Text(")")]);
            }
            AstExprKind::SizeofExpr(of) => self.push_all([Text("(sizeof "), Expr(of), Text(")")]),
            AstExprKind::SizeofType(ty) => self.push_all([Text("(sizeof("), TypeName(ty), Text("))")]),
            AstExprKind::AlignofType(ty) => self.push_all([Text("(_Alignof("), TypeName(ty), Text("))")]),
            AstExprKind::AlignofExpr(of) => self.push_all([Text("(__alignof__ "), Expr(of), Text(")")]),
            AstExprKind::Generic { control, ref associations } => {
                self.push_all([Text("_Generic("), Expr(control)]);
                for GenericAssociation { ty, value } in associations {
                    self.push_all([
                        Text(", "),
                        ty.map_or(Text("default"), TypeName),
                        Text(": "),
                        Expr(*value),
                    ]);
                }
                self.text(")");
            }
            AstExprKind::Statement(body) => self.push_all([Text("("), Piece::Stmt(body), Text(")")]),
            AstExprKind::LabelAddress(label) => self.push_all([Text("(&&"), Name(label.name), Text(")")]),
            AstExprKind::VaArg(list, ty) => {
                self.push_all([Text("__builtin_va_arg("), Expr(list), Text(", "), TypeName(ty), Text(")")]);
            }
            AstExprKind::Offsetof { ty, ref path } => self.offsetof(ty, path),
            AstExprKind::Quantifier { kind, ty, name, body } => {
                self.push_all([Text(kind.spelling()), Text(" { "), TypeName(ty), Text(" "), Name(name.name)]);
                self.push_all([Text("; "), Expr(body), Text(" }")]);
            }
            AstExprKind::TypesCompatible(left, right) => {
                let head = Text("__builtin_types_compatible_p(");
                self.push_all([head, TypeName(left), Text(", "), TypeName(right), Text(")")]);
            }
        }
    }

    /// A blank after a number, which would swallow the `.` or `+` of a postfix operator.
    fn gap(&self, before: ExprId) -> &'static str {
        let is_number = matches!(self.unit.expr(before).kind, AstExprKind::Int(_) | AstExprKind::Float(_));
        if is_number { " " } else { "" }
    }

    fn infix(&mut self, left: ExprId, op: &'static str, equals: &'static str, right: ExprId) {
        let op = [Piece::Text(" "), Piece::Text(op), Piece::Text(equals), Piece::Text(" ")];
        self.push_all([Piece::Text("("), Piece::Expr(left)]);
        self.push_all(op);
        self.push_all([Piece::Expr(right), Piece::Text(")")]);
    }

    fn offsetof(&mut self, ty: TypeNameId, path: &'a [Designator]) {
        self.push_all([Piece::Text("__builtin_offsetof("), Piece::TypeName(ty), Piece::Text(", ")]);
        if let Some((Designator::Member(first), rest)) = path.split_first() {
            self.pieces.push(Piece::Name(first.name));
            rest.iter().for_each(|step| self.designator(step));
        }
        self.text(")");
    }

    fn designator(&mut self, step: &Designator) {
        use Piece::{Expr, Name, Text};
        match *step {
            Designator::Member(member) => self.push_all([Text("."), Name(member.name)]),
            Designator::Index(index) => self.push_all([Text("["), Expr(index), Text("]")]),
            Designator::Range(first, last) => {
                self.push_all([Text("["), Expr(first), Text(" ... "), Expr(last), Text("]")]);
            }
        }
    }

    pub(super) fn init(&mut self, kind: &'a InitKind) {
        match kind {
            InitKind::Expr(value) => self.pieces.push(Piece::Expr(*value)),
            InitKind::List(entries) => {
                self.text("{");
                self.list(", ", entries, |printer, entry| {
                    entry.designators.iter().for_each(|step| printer.designator(step));
                    let equals = if entry.designators.is_empty() { "" } else { " = " };
                    printer.push_all([Piece::Text(equals), Piece::Init(entry.init)]);
                });
                self.text("}");
            }
        }
    }

    pub(super) fn string(&mut self, id: StringId) {
        let literal = self.unit.string(id);
        let prefix = prefix(literal.encoding);
        let mut text = format!("{prefix}\"");
        for &unit in &literal.units {
            // A hexadecimal escape ends with its string, an octal one after three digits.
            match escape(unit, literal.encoding, b'"') {
                escape if escape.starts_with("\\x") => _ = write!(text, "{escape}\" {prefix}\""),
                escape => text.push_str(&escape),
            }
        }
        text.push('"');
        self.pieces.push(Piece::Owned(text));
    }
}

fn prefix(encoding: Encoding) -> &'static str {
    match encoding {
        Encoding::Plain => "",
        Encoding::Wide => "L",
        Encoding::Utf8 => "u8",
        Encoding::Utf16 => "u",
        Encoding::Utf32 => "U",
    }
}

/// One element of a literal in ASCII.
fn escape(unit: u32, encoding: Encoding, quote: u8) -> String {
    match unit {
        0x20..=0x7e if unit != u32::from(quote) && unit != u32::from(b'\\') => {
            char::from_u32(unit).map(String::from).unwrap_or_default()
        }
        0..=0o777 => format!("\\{unit:03o}"),
        0x1_0000.. if encoding == Encoding::Utf16 => format!("\\U{unit:08x}"),
        _ => format!("\\x{unit:x}"),
    }
}

fn character(literal: CharLit) -> String {
    let mut text = format!("{}'", prefix(literal.encoding));
    match literal.encoding {
        Encoding::Plain => {
            let n_kept = literal.n_chars.min(4);
            for index in (0..n_kept).rev() {
                text.push_str(&escape(literal.value >> (8 * index) & 0xff, literal.encoding, b'\''));
            }
        }
        _ => text.push_str(&escape(literal.value, literal.encoding, b'\'')),
    }
    text.push('\'');
    text
}

fn int(literal: IntLit) -> String {
    let value = literal.value;
    let mut text = match literal.base {
        IntBase::Decimal => value.to_string(),
        IntBase::Octal if value == 0 => "0".into(),
        IntBase::Octal => format!("0{value:o}"),
        IntBase::Hexadecimal => format!("0x{value:x}"),
        IntBase::Binary => format!("0b{value:b}"),
    };
    text.push_str(if literal.is_unsigned { "u" } else { "" });
    text.push_str(match literal.length {
        LengthSuffix::None => "",
        LengthSuffix::Long => "l",
        LengthSuffix::LongLong => "ll",
    });
    text
}
