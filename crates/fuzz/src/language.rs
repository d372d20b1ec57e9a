//! Names of languages.

use crate::Language;

impl Language {
    /// The file name extension.
    pub fn extension(self) -> &'static str {
        match self {
            Language::SmtLib => "smt2",
            Language::Btor => "btor",
            Language::Btor2 => "btor2",
            Language::Dimacs => "cnf",
        }
    }

    /// The language with this name or file name extension.
    pub fn by_name(name: &str) -> Option<Language> {
        Language::ALL.into_iter().find(|language| name == language.name() || name == language.extension())
    }
}
