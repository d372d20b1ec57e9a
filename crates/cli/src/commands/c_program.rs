//! Options about C files that several commands share.

use clap::Args;
use nub_jobs::ProgramOptions;
use std::path::PathBuf;

/// How a C file is read.
#[derive(Args, Clone, Debug)]
pub struct LoadArgs {
    /// Widths of the integer types and order of their bytes: lp64, ilp32, int16, big-endian as lp64be, ilp32be, or a file with lines such as
    /// `int_bitlength: 16` and `byte_order: big` [default: lp64]
    #[arg(long, value_name = "MODEL")]
    pub data_model: Option<String>,
    /// The C compiler, for preprocessing and for compiling tests [default: cc]
    #[arg(long, value_name = "PROGRAM")]
    pub cc: Option<PathBuf>,
    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,
    /// Search for headers in this folder
    #[arg(short = 'I', value_name = "FOLDER")]
    pub include: Vec<PathBuf>,
    /// Signed overflow wraps around, as in code compiled with -fwrapv; otherwise it is undefined
    #[arg(long)]
    pub wrapv: bool,
}

impl LoadArgs {
    /// The options as part of a request.
    pub fn options(&self) -> ProgramOptions {
        let LoadArgs { data_model, cc, define, include, wrapv } = self.clone();
        ProgramOptions { data_model, cc, define, include, wrapv, ..ProgramOptions::default() }
    }
}
