//! Text to rules. Any bytes give rules, or one error with its span.

mod numbers;
mod terms;

use super::number::{Condition, Number};
use super::{MAX_DEPTH, Name, ParsedRule, SortForm, Term, Variable, VariableKind};
use nub_smtlib::{NodeId, NodeKind, Tree, ops};
use nub_text::Diagnostic;

/// Limit on the rules in one file.
const MAX_RULES: usize = 1000;
/// Limit on the metavariables, and on the numbers, of one rule.
const MAX_NAMES: usize = 32;
const SHAPE: &str = "a rule is `(rule NAME ((x SORT) ...) PATTERN REPLACEMENT [:when CONDITION])`";

type Read<T> = Result<T, Diagnostic>;

/// Reads a file of rules; stops at the first error.
pub fn read(text: &[u8]) -> Result<Vec<ParsedRule>, Diagnostic> {
    let (tree, diagnostics) = Tree::parse(text);
    if let Some(first) = diagnostics.into_iter().next() {
        return Err(first);
    }
    let mut rules: Vec<ParsedRule> = Vec::new();
    for node in tree.roots() {
        if rules.len() >= MAX_RULES {
            return Err(Diagnostic::error(tree.span(node), format!("more than {MAX_RULES} rules")));
        }
        let mut reader = Reader {
            tree: &tree,
            text,
            variables: Vec::new(),
            numbers: Vec::new(),
            sorts: Vec::new(),
            determined: Vec::new(),
            in_pattern: Vec::new(),
        };
        let rule = reader.rule(node)?;
        if rules.iter().any(|other| other.name == rule.name) {
            let message = format!("there are two rules with the name `{}`", rule.name);
            return Err(
                Diagnostic::error(tree.span(node), message).with_hint("give one of them another name")
            );
        }
        rules.push(rule);
    }
    Ok(rules)
}

/// The state while a rule is read.
struct Reader<'t> {
    tree: &'t Tree,
    text: &'t [u8],
    variables: Vec<Variable>,
    numbers: Vec<Name>,
    sorts: Vec<String>,
    /// For each number: whether a match of the pattern determines it.
    determined: Vec<bool>,
    /// For each variable: whether it occurs in the pattern.
    in_pattern: Vec<bool>,
}

impl Reader<'_> {
    fn slice(&self, node: NodeId) -> &[u8] {
        self.tree.span(node).slice(self.text)
    }

    fn word(&self, node: NodeId) -> String {
        String::from_utf8_lossy(self.slice(node)).into_owned()
    }

    fn error<T>(&self, node: NodeId, message: impl Into<String>, hint: &str) -> Read<T> {
        Err(Diagnostic::error(self.tree.span(node), message).with_hint(hint))
    }

    fn children(&self, node: NodeId) -> Vec<NodeId> {
        self.tree.children(node).collect()
    }

    fn is_symbol(&self, node: NodeId) -> bool {
        self.tree.kind(node) == NodeKind::Symbol
    }

    fn rule(&mut self, node: NodeId) -> Read<ParsedRule> {
        let parts = self.children(node);
        let [head, name, declarations, pattern, replacement, attributes @ ..] = &parts[..] else {
            return self.error(node, "this is not a rule", SHAPE);
        };
        if self.slice(*head) != b"rule" {
            return self.error(
                *head,
                format!("`{}` is not a command of this language", self.word(*head)),
                SHAPE,
            );
        }
        if !self.is_symbol(*name) {
            return self.error(*name, "the name of a rule is a symbol", SHAPE);
        }
        if !self.tree.is_list(*declarations) {
            return self.error(*declarations, "declarations are a list", "`()` if there are none");
        }
        for declaration in self.children(*declarations) {
            self.declaration(declaration)?;
        }
        self.in_pattern = vec![false; self.variables.len()];
        self.determined.resize(self.numbers.len(), false);
        let pattern_term = self.pattern(*pattern)?;
        let replacement_term = self.term(*replacement, Side::Replacement, 0)?;
        let condition = self.attributes(attributes)?;
        let name = self.word(*name);
        let rule = ParsedRule {
            name,
            span: self.tree.span(node),
            variables: std::mem::take(&mut self.variables),
            numbers: std::mem::take(&mut self.numbers),
            sorts: std::mem::take(&mut self.sorts),
            pattern: pattern_term,
            replacement: replacement_term,
            condition,
        };
        Ok(rule)
    }

    fn attributes(&mut self, attributes: &[NodeId]) -> Read<Condition> {
        match attributes {
            [] => Ok(Condition::True),
            [keyword, condition] if self.slice(*keyword) == b":when" => self.condition(*condition, 0),
            [first, ..] => {
                self.error(*first, "unexpected after the replacement", "only `:when CONDITION` may follow")
            }
        }
    }

    /// `(x SORT)`, `(k SORT :literal)`, `(xs SORT :rest)`, `(i :index)`.
    fn declaration(&mut self, node: NodeId) -> Read<()> {
        const FORMS: &str = "write `(x SORT)`, `(k SORT :literal)`, `(xs SORT :rest)` or `(i :index)`";
        let parts = self.children(node);
        let Some(&name) = parts.first().filter(|&&name| self.is_symbol(name)) else {
            return self.error(node, "this is not a declaration", FORMS);
        };
        let text = self.word(name);
        if ops::by_name(text.as_bytes()).is_some() || is_reserved(&text) {
            return self.error(name, format!("`{text}` is an operator"), "choose another name");
        }
        let is_simple = |byte: u8| byte.is_ascii_alphanumeric() || b"~@$%^&*_-+=<>.?/'".contains(&byte);
        if !text.bytes().all(is_simple) {
            return self.error(
                name,
                format!("`{text}` is not a name"),
                "names are ASCII letters, digits and signs",
            );
        }
        let is_taken = self.variables.iter().any(|other| other.name == text)
            || self.numbers.iter().any(|other| other.text == text);
        if is_taken {
            return self.error(name, format!("`{text}` is declared twice"), "choose another name");
        }
        if self.variables.len() + self.numbers.len() >= MAX_NAMES {
            return self.error(name, format!("more than {MAX_NAMES} declarations"), "make it two rules");
        }
        let kind = match (parts.get(1), parts.get(2)) {
            (Some(&index), None) if self.slice(index) == b":index" => {
                self.numbers.push(Name { text, is_width: false });
                return Ok(());
            }
            (Some(_), None) => VariableKind::Term,
            (Some(_), Some(&mark)) if self.slice(mark) == b":literal" => VariableKind::Literal,
            (Some(_), Some(&mark)) if self.slice(mark) == b":rest" => VariableKind::Rest,
            _ => return self.error(node, "this is not a declaration", FORMS),
        };
        if parts.len() > 3 {
            return self.error(parts[3], "unexpected in a declaration", FORMS);
        }
        let sort = self.sort(parts[1], 0)?;
        self.variables.push(Variable { name: text, sort, kind });
        Ok(())
    }

    fn sort(&mut self, node: NodeId, depth: usize) -> Read<SortForm> {
        const SORTS: &str = "sorts are Bool, Int, Real, String, RegLan, RoundingMode, (_ BitVec n), (_ FloatingPoint e s), \
            (Array I E), and ?A for any sort";
        self.check_depth(node, depth)?;
        if !self.tree.is_list(node) {
            let text = self.word(node);
            if let Some(name) = text.strip_prefix('?') {
                let at = self.sorts.iter().position(|other| other == name).unwrap_or(self.sorts.len());
                if at == self.sorts.len() {
                    self.sorts.push(name.to_owned());
                }
                return Ok(SortForm::Any(at));
            }
            let known = ["Bool", "Int", "Real", "String", "RegLan", "RoundingMode"];
            return match known.into_iter().find(|name| *name == text) {
                Some(name) => Ok(SortForm::Named(name)),
                None => self.error(node, format!("`{text}` is not a sort"), SORTS),
            };
        }
        let parts = self.children(node);
        let words: Vec<&[u8]> = parts.iter().map(|&part| self.slice(part)).collect();
        match (&words[..], &parts[..]) {
            ([b"_", b"BitVec", _], [_, _, width]) => Ok(SortForm::BitVec(self.width(*width)?)),
            ([b"_", b"FloatingPoint", _, _], [_, _, exponent, significand]) => {
                Ok(SortForm::Float(self.width(*exponent)?, self.width(*significand)?))
            }
            ([b"Array", _, _], [_, index, element]) => {
                let (index, element) = (self.sort(*index, depth + 1)?, self.sort(*element, depth + 1)?);
                Ok(SortForm::Array(Box::new(index), Box::new(element)))
            }
            _ => self.error(node, "this is not a sort", SORTS),
        }
    }

    /// A numeral, or a name, which then denotes a width.
    fn width(&mut self, node: NodeId) -> Read<Number> {
        const WIDTH: &str = "a width is a numeral of at least 1, or a name that stands for any width";
        if self.tree.kind(node) == NodeKind::Numeral {
            return match self.word(node).parse::<u32>() {
                Ok(width) if width > 0 => Ok(Number::Const(width.into())),
                _ => self.error(node, "not a width", WIDTH),
            };
        }
        if !self.is_symbol(node) {
            return self.error(node, "not a width", WIDTH);
        }
        let text = self.word(node);
        if self.variables.iter().any(|other| other.name == text) {
            return self.error(node, format!("`{text}` is a term, not a width"), WIDTH);
        }
        let at = match self.numbers.iter().position(|other| other.text == text) {
            Some(at) => at,
            None if self.variables.len() + self.numbers.len() >= MAX_NAMES => {
                return self.error(node, format!("more than {MAX_NAMES} declarations"), "make it two rules");
            }
            None => {
                self.numbers.push(Name { text, is_width: true });
                self.numbers.len() - 1
            }
        };
        self.numbers[at].is_width = true;
        Ok(Number::Name(at))
    }

    fn check_depth(&self, node: NodeId, depth: usize) -> Read<()> {
        if depth >= MAX_DEPTH {
            return self.error(
                node,
                format!("nested more than {MAX_DEPTH} deep"),
                "rules are small: split it",
            );
        }
        Ok(())
    }
}

/// The part of a rule that contains a term.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Pattern,
    Replacement,
}

/// Words that are not operators of the table but have a meaning in a term.
fn is_reserved(text: &str) -> bool {
    ["_", "!", "as", "let", "forall", "exists", "match", "par", "bits", "value", "rule", "lambda"]
        .contains(&text)
}

/// The numbers of a sort that a match determines.
fn determined_by(sort: &SortForm, found: &mut Vec<usize>) {
    let mut name = |number: &Number| {
        if let Number::Name(at) = number {
            found.push(*at);
        }
    };
    match sort {
        SortForm::Named(_) | SortForm::Any(_) => {}
        SortForm::BitVec(width) => name(width),
        SortForm::Float(exponent, significand) => [exponent, significand].into_iter().for_each(name),
        SortForm::Array(index, element) => {
            determined_by(index, found);
            determined_by(element, found);
        }
    }
}
