//! Faulty lines: those that differ from a correct version.

use super::diff::common;
use std::collections::BTreeSet;

/// The lines of `text`, from 1, that differ from a correct version; `None` if the two have little in common. Spaces are ignored. Where the correct
/// version has more lines, those before and after the gap are faulty: something is missing there. If a macro is defined differently, all lines that
/// name it are faulty too.
pub fn faulty_lines(text: &[u8], correct: &[u8]) -> Option<Vec<u32>> {
    let (text, correct) = (lines(text), lines(correct));
    let pairs = common(&text, &correct)?;
    let mut faulty = BTreeSet::new();
    let (mut at, mut at_correct) = (0, 0);
    for (next, next_correct) in pairs.iter().copied().chain([(text.len(), correct.len())]) {
        let is_missing = at == next && at_correct < next_correct;
        if is_missing {
            let has_code = correct[at_correct..next_correct].iter().any(|line| !line.is_empty());
            let around = [at.checked_sub(1), Some(at).filter(|at| *at < text.len())];
            faulty.extend(around.into_iter().flatten().filter(|_| has_code));
        }
        faulty.extend((at..next).filter(|line| !text[*line].is_empty()));
        (at, at_correct) = (next + 1, next_correct + 1);
    }
    let macros: Vec<&[u8]> = faulty.iter().filter_map(|line| defined(text[*line])).collect();
    for name in macros {
        faulty.extend((0..text.len()).filter(|line| words(text[*line]).any(|word| word == name)));
    }
    Some(faulty.into_iter().map(|line| line as u32 + 1).collect())
}

fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).collect()
}

fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_')
}

/// The macro that a line defines.
fn defined(line: &[u8]) -> Option<&[u8]> {
    let rest = line.strip_prefix(b"#")?.trim_ascii_start().strip_prefix(b"define")?;
    words(rest.trim_ascii_start()).next().filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, correct: &str, expected: &[u32]) {
        assert_eq!(faulty_lines(text.as_bytes(), correct.as_bytes()).as_deref(), Some(expected));
    }

    #[test]
    fn changed_lines() {
        check("a\nb\nc\n", "a\nx\nc\n", &[2]);
        check("a\n  b\nc\n", "a\nb\nc\n", &[]);
        check("a\nb\nb2\nc\n", "a\nc\n", &[2, 3]);
    }

    #[test]
    fn missing_lines() {
        check("a\nc\n", "a\nb\nc\n", &[1, 2]);
        check("a\nc\n", "a\n\nc\n", &[]);
    }

    #[test]
    fn uses_of_a_changed_macro() {
        check("#define N 3\nx = N;\ny = NN;\n", "#define N 4\nx = N;\ny = NN;\n", &[1, 2]);
    }
}
