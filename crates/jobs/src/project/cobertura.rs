//! Coverage in the XML format of Cobertura, which Jenkins, GitLab and Azure show.

use super::coverage::{BranchCounts, FileCoverage};
use super::html::FilePage;
use std::fmt::Write;

const NEVER_FAILS: &str = "writing to a string cannot fail";

/// Covered and total number.
#[derive(Clone, Copy, Default)]
struct Rate {
    hit: usize,
    all: usize,
}

impl Rate {
    fn add(&mut self, other: Rate) {
        self.hit += other.hit;
        self.all += other.all;
    }

    fn of_branches(branches: &[BranchCounts]) -> Rate {
        Rate { hit: branches.iter().map(|counts| counts.n_taken()).sum(), all: 2 * branches.len() }
    }
}

impl std::fmt::Display for Rate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let rate = if self.all == 0 { 1.0 } else { self.hit as f64 / self.all as f64 };
        write!(f, "{rate:.4}")
    }
}

/// The document: files with their names below `root`.
pub fn cobertura(root: &str, files: &[FilePage<'_>]) -> String {
    let (mut lines, mut branches) = (Rate::default(), Rate::default());
    let mut classes = String::new();
    for file in files {
        let [own_lines, own_branches] = class(&mut classes, &file.unit.name, file.coverage);
        lines.add(own_lines);
        branches.add(own_branches);
    }
    let counts = format!(
        "line-rate=\"{lines}\" branch-rate=\"{branches}\" lines-covered=\"{}\" lines-valid=\"{}\" branches-covered=\"{}\" branches-valid=\"{}\"",
        lines.hit, lines.all, branches.hit, branches.all
    );
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <!DOCTYPE coverage SYSTEM \"http://cobertura.sourceforge.net/xml/coverage-04.dtd\">\n\
         <coverage {counts} complexity=\"0\" version=\"nub {}\" timestamp=\"0\">\n\
         <sources><source>{}</source></sources>\n\
         <packages><package name=\"\" line-rate=\"{lines}\" branch-rate=\"{branches}\" complexity=\"0\"><classes>\n\
         {classes}</classes></package></packages>\n</coverage>\n",
        env!("CARGO_PKG_VERSION"),
        escape(root)
    )
}

/// One file; its lines and its branches.
fn class(text: &mut String, name: &str, coverage: &FileCoverage) -> [Rate; 2] {
    let (lines, branches) = (coverage.lines(), coverage.branches());
    let own_lines = Rate { hit: lines.values().filter(|times| **times > 0).count(), all: lines.len() };
    let mut own_branches = Rate::default();
    branches.values().for_each(|branches| own_branches.add(Rate::of_branches(branches)));
    let name = escape(name);
    writeln!(
        text,
        "<class name=\"{name}\" filename=\"{name}\" line-rate=\"{own_lines}\" branch-rate=\"{own_branches}\" complexity=\"0\"><methods/><lines>"
    )
    .expect(NEVER_FAILS);
    for (line, times) in &lines {
        let branch = branches.get(line).map(|branches| {
            let Rate { hit, all } = Rate::of_branches(branches);
            format!("true\" condition-coverage=\"{}% ({hit}/{all})", 100 * hit / all.max(1))
        });
        let branch = branch.unwrap_or_else(|| "false".to_owned());
        writeln!(text, "<line number=\"{line}\" hits=\"{times}\" branch=\"{branch}\"/>").expect(NEVER_FAILS);
    }
    text.push_str("</lines></class>\n");
    [own_lines, own_branches]
}

/// Text as it may appear in XML and HTML.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
