//! Output on BTOR and BTOR2: an answer on a line of its own, then a model or a witness up to the next answer.

use super::{PrintedAnswers, answer_of, is_noise};

/// Reads line by line.
pub(super) fn read(stdout: &[u8]) -> PrintedAnswers {
    let mut reading = PrintedAnswers::default();
    let mut at = 0;
    for line in stdout.split_inclusive(|byte| *byte == b'\n') {
        let span = at..at + line.len();
        at = span.end;
        let line = line.trim_ascii();
        if let Some(answer) = answer_of(line) {
            reading.answers.push(answer);
        } else if is_noise(line) {
            continue;
        } else if let (Some(last), true) = (reading.last(), is_model_line(line)) {
            match reading.models.last_mut() {
                Some((idx, model)) if *idx == last => model.end = span.end,
                _ => reading.models.push((last, span)),
            }
        } else {
            reading.other += 1;
        }
    }
    reading
}

/// Assignments (`5 0101 x`, `x 0101`, `a[01] 10`) and the marks of witnesses (`b0`, `#0`, `@0`, `.`). Other lines, such
/// as `[btormain] CAUGHT SIGNAL 11`, are not.
fn is_model_line(line: &[u8]) -> bool {
    !line.starts_with(b"[") && line.iter().all(|byte| byte.is_ascii_graphic() || *byte == b' ')
}

#[cfg(test)]
mod tests {
    use super::super::PrintedAnswer;
    use super::*;

    #[test]
    fn a_model_is_the_lines_after_sat() {
        let text = "sat\n2 0101 x\na[01] 10\nunsat\n[btormain] CAUGHT SIGNAL 11\n";
        let reading = read(text.as_bytes());
        assert_eq!(reading.answers, [PrintedAnswer::Sat, PrintedAnswer::Unsat]);
        assert_eq!(reading.models, [(0, 4..22)]);
        assert_eq!(reading.other, 1);
    }

    #[test]
    fn witnesses_are_models() {
        let reading = read(b"sat\nb0 \n#0\n0 0101 x@0\n@0\n.\n");
        assert_eq!(reading.models, [(0, 4..27)]);
    }
}
