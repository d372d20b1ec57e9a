//! Names of languages.

use crate::Language;

impl Language {
    /// What the names of its files end in.
    pub fn extension(self) -> &'static str {
        match self {
            Language::SmtLib => "smt2",
            Language::Btor => "btor",
            Language::Btor2 => "btor2",
            Language::Dimacs => "cnf",
        }
    }

    /// The language of this name, or of files that end so.
    pub fn by_name(name: &str) -> Option<Language> {
        Language::ALL.into_iter().find(|language| name == language.name() || name == language.extension())
    }
}
