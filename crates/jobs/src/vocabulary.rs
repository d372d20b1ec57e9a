//! Named choices: one table for the command line, JSON and the configuration.

/// A choice and its names.
pub struct Word<T: 'static> {
    /// What is chosen.
    pub value: T,
    /// Its name.
    pub name: &'static str,
    /// Aliases, known from other tools.
    pub aliases: &'static [&'static str],
    /// What it means, in a few words.
    pub about: &'static str,
}

/// A closed set of choices with names.
pub trait Vocabulary: Copy + PartialEq + Send + Sync + 'static {
    /// All choices, in the order in which they are shown.
    const WORDS: &'static [Word<Self>];

    /// The name of this choice.
    fn word(self) -> &'static str {
        Self::WORDS.iter().find(|word| word.value == self).map_or("", |word| word.name)
    }

    /// The choice with this name, in upper or lower case.
    fn by_word(name: &str) -> Option<Self> {
        let is_it = |other: &str| other.eq_ignore_ascii_case(name);
        let is_named = |word: &&Word<Self>| is_it(word.name) || word.aliases.iter().any(|alias| is_it(alias));
        Self::WORDS.iter().find(is_named).map(|word| word.value)
    }

    /// The names, for messages.
    fn words() -> String {
        Self::WORDS.iter().map(|word| word.name).collect::<Vec<_>>().join(", ")
    }
}

/// Defines an enumeration whose variants have names: `Variant: "name" | "other name"`.
macro_rules! vocabulary {
    ($(#[$meta:meta])* $name:ident { $(#[doc = $about:literal] $(#[$attr:meta])* $variant:ident: $word:literal $(| $alias:literal)*),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
        pub enum $name {
            $(#[doc = $about] $(#[$attr])* $variant,)*
        }

        impl $crate::vocabulary::Vocabulary for $name {
            const WORDS: &'static [$crate::vocabulary::Word<$name>] = &[
                $($crate::vocabulary::Word { value: $name::$variant, name: $word, aliases: &[$($alias),*], about: $about.trim_ascii() },)*
            ];
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str($crate::vocabulary::Vocabulary::word(*self))
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<$name, D::Error> {
                let name = String::deserialize(deserializer)?;
                <$name as $crate::vocabulary::Vocabulary>::by_word(&name).ok_or_else(|| {
                    let known = <$name as $crate::vocabulary::Vocabulary>::words();
                    serde::de::Error::custom(format!("`{name}` is not one of {known}"))
                })
            }
        }
    };
}

pub(crate) use vocabulary;
