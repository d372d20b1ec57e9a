//! What a target format cannot say.

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
    /// The line it is about, if it came from a file and is about one.
    pub line: Option<LineId>,
}

impl ConversionRefusal {
    /// About a property.
    pub(crate) fn of_property(property: &BtorProperty, message: String, hint: &str) -> ConversionRefusal {
        ConversionRefusal { message, hint: hint.to_owned(), line: property.origin }
    }

    /// About a state.
    pub(crate) fn of_state(state: &BtorState, message: String, hint: &str) -> ConversionRefusal {
        ConversionRefusal { message, hint: hint.to_owned(), line: state.origin }
    }

    /// A limit of ours.
    pub(crate) fn limit(message: String, hint: &str) -> ConversionRefusal {
        ConversionRefusal { message, hint: hint.to_owned(), line: None }
    }

    /// A rewriting that does not fit, such as a shift whose next power of two is wider than a file may have.
    pub(crate) fn internal(misfit: &Misfit) -> ConversionRefusal {
        let message = format!("the translation does not fit the format: {misfit}");
        ConversionRefusal { message, hint: "use smaller widths".to_owned(), line: None }
    }

    /// With its place in the file that the model was read from.
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

const UNROLL: &str = "`--unroll K` makes K steps a model without states";

/// BTOR has no initial values, one kind of property, and no liveness.
pub(super) fn check_btor(model: &BtorModel) -> Result<(), ConversionRefusal> {
    for state in model.states() {
        if state.init.is_some() {
            let message = "BTOR cannot say how a state begins".to_owned();
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
                let message = format!("BTOR cannot tell `{name}` from other properties of states");
                return Err(ConversionRefusal::of_property(property, message, UNROLL));
            }
            _ => {}
        }
    }
    Ok(())
}
