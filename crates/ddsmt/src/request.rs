//! Translates the options: as in ddSMT, one job by default, no header in the result, candidates may be ill-formed, and
//! the result may replace the input.

use crate::options::DdsmtOptions;
use nub_jobs::{
    DdsmtScheme, DdsmtSwitches, Failure, FailureOptions, FileFormat, ReduceJob, ReduceOutput, ScriptLayout,
    SearchOptions,
};
use nub_smtlib::PrintLayout;

/// Refuses options that concern ddSMT's own code.
pub(crate) fn refuse_debugging(options: &DdsmtOptions) -> Result<(), Failure> {
    let refused = |option: &str, why: &str, hint: &str| {
        Err(Failure::usage(format!("{option} is not supported: {why}")).with_hint(hint))
    };
    if options.debug.profile {
        let hint = "omit it; `perf record` profiles nub";
        return refused("--profile", "it profiles ddSMT's Python code", hint);
    }
    if options.debug.dump_diffs {
        let hint = "omit it; `nub reduce --history` keeps every accepted script";
        return refused("--dump-diffs", "nub writes no differences", hint);
    }
    Ok(())
}

fn layout(options: &DdsmtOptions) -> ScriptLayout {
    match (options.form.pretty_print, options.form.wrap_lines) {
        (true, _) => ScriptLayout::Pretty,
        (_, true) => ScriptLayout::Wrapped,
        _ => ScriptLayout::Lines,
    }
}

/// How a script is printed.
pub(crate) fn printed(options: &DdsmtOptions) -> PrintLayout {
    match layout(options) {
        ScriptLayout::Pretty => PrintLayout::Pretty,
        ScriptLayout::Wrapped => PrintLayout::Wrapped,
        ScriptLayout::Lines => PrintLayout::Lines,
    }
}

fn scheme(options: &DdsmtOptions) -> DdsmtScheme {
    match options.form.strategy.as_str() {
        "ddmin" => DdsmtScheme::Ddmin,
        "hierarchical" => DdsmtScheme::Hierarchical,
        _ => DdsmtScheme::Hybrid,
    }
}

/// The requested reduction.
pub(crate) fn request(options: &DdsmtOptions, switches: &DdsmtSwitches) -> ReduceJob {
    let checker = options.checker.clone();
    ReduceJob {
        input: options.infile.clone(),
        command: options.cmd.clone(),
        oracle: FailureOptions {
            match_out: checker.match_out.map(plain_text),
            match_err: checker.match_err.map(plain_text),
            exact: true,
            ignore_out: checker.ignore_out || checker.ignore_output,
            ignore_err: checker.ignore_err || checker.ignore_output,
            cross_check: checker.cross_check,
            cross_match_out: checker.match_out_cc.map(plain_text),
            cross_match_err: checker.match_err_cc.map(plain_text),
            cross_ignore_output: checker.ignore_output_cc,
            timeout: checker.timeout,
            cross_timeout: checker.timeout_cc,
            memory: checker.memout.filter(|&megabytes| megabytes > 0),
            ..FailureOptions::default()
        },
        search: SearchOptions {
            jobs: Some(checker.jobs),
            format: Some(FileFormat::Smt2),
            any: true,
            mutators: Some(switches.request(scheme(options))),
            ..SearchOptions::default()
        },
        output: ReduceOutput {
            out: Some(options.outfile.clone()),
            no_header: true,
            pretty: true,
            in_place: true,
            layout: Some(layout(options)),
            unchecked: checker.unchecked,
            ..ReduceOutput::default()
        },
        ..ReduceJob::default()
    }
}

/// ddSMT does not support regular expressions: `/x/` is plain text.
fn plain_text(text: String) -> String {
    let is_regex = text.len() > 2 && text.starts_with('/') && text.ends_with('/');
    if !is_regex {
        return text;
    }
    let escaped: String =
        text.chars().flat_map(|c| if c.is_ascii_punctuation() { vec!['\\', c] } else { vec![c] }).collect();
    format!("/{escaped}/")
}
