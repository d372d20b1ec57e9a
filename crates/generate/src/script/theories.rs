//! Which theories a script may use.

use std::fmt;
use std::str::FromStr;

/// A theory, or quantifiers. Core is always included.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Fragment {
    /// Fixed-size bit-vectors.
    Bv,
    /// Floating-point numbers and rounding modes.
    Fp,
    /// Arrays, also nested.
    Arrays,
    /// Integers.
    Ints,
    /// Reals.
    Reals,
    /// Uninterpreted sorts and functions.
    Uf,
    /// Strings and regular expressions. Their lengths are integers, so `Int` is included.
    Strings,
    /// Datatypes: enumerations, records, recursive and parametric ones.
    Datatypes,
    /// `forall` and `exists`, and recursive functions, whose meaning needs quantifiers.
    Quantifiers,
}

impl Fragment {
    /// All of them, in the order in which they are written.
    pub const ALL: [Fragment; 9] = [
        Fragment::Bv,
        Fragment::Fp,
        Fragment::Arrays,
        Fragment::Ints,
        Fragment::Reals,
        Fragment::Uf,
        Fragment::Strings,
        Fragment::Datatypes,
        Fragment::Quantifiers,
    ];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Fragment::Bv => "bv",
            Fragment::Fp => "fp",
            Fragment::Arrays => "arrays",
            Fragment::Ints => "ints",
            Fragment::Reals => "reals",
            Fragment::Uf => "uf",
            Fragment::Strings => "strings",
            Fragment::Datatypes => "datatypes",
            Fragment::Quantifiers => "quantifiers",
        }
    }
}

/// A set of theories. Written as `bv,fp`; `core` is the empty set, `all` the full one.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Theories {
    bits: u16,
}

impl Theories {
    /// Only Core.
    pub const CORE: Theories = Theories { bits: 0 };

    /// Every theory.
    pub fn all() -> Theories {
        Fragment::ALL.into_iter().collect()
    }

    /// The set with one more member.
    pub const fn with(self, fragment: Fragment) -> Theories {
        Theories { bits: self.bits | 1 << fragment as u16 }
    }

    /// Whether it has a member.
    pub fn has(self, fragment: Fragment) -> bool {
        self.bits & (1 << fragment as u16) != 0
    }

    /// Whether it has one of these members.
    pub fn has_any(self, fragments: &[Fragment]) -> bool {
        fragments.iter().any(|fragment| self.has(*fragment))
    }

    /// The members, in the order of [`Fragment::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Fragment> {
        Fragment::ALL.into_iter().filter(move |fragment| self.has(*fragment))
    }
}

impl FromIterator<Fragment> for Theories {
    fn from_iter<I: IntoIterator<Item = Fragment>>(fragments: I) -> Theories {
        fragments.into_iter().fold(Theories::CORE, Theories::with)
    }
}

impl fmt::Display for Theories {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Theories::CORE {
            return f.write_str("core");
        }
        if *self == Theories::all() {
            return f.write_str("all");
        }
        for (idx, fragment) in self.iter().enumerate() {
            f.write_str(if idx == 0 { "" } else { "," })?;
            f.write_str(fragment.name())?;
        }
        Ok(())
    }
}

/// A word that names no theory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownTheory {
    word: String,
}

impl fmt::Display for UnknownTheory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = Fragment::ALL.iter().map(|fragment| fragment.name()).collect();
        write!(f, "`{}` is not a theory; known are core, {}, all", self.word, names.join(", "))
    }
}

impl std::error::Error for UnknownTheory {}

impl FromStr for Theories {
    type Err = UnknownTheory;

    fn from_str(text: &str) -> Result<Theories, UnknownTheory> {
        let mut found = Theories::CORE;
        for word in text.split(',').map(str::trim) {
            found = match word {
                "core" => found,
                "all" => Theories::all(),
                _ => {
                    let fragment = Fragment::ALL.into_iter().find(|fragment| fragment.name() == word);
                    found.with(fragment.ok_or_else(|| UnknownTheory { word: word.to_owned() })?)
                }
            };
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_inverts_writing() {
        for bits in 0..1 << Fragment::ALL.len() {
            let theories = Theories { bits };
            assert_eq!(theories.to_string().parse(), Ok(theories));
        }
        assert_eq!("fp, bv".parse::<Theories>().unwrap().to_string(), "bv,fp");
        assert_eq!(Theories::all().iter().count(), Fragment::ALL.len());
    }

    #[test]
    fn an_unknown_word_is_named() {
        let error = "bv,floats".parse::<Theories>().unwrap_err().to_string();
        assert!(error.starts_with("`floats` is not a theory; known are core, bv, fp"), "{error}");
        assert!("".parse::<Theories>().is_err());
    }
}
