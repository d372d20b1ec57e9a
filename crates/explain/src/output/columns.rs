//! Text in columns.

/// The rows, each column as wide as its widest cell, except the last. Rows have the same number of cells.
pub(super) fn aligned(rows: &[Vec<String>], indent: &str) -> String {
    let n = rows.first().map_or(0, Vec::len);
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..n).map(width).collect();
    let mut out = String::new();
    for row in rows {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}"));
        let line = cells.collect::<Vec<_>>().join("  ");
        out.push_str(&format!("{indent}{}\n", line.trim_end()));
    }
    out
}

/// The text, cut to at most this length.
pub(super) fn cut(text: &str, max: usize) -> String {
    if text.chars().count() <= max {
        return text.to_owned();
    }
    text.chars().take(max.saturating_sub(3)).chain("...".chars()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_stand_below_each_other() {
        let rows = [
            vec!["1".to_owned(), "ab".to_owned(), "c".to_owned()],
            vec!["10".to_owned(), String::new(), "dd".to_owned()],
        ];
        assert_eq!(aligned(&rows, "  "), "  1   ab  c\n  10      dd\n");
        assert_eq!(aligned(&[], ""), "");
    }

    #[test]
    fn long_texts_end_with_dots() {
        assert_eq!(cut("abcdefgh", 6), "abc...");
        assert_eq!(cut("abc", 6), "abc");
    }
}
