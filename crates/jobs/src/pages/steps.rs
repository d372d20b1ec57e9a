//! The accepted steps of a reduction in a report: each stored as the lines it kept from the previous one, and its own
//! lines.
//!
//! A step removes a little, so most of its lines are lines of the step before, in the same order. These are stored as line numbers,
//! so that the report of a reduction in 300 steps is not 300 times as long as the file.

use rustc_hash::FxHashMap;
use serde::Serialize;

/// A group of consecutive lines of a text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(untagged)]
pub(super) enum LineRun {
    /// Lines of the previous text.
    Kept {
        /// The first of them, from 0.
        from: usize,
        /// How many.
        n: usize,
    },
    /// Lines of its own.
    Own {
        /// Without their line ends.
        lines: Vec<String>,
    },
}

/// A text after another one.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(transparent)]
pub(super) struct TextPatch(Vec<LineRun>);

impl TextPatch {
    /// What `after` keeps of `before`.
    ///
    /// Each line is searched for after the previous match, which fits what a reduction does. Otherwise a line is stored again;
    /// the text is the same.
    pub fn between(before: &str, after: &str) -> TextPatch {
        let before: Vec<&str> = before.split('\n').collect();
        let mut places: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
        for (at, line) in before.iter().enumerate() {
            places.entry(line).or_default().push(at);
        }
        let mut patch = TextPatch(Vec::new());
        let mut next = 0;
        for line in after.split('\n') {
            let found = if before.get(next) == Some(&line) {
                Some(next)
            } else {
                let of_line = places.get(line).map(Vec::as_slice).unwrap_or_default();
                of_line.get(of_line.partition_point(|&at| at < next)).copied()
            };
            match found {
                Some(at) => {
                    patch.keep(at);
                    next = at + 1;
                }
                None => patch.add(line),
            }
        }
        patch
    }

    /// About how many bytes it adds to a report.
    pub fn weight(&self) -> usize {
        let run = |run: &LineRun| match run {
            LineRun::Kept { .. } => 24,
            LineRun::Own { lines } => 12 + lines.iter().map(|line| line.len() + 3).sum::<usize>(),
        };
        self.0.iter().map(run).sum()
    }

    fn keep(&mut self, at: usize) {
        match self.0.last_mut() {
            Some(LineRun::Kept { from, n }) if *from + *n == at => *n += 1,
            _ => self.0.push(LineRun::Kept { from: at, n: 1 }),
        }
    }

    fn add(&mut self, line: &str) {
        match self.0.last_mut() {
            Some(LineRun::Own { lines }) => lines.push(line.to_owned()),
            _ => self.0.push(LineRun::Own { lines: vec![line.to_owned()] }),
        }
    }
}

/// The texts of the steps, one after the other. A step that has no text, or would make the report too long, is `None`.
pub(super) struct StepTexts {
    last: String,
    patches: Vec<Option<TextPatch>>,
    left: usize,
}

impl StepTexts {
    /// For a reduction of `original`, with at most about `max_bytes` for all steps.
    pub fn new(original: String, max_bytes: usize) -> StepTexts {
        StepTexts { last: original, patches: Vec::new(), left: max_bytes }
    }

    /// The next step.
    pub fn push(&mut self, text: Option<String>) {
        let patch = text.as_deref().map(|text| TextPatch::between(&self.last, text));
        let patch = patch.filter(|patch| patch.weight() <= self.left);
        if let (Some(patch), Some(text)) = (&patch, text) {
            self.left -= patch.weight();
            self.last = text;
        }
        self.patches.push(patch);
    }

    /// All steps, each relative to the last one before it that has a text.
    pub fn finish(self) -> Vec<Option<TextPatch>> {
        self.patches
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Applies a patch as the page does.
    fn apply(before: &str, patch: &TextPatch) -> String {
        let lines: Vec<&str> = before.split('\n').collect();
        let mut after: Vec<&str> = Vec::new();
        for run in &patch.0 {
            match run {
                LineRun::Kept { from, n } => after.extend(&lines[*from..from + n]),
                LineRun::Own { lines } => after.extend(lines.iter().map(String::as_str)),
            }
        }
        after.join("\n")
    }

    #[test]
    fn a_patch_gives_the_text_back() {
        let texts = ["", "a", "a\n", "a\nb\nc", "c\nb\na", "a\n\n\nb\n", "a\nx\nc\n", "b\nb\nb", "\r\na\r\n"];
        for before in texts {
            for after in texts {
                assert_eq!(apply(before, &TextPatch::between(before, after)), after, "{before:?} {after:?}");
            }
        }
    }

    #[test]
    fn lines_that_stay_are_numbers() {
        let before: String = (0..1000).map(|line| format!("line {line}\n")).collect();
        let after = before.replace("line 500\n", "").replace("line 700\n", "line seven hundred\n");
        let patch = TextPatch::between(&before, &after);
        assert_eq!(patch.0.len(), 4);
        assert!(patch.weight() < 150, "{}", patch.weight());
    }

    #[test]
    fn steps_beyond_the_limit_have_no_text_and_later_ones_may() {
        let mut steps = StepTexts::new("a\nb\nc".to_owned(), 100);
        steps.push(Some("x".repeat(200)));
        steps.push(None);
        steps.push(Some("a\nc".to_owned()));
        let patches = steps.finish();
        assert_eq!(patches[..2], [None, None]);
        assert_eq!(apply("a\nb\nc", patches[2].as_ref().unwrap()), "a\nc");
    }
}
