//! What a target format cannot express.

use crate::rules::Misfit;
use crate::{BtorFile, BtorModel, BtorProperty, BtorState, LineId, Tag};
use nub_text::{Diagnostic, Span};

/// Why a model cannot be written in a format.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConversionRefusal {
    /// One sentence without a full stop.
    pub message: String,
    /// What to try.
    pub hint: String,
    /// The line that causes it, if there is one and the model was read from a file.
    pub line: Option<LineId>,
}

impl ConversionRefusal {
    /// Caused by a property.
    pub(crate) fn of_property(property: &BtorProperty, message: String, hint: &str) -> ConversionRefusal {
        ConversionRefusal { message, hint: hint.to_owned(), line: property.origin }
    }

    /// Caused by a state.
    pub(crate) fn of_state(state: &BtorState, message: String, hint: &str) -> ConversionRefusal {
        ConversionRefusal { message, hint: hint.to_owned(), line: state.origin }
    }

    /// Caused by a limit of nub.
    pub(crate) fn limit(message: String, hint: &str) -> ConversionRefusal {
        ConversionRefusal { message, hint: hint.to_owned(), line: None }
    }

    /// Caused by a rewrite that does not fit, such as a shift whose next power of two is wider than a file may have.
    pub(crate) fn internal(misfit: &Misfit) -> ConversionRefusal {
        let message = format!("the translation does not fit the format: {misfit}");
        ConversionRefusal { message, hint: "use smaller widths".to_owned(), line: None }
    }

    /// As a diagnostic, with its position in the file from which the model was read.
    pub fn diagnostic(&self, file: &BtorFile) -> Diagnostic {
        let span = self.line.map_or(Span::default(), |line| file.line(line).tag_span);
        Diagnostic::error(span, self.message.clone()).with_hint(self.hint.clone())
    }
}

impl std::fmt::Display for ConversionRefusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ConversionRefusal {}

const UNROLL: &str = "`--unroll K` turns K steps into a model without states";

/// Checks what BTOR cannot express: initial values, several kinds of properties, and liveness.
pub(super) fn check_btor(model: &BtorModel) -> Result<(), ConversionRefusal> {
    for state in model.states() {
        if state.init.is_some() {
            let message = "BTOR cannot express the initial value of a state".to_owned();
            return Err(ConversionRefusal::of_state(state, message, UNROLL));
        }
    }
    let is_sequential = !model.is_combinational();
    for property in model.properties() {
        let name = property.tag.op().btor2;
        match property.tag {
            Tag::Fair | Tag::Justice => {
                let hint = "remove the line, or keep the file in BTOR2";
                return Err(ConversionRefusal::of_property(property, format!("BTOR has no `{name}`"), hint));
            }
            Tag::Bad | Tag::Constraint if is_sequential => {
                let message = format!("BTOR cannot distinguish `{name}` from other properties of states");
                return Err(ConversionRefusal::of_property(property, message, UNROLL));
            }
            _ => {}
        }
    }
    Ok(())
}
