//! A C compiler as the reference. Without one, the tests that need it say so and pass.

use nub_process::{Cancel, ChildInput, Command, ProcessEnd, ProcessLimits, Runner};
use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

fn run(program: &Path, args: &[&str], input: Option<&str>) -> Option<(ProcessEnd, String, String)> {
    let runner = Runner::new().ok()?;
    let input = input.map_or(ChildInput::Null, |text| ChildInput::Bytes(text.as_bytes().into()));
    let args = args.iter().map(OsString::from).collect();
    let command = Command { program: program.into(), args, folder: None, env: Vec::new(), input };
    let limits = ProcessLimits { wall: Some(Duration::from_secs(120)), ..ProcessLimits::default() };
    let outcome = runner.run(&command, &limits, &Cancel::new()).ok()?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Some((outcome.end, text(&outcome.stdout.bytes), text(&outcome.stderr.bytes)))
}

#[allow(dead_code)] // Each test uses a part.
/// Compiles and runs a program; `None` if there is no compiler.
pub fn compile_and_run(text: &str, options: &[&str]) -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("program");
    let output = program.to_str().unwrap();
    let args = [&["-w", "-x", "c", "-", "-o", output][..], options].concat();
    let (end, _, errors) = run(Path::new("cc"), &args, Some(text))?;
    assert_eq!(end, ProcessEnd::Exit(0), "the compiler refuses our text: {errors}");
    let (end, stdout, errors) = run(&program, &[], None)?;
    let line = errors.split(':').nth(1).and_then(|number| number.parse::<usize>().ok());
    let place = line.and_then(|line| text.lines().nth(line - 1)).unwrap_or_default();
    assert_eq!(
        end,
        ProcessEnd::Exit(0),
        "{errors}{place}\nafter {}",
        stdout.lines().last().unwrap_or_default()
    );
    Some(stdout)
}

/// The assembly of a text; `None` if there is no compiler or it does not know the options.
#[allow(dead_code)] // Each test uses a part.
pub fn assembly(text: &str, options: &[&str]) -> Option<String> {
    let args = [&["-w", "-S", "-x", "c", "-", "-o", "-"][..], options].concat();
    let (end, stdout, _) = run(Path::new("cc"), &args, Some(text))?;
    (end == ProcessEnd::Exit(0)).then_some(stdout)
}
