//! The input of the demonstration: an incremental script over bit-vectors, made from a seed.
//!
//! Declarations, then blocks of assertions with nested lets between push and pop, each with a check-sat. Products and
//! divisions occur everywhere, but only one assertion, in the middle, has a division below a product.

use std::fmt::Write;

const WIDTHS: [u32; 3] = [8, 16, 32];
const VARIABLES_PER_WIDTH: u64 = 20;
const MAX_DEPTH: u32 = 4;
const ASSERTS_PER_BLOCK: u64 = 6;

/// A well-sorted script of about `target_bytes`.
pub fn script(seed: u64, target_bytes: usize) -> Vec<u8> {
    let mut generator = Generator { state: seed ^ 0x9e37_79b9_7f4a_7c15, text: String::new() };
    generator.prelude();
    let mut is_planted = false;
    while generator.text.len() < target_bytes {
        let plants = !is_planted && generator.text.len() > target_bytes / 2;
        is_planted |= plants;
        generator.block(plants);
    }
    generator.text.push_str("(exit)\n");
    generator.text.into_bytes()
}

struct Generator {
    state: u64,
    text: String,
}

impl Generator {
    /// SplitMix64: small, and the same everywhere.
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len() as u64) as usize]
    }

    fn line(&mut self, line: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{line}");
    }

    fn prelude(&mut self) {
        self.line("; made by nub demo");
        self.line("(set-option :incremental true)\n(set-logic QF_BV)\n(set-info :status unknown)");
        for width in WIDTHS {
            for idx in 0..VARIABLES_PER_WIDTH {
                self.line(&format!("(declare-const word{width}_{idx} (_ BitVec {width}))"));
            }
        }
        self.line("(define-fun clamp ((x (_ BitVec 16))) (_ BitVec 16) (bvand x #x0fff))");
    }

    fn block(&mut self, plants: bool) {
        self.line("(push 1)");
        let n_asserts = 1 + self.below(ASSERTS_PER_BLOCK);
        for idx in 0..n_asserts {
            let planted = plants && idx == n_asserts / 2;
            let line = if planted { self.planted() } else { self.assertion() };
            self.line(&line);
        }
        self.line("(check-sat)");
        if self.below(3) == 0 {
            self.block(false);
        }
        self.line("(pop 1)");
    }

    fn assertion(&mut self) -> String {
        let width = self.pick(&WIDTHS);
        let (bound, left, right) =
            (self.term(width, 2), self.term(width, MAX_DEPTH), self.term(width, MAX_DEPTH));
        let relation = self.pick(&["=", "bvult", "bvsle", "distinct"]);
        format!("(assert (let ((shared {bound})) ({relation} (bvxor shared {left}) {right})))")
    }

    fn planted(&mut self) -> String {
        let (divided, by, factor) = (self.term(16, 3), self.term(16, 2), self.term(16, 3));
        let other = self.term(16, 3);
        format!(
            "(assert (let ((shared {other})) (not (= shared (bvmul {factor} (bvadd (bvudiv {divided} {by}) shared))))))"
        )
    }

    /// A term without a division below a product: products have only variables below them.
    fn term(&mut self, width: u32, depth: u32) -> String {
        if depth == 0 {
            return self.leaf(width);
        }
        match self.below(12) {
            0 => self.leaf(width),
            1 => format!("(bvmul {} {})", self.leaf(width), self.leaf(width)),
            2 => format!("(bvudiv {} {})", self.term(width, depth - 1), self.leaf(width)),
            3 => format!("(bvnot {})", self.term(width, depth - 1)),
            4 => {
                let (left, right) = (self.term(8, depth - 1), self.term(8, depth - 1));
                format!("(ite (bvult {left} {right}) {} {})", self.term(width, depth - 1), self.leaf(width))
            }
            5 if width == 16 => format!("(clamp {})", self.term(16, depth - 1)),
            5 => format!("((_ rotate_left 3) {})", self.term(width, depth - 1)),
            _ => {
                let operator = self.pick(&["bvadd", "bvsub", "bvand", "bvor", "bvxor", "bvshl", "bvlshr"]);
                format!("({operator} {} {})", self.term(width, depth - 1), self.term(width, depth - 1))
            }
        }
    }

    fn leaf(&mut self, width: u32) -> String {
        if self.below(5) == 0 {
            let digits = width as usize / 4;
            let mask = if width == 32 { u64::from(u32::MAX) } else { (1 << width) - 1 };
            return format!("#x{:0digits$x}", self.next() & mask);
        }
        let idx = self.below(VARIABLES_PER_WIDTH);
        format!("word{width}_{idx}")
    }
}

#[cfg(test)]
mod tests {
    use super::script;
    use nub_edits::smtlib::View;

    #[test]
    fn well_sorted_and_the_same_every_time() {
        let text = script(1, 20_000);
        assert_eq!(text, script(1, 20_000));
        assert_ne!(text, script(2, 20_000));
        let view = View::new(&text);
        assert!(view.bracket_errors().is_empty());
        assert!(view.analysis().errors().is_empty() && view.analysis().unknown().is_empty());
    }
}
