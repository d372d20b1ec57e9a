//! Spot checks: some answers are asked of a second worker.
//!
//! A worker with bad memory, another library or a grudge gives wrong answers with the right hash. The first answers of each worker, and one
//! in [`EVERY`] later, are asked again elsewhere. If the two differ, both are asked once more, and a third worker: one who contradicts himself shows a
//! flaky program, which is the oracle's business; one whom two others contradict, all of them consistently, is quarantined. With
//! two workers alone nobody can tell who is wrong, and the run must not go on.

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
/// What a check may take beyond the time limit of the run.
const SLACK: Duration = Duration::from_secs(20);

/// Whether the answer with this number, from 1, is checked: the first, second, fourth, eighth, and every sixteenth.
pub(crate) fn is_checked(n_answers: u64) -> bool {
    n_answers.is_power_of_two() || n_answers > 0 && n_answers.is_multiple_of(EVERY)
}

/// The number of an item that is checked. No item of a run has it.
const CHECK_ITEM: ItemNumber = ItemNumber(u64::MAX);

/// What is checked, and who may be asked.
pub(crate) struct SpotCheck {
    pub link: Link,
    pub objects: Objects,
    pub run: RunName,
    pub wanted: Arc<WantedRun>,
    /// Who answered.
    pub worker: WorkerName,
    pub answer: RemoteOutcome,
    /// Others who have the same builds.
    pub others: Vec<WorkerName>,
}

/// What a check found.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Finding {
    /// Nothing, or nothing that is certain.
    Nothing,
    /// This one's answers are wrong.
    Wrong(WorkerName),
    /// One of these two is wrong.
    Disagree(WorkerName, WorkerName),
}

impl SpotCheck {
    /// Asks others, as many as it takes.
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

/// Who is wrong, if that is certain.
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

/// Whether two runs on the same file had the same outcome. Limits of time depend on the machine, so they say nothing; nor do
/// numbers in outputs, which are times and addresses.
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
