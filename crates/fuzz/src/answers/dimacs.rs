//! Output of SAT solvers: `s` and `v` lines of the competition, or MiniSat's bare words.

use super::{PrintedAnswer, PrintedAnswers, answer_of, is_noise};

/// Reads line by line.
pub(super) fn read(stdout: &[u8]) -> PrintedAnswers {
    let mut reading = PrintedAnswers::default();
    // Some solvers print their `v` lines before the `s` line.
    let mut values: Option<std::ops::Range<usize>> = None;
    let mut at = 0;
    for line in stdout.split_inclusive(|byte| *byte == b'\n') {
        let span = at..at + line.len();
        at = span.end;
        let line = line.trim_ascii();
        if let Some(answer) = status_of(line) {
            reading.answers.push(answer);
        } else if line.first() == Some(&b'v') && matches!(line.get(1), None | Some(b' ')) {
            let start = values.as_ref().map_or(span.start, |values| values.start);
            values = Some(start..span.end);
        } else if is_noise(line) || line == b"c" || line.starts_with(b"c ") {
            continue;
        } else {
            reading.other += 1;
        }
    }
    if let (Some(values), Some(PrintedAnswer::Sat)) = (values, reading.answers.last()) {
        reading.models.push((reading.answers.len() - 1, values));
    }
    reading
}

fn status_of(line: &[u8]) -> Option<PrintedAnswer> {
    match line.strip_prefix(b"s ").map_or(line, <[u8]>::trim_ascii_start) {
        b"SATISFIABLE" => Some(PrintedAnswer::Sat),
        b"UNSATISFIABLE" => Some(PrintedAnswer::Unsat),
        b"UNKNOWN" | b"INDETERMINATE" => Some(PrintedAnswer::Unknown),
        word => answer_of(word),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn competition_and_minisat() {
        let text = b"c time 3\ns SATISFIABLE\nv 1 -2\nv 3 0\n";
        let reading = read(text);
        assert_eq!((reading.answers.as_slice(), reading.other), (&[PrintedAnswer::Sat][..], 0));
        assert_eq!(reading.models, [(0, 23..text.len())]);
        assert_eq!(read(b"UNSATISFIABLE\n").answers, [PrintedAnswer::Unsat]);
        assert_eq!(read(b"s UNKNOWN\n").answers, [PrintedAnswer::Unknown]);
        let early = read(b"v 1 0\ns SATISFIABLE\n");
        assert_eq!(early.models, [(0, 0..6)]);
        assert_eq!(read(b"v 1 0\ns UNSATISFIABLE\n").models, []);
    }
}
