//! Printing scripts in a new layout: one command per line, wrapped lines, or one part per line.
//!
//! ```text
//! Lines    (assert (and x (not y)))        Pretty   (assert
//!                                                     (and
//! Wrapped  as Lines, at most 78 columns;                x
//!          lines that follow are indented               (not y)
//!                                                     )
//!                                                   )
//! ```
//!
//! These are the three layouts of ddSMT 2, with two improvements: a line is only broken between tokens (ddSMT
//! also breaks inside a long symbol, or after a hyphen, which changes the script), and a comment stays on one line.

use crate::{NodeId, Script, Tree};
use nub_text::Span;

/// Width of a wrapped line, in columns.
const COLUMNS: usize = 78;

/// How to lay out a script.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PrintLayout {
    /// One command per line, single spaces.
    Lines,
    /// As `Lines`, but no line is longer than 78 columns if it can be broken between tokens.
    Wrapped,
    /// A list that contains other lists has one line per part.
    Pretty,
}

/// Prints a script. Stray brackets, which belong to no command, are lost; comments are kept.
pub fn print(script: &Script, layout: PrintLayout) -> Vec<u8> {
    let tokens = tokens(script);
    let mut printer = Printer { out: Vec::new(), layout, depth: 0, column: 0, is_start: true, glue: true };
    match layout {
        PrintLayout::Lines | PrintLayout::Wrapped => printer.lines(&tokens),
        PrintLayout::Pretty => printer.pretty(&tokens),
    }
    printer.out
}

/// A token of a script; comments are tokens, too.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Token<'t> {
    /// `(`; whether the list contains only atoms, without comments.
    Open { is_flat: bool },
    /// `)`
    Close,
    /// Anything between brackets and blanks.
    Atom(&'t [u8]),
    /// A comment, without its newline.
    Comment(&'t [u8]),
}

fn tokens(script: &Script) -> Vec<Token<'_>> {
    let (tree, text) = (script.tree(), script.text());
    let mut tokens = Vec::new();
    let mut open: Vec<NodeId> = Vec::new();
    let mut at = 0;
    for node in tree.nodes() {
        while let Some(&list) = open.last()
            && tree.after(list) <= node
        {
            open.pop();
            close(&mut tokens, text, &mut at, tree.span(list));
        }
        let span = tree.span(node);
        comments(&mut tokens, text, at, span.start);
        if tree.is_list(node) {
            tokens.push(Token::Open { is_flat: is_flat(tree, text, node) });
            open.push(node);
            at = span.start + 1;
        } else {
            tokens.push(Token::Atom(span.slice(text)));
            at = span.end;
        }
    }
    while let Some(list) = open.pop() {
        close(&mut tokens, text, &mut at, tree.span(list));
    }
    comments(&mut tokens, text, at, text.len() as u32);
    tokens
}

fn close<'t>(tokens: &mut Vec<Token<'t>>, text: &'t [u8], at: &mut u32, list: Span) {
    comments(tokens, text, *at, list.end);
    tokens.push(Token::Close);
    *at = list.end;
}

/// Comments between two tokens.
fn comments<'t>(tokens: &mut Vec<Token<'t>>, text: &'t [u8], from: u32, to: u32) {
    let mut gap = &text[from as usize..to.max(from) as usize];
    while let Some(start) = memchr::memchr(b';', gap) {
        let end = memchr::memchr(b'\n', &gap[start..]).map_or(gap.len(), |length| start + length);
        tokens.push(Token::Comment(gap[start..end].trim_ascii_end()));
        gap = &gap[end..];
    }
}

fn is_flat(tree: &Tree, text: &[u8], list: NodeId) -> bool {
    let gaps_are_blank = {
        let mut at = tree.span(list).start + 1;
        tree.children(list).all(|child| {
            let gap = Span { start: at, end: tree.span(child).start };
            at = tree.span(child).end;
            !gap.slice(text).contains(&b';')
        })
    };
    gaps_are_blank && tree.children(list).all(|child| !tree.is_list(child))
}

struct Printer {
    out: Vec<u8>,
    layout: PrintLayout,
    depth: usize,
    /// Bytes on the current line.
    column: usize,
    /// At the start of a line.
    is_start: bool,
    /// True if the next token follows without a space.
    glue: bool,
}

impl Printer {
    fn lines(&mut self, tokens: &[Token]) {
        let mut next = 0;
        while next < tokens.len() {
            if let Token::Comment(text) = tokens[next] {
                self.comment(text);
                next += 1;
                continue;
            }
            // A word contains no blank: `(assert`, `x)))`.
            let start = next;
            while matches!(tokens.get(next), Some(Token::Open { .. })) {
                next += 1;
            }
            next += usize::from(matches!(tokens.get(next), Some(Token::Atom(_))));
            while tokens.get(next) == Some(&Token::Close) {
                next += 1;
            }
            self.word(&tokens[start..next]);
        }
        self.end_line();
    }

    fn word(&mut self, tokens: &[Token]) {
        let mut text = Vec::new();
        tokens.iter().for_each(|token| write_token(&mut text, *token));
        let is_too_long = self.layout == PrintLayout::Wrapped && self.column + 1 + text.len() > COLUMNS;
        if !self.is_start && is_too_long {
            self.end_line();
            self.put(b"  ");
        } else if !self.is_start && !self.glue {
            self.put(b" ");
        }
        self.put(&text);
        self.glue = matches!(tokens.last(), Some(Token::Open { .. }));
        for token in tokens {
            match token {
                Token::Open { .. } => self.depth += 1,
                Token::Close => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
        }
        if self.depth == 0 {
            self.end_line();
        }
    }

    fn pretty(&mut self, tokens: &[Token]) {
        let mut next = 0;
        while let Some(&token) = tokens.get(next) {
            next += 1;
            match token {
                Token::Open { is_flat } => {
                    self.indent();
                    self.put(b"(");
                    if is_flat {
                        while let Some(Token::Atom(text)) = tokens.get(next) {
                            if self.out.last() != Some(&b'(') {
                                self.put(b" ");
                            }
                            self.put(text);
                            next += 1;
                        }
                        self.put(b")");
                        next += usize::from(tokens.get(next) == Some(&Token::Close));
                    } else {
                        self.depth += 1;
                        if let Some(Token::Atom(text)) = tokens.get(next) {
                            self.put(text);
                            next += 1;
                        }
                    }
                }
                Token::Close => {
                    self.depth = self.depth.saturating_sub(1);
                    self.indent();
                    self.put(b")");
                }
                Token::Atom(text) | Token::Comment(text) => {
                    self.indent();
                    self.put(text);
                }
            }
            self.end_line();
        }
    }

    fn comment(&mut self, text: &[u8]) {
        self.end_line();
        self.put(text);
        self.end_line();
    }

    fn indent(&mut self) {
        self.end_line();
        for _ in 0..self.depth {
            self.put(b"  ");
        }
    }

    fn put(&mut self, text: &[u8]) {
        self.out.extend_from_slice(text);
        self.column += text.len();
        self.is_start = false;
    }

    fn end_line(&mut self) {
        if !self.is_start {
            self.out.push(b'\n');
        }
        (self.column, self.is_start, self.glue) = (0, true, true);
    }
}

fn write_token(out: &mut Vec<u8>, token: Token) {
    match token {
        Token::Open { .. } => out.push(b'('),
        Token::Close => out.push(b')'),
        Token::Atom(text) | Token::Comment(text) => out.extend_from_slice(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(text: &str, layout: PrintLayout) -> String {
        String::from_utf8(print(&Script::parse(text.as_bytes()).0, layout)).unwrap()
    }

    #[test]
    fn a_command_per_line() {
        let text = " (set-logic   QF_BV)(assert\n (and x (not\ty)))\n( )(a ())(b (|c d| \"e (\"\"\"))";
        let expected = "(set-logic QF_BV)\n(assert (and x (not y)))\n()\n(a ())\n(b (|c d| \"e (\"\"\"))\n";
        assert_eq!(printed(text, PrintLayout::Lines), expected);
        assert_eq!(printed("", PrintLayout::Lines), "");
        assert_eq!(printed("x (y) z", PrintLayout::Lines), "x\n(y)\nz\n");
    }

    #[test]
    fn comments_stay_on_lines_of_their_own() {
        let text = "; top\n(assert ; in\n x) ; end";
        assert_eq!(printed(text, PrintLayout::Lines), "; top\n(assert\n; in\nx)\n; end\n");
        assert_eq!(printed(text, PrintLayout::Pretty), "; top\n(assert\n  ; in\n  x\n)\n; end\n");
    }

    #[test]
    fn a_part_per_line() {
        let expected = "(assert\n  (and\n    x\n    (not y)\n  )\n)\n";
        assert_eq!(printed("(assert (and x (not y)))", PrintLayout::Pretty), expected);
        assert_eq!(printed("(((a) b))", PrintLayout::Pretty), "(\n  (\n    (a)\n    b\n  )\n)\n");
    }

    #[test]
    fn lines_are_broken_between_tokens() {
        let names: Vec<String> = (0..30).map(|n| format!("name-{n}")).collect();
        let text = format!("(assert (and {} |a long name|))", names.join(" "));
        let wrapped = printed(&text, PrintLayout::Wrapped);
        assert!(wrapped.lines().all(|line| line.len() <= COLUMNS), "{wrapped}");
        assert!(wrapped.lines().skip(1).all(|line| line.starts_with("  ")), "{wrapped}");
        assert_eq!(printed(&wrapped, PrintLayout::Lines), format!("{text}\n"));
        let long = format!("(assert {})", "x".repeat(100));
        assert_eq!(printed(&printed(&long, PrintLayout::Wrapped), PrintLayout::Lines), format!("{long}\n"));
    }

    #[test]
    fn printing_keeps_the_tokens() {
        for text in ["(a (b (c) d) \"x;y\" |p;q|)", "((()))(a)", "(a ; c\n(b))", "(unclosed (a b"] {
            let words = |text: &str| -> Vec<String> {
                let script = Script::parse(text.as_bytes()).0;
                let atoms = script.tree().nodes().filter(|&node| !script.tree().is_list(node));
                atoms.map(|node| String::from_utf8_lossy(script.slice(node)).into_owned()).collect()
            };
            for layout in [PrintLayout::Lines, PrintLayout::Wrapped, PrintLayout::Pretty] {
                assert_eq!(words(&printed(text, layout)), words(text), "{text}");
            }
        }
    }
}
