//! Translates a request into the oracle's configuration.

use crate::context::JobContext;
use crate::failure::Failure;
use crate::request::{FailureOptions, ReduceJob};
use crate::words;
use nub_oracle::{
    Convention, CrossCheck, Expect, FlakyPolicy, Invocation, OracleConfig, Pattern, Slow, TimeLimit,
};
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::time::Duration;

/// The user's options for the oracle.
#[derive(Clone, Copy)]
pub struct Spec<'a> {
    /// The options.
    pub oracle: &'a FailureOptions,
    /// The program and its arguments.
    pub command: &'a [OsString],
    /// The file that fails.
    pub input: &'a Path,
    /// Number of parallel runs, if given.
    pub jobs: Option<u16>,
}

impl<'a> Spec<'a> {
    /// The options of a request, for this file.
    pub fn new(request: &'a ReduceJob, input: &'a Path) -> Spec<'a> {
        Spec { oracle: &request.oracle, command: &request.command, input, jobs: request.search.jobs }
    }
}

/// The configuration for the options.
pub fn config(spec: Spec, context: &JobContext, temp: &Path) -> Result<OracleConfig, Failure> {
    let oracle = spec.oracle;
    let (folder, search_path) = (context.folder.clone(), context.search_path.clone());
    let mut config = OracleConfig::new(convention(spec)?, folder, temp.to_owned(), search_path);
    config.stdin = oracle.stdin;
    config.expect = expect(oracle)?;
    config.cross_check = cross_check(oracle)?;
    config.time = time_limit(oracle.timeout);
    config.cpu = oracle.cpu;
    config.memory = oracle.memory.map(|megabytes| megabytes.saturating_mul(1 << 20));
    config.hang = oracle.hang;
    config.slow = slow(oracle)?;
    config.flaky = if oracle.flaky { FlakyPolicy::Allow } else { FlakyPolicy::Refuse };
    config.keep_name = file_name(spec.input);
    config.key_env = context.key_variables.clone();
    Ok(config)
}

/// The commands that will be run, as the user gave them: the oracle's, then the others.
pub fn invocations(spec: Spec) -> Result<Vec<Invocation>, Failure> {
    let first = match convention(spec)? {
        Convention::Golden { command } => command,
        Convention::Script { path, args } => Invocation::Words([vec![path], args].concat()),
    };
    let mut all = vec![first];
    all.extend(cross_check(spec.oracle)?.map(|check| check.command));
    if let Some(Slow::TimesAsLongAs { other, .. }) = slow(spec.oracle)? {
        all.push(other);
    }
    Ok(all)
}

fn convention(spec: Spec) -> Result<Convention, Failure> {
    let command = spec.command;
    if let Some(script) = &spec.oracle.test {
        return Ok(Convention::Script { path: script.clone().into_os_string(), args: command.to_vec() });
    }
    if command.is_empty() {
        let example = format!("{} -- z3", spec.input.display());
        return Err(Failure::usage("no command was given")
            .with_hint(format!("put it after `--`, as in `{example}`, or give a script with --test")));
    }
    let command = if spec.oracle.shell {
        Invocation::Shell(command.join(OsStr::new(" ")))
    } else {
        Invocation::Words(command.to_vec())
    };
    Ok(Convention::Golden { command })
}

fn expect(oracle: &FailureOptions) -> Result<Expect, Failure> {
    Ok(Expect {
        match_out: pattern("--match-out", oracle.match_out.as_deref())?,
        match_err: pattern("--match-err", oracle.match_err.as_deref())?,
        ignore_out: oracle.ignore_out,
        ignore_err: oracle.ignore_err,
        exact: oracle.exact,
    })
}

fn cross_check(oracle: &FailureOptions) -> Result<Option<CrossCheck>, Failure> {
    let Some(text) = &oracle.cross_check else { return Ok(None) };
    let expect = Expect {
        match_out: pattern("--cross-match-out", oracle.cross_match_out.as_deref())?,
        match_err: pattern("--cross-match-err", oracle.cross_match_err.as_deref())?,
        ignore_out: oracle.cross_ignore_output,
        ignore_err: oracle.cross_ignore_output,
        exact: oracle.exact,
    };
    let command = split("--cross-check", text)?;
    Ok(Some(CrossCheck { command, expect, time: time_limit(oracle.cross_timeout) }))
}

fn slow(oracle: &FailureOptions) -> Result<Option<Slow>, Failure> {
    if let Some(time) = oracle.slower_than {
        return Ok(Some(Slow::AtLeast(time)));
    }
    let (Some(factor), Some(than)) = (oracle.times_slower, &oracle.than) else { return Ok(None) };
    Ok(Some(Slow::TimesAsLongAs { factor, other: split("--than", than)? }))
}

fn time_limit(limit: Option<Duration>) -> TimeLimit {
    limit.map_or(TimeLimit::Auto, TimeLimit::Fixed)
}

fn split(option: &str, text: &str) -> Result<Invocation, Failure> {
    match words::split(text) {
        Ok(words) if words.is_empty() => Err(Failure::usage(format!("{option}: the command is empty"))),
        Ok(words) => Ok(Invocation::Words(words)),
        Err(error) => Err(Failure::usage(format!("{option}: {error}"))
            .with_hint("the command is split as a shell would: quote or escape blanks inside words")),
    }
}

fn pattern(option: &str, text: Option<&str>) -> Result<Option<Pattern>, Failure> {
    text.map(|text| parse_pattern(option, text)).transpose()
}

/// Reads `TEXT` or `/regex/`.
pub fn parse_pattern(option: &str, text: &str) -> Result<Pattern, Failure> {
    if text.is_empty() {
        return Err(Failure::usage(format!("{option}: the pattern is empty, so every output contains it")));
    }
    Pattern::parse(text).map_err(|error| {
        Failure::usage(format!("{option}: {error}"))
            .with_hint("without the slashes it is searched for as plain text")
    })
}

/// The file name of candidates: that of the input, so that programs that use the extension behave the same.
fn file_name(input: &Path) -> String {
    match input.file_name().and_then(OsStr::to_str) {
        Some(name) => name.to_owned(),
        None => "input.smt2".to_owned(),
    }
}
