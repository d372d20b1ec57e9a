//! Printing of statements.

use super::{Piece, Printer};
use crate::ast::*;

impl<'a> Printer<'a> {
    pub(super) fn stmt(&mut self, kind: &'a StmtKind) {
        use Piece::{Expr, Name, Stmt, Text};
        match *kind {
            StmtKind::Empty => self.text(";"),
            StmtKind::Expr(value) => self.push_all([Expr(value), Text(";")]),
            StmtKind::Declaration(id) => self.pieces.push(Piece::Decl(id)),
            StmtKind::StaticAssert(assertion) => self.static_assert(assertion),
            StmtKind::LocalLabels(ref labels) => {
                self.text("__label__ ");
                self.list(", ", labels, |printer, label| printer.pieces.push(Name(label.name)));
                self.text(";");
            }
            StmtKind::Compound(ref stmts) => {
                self.text("{ ");
                for &stmt in stmts {
                    self.push_all([Stmt(stmt), Text(" ")]);
                }
                self.text("}");
            }
            StmtKind::If { condition, then, otherwise } => {
                self.push_all([Text("if ("), Expr(condition), Text(") "), Stmt(then)]);
                if let Some(otherwise) = otherwise {
                    self.push_all([Text(" else "), Stmt(otherwise)]);
                }
            }
            StmtKind::While { condition, body } => {
                self.push_all([Text("while ("), Expr(condition), Text(") "), Stmt(body)]);
            }
            StmtKind::DoWhile { body, condition } => {
                self.push_all([Text("do "), Stmt(body), Text(" while ("), Expr(condition), Text(");")]);
            }
            StmtKind::For { init, condition, step, body } => {
                self.push_all([Text("for ("), init.map_or(Text(";"), Stmt), Text(" ")]);
                self.push_all([condition.map_or(Text(""), Expr), Text("; ")]);
                self.push_all([step.map_or(Text(""), Expr), Text(") "), Stmt(body)]);
            }
            StmtKind::Switch { value, body } => {
                self.push_all([Text("switch ("), Expr(value), Text(") "), Stmt(body)]);
            }
            StmtKind::Case { low, high, body } => {
                self.push_all([Text("case "), Expr(low)]);
                if let Some(high) = high {
                    self.push_all([Text(" ... "), Expr(high)]);
                }
                self.push_all([Text(": "), Stmt(body)]);
            }
            StmtKind::Default { body } => self.push_all([Text("default: "), Stmt(body)]),
            StmtKind::Label { name, body } => self.push_all([Name(name.name), Text(": "), Stmt(body)]),
            StmtKind::Goto(label) => self.push_all([Text("goto "), Name(label.name), Text(";")]),
            StmtKind::GotoComputed(to) => self.push_all([Text("goto *"), Expr(to), Text(";")]),
            StmtKind::Continue => self.text("continue;"),
            StmtKind::Break => self.text("break;"),
            StmtKind::Return(None) => self.text("return;"),
            StmtKind::Return(Some(value)) => self.push_all([Text("return "), Expr(value), Text(";")]),
            StmtKind::Asm(asm) => self.push_all([Piece::Source(asm.span), Text(";")]),
        }
    }
}
