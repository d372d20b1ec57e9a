//! Translates a request into the options of the generators.

use crate::failure::Failure;
use crate::format::FileFormat;
use crate::request::{FormulaStatus, GenerateJob};
use crate::vocabulary::Vocabulary;
use nub_btor::Tag;
use nub_generate::{ExpectedStatus, FormulaFormat, GenerateConfig, ScriptConfig};
use std::fmt::Display;
use std::str::FromStr;

/// Reads a value; the error names its option.
fn value<T: FromStr<Err: Display>>(option: &str, text: &str) -> Result<T, Failure> {
    text.parse().map_err(|error| Failure::usage(format!("{option} {text}: {error}")))
}

fn operator(name: &str) -> Result<Tag, Failure> {
    let known = nub_generate::all_tags();
    let tag = Tag::by_name(name.as_bytes(), nub_btor::BtorDialect::Btor).filter(|tag| known.contains(tag));
    tag.ok_or_else(|| Failure::usage(format!("--only: there is no operator {name} to generate")))
}

impl GenerateJob {
    /// The requested format.
    pub(crate) fn format(&self) -> Result<FormulaFormat, Failure> {
        Ok(match self.to {
            FileFormat::Btor => FormulaFormat::Btor,
            FileFormat::Btor2 => FormulaFormat::Btor2,
            FileFormat::Smt2 => FormulaFormat::SmtLib,
            FileFormat::Dimacs => FormulaFormat::Dimacs,
            FileFormat::Text | FileFormat::C => {
                return Err(Failure::usage(format!(
                    "--to {}: formulas cannot be generated in this format",
                    self.to.word()
                ))
                .with_hint("smt2, btor, btor2 or dimacs"));
            }
        })
    }

    /// The options of a script, if one is requested.
    pub(crate) fn script_config(&self) -> Result<Option<ScriptConfig>, Failure> {
        let Some(script) = &self.script else { return Ok(None) };
        let default = ScriptConfig::default();
        Ok(Some(ScriptConfig {
            theories: value("--theories", &script.theories)?,
            terms: self.graph.nodes,
            assertions: script.assertions,
            depth: self.graph.depth,
            vars: self.graph.vars.unwrap_or(default.vars),
            max_width: self.graph.maxwidth.unwrap_or(default.max_width),
            incremental: script.incremental,
            models: script.models,
            cores: script.cores,
            dialect: value("--dialect", &script.dialect)?,
            arithmetic: value("--arithmetic", &script.arithmetic)?,
            status: self.known_status(),
        }))
    }

    fn known_status(&self) -> Option<ExpectedStatus> {
        self.status.map(|status| match status {
            FormulaStatus::Sat => ExpectedStatus::Sat,
            FormulaStatus::Unsat => ExpectedStatus::Unsat,
        })
    }

    /// The options of a graph.
    pub(crate) fn config(&self) -> Result<GenerateConfig, Failure> {
        let graph = &self.graph;
        let default = GenerateConfig::default();
        let has_share = self.unsat_share.is_some() && self.to != FileFormat::Dimacs && !graph.cnfonly;
        Ok(GenerateConfig {
            nodes: graph.nodes,
            depth: graph.depth,
            vars: graph.vars.unwrap_or(default.vars),
            arrays: graph.arrays,
            writes: graph.writes,
            minwidth: graph.minwidth,
            maxwidth: graph.maxwidth.unwrap_or(default.maxwidth),
            arrmaxwidth: graph.arrmaxwidth,
            dag: graph.dag,
            all: graph.all,
            noarrays: graph.noarrays,
            cnf: graph.cnf || has_share,
            clauses: value("--clauses", &graph.clauses)?,
            cnfonly: graph.cnfonly,
            oldformat: graph.oldformat,
            more_ops: graph.more_ops,
            consts: graph.consts,
            early: graph.early,
            twins: graph.twins,
            negated: graph.negated,
            pins: graph.pins,
            only: graph.only.iter().map(|name| operator(name)).collect::<Result<_, _>>()?,
            per_layer: graph.per_layer.clone(),
            status: self.known_status(),
            states: graph.states,
            constraints: graph.constraints,
            k: graph.k,
        })
    }
}
