//! Finds the ratio of clauses per variable that gives a wanted share of unsatisfiable files.
//!
//! The share grows with the ratio, and the ratio for one half decreases as files grow (figure 3.5), so there is no single
//! answer. [`bisect`] finds it with a solver. [`from_table`] knows it from measurements for the default options.

use crate::ratio::Ratio;

/// The ratios to search, in thousandths: from the covering clauses alone to where everything is unsatisfiable. Long
/// clauses need a larger ratio, so the upper end is doubled as long as it is too low.
const LOWEST: u32 = 334;
const HIGH: u32 = 12_000;
const HIGHEST: u32 = 768_000;
/// The search ends when the interval is shorter than this, in thousandths: files of the relevant sizes have fewer than
/// a hundred variables, so a smaller step would rarely change a file.
const PRECISION: u32 = 20;

/// The smallest ratio found at which at least `wanted` percent of the files are unsatisfiable. `probe` measures the share in percent at
/// a ratio, over a fixed set of seeds; if it returns `None`, the search ends without a result. It also ends if no ratio reaches the share.
pub fn bisect(wanted: u32, mut probe: impl FnMut(Ratio) -> Option<u32>) -> Option<Ratio> {
    let (mut low, mut high) = (LOWEST, HIGH);
    while probe(Ratio::thousandths(high))? < wanted {
        if high >= HIGHEST {
            return None;
        }
        (low, high) = (high, 2 * high);
    }
    while high - low > PRECISION {
        let middle = (low + high) / 2;
        if probe(Ratio::thousandths(middle))? < wanted {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(Ratio::thousandths(high))
}

/// Share of unsatisfiable files in percent, measured with boolector 1.5.118, default options and `--cnf`:
/// `python3 bench/generate.py table`.
struct Column {
    nodes: u32,
    /// At the ratios of [`RATIOS`].
    shares: [u32; RATIOS.len()],
}

/// In thousandths.
const RATIOS: [u32; 9] = [334, 500, 750, 1_000, 1_500, 2_000, 3_000, 4_000, 6_000];

const TABLE: &[Column] = &[
    Column { nodes: 50, shares: [1, 1, 3, 6, 13, 21, 49, 79, 99] },
    Column { nodes: 100, shares: [3, 6, 9, 13, 33, 57, 89, 99, 100] },
    Column { nodes: 150, shares: [5, 9, 13, 25, 57, 81, 97, 100, 100] },
    Column { nodes: 200, shares: [9, 17, 29, 44, 69, 87, 100, 100, 100] },
    Column { nodes: 300, shares: [13, 21, 41, 62, 93, 99, 100, 100, 100] },
];

/// The ratio for `wanted` percent at this number of nodes, by linear interpolation in both directions; `None` outside of the
/// measured range. Accurate to a few percentage points, and only for the default options.
pub fn from_table(nodes: u32, wanted: u32) -> Option<Ratio> {
    let above = TABLE.iter().position(|column| column.nodes >= nodes)?;
    let right = &TABLE[above];
    let at_right = ratio_for(&right.shares, wanted)?;
    if right.nodes == nodes {
        return Some(Ratio::thousandths(at_right));
    }
    let left = TABLE.get(above.checked_sub(1)?)?;
    let at_left = ratio_for(&left.shares, wanted)?;
    Some(Ratio::thousandths(between((left.nodes, at_left), (right.nodes, at_right), nodes)))
}

/// The ratio at which the shares first reach `wanted`.
fn ratio_for(shares: &[u32], wanted: u32) -> Option<u32> {
    let above = shares.iter().position(|share| *share >= wanted)?;
    let below = above.checked_sub(1)?;
    Some(between((shares[below], RATIOS[below]), (shares[above], RATIOS[above]), wanted))
}

/// The value at `x` of the line through two points; `x` is between theirs.
fn between((x0, y0): (u32, u32), (x1, y1): (u32, u32), x: u32) -> u32 {
    let (x0, y0, x1, y1, x) = (i64::from(x0), i64::from(y0), i64::from(x1), i64::from(y1), i64::from(x));
    let y = y0 + ((y1 - y0) * (x - x0)).checked_div(x1 - x0).unwrap_or(0);
    u32::try_from(y).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A share that grows with the ratio and is 50 percent at 1.6.
    fn share(ratio: Ratio) -> u32 {
        (ratio.in_thousandths() * 50 / 1_600).min(100)
    }

    #[test]
    fn bisection_comes_close_in_few_steps() {
        let mut n_probes = 0;
        let found = bisect(50, |ratio| {
            n_probes += 1;
            Some(share(ratio))
        });
        let found = found.unwrap().in_thousandths();
        assert!((1_600..=1_600 + PRECISION).contains(&found) && n_probes <= 11, "{found}, {n_probes} probes");
        assert_eq!(bisect(50, |_| None), None);
        assert_eq!(bisect(50, |_| Some(49)), None, "ends");
        // With five literals per clause, one half is reached at 21.
        let found = bisect(50, |ratio| Some(if ratio < Ratio::whole(21) { 0 } else { 100 }));
        let found = found.unwrap().in_thousandths();
        assert!((21_000..=21_000 + PRECISION).contains(&found), "{found}");
    }

    #[test]
    fn the_table_is_interpolated_both_ways() {
        let at = |nodes, wanted| from_table(nodes, wanted).map(Ratio::in_thousandths);
        // Measured: 33 percent at 1.5 and 57 percent at 2.
        assert_eq!(at(100, 57), Some(2_000));
        assert_eq!(at(100, 45), Some(1_750));
        let (small, middle, large) = (at(100, 50).unwrap(), at(120, 50).unwrap(), at(150, 50).unwrap());
        assert!(small > middle && middle > large, "{small} {middle} {large}");
        assert_eq!((at(1_000, 50), at(10, 50), at(200, 1)), (None, None, None), "not measured");
        for column in TABLE {
            assert!(column.shares.is_sorted(), "{}", column.nodes);
        }
    }

    #[test]
    fn lines_between_points() {
        assert_eq!(between((0, 100), (10, 200), 5), 150);
        assert_eq!(between((0, 200), (10, 100), 5), 150);
        assert_eq!(between((3, 7), (3, 7), 3), 7);
    }
}
