//! The tables of seed 000 §5, from a comparison of strategies.

use nub_report::{Comparison, Outcome, Row};
use std::fmt::Write;

/// Width of a column of numbers.
const COLUMN: usize = 10;

/// Asks, sizes and percent per ask, one table each, and the overall table.
pub fn tables(comparison: &Comparison) -> String {
    let unit = &comparison.unit;
    let mut text = files(comparison);
    text +=
        &table(comparison, "asks", |result| result.asks.to_string(), |row| format!("{:.1}", row.mean_asks()));
    text += &table(
        comparison,
        &format!("{unit} left"),
        |result| format!("{}{}", result.size, if result.ended { "" } else { "+" }),
        |row| format!("{:.1}", row.mean_size()),
    );
    text += &table(
        comparison,
        &format!("percent of {unit} removed per ask (geometric mean)"),
        |result| format!("{:.3}", result.percent_per_ask),
        |row| format!("{:.3}", row.mean_percent_per_ask()),
    );
    text + &overall(comparison)
}

fn files(comparison: &Comparison) -> String {
    let lines = comparison.files.iter().enumerate().map(|(index, file)| {
        format!(
            "file {:<3} {:>8} {} {:>9} bytes  {}\n",
            index + 1,
            file.size,
            comparison.unit,
            file.bytes,
            file.path
        )
    });
    lines.collect()
}

fn table(
    comparison: &Comparison,
    title: &str,
    cell: impl Fn(&Outcome) -> String,
    mean: impl Fn(&Row) -> String,
) -> String {
    let mut text = format!("\n{title}\n{:<24}", "");
    let mut push = |cell: String| _ = write!(text, "{cell:>COLUMN$}");
    (1..=comparison.files.len()).for_each(|index| push(format!("file {index}")));
    push("mean".to_owned());
    text.push('\n');
    for row in &comparison.rows {
        _ = write!(text, "{:<24}", name(row));
        row.results.iter().for_each(|result| _ = write!(text, "{:>COLUMN$}", cell(result)));
        _ = writeln!(text, "{:>COLUMN$}", mean(row));
    }
    text
}

/// Table 5.7: mean reduction and mean asks.
fn overall(comparison: &Comparison) -> String {
    let n_files = comparison.files.len().max(1) as f64;
    let before: f64 = comparison.files.iter().map(|file| file.size as f64).sum::<f64>() / n_files;
    let removed = format!("{} gone", comparison.unit);
    let mut text = format!("\noverall\n{:<24}{removed:>14}{:>COLUMN$}\n", "", "asks");
    for row in &comparison.rows {
        _ = writeln!(
            text,
            "{:<24}{:>14.1}{:>COLUMN$.1}",
            name(row),
            before - row.mean_size(),
            row.mean_asks()
        );
    }
    text
}

fn name(row: &Row) -> String {
    let simplify = if row.simplify { " --simplify" } else { "" };
    format!("{}{simplify}", row.strategy)
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
    match text.contains([',', '"', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}
