//! Random cases on all cores: a long test of many independent cases is one test, which the test runner gives one thread.

use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{available_parallelism, scope};

/// Raises the flag if the thread that holds it panics.
struct Alarm<'a>(&'a AtomicBool);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

/// The results of `check` for all seeds, in their order. What a case does must depend on its seed alone.
///
/// # Panics
/// If a case panics; cases that have not begun are skipped then.
pub fn for_all_seeds<T: Send>(seeds: Range<u64>, check: impl Fn(u64) -> T + Sync) -> Vec<T> {
    let (next, has_failed) = (AtomicU64::new(seeds.start), AtomicBool::new(false));
    let work = || {
        let _alarm = Alarm(&has_failed);
        let mut results = Vec::new();
        while !has_failed.load(Ordering::Relaxed) {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= seeds.end {
                break;
            }
            results.push((seed, check(seed)));
        }
        results
    };
    let n_threads = available_parallelism().map_or(1, usize::from);
    let mut results: Vec<(u64, T)> = scope(|scope| {
        let threads: Vec<_> = (0..n_threads).map(|_| scope.spawn(work)).collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, _>| {
            thread.join().unwrap_or_else(|panic| resume_unwind(panic))
        };
        threads.into_iter().flat_map(join).collect()
    });
    results.sort_by_key(|(seed, _)| *seed);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_seeds_are_checked_in_order() {
        let results = for_all_seeds(3..1_000, |seed| seed * 2);
        assert_eq!(results, (3..1_000).map(|seed| seed * 2).collect::<Vec<_>>());
        assert_eq!(for_all_seeds(5..5, |seed| seed), [0; 0]);
    }

    #[test]
    #[should_panic(expected = "seed 17 is wrong")]
    fn a_case_that_fails_fails_the_test() {
        for_all_seeds(0..u64::MAX, |seed| assert!(seed != 17, "seed {seed} is wrong"));
    }
}
