//! `nub config`: what the configuration files set, and where.

use crate::exit::Exit;
use crate::reporter::print;
use clap::Args;
use nub_jobs::{Failure, JobContext, SETTING_KEYS, Setting, sanitize};

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
        return print(format!("{}\n", settings.report().to_line()).as_bytes());
    }
    let line = |(key, setting): (&str, &Setting)| {
        let file = sanitize(setting.file.as_os_str().as_encoded_bytes());
        format!("{key} = {}    {file}:{}\n", sanitize(setting.value.as_bytes()), setting.line)
    };
    let mut text: String = settings.iter().map(line).collect();
    if text.is_empty() {
        let keys = SETTING_KEYS.iter().map(|key| format!("  {:<22} {}\n", key.name, key.about));
        text = "no nub.toml here, above, or in the user's configuration folder; it may set:\n".to_owned();
        text.extend(keys);
    }
    print(text.as_bytes())
}
