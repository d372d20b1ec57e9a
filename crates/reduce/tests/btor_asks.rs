//! Bounds on how often `auto` asks on graphs of known shape.

#![allow(clippy::unwrap_used)] // tests may panic

#[path = "common/quiet.rs"]
mod quiet;

use nub_btor::{BtorDialect, BtorFile, LineId, Tag};
use nub_reduce::AllowedCandidates;
use nub_reduce::btor::Btor;
use nub_reduce::strategies::auto_btor;
use quiet::run_quietly;

fn reduce(text: &str, fails: impl Fn(&BtorFile) -> bool + Sync) -> (String, u64) {
    let fails = |bytes: &[u8]| {
        let file = BtorFile::read(bytes, BtorDialect::Btor);
        assert!(file.faults().is_empty(), "{}", String::from_utf8_lossy(bytes));
        file.lines().iter().any(|line| line.tag == Some(Tag::Root)) && fails(&file)
    };
    let format = Btor::new(text.as_bytes(), BtorDialect::Btor, AllowedCandidates::WellFormed);
    let (bytes, stats) = run_quietly(&format, text.as_bytes(), fails, auto_btor);
    (String::from_utf8(bytes).unwrap(), stats.asks)
}

/// A comparison of a remainder.
fn compares_remainder(file: &BtorFile) -> bool {
    let is = |line: LineId, tag: Tag| file.line(line).tag == Some(tag);
    let below = |line| file.operands(file.line(line)).iter().filter_map(|operand| operand.line);
    file.line_ids().any(|line| is(line, Tag::Ult) && below(line).any(|to| is(to, Tag::Urem)))
}

/// A conjunction of `n` comparisons; number `at` is over a remainder.
fn conjuncts(n: u32, at: u32) -> String {
    let mut text = "1 var 8\n2 var 8\n3 ult 1 1 2\n".to_owned();
    let (mut all, mut last) = (3, 3);
    for number in 0..n {
        let operator = if number == at { "urem" } else { "add" };
        text += &format!("{} {operator} 8 1 2\n{} ult 1 {} -1\n", last + 1, last + 2, last + 1);
        text += &format!("{} and 1 {} {all}\n", last + 3, last + 2);
        (all, last) = (last + 3, last + 3);
    }
    text + &format!("{} root 1 {all}\n", last + 1)
}

/// One of many conjuncts is needed: asks grow with the logarithm of their number.
#[test]
fn one_conjunct_of_many() {
    for (n, at) in [(16_u32, 3), (128, 100), (1024, 500)] {
        let (least, asks) = reduce(&conjuncts(n, at), compares_remainder);
        assert_eq!(least.lines().count(), 4, "{least}");
        let bound = 30 + 4 * u64::from(n.ilog2());
        assert!(asks <= bound, "{n}: {asks} asks, {bound} allowed");
    }
}

/// A full binary tree over adders, with a product in one of its leaves.
fn tree(depth: u32) -> String {
    let mut text = "1 var 8\n2 mul 8 1 1\n".to_owned();
    let mut layer: Vec<usize> = (0..1 << depth).map(|leaf| if leaf == 5 { 2 } else { 1 }).collect();
    let mut last = 2;
    while layer.len() > 1 {
        layer = layer
            .chunks(2)
            .map(|pair| {
                last += 1;
                text += &format!("{last} add 8 {} -{}\n", pair[0], pair[1]);
                last
            })
            .collect();
    }
    text + &format!("{} redor 1 {last}\n{} root 1 {}\n", last + 1, last + 2, last + 1)
}

/// Depth of the deepest product below the root.
fn depth_of_product(file: &BtorFile) -> usize {
    let mut depth = vec![0; file.lines().len()];
    let mut deepest = 0;
    for line in file.line_ids().rev() {
        if file.line(line).tag == Some(Tag::Mul) {
            deepest = deepest.max(depth[line.index()]);
        }
        for below in file.operands(file.line(line)).iter().filter_map(|operand| operand.line) {
            depth[below.index()] = depth[below.index()].max(depth[line.index()] + 1);
        }
    }
    deepest
}

/// The whole path from the root to a leaf is needed: a few asks per node of it, not per node of the tree.
#[test]
fn a_path_through_a_tree() {
    for depth in [4, 6, 8, 10] {
        let needed = depth as usize;
        let (least, asks) = reduce(&tree(depth), |file| depth_of_product(file) >= needed);
        assert!(least.lines().count() <= needed + 2, "{least}");
        let bound = 25 + 4 * u64::from(depth);
        assert!(asks <= bound, "{depth}: {asks} asks, {bound} allowed");
    }
}

/// A value must be wide: its width is reduced in large steps, not bit by bit.
#[test]
fn a_wide_value_is_narrowed_in_logarithmically_many_asks() {
    for (width, needed) in [(1_000_000, 6_321), (70_000, 1_000)] {
        let text = format!("1 var {width}\n2 redor 1 1\n3 root 1 2\n");
        let is_wide = |file: &BtorFile| {
            let text = String::from_utf8_lossy(file.text());
            let widths = text.lines().filter_map(|line| line.split_once(" var ")?.1.parse::<u32>().ok());
            widths.max().is_some_and(|width| width >= needed)
        };
        let (least, asks) = reduce(&text, is_wide);
        assert!(least.contains(&format!("var {needed}")), "{least}");
        assert!(asks <= 400, "{width}: {asks} asks");
    }
}
