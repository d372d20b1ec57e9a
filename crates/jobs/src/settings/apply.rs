//! Applies settings to a request.

use super::Settings;
use crate::failure::Failure;
use crate::request::{JobRequest, ProgramOptions, ReduceJob};
use crate::words;
use std::ffi::OsString;

impl Settings {
    /// Sets options that the request does not specify, and replaces names by registered commands.
    pub(crate) fn apply(&self, request: &mut JobRequest) -> Result<(), Failure> {
        let max_time = self.time("limits.max-time");
        match request {
            JobRequest::Reduce(job) => {
                self.apply_to_reduction(job)?;
                job.search.max_time = job.search.max_time.or(max_time);
            }
            // Its limit applies to each strategy on each file, not to the whole work.
            JobRequest::Compare(job) => self.apply_to_reduction(&mut job.reduction)?,
            JobRequest::Doctor(job) => {
                self.apply_to_command(&mut job.command)?;
                job.oracle.timeout = job.oracle.timeout.or(self.time("limits.timeout"));
                job.oracle.memory = job.oracle.memory.or(self.number("limits.memory"));
            }
            JobRequest::Generate(job) => self.apply_to_command(&mut job.command)?,
            JobRequest::Fuzz(job) => {
                job.max_time = job.max_time.or(max_time);
                job.jobs = job.jobs.or(self.number("defaults.jobs"));
                for solver in &mut job.solvers.solvers {
                    if let Some(command) = self.get(&format!("solvers.{solver}")) {
                        *solver = format!("{solver}={command}");
                    }
                }
            }
            JobRequest::Cover(job) => {
                job.function.max_time = job.function.max_time.or(max_time);
                self.apply_to_program(&mut job.program);
            }
            JobRequest::Project(job) => {
                job.function.max_time = job.function.max_time.or(max_time);
                job.jobs = job.jobs.or(self.number("defaults.jobs"));
                self.apply_to_program(&mut job.program);
            }
            JobRequest::Encode(job) => self.apply_to_program(&mut job.program),
            JobRequest::Explain(job) => {
                job.max_time = job.max_time.or(max_time);
                self.apply_to_program(&mut job.program);
            }
            JobRequest::Solve(job) => job.max_time = job.max_time.or(max_time),
            JobRequest::Campaign(_)
            | JobRequest::Convert(_)
            | JobRequest::Decode(_)
            | JobRequest::Rules(_)
            | JobRequest::Unit(_)
            | JobRequest::Worker(_)
            | JobRequest::Hub(_)
            | JobRequest::FleetStatus(_) => {}
        }
        Ok(())
    }

    fn apply_to_reduction(&self, job: &mut ReduceJob) -> Result<(), Failure> {
        // On other machines a name refers to the program registered there, and the number of cores differs.
        if job.fleet.on.is_some() {
            return Ok(());
        }
        self.apply_to_command(&mut job.command)?;
        job.search.jobs = job.search.jobs.or(self.number("defaults.jobs"));
        job.oracle.timeout = job.oracle.timeout.or(self.time("limits.timeout"));
        job.oracle.memory = job.oracle.memory.or(self.number("limits.memory"));
        Ok(())
    }

    fn apply_to_program(&self, options: &mut ProgramOptions) {
        let cc = options.cc.take().or_else(|| self.get("defaults.cc").map(Into::into));
        let data_model =
            options.data_model.take().or_else(|| self.get("defaults.data-model").map(Into::into));
        (options.cc, options.data_model) = (cc, data_model);
    }

    /// `@NAME` as the first word is a registered command; the other words are additional arguments.
    fn apply_to_command(&self, command: &mut Vec<OsString>) -> Result<(), Failure> {
        let Some(name) = command.first().and_then(|word| word.to_str()?.strip_prefix('@')) else {
            return Ok(());
        };
        let Some(registered) = self.get(&format!("programs.{name}")) else {
            return Err(Failure::usage(format!("there is no program `{name}` in nub.toml"))
                .with_hint(format!("a line `{name} = \"COMMAND\"` below [programs] registers it")));
        };
        let words = words::split(registered)
            .map_err(|error| Failure::usage(format!("programs.{name} in nub.toml: {error}")))?;
        command.splice(..1, words);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Setting;
    use std::path::PathBuf;
    use std::time::Duration;

    fn settings(values: &[(&str, &str)]) -> Settings {
        let setting =
            |value: &str| Setting { value: value.to_owned(), file: PathBuf::from("nub.toml"), line: 1 };
        Settings { values: values.iter().map(|(key, value)| ((*key).to_owned(), setting(value))).collect() }
    }

    #[test]
    fn a_request_says_more_than_a_file() {
        let settings =
            settings(&[("limits.max-time", "1m"), ("defaults.jobs", "3"), ("programs.z3", "z3 -st")]);
        let mut job = ReduceJob { command: vec!["@z3".into(), "{}".into()], ..ReduceJob::default() };
        job.search.jobs = Some(1);
        let mut request = JobRequest::Reduce(Box::new(job));
        settings.apply(&mut request).unwrap();
        let JobRequest::Reduce(job) = request else { panic!("it stays a reduction") };
        assert_eq!(job.search.jobs, Some(1));
        assert_eq!(job.search.max_time, Some(Duration::from_secs(60)));
        assert_eq!(job.command, ["z3", "-st", "{}"]);
    }

    #[test]
    fn names_that_nobody_registered_are_refused() {
        let job = ReduceJob { command: vec!["@z4".into()], ..ReduceJob::default() };
        let failure = settings(&[]).apply(&mut JobRequest::Reduce(Box::new(job))).unwrap_err();
        assert!(failure.message.contains("`z4`"), "{failure:?}");
    }
}
