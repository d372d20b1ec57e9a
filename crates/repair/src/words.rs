//! Source text for reports.

use nub_text::Span;

/// Longer quotes are cut.
const MAX_QUOTE: usize = 200;

/// The text at a span, in one line, without line markers.
pub(super) fn quote(text: &[u8], span: Span) -> String {
    let bytes = text.get(span.range()).unwrap_or_default();
    let text = String::from_utf8_lossy(bytes);
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let words: Vec<&str> = lines.flat_map(str::split_whitespace).collect();
    let mut line = words.join(" ");
    if let Some((cut, _)) = line.char_indices().nth(MAX_QUOTE) {
        line.truncate(cut);
        line.push_str("...");
    }
    line
}

/// How many lines a span continues after its first. Lines from line markers are not counted twice: a marker sets the line.
pub(super) fn lines_after(text: &[u8], span: Span) -> u32 {
    let bytes = text.get(span.range()).unwrap_or_default();
    let breaks = bytes.iter().filter(|byte| **byte == b'\n').count();
    let markers = bytes.windows(2).filter(|pair| *pair == b"\n#").count();
    u32::try_from(breaks.saturating_sub(2 * markers)).unwrap_or(0)
}
