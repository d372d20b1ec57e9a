//! Where files come from: the generator of graphs, or that of scripts.

use nub_generate::{
    ConfigError, ExpectedStatus, Files, FormulaDag, FormulaFormat, GenerateConfig, Mistake, ScriptConfig,
    Scripts,
};

/// One of the two generators.
pub enum FormulaSource {
    /// Graphs over bit-vectors and arrays, in four formats.
    Graphs(Box<Files>),
    /// SMT-LIB over all theories.
    Scripts(Box<Scripts>),
}

impl FormulaSource {
    /// Scripts if there are options for them, otherwise graphs.
    pub fn new(
        script: Option<ScriptConfig>,
        graph: GenerateConfig,
        format: FormulaFormat,
    ) -> Result<FormulaSource, ConfigError> {
        match script {
            Some(config) => Scripts::new(config).map(|scripts| FormulaSource::Scripts(Box::new(scripts))),
            None => Ok(FormulaSource::Graphs(Box::new(Files::new(graph, format)?))),
        }
    }

    /// Appends the file of a seed.
    pub fn write(&mut self, seed: u64, out: &mut Vec<u8>) -> Result<(), Mistake> {
        match self {
            FormulaSource::Graphs(files) => files.write(seed, out),
            FormulaSource::Scripts(scripts) => scripts.write(seed, out),
        }
    }

    /// The known answer, if any.
    pub fn status(&self) -> Option<ExpectedStatus> {
        match self {
            FormulaSource::Graphs(files) => files.config().status,
            FormulaSource::Scripts(scripts) => scripts.config().status,
        }
    }

    /// The graph of a file; only graphs have statistics.
    pub fn formula(&mut self, seed: u64) -> Result<Option<&FormulaDag>, Mistake> {
        match self {
            FormulaSource::Graphs(files) => files.formula(seed),
            FormulaSource::Scripts(_) => Ok(None),
        }
    }
}
