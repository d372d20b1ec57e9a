//! Files that are asked for with `--out`: what they are follows from their names.

use super::args::{Harness, ProgramArgs, RunArgs};
use crate::commands::c_program::{include_name, read};
use crate::exit::Failure;
use nub_cover::output;
use nub_cover::report::Report;
use nub_store::{RealFs, commit};
use std::path::Path;

/// Writes all files.
pub fn write_all(program: &ProgramArgs, args: &RunArgs, reports: &[Report]) -> Result<(), Failure> {
    for path in &args.out {
        let text = text_for(program, args, path, reports)?;
        commit(&RealFs, path, text.as_bytes())?;
    }
    Ok(())
}

/// Refuses names that say nothing, before the work.
pub fn check_names(program: &ProgramArgs, args: &RunArgs) -> Result<(), Failure> {
    for path in &args.out {
        if kind(path).is_none() {
            let message = format!("what should {} be?", path.display());
            let hint = "a name that ends in .c, .json, .csv, .md, .html or .txt, or is CMakeLists.txt";
            return Err(Failure::usage(message).with_hint(hint));
        }
    }
    if args.out.iter().any(|path| kind(path) != Some("json")) && program.criterion.len() > 1 {
        return Err(Failure::usage("--out is for one criterion, except for JSON"));
    }
    Ok(())
}

fn kind(path: &Path) -> Option<&str> {
    if path.file_name()? == "CMakeLists.txt" {
        return Some("cmake");
    }
    let extension = path.extension()?.to_str()?;
    ["c", "json", "csv", "md", "html", "txt"].contains(&extension).then_some(extension)
}

fn text_for(
    program: &ProgramArgs,
    args: &RunArgs,
    path: &Path,
    reports: &[Report],
) -> Result<String, Failure> {
    let Some(report) = reports.first() else { return Ok(String::new()) };
    Ok(match kind(path) {
        Some("json") => output::json(reports),
        Some("csv") => output::csv(report),
        Some("md") => output::markdown(report),
        Some("c") => c_text(args.harness, report, &include_name(&program.input, path)),
        Some("cmake") => {
            let c_file = args.out.iter().find(|path| kind(path) == Some("c"));
            let c_file =
                c_file.ok_or_else(|| Failure::usage("CMakeLists.txt needs a C file: --out tests.c"))?;
            output::ctest(report, &include_name(c_file, path))
        }
        Some("html") => {
            let bytes = read(&program.input)?;
            let text = String::from_utf8_lossy(&bytes);
            output::html(report, &text.lines().collect::<Vec<_>>())
        }
        _ => output::table(report),
    })
}

/// The C file.
pub fn c_text(harness: Harness, report: &Report, source: &str) -> String {
    match harness {
        Harness::Plain => output::c_file(report, source),
        Harness::Unity => output::unity(report, source),
    }
}
