//! Names that are like a mistyped one.

/// How many names are listed if one does not exist.
pub(crate) const MAX_NAMES: usize = 5;

/// A hint for a mistyped name: the existing names most like it, as in "did you mean `f` or `g`?".
pub(crate) fn did_you_mean<'n>(names: impl Iterator<Item = &'n str>, wanted: &str) -> String {
    let shown = nearest_names(names, wanted);
    match shown.split_last() {
        Some((last, [])) => format!("did you mean {last}?"),
        Some((last, rest)) => format!("did you mean {} or {last}?", rest.join(", ")),
        None => "there are no names".to_owned(),
    }
}

/// Some names, those most like `wanted` first.
pub(crate) fn nearest_names<'n>(names: impl Iterator<Item = &'n str>, wanted: &str) -> Vec<String> {
    let mut names: Vec<&str> = names.collect();
    names.sort_by_key(|name| (distance(name, wanted), *name));
    names.iter().take(MAX_NAMES).map(|name| format!("`{name}`")).collect()
}

/// How many letters must change (Levenshtein). O(n * m).
pub(crate) fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (index, letter) in a.chars().enumerate() {
        let mut corner = row[0];
        row[0] = index + 1;
        for column in 0..b.len() {
            let changed = corner + usize::from(letter != b[column]);
            corner = row[column + 1];
            row[column + 1] = changed.min(row[column] + 1).min(corner + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_that_change_are_counted() {
        assert_eq!((distance("gcd", "gcd"), distance("gdc", "gcd"), distance("", "ab")), (0, 2, 2));
        assert_eq!(distance("check_date", "check_dates"), 1);
    }
}
