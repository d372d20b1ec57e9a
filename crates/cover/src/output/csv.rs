//! CSV: one line per test, one column per input. The same format is read for existing tests.

use crate::report::CoverReport;

/// The tests of a report.
pub fn csv(report: &CoverReport) -> String {
    let mut text = String::new();
    if let Some(first) = report.tests.first() {
        let names = first.inputs.iter().map(|input| input.name.as_str());
        text.push_str(&line(names.chain(["observed"])));
    }
    for test in &report.tests {
        let observed = test.observed();
        text.push_str(&line(test.inputs.iter().map(|input| input.value.as_str()).chain([observed])));
    }
    text
}

fn line<'c>(cells: impl Iterator<Item = &'c str>) -> String {
    cells.map(quoted).collect::<Vec<_>>().join(",") + "\n"
}

fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_when_need_be() {
        assert_eq!(line(["a", "b[1,2]", "say \"x\""].into_iter()), "a,\"b[1,2]\",\"say \"\"x\"\"\"\n");
    }
}
