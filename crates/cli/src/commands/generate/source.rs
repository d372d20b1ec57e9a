//! Where files come from: the generator of graphs, or that of scripts.

use nub_generate::{Config, ConfigError, Dag, Files, Format, Mistake, ScriptConfig, Scripts, Status};

/// One of the two generators.
pub enum Source {
    /// Graphs over bit-vectors and arrays, in four formats.
    Graphs(Box<Files>),
    /// SMT-LIB over all theories.
    Scripts(Box<Scripts>),
}

impl Source {
    /// Scripts if there are options for them, else graphs.
    pub fn new(script: Option<ScriptConfig>, graph: Config, format: Format) -> Result<Source, ConfigError> {
        match script {
            Some(config) => Scripts::new(config).map(|scripts| Source::Scripts(Box::new(scripts))),
            None => Ok(Source::Graphs(Box::new(Files::new(graph, format)?))),
        }
    }

    /// Appends the file of a seed.
    pub fn write(&mut self, seed: u64, out: &mut Vec<u8>) -> Result<(), Mistake> {
        match self {
            Source::Graphs(files) => files.write(seed, out),
            Source::Scripts(scripts) => scripts.write(seed, out),
        }
    }

    /// The answer that is known, if any.
    pub fn status(&self) -> Option<Status> {
        match self {
            Source::Graphs(files) => files.config().status,
            Source::Scripts(scripts) => scripts.config().status,
        }
    }

    /// The graph behind a file; only graphs are counted.
    pub fn formula(&mut self, seed: u64) -> Result<Option<&Dag>, Mistake> {
        match self {
            Source::Graphs(files) => files.formula(seed),
            Source::Scripts(_) => Ok(None),
        }
    }
}
