//! Initialisers: `= a` and `= { .x = 1, [2] = { 3 } }`, with an explicit stack for the braces.

use super::expr::Level;
use super::{Parse, Parser};
use crate::ast::*;
use crate::token::T;

/// An open brace.
struct Open {
    start: u32,
    entries: Vec<InitEntry>,
    /// Where the value that is being read belongs.
    designators: Vec<Designator>,
}

impl Open {
    fn add(&mut self, init: InitId) {
        let designators = std::mem::take(&mut self.designators);
        self.entries.push(InitEntry { designators, init });
    }
}

impl Parser<'_> {
    pub(super) fn initializer(&mut self) -> Parse<InitId> {
        let mut open: Vec<Open> = Vec::new();
        loop {
            let start = self.start();
            if self.eat(T::LBrace) {
                open.push(Open { start, entries: Vec::new(), designators: Vec::new() });
            } else {
                let value = self.expression(Level::Assignment)?;
                let init =
                    self.unit.add_init(Init { kind: InitKind::Expr(value), span: self.span_from(start) });
                match open.last_mut() {
                    None => return Ok(init),
                    Some(list) => list.add(init),
                }
                self.entry_end()?;
            }
            // Every list that ends here becomes an entry of the one around it.
            while self.kind() == T::RBrace {
                self.bump();
                let Some(list) = open.pop() else { return self.fail_expected("an initialiser") };
                let kind = InitKind::List(list.entries);
                let init = self.unit.add_init(Init { kind, span: self.span_from(list.start) });
                match open.last_mut() {
                    None => return Ok(init),
                    Some(outer) => outer.add(init),
                }
                self.entry_end()?;
            }
            let designators = self.designators()?;
            if let Some(list) = open.last_mut() {
                list.designators = designators;
            }
        }
    }

    /// After a value in a list: a comma, or the end of the list.
    fn entry_end(&mut self) -> Parse<()> {
        match self.kind() {
            T::Comma => {
                self.bump();
                Ok(())
            }
            T::RBrace => Ok(()),
            _ => self.fail_expected("`,` or `}` in an initialiser"),
        }
    }

    /// `.a[2] =`, or the GNU forms `a:` and `[2]`.
    fn designators(&mut self) -> Parse<Vec<Designator>> {
        let mut designators = Vec::new();
        if self.kind() == T::Ident && self.ahead(1).kind == T::Colon {
            designators.push(Designator::Member(self.ident("a member")?));
            self.bump();
            return Ok(designators);
        }
        loop {
            if self.eat(T::Dot) {
                designators.push(Designator::Member(self.ident("the name of a member")?));
            } else if self.eat(T::LBracket) {
                let first = self.expression(Level::Conditional)?;
                let designator = if self.eat(T::Ellipsis) {
                    Designator::Range(first, self.expression(Level::Conditional)?)
                } else {
                    Designator::Index(first)
                };
                designators.push(designator);
                self.expect(T::RBracket, "`]`")?;
            } else {
                break;
            }
        }
        let is_array = matches!(designators[..], [Designator::Index(_) | Designator::Range(..)]);
        if designators.is_empty() || self.eat(T::Assign) || is_array {
            return Ok(designators);
        }
        self.fail_expected("`=` after a designator")
    }
}
