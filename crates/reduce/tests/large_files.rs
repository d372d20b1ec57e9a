//! The memory that a reduction needs, as a multiple of its file.
//!
//! The peak is that of a process, so this program is started again for the measurement. There the allocator returns large blocks to the
//! system immediately, as it always does for files above 32 MiB; otherwise the measurement would include memory that it keeps.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)] // tests

use nub_oracle::{FnOracle, Stability, Votes, VotingOracle, WatchLevel};
use nub_process::Cancel;
use nub_reduce::search::With;
use nub_reduce::session::{Cancels, Identity, ReductionPlan, ReductionStart, open_folder, run};
use nub_reduce::smt::SmtLib;
use nub_reduce::strategies::auto::{ResultLayout, auto};
use nub_reduce::{AllowedCandidates, Engine, Quiet, ReduceConfig};
use std::time::Duration;

/// The file in bytes. Large enough that everything else is negligible.
const FILE_BYTES: usize = 8 << 20;
/// The memory limit, as a multiple of the file. The caller of a reduction holds another copy of the file.
const MAX_MULTIPLE: f64 = 12.0;
/// Set for the process that is measured.
const MEASURED: &str = "NUB_TEST_MEASURED";

/// Dense terms over many constants: a node for every five bytes.
fn script() -> Vec<u8> {
    let mut text = String::from("(set-logic QF_BV)\n");
    let n_constants = 5_000;
    for name in 0..n_constants {
        text += &format!("(declare-fun v{name} () (_ BitVec 32))\n");
    }
    let mut state = 1u64;
    let mut next = move |n: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % n
    };
    let ops = ["bvadd", "bvmul", "bvand", "bvor", "bvxor"];
    while text.len() < FILE_BYTES {
        let mut term =
            || format!("({} v{} v{})", ops[next(5) as usize], next(n_constants), next(n_constants));
        let sides = [term(), term(), term(), term()];
        text += &format!(
            "(assert (= (bvadd {} {}) (bvnot (bvsub {} {}))))\n",
            sides[0], sides[1], sides[2], sides[3]
        );
    }
    text += "(check-sat)\n";
    text.into_bytes().into_boxed_slice().into_vec()
}

/// The largest resident size of this process so far, in bytes.
fn peak() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<f64>().unwrap() * 1024.0
}

#[test]
fn memory_is_a_small_multiple_of_the_file() {
    if std::env::var_os(MEASURED).is_some() {
        return measure();
    }
    let mut command = std::process::Command::new(std::env::current_exe().unwrap());
    command.args(["memory_is_a_small_multiple_of_the_file", "--exact", "--nocapture"]);
    command.env(MEASURED, "1").env("MALLOC_MMAP_THRESHOLD_", "131072");
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn measure() {
    let original = script();
    let before = peak();
    let place = std::env::temp_dir().join(format!("nub-large-files-{}", std::process::id()));
    std::fs::create_dir_all(&place).unwrap();
    let folder = open_folder(&place.join("out.smt2.nub"), ReductionStart::Fresh).unwrap();
    let strategy = |engine: &mut Engine<'_, SmtLib>| auto(engine, ResultLayout::Compact);
    let search = With { format: SmtLib::new(&original, AllowedCandidates::WellFormed), strategy };
    let plan = ReductionPlan {
        original: &original,
        search: &search,
        out: &place.join("out.smt2"),
        folder: &folder,
        engine: ReduceConfig { max_asks: Some(60), ..ReduceConfig::default() },
        header: None,
        layout: None,
        history: None,
        identity: Identity::new(&original),
        start: ReductionStart::Fresh,
    };
    // Most of the file must stay and some of it can be removed: steps are accepted, and the subject stays
    // large.
    let least = original.len() * 9 / 10;
    let oracle =
        FnOracle::new(|bytes: &[u8]| bytes.len() > least && bytes.trim_ascii_end().ends_with(b"(check-sat)"));
    let watch = WatchLevel::InPassing { run: Duration::from_millis(10) };
    let oracle = VotingOracle::new(oracle, &original, Stability::Steady { n: 2 }, Votes::default(), watch);
    let cancel = Cancel::new();
    let cancels = Cancels { search: &cancel, checks: &cancel, all: &cancel };
    let finished = run(&plan, &oracle, &cancels, &mut Quiet).unwrap();
    let _ = std::fs::remove_dir_all(&place);
    assert!(finished.reduced && finished.stats.accepted >= 2, "steps were accepted: {:?}", finished.stats);
    let multiple = (peak() - before) / original.len() as f64 + 1.0;
    assert!(multiple <= MAX_MULTIPLE, "{multiple:.1} times the file");
}
