//! Folds recursion: a cycle of frames is kept once.
//!
//! `parse_term parse_let parse_term parse_let parse_term main` becomes `parse_term parse_let parse_term main`: how often
//! a function calls itself depends on the input's depth.

use super::frames::Frame;

/// Maximum number of frames of a cycle.
const MAX_PERIOD: usize = 6;

/// Folds cycles by function, shortest period first; among equal frames the innermost is kept. O(period^2 ·
/// n).
pub(super) fn fold(frames: Vec<Frame>) -> Vec<Frame> {
    let mut frames = frames;
    for period in 1..=MAX_PERIOD {
        frames = fold_period(frames, period);
    }
    frames
}

fn fold_period(frames: Vec<Frame>, period: usize) -> Vec<Frame> {
    let mut kept: Vec<Frame> = Vec::with_capacity(frames.len());
    for frame in frames {
        kept.push(frame);
        let n = kept.len();
        if n >= 2 * period {
            let (first, second) = kept[n - 2 * period..].split_at(period);
            if first.iter().zip(second).all(|(one, two)| one.function == two.function) {
                kept.truncate(n - period);
            }
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(text: &str) -> String {
        let frame =
            |word: &str| Frame { number: None, function: word.to_owned(), place: None, is_python: false };
        let frames = fold(text.split(' ').map(frame).collect());
        frames.iter().map(Frame::text).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn depth_does_not_matter() {
        assert_eq!(folded("f f f f g main"), "f g main");
        assert_eq!(folded("t l t l t main"), "t l t main");
        assert_eq!(folded("a b c a b c a b c main"), "a b c main");
        assert_eq!(folded("a b c main"), "a b c main");
        assert_eq!(folded("x a a b a b y"), "x a b y");
    }
}
