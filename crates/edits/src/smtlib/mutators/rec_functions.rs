//! Removes one function of a recursive definition.
//!
//! ```text
//! (define-funs-rec ((f () Int) (g () Int)) (1 2))   =>   (define-funs-rec ((g () Int)) (2))
//! ```

use crate::smtlib::SmtView;
use crate::{Edit, Pass, pass::MAX_EDITS};
use nub_smtlib::NodeId;

/// See the module.
pub struct RecFunctions;

impl Pass<SmtView> for RecFunctions {
    fn name(&self) -> &'static str {
        "recursive-functions"
    }

    fn edits(&self, view: &SmtView) -> Vec<Edit> {
        let roots = view.tree().roots().filter(|&node| view.head_symbol(node) == Some(b"define-funs-rec"));
        roots.flat_map(|command| without_one(view, command)).take(MAX_EDITS).collect()
    }
}

fn without_one(view: &SmtView, command: NodeId) -> Vec<Edit> {
    let tree = view.tree();
    let (Some(heads), Some(bodies)) = (tree.child(command, 1), tree.child(command, 2)) else {
        return Vec::new();
    };
    if tree.children(heads).count() != tree.children(bodies).count() {
        return Vec::new();
    }
    let pairs = tree.children(heads).zip(tree.children(bodies));
    pairs
        .filter_map(|pair| Edit::try_of([pair.0, pair.1].map(|node| (view.cut_span(node), Vec::new()))))
        .collect()
}
