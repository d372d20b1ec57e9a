//! Shortens lists of terms in commands.
//!
//! ```text
//! (check-sat-assuming (a b))   =>   (check-sat-assuming (b))   =>   (check-sat)
//! (get-value (x y))            =>   (get-value (y))
//! (check-sat-using t)          =>   (check-sat)
//! ```

use super::SmtView;
use crate::{Edit, Pass};
use nub_smtlib::CommandKind;

/// See the module.
pub struct Assuming;

impl Pass<SmtView> for Assuming {
    fn name(&self) -> &'static str {
        "assuming"
    }

    fn edits(&self, view: &SmtView) -> Vec<Edit> {
        let tree = view.tree();
        let mut edits = Vec::new();
        for &(command, kind) in view.commands() {
            let is_query = matches!(kind, CommandKind::CheckSatAssuming | CommandKind::CheckSatUsing);
            if is_query {
                edits.push(Edit::replace(view.span(command), b"(check-sat)".as_slice()));
            }
            if !matches!(kind, CommandKind::CheckSatAssuming | CommandKind::GetValue) {
                continue;
            }
            let Some(list) = tree.child(command, 1) else { continue };
            if tree.children(list).count() > 1 || kind == CommandKind::CheckSatAssuming {
                edits.extend(tree.children(list).map(|term| view.cut(term)));
            }
        }
        edits
    }
}
