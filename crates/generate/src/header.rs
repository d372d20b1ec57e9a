//! The command that reproduces a file, for its first line.

use crate::config::GenerateConfig;
use crate::format::FormulaFormat;
use nub_btor::BtorDialect;
use std::fmt::Write;

/// The options that differ from the defaults, in a fixed order, in the syntax of `nub generate`: ` -n 200 --cnf`.
pub fn options(config: &GenerateConfig, format: FormulaFormat) -> String {
    let default = GenerateConfig::default();
    let mut text = String::new();
    if format != FormulaFormat::Btor {
        text.push_str(&format!(" --to {}", format.name()));
    }
    let numbers = [
        ("-n", config.nodes, default.nodes),
        ("-d", config.depth, default.depth),
        ("--vars", config.vars, default.vars),
        ("--arrays", config.arrays, default.arrays),
        ("--writes", config.writes, default.writes),
        ("--minwidth", config.minwidth, default.minwidth),
        ("--maxwidth", config.maxwidth, default.maxwidth),
        ("--arrmaxwidth", config.arrmaxwidth, default.arrmaxwidth),
        ("--dag", config.dag, default.dag),
        ("--consts", config.consts, default.consts),
        ("--early", config.early, default.early),
        ("--twins", config.twins, default.twins),
        ("--negated", config.negated, default.negated),
        ("--pins", config.pins, default.pins),
        ("--states", config.states, default.states),
        ("--constraints", config.constraints, default.constraints),
        ("--k", config.k, default.k),
    ];
    for (name, value, _) in numbers.iter().filter(|(_, value, default)| value != default) {
        // Writing to a string cannot fail.
        let _ = write!(text, " {name} {value}");
    }
    let flags = [
        ("--all", config.all),
        ("--noarrays", config.noarrays),
        ("--cnf", config.cnf),
        ("--cnfonly", config.cnfonly),
        ("--oldformat", config.oldformat),
        ("--more-ops", config.more_ops),
    ];
    for (name, _) in flags.iter().filter(|(_, is_set)| *is_set) {
        let _ = write!(text, " {name}");
    }
    if config.clauses != default.clauses {
        let _ = write!(text, " --clauses {}", config.clauses);
    }
    if !config.only.is_empty() {
        let names: Vec<&str> = config.only.iter().filter_map(|tag| tag.name(BtorDialect::Btor)).collect();
        let _ = write!(text, " --only {}", names.join(","));
    }
    if !config.per_layer.is_empty() {
        let limits: Vec<String> = config.per_layer.iter().map(u32::to_string).collect();
        let _ = write!(text, " --per-layer {}", limits.join(","));
    }
    if let Some(status) = config.status {
        let _ = write!(text, " --status {}", status.name());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ExpectedStatus, Ratio};

    #[test]
    fn only_what_differs() {
        assert_eq!(options(&GenerateConfig::default(), FormulaFormat::Btor), "");
        let config = GenerateConfig {
            nodes: 7,
            cnf: true,
            clauses: Ratio::thousandths(1_500),
            per_layer: vec![9, 3],
            status: Some(ExpectedStatus::Unsat),
            ..GenerateConfig::default()
        };
        let expected = " --to smt2 -n 7 --cnf --clauses 1.5 --per-layer 9,3 --status unsat";
        assert_eq!(options(&config, FormulaFormat::SmtLib), expected);
    }
}
