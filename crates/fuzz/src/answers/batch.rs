//! Many scripts in one process, and whose output is whose.
//!
//! After each script the batch prints [`marker`] of its index, by `(echo "nub-batch-17")`. So a piece of output is known to
//! be complete: the solver has reached the command after the script.

/// Prefix of a marker; no solver prints it by itself.
const PREFIX: &str = "nub-batch-";

/// What is on the line that *ends* the output of script `index`.
#[must_use]
pub fn marker(index: usize) -> String {
    format!("{PREFIX}{index}")
}

/// The output of each of `n` scripts: what is between the previous marker and its own. `None` if its own marker or
/// the previous one is missing, so that the start or end of its output is unknown. Linear in the output and in `n`.
#[must_use]
pub fn split_batch(stdout: &[u8], n: usize) -> Vec<Option<&[u8]>> {
    let mut pieces = vec![None; n];
    let mut expected = 0;
    let mut start = 0;
    let mut at = 0;
    for line in stdout.split_inclusive(|byte| *byte == b'\n') {
        let line_start = at;
        at += line.len();
        let Some(index) = index_of(line).filter(|index| (expected..n).contains(index)) else { continue };
        if index == expected {
            pieces[index] = Some(&stdout[start..line_start]);
        }
        expected = index + 1;
        start = at;
    }
    pieces
}

/// The index, if the line is exactly a marker. Some solvers echo the quotes, some do not.
fn index_of(line: &[u8]) -> Option<usize> {
    let line = line.trim_ascii();
    let line = line.strip_prefix(b"\"").and_then(|line| line.strip_suffix(b"\"")).unwrap_or(line);
    let digits = std::str::from_utf8(line.strip_prefix(PREFIX.as_bytes())?).ok()?;
    let index: usize = digits.parse().ok()?;
    // `+7` and `007` parse as numbers, but no `marker` looks like that.
    (marker(index).len() == line.len()).then_some(index)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(stdout: &str, n: usize) -> Vec<Option<&str>> {
        let pieces = split_batch(stdout.as_bytes(), n);
        pieces.into_iter().map(|piece| piece.map(|bytes| std::str::from_utf8(bytes).unwrap())).collect()
    }

    #[test]
    fn pieces_end_at_their_markers() {
        let stdout = "sat\nnub-batch-0\n\"nub-batch-1\"\nunsat\n(a)\nnub-batch-2\nhalf a li";
        assert_eq!(split(stdout, 4), [Some("sat\n"), Some(""), Some("unsat\n(a)\n"), None]);
        assert_eq!(split("", 2), [None, None]);
        assert_eq!(split("nub-batch-0", 1), [Some("")]);
    }

    #[test]
    fn a_missing_marker_takes_the_next_piece_with_it() {
        let stdout = "sat\nnub-batch-0\nunsat\nnub-batch-2\nsat\nnub-batch-3\n";
        assert_eq!(split(stdout, 4), [Some("sat\n"), None, None, Some("sat\n")]);
    }

    #[test]
    fn what_only_looks_like_a_marker() {
        let stdout = "nub-batch-00\nnub-batch-+0\nx nub-batch-0\nnub-batch-7\nnub-batch-0 \r\nnub-batch-0\n";
        let first = "nub-batch-00\nnub-batch-+0\nx nub-batch-0\nnub-batch-7\n";
        assert_eq!(split(stdout, 1), [Some(first)]);
        assert_eq!(split("nub-batch-99999999999999999999999\n", 1), [None]);
    }
}
