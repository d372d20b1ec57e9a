//! The formats, and how to write the file of a seed.

use crate::btor::{Version, print_btor};
use crate::builder::Generator;
use crate::config::{ConfigError, GenerateConfig};
use crate::dag::FormulaDag;
use crate::error::Mistake;
use crate::header::options;
use crate::kcnf::print_kcnf;
use crate::model::to_model;
use nub_btor::{BtorDialect, convert, print, to_smtlib};

/// The format of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FormulaFormat {
    /// BTOR of 2008.
    Btor,
    /// BTOR2.
    Btor2,
    /// SMT-LIB 2, logic QF_ABV.
    SmtLib,
    /// DIMACS: a random k-CNF.
    Dimacs,
}

impl FormulaFormat {
    /// All of them.
    pub const ALL: [FormulaFormat; 4] =
        [FormulaFormat::Btor, FormulaFormat::Btor2, FormulaFormat::SmtLib, FormulaFormat::Dimacs];

    /// Its name on the command line, and the suffix of its files.
    pub fn name(self) -> &'static str {
        match self {
            FormulaFormat::Btor => "btor",
            FormulaFormat::Btor2 => "btor2",
            FormulaFormat::SmtLib => "smt2",
            FormulaFormat::Dimacs => "cnf",
        }
    }

    /// How a comment starts.
    fn comment(self) -> &'static str {
        if self == FormulaFormat::Dimacs { "c" } else { ";" }
    }

    /// Checks the options for files of this format.
    pub fn check(self, config: &GenerateConfig) -> Result<(), ConfigError> {
        let fail = |option, message: &str| Err(ConfigError { option, message: message.to_owned() });
        match self {
            FormulaFormat::Dimacs => config.check_dimacs()?,
            _ => config.check()?,
        }
        if config.oldformat && self != FormulaFormat::Btor {
            return fail("oldformat", "only BTOR has an old format");
        }
        if config.constraints > 0 && self == FormulaFormat::Btor {
            return fail("constraints", "BTOR has none; use --to btor2");
        }
        if config.states > 0 && matches!(self, FormulaFormat::SmtLib | FormulaFormat::Dimacs) {
            return fail("states", "only BTOR and BTOR2 have states; use --to btor2");
        }
        Ok(())
    }
}

/// Files of one format.
#[derive(Clone, Debug)]
pub struct Files {
    generator: Generator,
    format: FormulaFormat,
    options: String,
}

impl Files {
    /// Files of this format with these options.
    pub fn new(config: GenerateConfig, format: FormulaFormat) -> Result<Files, ConfigError> {
        format.check(&config)?;
        let options = options(&config, format);
        Ok(Files { generator: Generator::new(config)?, format, options })
    }

    /// Appends the file of a seed. Its first line is a comment with the command that reproduces it.
    ///
    /// An error is always a bug in the generator.
    pub fn write(&mut self, seed: u64, out: &mut Vec<u8>) -> Result<(), Mistake> {
        let comment = self.format.comment();
        out.extend_from_slice(format!("{comment} nub generate --seed {seed}{}\n", self.options).as_bytes());
        match self.format {
            FormulaFormat::Dimacs => print_kcnf(&self.generator.config, seed, out),
            FormulaFormat::Btor => {
                let version = if self.generator.config.oldformat { Version::Old } else { Version::New };
                print_btor(self.generator.formula(seed)?, version, out);
            }
            FormulaFormat::Btor2 => {
                let (model, _) = to_model(self.generator.formula(seed)?)?;
                out.extend_from_slice(&print(&convert(&model, BtorDialect::Btor2)?, BtorDialect::Btor2));
            }
            FormulaFormat::SmtLib => {
                let (model, _) = to_model(self.generator.formula(seed)?)?;
                if let Some(status) = self.generator.config.status {
                    out.extend_from_slice(format!("(set-info :status {})\n", status.name()).as_bytes());
                }
                out.extend_from_slice(&to_smtlib(&model)?);
            }
        }
        Ok(())
    }

    /// The options.
    pub fn config(&self) -> &GenerateConfig {
        self.generator.config()
    }

    /// The formula behind a file; DIMACS files have none.
    pub fn formula(&mut self, seed: u64) -> Result<Option<&FormulaDag>, Mistake> {
        match self.format {
            FormulaFormat::Dimacs => Ok(None),
            _ => self.generator.formula(seed).map(Some),
        }
    }
}
