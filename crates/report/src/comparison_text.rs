//! The tables of [Vida08] §5, from a comparison of strategies.

use crate::{Comparison, Row, StrategyOutcome};
use std::fmt::Write;

/// Width of a column of numbers, and of the names before them.
const COLUMN: usize = 10;
const NAME: usize = 22;
/// Files side by side: with names and mean a line has 92 columns. More files come in blocks, as in the thesis.
const FILES: usize = 6;
/// Maximum width of a line.
const COLUMNS: usize = 100;

/// A table: its title, its cells, the mean in its last column, and what its rows are sorted by, least first.
struct Table<'t> {
    title: &'t str,
    cell: fn(&StrategyOutcome) -> String,
    mean: fn(&Row) -> String,
    key: fn(&Row) -> f64,
}

/// Asks, sizes and percent per ask, one table each, without and with simplification, and the overall table.
pub fn tables(comparison: &Comparison) -> String {
    let (left, percent) =
        (format!("{} left", comparison.unit), format!("percent of {} removed per ask", comparison.unit));
    let kinds = [
        Table {
            title: "asks",
            cell: |result| result.asks.to_string(),
            mean: |row| format!("{:.1}", row.mean_asks()),
            key: Row::mean_asks,
        },
        Table {
            title: &left,
            cell: |result| format!("{}{}", result.size, if result.ended { "" } else { "+" }),
            mean: |row| format!("{:.1}", row.mean_size()),
            key: Row::mean_size,
        },
        Table {
            title: &percent,
            cell: |result| format!("{:.3}", result.percent_per_ask),
            mean: |row| format!("{:.3}", row.mean_percent_per_ask()),
            key: |row| -row.mean_percent_per_ask(),
        },
    ];
    let mut text = files(comparison);
    for kind in &kinds {
        for simplify in [false, true] {
            text += &table(comparison, kind, simplify);
        }
    }
    if comparison.rows.iter().flat_map(|row| &row.results).any(|result| !result.ended) {
        text += "\n+ stopped at a limit\n";
    }
    text + &overall(comparison)
}

fn files(comparison: &Comparison) -> String {
    let mut text = String::new();
    for (index, file) in comparison.files.iter().enumerate() {
        let start =
            format!("file {:<3} {:>8} {} {:>9} bytes  ", index + 1, file.size, comparison.unit, file.bytes);
        let room = COLUMNS.saturating_sub(start.chars().count()).max(20);
        _ = writeln!(text, "{start}{}", end_of(&file.path, room));
    }
    for file in &comparison.failed {
        _ = writeln!(text, "not compared: {}", end_of(&file.path, COLUMNS - 14));
    }
    text
}

/// The end of a path, if all of it does not fit.
fn end_of(path: &str, room: usize) -> String {
    let n_over = path.chars().count().saturating_sub(room);
    if n_over == 0 {
        path.to_owned()
    } else {
        format!("…{}", path.chars().skip(n_over + 1).collect::<String>())
    }
}

fn table(comparison: &Comparison, kind: &Table, simplify: bool) -> String {
    let mut rows: Vec<&Row> = comparison.rows.iter().filter(|row| row.simplify == simplify).collect();
    if rows.is_empty() {
        return String::new();
    }
    rows.sort_by(|a, b| (kind.key)(a).total_cmp(&(kind.key)(b)));
    let mut text = format!("\n{}{}\n", kind.title, if simplify { ", with simplification" } else { "" });
    let n_files = comparison.files.len();
    for first in (0..n_files).step_by(FILES) {
        let block = first..n_files.min(first + FILES);
        _ = write!(text, "{:<NAME$}", "");
        block.clone().for_each(|index| _ = write!(text, "{:>COLUMN$}", format!("file {}", index + 1)));
        text += &if first == 0 { format!("{:>COLUMN$}\n", "mean") } else { "\n".to_owned() };
        for row in &rows {
            _ = write!(text, "{:<NAME$}", row.strategy);
            row.results[block.clone()]
                .iter()
                .for_each(|result| _ = write!(text, "{:>COLUMN$}", (kind.cell)(result)));
            text += &if first == 0 { format!("{:>COLUMN$}\n", (kind.mean)(row)) } else { "\n".to_owned() };
        }
    }
    text
}

/// Table 5.7: mean reduction and mean asks, with and without simplification side by side; the smallest result first.
fn overall(comparison: &Comparison) -> String {
    let n_files = comparison.files.len().max(1) as f64;
    let before: f64 = comparison.files.iter().map(|file| file.size as f64).sum::<f64>() / n_files;
    let variants: Vec<bool> = [false, true]
        .into_iter()
        .filter(|&variant| comparison.rows.iter().any(|row| row.simplify == variant))
        .collect();
    let row_of = |name: &str, simplify: bool| {
        comparison.rows.iter().find(|row| row.strategy == name && row.simplify == simplify)
    };
    let mut names: Vec<&str> = Vec::new();
    for row in &comparison.rows {
        if !names.contains(&row.strategy.as_str()) {
            names.push(&row.strategy);
        }
    }
    let merit = |name: &str| {
        let rows = variants.iter().filter_map(|&variant| row_of(name, variant));
        rows.map(|row| (row.mean_size(), row.mean_asks())).reduce(|a, b| if b < a { b } else { a })
    };
    names.sort_by(|a, b| merit(a).partial_cmp(&merit(b)).unwrap_or(std::cmp::Ordering::Equal));
    let mut text = format!("\noverall, means\n{:<NAME$}", "");
    if variants.len() > 1 {
        _ = write!(text, "{:>28}{:>28}\n{:<NAME$}", "without simplification", "with simplification", "");
    }
    let removed = format!("{} gone", comparison.unit);
    variants.iter().for_each(|_| _ = write!(text, "{removed:>18}{:>COLUMN$}", "asks"));
    text.push('\n');
    for name in names {
        let cells = variants.iter().map(|&variant| match row_of(name, variant) {
            Some(row) => format!("{:>18.1}{:>COLUMN$.1}", before - row.mean_size(), row.mean_asks()),
            None => format!("{:>18}{:>COLUMN$}", "-", "-"),
        });
        _ = writeln!(text, "{name:<NAME$}{}", cells.collect::<String>().trim_end());
    }
    text
}

/// One line per strategy and file.
pub fn csv(comparison: &Comparison) -> String {
    let mut text =
        "strategy,simplify,file,size_before,size_after,bytes_after,asks,known,percent_per_ask,ended\n"
            .to_owned();
    for row in &comparison.rows {
        for (file, result) in comparison.files.iter().zip(&row.results) {
            _ = writeln!(
                text,
                "{},{},{},{},{},{},{},{},{:.6},{}",
                row.strategy,
                row.simplify,
                quoted(&file.path),
                file.size,
                result.size,
                result.bytes,
                result.asks,
                result.known,
                result.percent_per_ask,
                result.ended
            );
        }
    }
    text
}

fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ComparedFile;

    fn comparison(n_files: usize) -> Comparison {
        let subject = |at: usize| ComparedFile {
            path: format!("{}/ex{at}.btor", "folder".repeat(30)),
            size: 1_000_000,
            bytes: 12_345_678,
        };
        let mut all = Comparison::new("nodes", (0..n_files).map(subject).collect());
        for (strategy, simplify, size) in [
            ("sound --recursive", false, 500),
            ("hdd*", false, 30),
            ("hdd*", true, 20),
            ("lw", false, 900),
            ("lw", true, 800),
        ] {
            let results = all.files.iter().map(|file| StrategyOutcome::new(file, size, 9_999_999)).collect();
            all.rows.push(Row { strategy: strategy.to_owned(), simplify, results });
        }
        all
    }

    #[test]
    fn ten_files_fit_a_hundred_columns() {
        for n_files in [1, 6, 7, 10, 13] {
            let text = tables(&comparison(n_files));
            assert!(text.lines().all(|line| line.chars().count() <= COLUMNS), "{text}");
            let n_cells = text.matches("9999999").count();
            assert_eq!(n_cells, 5 * n_files + 5 + 5, "every file and every mean, also overall: {text}");
        }
    }

    #[test]
    fn rows_come_in_order_of_merit() {
        let text = overall(&comparison(2));
        let order: Vec<&str> = text.lines().skip(4).filter_map(|line| line.split("  ").next()).collect();
        assert_eq!(order, ["hdd*", "sound --recursive", "lw"], "{text}");
        assert!(text.contains("without simplification") && text.contains("with simplification"), "{text}");
        let line = text.lines().find(|line| line.starts_with("hdd*")).unwrap_or_default();
        assert_eq!(
            line.split_whitespace().collect::<Vec<_>>(),
            ["hdd*", "999970.0", "9999999.0", "999980.0", "9999999.0"]
        );
        let left = table(
            &comparison(2),
            &Table { title: "left", cell: |_| String::new(), mean: |_| String::new(), key: Row::mean_size },
            false,
        );
        let names: Vec<&str> = left.lines().skip(3).map(str::trim_end).collect();
        assert_eq!(names, ["hdd*", "sound --recursive", "lw"]);
    }
}
