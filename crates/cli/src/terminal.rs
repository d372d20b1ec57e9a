//! Properties of the output streams.

use std::io::IsTerminal;

/// When to use colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum)]
pub enum ColorChoice {
    /// On a terminal, unless NO_COLOR is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// Whether text is coloured. Colour is never the only distinction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Paint {
    /// With colour.
    Colored,
    /// Without.
    Plain,
}

/// What a piece of text is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// The word `error:`.
    Error,
    /// The word `hint:`.
    Hint,
    /// The word `note:`, `warning:`.
    Note,
    /// Text of low importance.
    Faint,
}

impl Paint {
    /// The choice for standard error.
    pub fn for_stderr(choice: ColorChoice) -> Paint {
        let asks_none = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        match choice {
            ColorChoice::Always => Paint::Colored,
            ColorChoice::Auto if !asks_none && !is_dumb() && std::io::stderr().is_terminal() => {
                Paint::Colored
            }
            _ => Paint::Plain,
        }
    }

    /// The text in its style.
    pub fn on(self, style: Style, text: &str) -> String {
        let code = match style {
            Style::Error => "1;31",
            Style::Hint => "1;36",
            Style::Note => "1;33",
            Style::Faint => "2",
        };
        match self {
            Paint::Colored => format!("\x1b[{code}m{text}\x1b[0m"),
            Paint::Plain => text.to_owned(),
        }
    }
}

/// Whether the terminal only prints: `TERM=dumb`, as in an editor.
fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|value| value == "dumb")
}

/// Columns for a line on standard error that is written again and again; `None` if it is not a terminal that can do so.
pub fn live_width() -> Option<usize> {
    width_of(&std::io::stderr()).filter(|_| !is_dumb())
}

/// The same for standard output.
pub fn stdout_width() -> Option<usize> {
    width_of(&std::io::stdout())
}

fn width_of(stream: &(impl IsTerminal + std::os::fd::AsFd)) -> Option<usize> {
    if !stream.is_terminal() {
        return None;
    }
    let columns = rustix::termios::tcgetwinsize(stream).map_or(0, |size| usize::from(size.ws_col));
    // A terminal that does not know its width (a serial line) reports 0.
    Some(if columns == 0 { 80 } else { columns })
}
