//! The tree as C text: compact, with a pair of parentheses around every operator.
//!
//! For tests and for debugging. The text parses to a tree of the same structure:
//! `print(parse(print(parse(x))))` is `print(parse(x))`. What the tree does not keep is lost: line markers, comments,
//! attributes of statements and of enumeration constants. `asm` and arguments of attributes are copied as they are.
//!
//! A stack of pieces replaces recursion, so depth costs memory only.

mod decls;
mod exprs;
mod stmts;

use crate::TranslationUnit;
use crate::ast::*;
use nub_text::Span;

/// Prints a whole unit, one item a line.
pub fn print(unit: &TranslationUnit) -> String {
    let mut printer = Printer { unit, out: Vec::new(), pieces: Vec::new() };
    for &item in &unit.items {
        printer.item(item);
        printer.run();
        printer.out.push(b'\n');
    }
    printer.finish()
}

/// What is still to be printed.
enum Piece<'a> {
    Text(&'static str),
    Owned(String),
    Name(Name),
    /// Source text as it is.
    Source(Span),
    Expr(ExprId),
    Stmt(StmtId),
    Decl(DeclId),
    Init(InitId),
    TypeName(TypeNameId),
    Specifiers(SpecifiersId),
    Record(RecordId),
    Enum(EnumId),
    Declarator(&'a Declarator),
    Member(&'a MemberDeclaration),
}

struct Printer<'a> {
    unit: &'a TranslationUnit,
    out: Vec<u8>,
    /// The last piece is printed next.
    pieces: Vec<Piece<'a>>,
}

impl<'a> Printer<'a> {
    fn finish(self) -> String {
        String::from_utf8_lossy(&self.out).into_owned()
    }

    /// Prints all pieces. A piece with parts pushes them in the order of the text; they are reversed here.
    fn run(&mut self) {
        self.pieces.reverse();
        while let Some(piece) = self.pieces.pop() {
            let below = self.pieces.len();
            self.piece(piece);
            self.pieces[below..].reverse();
        }
    }

    fn piece(&mut self, piece: Piece<'a>) {
        let unit = self.unit;
        match piece {
            Piece::Text(text) => self.out.extend_from_slice(text.as_bytes()),
            Piece::Owned(text) => self.out.extend_from_slice(text.as_bytes()),
            Piece::Name(name) => self.out.extend_from_slice(unit.name(name).as_bytes()),
            Piece::Source(span) => self.out.extend_from_slice(unit.text(span)),
            Piece::Expr(id) => self.expr(&unit.expr(id).kind),
            Piece::Stmt(id) => self.stmt(&unit.stmt(id).kind),
            Piece::Decl(id) => self.decl(unit.decl(id)),
            Piece::Init(id) => self.init(&unit.init(id).kind),
            Piece::TypeName(id) => {
                let ty = unit.type_name(id);
                self.push_all([Piece::Specifiers(ty.specifiers), Piece::Declarator(&ty.declarator)]);
            }
            Piece::Specifiers(id) => self.specifiers(unit.specifiers(id)),
            Piece::Record(id) => self.record(unit.record(id)),
            Piece::Enum(id) => self.enumeration(unit.enumeration(id)),
            Piece::Declarator(declarator) => self.declarator(declarator),
            Piece::Member(member) => self.member(member),
        }
    }

    fn text(&mut self, text: &'static str) {
        self.pieces.push(Piece::Text(text));
    }

    fn push_all<const N: usize>(&mut self, pieces: [Piece<'a>; N]) {
        self.pieces.extend(pieces);
    }

    /// The pieces of each element, with `separator` between elements.
    fn list<N>(
        &mut self,
        separator: &'static str,
        nodes: &'a [N],
        mut each: impl FnMut(&mut Printer<'a>, &'a N),
    ) {
        for (index, node) in nodes.iter().enumerate() {
            if index > 0 {
                self.text(separator);
            }
            each(self, node);
        }
    }

    fn item(&mut self, item: Item) {
        let unit = self.unit;
        match item {
            Item::Function(id) => self.function(unit.function(id)),
            Item::Declaration(id) => self.pieces.push(Piece::Decl(id)),
            Item::StaticAssert(assertion) => self.static_assert(assertion),
            Item::Asm(asm) => self.push_all([Piece::Source(asm.span), Piece::Text(";")]),
        }
    }

    fn static_assert(&mut self, assertion: StaticAssert) {
        self.push_all([Piece::Text("_Static_assert("), Piece::Expr(assertion.condition)]);
        if let Some(message) = assertion.message {
            self.text(", ");
            self.string(message);
        }
        self.text(");");
    }
}
