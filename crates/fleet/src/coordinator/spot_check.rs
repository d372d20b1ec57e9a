//! Spot checks: some answers are verified by a second worker.
//!
//! A worker with bad memory, a different library or malicious intent can give wrong answers although its program has the right hash. The
//! first answers of each worker, and later one in [`EVERY`], are asked again from another worker. If the two differ, both are asked once
//! more, and so is a third worker. If a worker contradicts itself, the program is flaky, which the oracle handles. If two others
//! consistently contradict a worker, it is quarantined. With only two workers it cannot be decided which one is wrong, and the run must
//! stop.

use super::packing::{Packer, Wanted, WantedRun};
use super::unpack::{RemoteOutcome, Said, unpack};
use crate::frame;
use crate::link::Link;
use crate::objects::Objects;
use crate::protocol::{ItemNumber, Lease, LeaseNumber, LeaseReport, PROTOCOL, RunName, WorkerName};
use async_nats::Request;
use nub_oracle::{MaskedNames, mask};
use nub_process::{ProcessEnd, ProcessLimits, ProcessOutcome};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// One in this many answers of a worker is checked.
const EVERY: u64 = 16;
/// How much longer than the time limit of the run a check may take.
const SLACK: Duration = Duration::from_secs(20);

/// Whether the answer with this number, from 1, is checked: the first, second, fourth, eighth, and every sixteenth.
pub(crate) fn is_checked(n_answers: u64) -> bool {
    n_answers.is_power_of_two() || n_answers > 0 && n_answers.is_multiple_of(EVERY)
}

/// The item number used for checks. No item of a run has it.
const CHECK_ITEM: ItemNumber = ItemNumber(u64::MAX);

/// What is checked, and which workers may be asked.
pub(crate) struct SpotCheck {
    pub link: Link,
    pub objects: Objects,
    pub run: RunName,
    pub wanted: Arc<WantedRun>,
    /// The worker that answered.
    pub worker: WorkerName,
    pub answer: RemoteOutcome,
    /// Other workers with the same builds.
    pub others: Vec<WorkerName>,
}

/// What a check found.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Finding {
    /// No contradiction, or none that is certain.
    Nothing,
    /// The answers of this worker are wrong.
    Wrong(WorkerName),
    /// One of these two is wrong.
    Disagree(WorkerName, WorkerName),
}

impl SpotCheck {
    /// Asks as many other workers as needed.
    pub(crate) async fn make(self) -> Finding {
        let Some(other) = self.others.first() else { return Finding::Nothing };
        let Some(second) = self.ask(other).await else { return Finding::Nothing };
        if alike(&self.answer, &second) {
            return Finding::Nothing;
        }
        let again = self.ask(&self.worker).await;
        let second_again = self.ask(other).await;
        let third = match self.others.get(1) {
            Some(third) => self.ask(third).await.map(|answer| (third, answer)),
            None => None,
        };
        judge((&self.worker, &self.answer, again.as_ref()), (other, &second, second_again.as_ref()), third)
    }

    async fn ask(&self, worker: &WorkerName) -> Option<RemoteOutcome> {
        let packed = Packer::default().pack(CHECK_ITEM, &Wanted::Run(self.wanted.clone()));
        let base = self.objects.put(&self.wanted.content).await.ok()?;
        let lease = Lease {
            protocol: PROTOCOL,
            run: self.run.clone(),
            lease: LeaseNumber(0),
            base: Some(base),
            items: vec![packed.item],
        };
        let wall = ProcessLimits::from(self.wanted.bounds).wall.unwrap_or_default();
        let request = Request::new()
            .payload(frame::encode(&lease, &packed.blobs).into())
            .timeout(Some(wall * 2 + SLACK));
        let reply = self.link.client.send_request(format!("nub.check.{}", worker.0), request).await.ok()?;
        let (report, blobs) = frame::decode::<LeaseReport>(&reply.payload).ok()?;
        match unpack(report, blobs, &self.objects).await.items.pop()?.1 {
            Said::Ran(ran) => Some(*ran),
            _ => None,
        }
    }
}

type Testimony<'a> = (&'a WorkerName, &'a RemoteOutcome, Option<&'a RemoteOutcome>);

/// Which worker is wrong, if that is certain.
fn judge(first: Testimony, second: Testimony, third: Option<(&WorkerName, RemoteOutcome)>) -> Finding {
    let is_consistent = |(_, answer, again): Testimony| again.is_some_and(|again| alike(answer, again));
    if !is_consistent(first) || !is_consistent(second) {
        return Finding::Nothing;
    }
    match third {
        Some((_, third)) if alike(&third, second.1) => Finding::Wrong(first.0.clone()),
        Some((_, third)) if alike(&third, first.1) => Finding::Wrong(second.0.clone()),
        Some(_) => Finding::Nothing,
        None => Finding::Disagree(first.0.clone(), second.0.clone()),
    }
}

/// Whether two runs on the same file had the same outcome. Runs stopped by a time limit are not compared, because that
/// depends on the machine; nor are numbers in the output, which may be times and addresses.
fn alike(a: &RemoteOutcome, b: &RemoteOutcome) -> bool {
    let is_bound = |end: ProcessEnd| !matches!(end, ProcessEnd::Exit(_) | ProcessEnd::Signal(_));
    let (x, y) = (&a.outcome, &b.outcome);
    if is_bound(x.end) || is_bound(y.end) {
        return true;
    }
    x.end == y.end && texts(x, &a.file) == texts(y, &b.file)
}

/// Both streams without what changes from run to run.
fn texts(outcome: &ProcessOutcome, file: &str) -> [String; 2] {
    let file = Path::new(file);
    let names = MaskedNames::new(file, file.parent());
    [&outcome.stdout, &outcome.stderr].map(|stream| mask(&String::from_utf8_lossy(&stream.bytes), &names))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::BuildId;
    use nub_process::{CapturedOutput, Usage};

    fn ran(end: ProcessEnd, out: &str) -> RemoteOutcome {
        let stdout = CapturedOutput { bytes: out.as_bytes().to_vec(), total: out.len() as u64 };
        let outcome =
            ProcessOutcome { end, stdout, stderr: CapturedOutput::default(), usage: Usage::default() };
        RemoteOutcome { outcome, build: BuildId(String::new()), file: "/t/w1/a.smt2".to_owned() }
    }

    #[test]
    fn runs_are_alike_up_to_numbers_and_places() {
        let error = |file: &str| {
            let answer = ran(ProcessEnd::Exit(1), &format!("{file}: error after 0.35 s\n"));
            RemoteOutcome { file: file.to_owned(), ..answer }
        };
        assert!(alike(&error("/t/w1/a.smt2"), &error("/x/w22/a.smt2")));
        assert!(!alike(&ran(ProcessEnd::Exit(0), "sat"), &ran(ProcessEnd::Exit(0), "unsat")));
        assert!(!alike(&ran(ProcessEnd::Exit(0), ""), &ran(ProcessEnd::Signal(6), "")));
        assert!(
            alike(&ran(ProcessEnd::WallLimit, ""), &ran(ProcessEnd::Exit(0), "sat")),
            "a slow machine is not a liar"
        );
    }

    #[test]
    fn two_against_one_and_only_if_all_are_consistent() {
        let names = ["a", "b", "c"].map(|name| WorkerName(name.to_owned()));
        let [a, b, c] = &names;
        let (sat, unsat) = (ran(ProcessEnd::Exit(0), "sat"), ran(ProcessEnd::Exit(0), "unsat"));
        let third = |answer: &RemoteOutcome| Some((c, answer.clone()));
        let consistent = |third| judge((a, &sat, Some(&sat)), (b, &unsat, Some(&unsat)), third);
        assert_eq!(consistent(third(&unsat)), Finding::Wrong(a.clone()));
        assert_eq!(consistent(third(&sat)), Finding::Wrong(b.clone()));
        assert_eq!(consistent(None), Finding::Disagree(a.clone(), b.clone()));
        let flaky = judge((a, &sat, Some(&unsat)), (b, &unsat, Some(&unsat)), third(&unsat));
        assert_eq!(flaky, Finding::Nothing, "who contradicts himself may run a flaky program");
        assert_eq!(judge((a, &sat, None), (b, &unsat, Some(&unsat)), None), Finding::Nothing);
    }
}
