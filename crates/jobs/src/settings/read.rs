//! Reading one file.

use super::{KEYS, Setting, SettingKey, ValueKind, key};
use crate::failure::Failure;
use crate::quantity::parse_time;
use crate::request::MAX_JOBS;
use nub_text::{Diagnostic, Span};
use std::ops::Range;
use std::path::Path;
use toml::de::{DeTable, DeValue};

/// A file that is read: for messages about its places.
struct File<'a> {
    path: &'a Path,
    text: &'a str,
}

/// The settings of a file, by their keys.
pub fn read(path: &Path) -> Result<Vec<(String, Setting)>, Failure> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::usage(format!("cannot read {}: {error}", path.display())))?;
    let file = File { path, text: &text };
    let table = DeTable::parse(&text)
        .map_err(|error| file.failure(error.span().unwrap_or_default(), error.message(), None))?;
    let mut settings = Vec::new();
    for (section, content) in table.get_ref() {
        let DeValue::Table(content) = content.get_ref() else {
            return Err(file.unknown(section.get_ref(), section.span()));
        };
        for (name, value) in content {
            let full_name = format!("{}.{}", section.get_ref(), name.get_ref());
            let key = key(&full_name).ok_or_else(|| file.unknown(&full_name, name.span()))?;
            let value = file.value(key, &full_name, value.get_ref(), value.span())?;
            let before = text[..name.span().start].matches('\n').count();
            let line = u32::try_from(before).unwrap_or(u32::MAX).saturating_add(1);
            settings.push((full_name, Setting { value, file: path.to_owned(), line }));
        }
    }
    Ok(settings)
}

impl File<'_> {
    fn failure(&self, span: Range<usize>, message: &str, hint: Option<String>) -> Failure {
        let diagnostic = Diagnostic::error(Span::new(span.start, span.end), message);
        let failure = Failure::from_diagnostic(self.path, self.text.as_bytes(), &diagnostic);
        Failure { hint, ..failure }
    }

    fn unknown(&self, name: &str, span: Range<usize>) -> Failure {
        let known: Vec<&str> = KEYS.iter().map(|key| key.name).collect();
        let hint = format!("known keys: {}", known.join(", "));
        self.failure(span, &format!("`{name}` is not a setting of nub"), Some(hint))
    }

    /// A value as text, if the key takes it.
    fn value(
        &self,
        key: &SettingKey,
        name: &str,
        value: &DeValue<'_>,
        span: Range<usize>,
    ) -> Result<String, Failure> {
        let wrong = |what: &str| self.failure(span.clone(), &format!("`{name}`: {what}"), None);
        let text = match value {
            DeValue::String(text) => text.to_string(),
            // As written, without underscores.
            DeValue::Integer(_) | DeValue::Float(_) => self.text[span.clone()].replace('_', ""),
            _ => return Err(wrong("a text or a number is expected")),
        };
        match key.kind {
            ValueKind::Time => parse_time(&text).map(drop).map_err(|error| wrong(&error.to_string()))?,
            ValueKind::Number => match text.parse::<u64>() {
                Ok(0) | Err(_) => return Err(wrong("a positive number is expected")),
                Ok(_) => {}
            },
            ValueKind::Jobs => match text.parse() {
                Ok(1..=MAX_JOBS) => {}
                _ => return Err(wrong(&format!("a number from 1 to {MAX_JOBS} is expected"))),
            },
            ValueKind::Text if text.trim().is_empty() => return Err(wrong("it is empty")),
            ValueKind::Text => {}
        }
        Ok(text)
    }
}
