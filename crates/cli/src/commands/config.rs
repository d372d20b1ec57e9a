//! `nub config`: what the configuration files set, and where.

use crate::exit::Exit;
use clap::Args;
use nub_jobs::{Failure, JobContext, SETTING_KEYS, sanitize};

/// What the command does, for its help.
pub const ABOUT: &str = "\
Show the settings of nub.toml and which file sets each.

The file is looked for in the current folder and upwards, then in the user's configuration folder ($XDG_CONFIG_HOME/nub or \
~/.config/nub). The first file takes precedence; options on the command line override both.";

/// Options of `nub config`.
#[derive(Args, Clone, Debug)]
pub struct ConfigArgs {
    /// Print the values as JSON
    #[arg(long)]
    pub json: bool,
}

/// Runs the command.
pub fn run(args: &ConfigArgs) -> Result<Exit, Failure> {
    let settings = JobContext::of_process()?.settings;
    if args.json {
        println!("{}", settings.report().to_line());
        return Ok(Exit::DONE);
    }
    for (key, setting) in settings.iter() {
        let file = sanitize(setting.file.as_os_str().as_encoded_bytes());
        println!("{key} = {}    {file}:{}", sanitize(setting.value.as_bytes()), setting.line);
    }
    if settings.iter().next().is_none() {
        println!("no nub.toml here, above, or in the user's configuration folder; it may set:");
        for key in &SETTING_KEYS {
            println!("  {:<22} {}", key.name, key.about);
        }
    }
    Ok(Exit::DONE)
}
