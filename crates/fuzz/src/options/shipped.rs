//! The tables that are built into nub.

use super::Table;

/// In the order they are tried.
const SHIPPED: &[&str] = &[
    include_str!("tables/z3.options"),
    include_str!("tables/cvc5.options"),
    include_str!("tables/bitwuzla.options"),
    include_str!("tables/boolector.options"),
    include_str!("tables/yices.options"),
    include_str!("tables/cadical.options"),
];

impl Table {
    /// All built-in tables.
    #[must_use]
    pub fn shipped() -> Vec<Table> {
        SHIPPED.iter().map(|text| Table::parse(text).expect("read by a test, constants all")).collect()
    }

    /// The table of a program by its name or path: `/opt/z3-4.8.7/bin/z3`, `z3-4.8.7`, `yices-smt2`.
    #[must_use]
    pub fn for_program(name: &str) -> Option<Table> {
        let file = name.rsplit(['/', '\\']).next().unwrap_or(name).to_ascii_lowercase();
        let is_called = |program: &String| {
            file.strip_prefix(program.as_str())
                .is_some_and(|rest| !rest.starts_with(|letter: char| letter.is_ascii_alphanumeric()))
        };
        Table::shipped().into_iter().find(|table| table.programs.iter().any(is_called))
    }
}
