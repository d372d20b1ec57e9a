//! Writes the folder of a project: tests as programs, coverage for other tools, pages.

use super::cobertura::cobertura;
use super::coverage::FileCoverage;
use super::html::{FilePage, file_page, index};
use super::lcov::lcov;
use super::programs::{TestProgram, cmake, makefile};
use super::task::FunctionRecord;
use super::unit::Unit;
use crate::failure::Failure;
use crate::handle::Job;
use nub_report::ProjectReport;
use nub_store::{RealFs, commit, create_folder};
use std::path::{Path, PathBuf};

/// Writes everything; reports the files that a user opens.
pub fn write_all(
    job: &Job,
    folder: &Path,
    report: &ProjectReport,
    units: &[Unit],
    records: &[FunctionRecord],
) -> Result<(), Failure> {
    let of = |unit: &Unit| -> Vec<&FunctionRecord> {
        records.iter().filter(|record| record.outcome.file == unit.name).collect()
    };
    let coverages: Vec<FileCoverage> = units.iter().map(|unit| measured(unit, &of(unit))).collect();
    let files: Vec<FilePage<'_>> = units
        .iter()
        .zip(&coverages)
        .map(|(unit, coverage)| FilePage { unit, coverage, records: of(unit) })
        .collect();
    let programs = write_tests(folder, &files)?;
    let records: String = files.iter().map(|file| lcov(&file.unit.file, file.coverage)).collect();
    let json = serde_json::to_string_pretty(report).unwrap_or_default();
    let texts = [
        ("index.html", index(report, &files)),
        ("coverage.info", records),
        ("coverage.xml", cobertura(&root_of(units).to_string_lossy(), &files)),
        ("report.json", json),
        ("Makefile", makefile(&programs)),
        ("CMakeLists.txt", cmake(&programs)),
    ];
    write_pages(folder, &files)?;
    for (name, text) in &texts {
        commit(&RealFs, &folder.join(name), text.as_bytes())?;
        job.events.file(&folder.join(name));
    }
    Ok(())
}

/// The folder below which the names of files are.
fn root_of(units: &[Unit]) -> PathBuf {
    let Some(unit) = units.first() else { return PathBuf::new() };
    let n_below = Path::new(&unit.name).components().count();
    unit.file.ancestors().nth(n_below).map(Path::to_owned).unwrap_or_default()
}

fn measured(unit: &Unit, records: &[&FunctionRecord]) -> FileCoverage {
    let mut coverage = unit.coverage.clone();
    records.iter().for_each(|record| coverage.add(&record.executions));
    coverage
}

/// Writes the C files, one for each function that has tests which can be compiled.
fn write_tests<'p>(folder: &Path, files: &[FilePage<'p>]) -> Result<Vec<TestProgram<'p>>, Failure> {
    let tests = folder.join("tests");
    create_folder(&RealFs, &tests)?;
    let mut programs = Vec::new();
    for file in files {
        let unit = file.unit;
        let with_tests = file.records.iter().filter_map(|record| Some((*record, record.tests.as_ref()?)));
        for (number, (record, text)) in with_tests.enumerate() {
            if number == 0 {
                create_folder(&RealFs, &tests.join(&unit.id))?;
            }
            // A test file with the name of the file under test would include itself.
            let source = unit.file.file_stem().unwrap_or_default();
            let suffix = if source == record.outcome.function.as_str() { "_tests" } else { "" };
            let path = format!("tests/{}/{}{suffix}.c", unit.id, record.outcome.function);
            commit(&RealFs, &folder.join(&path), text.as_bytes())?;
            programs.push(TestProgram { unit, function: &record.outcome.function, path });
        }
    }
    Ok(programs)
}

fn write_pages(folder: &Path, files: &[FilePage<'_>]) -> Result<(), Failure> {
    let pages = folder.join("html");
    create_folder(&RealFs, &pages)?;
    for file in files {
        // If a file cannot be read again, its page has no lines but is otherwise complete.
        let source = std::fs::read(&file.unit.file).unwrap_or_default();
        let page = file_page(file, &String::from_utf8_lossy(&source));
        commit(&RealFs, &pages.join(format!("{}.html", file.unit.id)), page.as_bytes())?;
    }
    Ok(())
}
