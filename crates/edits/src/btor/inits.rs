//! What an initial value may be: nothing that depends on an input and, for an array filled with one element, only a
//! constant.

use super::BtorView;
use nub_btor::{LineId, Operand, OperandKind, Sort, Tag};

/// Two sets of lines; both empty if no state has an initial value.
pub(super) struct Inits {
    /// Lines that are an input or depend on one.
    depends_on_input: Vec<bool>,
    /// Lines that an initial value depends on.
    is_initial: Vec<bool>,
}

impl Inits {
    /// References lead to earlier lines, so one sweep up and one down are enough.
    pub fn new(view: &BtorView) -> Inits {
        let mut inits = Inits { depends_on_input: Vec::new(), is_initial: Vec::new() };
        if !view.lines().any(|line| view.tag(line) == Some(Tag::Init)) {
            return inits;
        }
        inits.depends_on_input = vec![false; view.file().lines().len()];
        inits.is_initial = vec![false; view.file().lines().len()];
        for line in view.lines() {
            let mut below = view.nodes_of(line).filter_map(|operand| operand.line);
            inits.depends_on_input[line.index()] =
                view.tag(line) == Some(Tag::Input) || below.any(|to| inits.depends_on_input[to.index()]);
        }
        for line in view.lines().rev() {
            if view.tag(line) == Some(Tag::Init) || inits.is_initial[line.index()] {
                for to in view.nodes_of(line).filter_map(|operand| operand.line) {
                    inits.is_initial[to.index()] = true;
                }
            }
        }
        inits
    }

    fn depends_on_input(&self, line: LineId) -> bool {
        self.depends_on_input.get(line.index()) == Some(&true)
    }
}

impl BtorView {
    /// True if an initial value depends on the line: then it must not become an input.
    pub fn is_initial(&self, line: LineId) -> bool {
        self.inits().is_initial.get(line.index()) == Some(&true)
    }

    /// True if the line fills an array: `init ARRAY state constant`.
    pub fn fills_array(&self, line: LineId) -> bool {
        self.uses(line).iter().any(|at| self.fills(at.by, line))
    }

    fn fills(&self, user: LineId, value: LineId) -> bool {
        let state = self.operands(user).iter().find(|operand| operand.kind == OperandKind::State);
        let sort = state.and_then(|state| self.sort(state.line?));
        self.tag(user) == Some(Tag::Init)
            && sort.is_some_and(Sort::is_array)
            && self.sort(value).is_some_and(|sort| !sort.is_array())
    }

    /// True if the node `by` may replace an operand of `user`: it is defined earlier, has the same sort,
    /// and does not violate the rules for initial values.
    pub fn fits(&self, user: LineId, operand: &Operand, by: LineId) -> bool {
        let Some(old) = operand.line else { return false };
        if by >= user || !self.is_node(by) || self.sort(by) != self.sort(old) {
            return false;
        }
        if self.tag(user) != Some(Tag::Init) {
            return !(self.is_initial(user) && self.inits().depends_on_input(by));
        }
        let state = self.operands(user).iter().find(|operand| operand.kind == OperandKind::State);
        !self.inits().depends_on_input(by)
            && state.is_some_and(|state| state.line.is_none_or(|state| by < state))
            && (!self.fills(user, old) || self.tag(by).is_some_and(Tag::is_constant))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::btor::testing::read;

    /// Whether a line may replace the value of the only `init`.
    fn fits(text: &str, by: u64) -> bool {
        let view = read(text);
        let init = view.lines().find(|&line| view.tag(line) == Some(Tag::Init)).unwrap();
        let value = *view.nodes_of(init).next().unwrap();
        view.fits(init, &value, view.file().by_id(by).unwrap())
    }

    #[test]
    fn initial_values_are_early_and_free_of_inputs() {
        let text = "1 sort bitvec 1\n2 input 1\n3 not 1 2\n4 one 1\n5 zero 1\n6 state 1\n7 init 1 6 5\n8 state 1\n9 bad 3\n";
        assert_eq!([2, 3, 4, 6].map(|id| fits(text, id)), [false, false, true, false]);
    }

    #[test]
    fn only_a_constant_fills_an_array() {
        let text =
            "1 sort bitvec 1\n2 sort array 1 1\n3 state 1\n4 one 1\n5 zero 1\n6 state 2\n7 init 2 6 5\n";
        assert_eq!([3, 4].map(|id| fits(text, id)), [false, true]);
    }
}
