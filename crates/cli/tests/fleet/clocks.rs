//! Machines whose clocks are days apart: no message compares them.

use crate::site::{Process, Site, nub};
use crate::{read, remote_args, three_machines};
use nub_test_kit::{find_tool, missing_tool};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A preloaded library that shifts the time of day for a program. Elapsed time is unchanged.
const SHIFT: &str = "#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long shift(void) {
    const char *days = getenv(\"SHIFT_DAYS\");
    return days ? atol(days) * 86400 : 0;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    long result = syscall(SYS_clock_gettime, clock, time);
    if (result == 0 && clock == CLOCK_REALTIME)
        time->tv_sec += shift();
    return (int)result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    (void)zone;
    struct timespec now;
    int result = clock_gettime(CLOCK_REALTIME, &now);
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1000;
    return result;
}

time_t time(time_t *out) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (out)
        *out = now.tv_sec;
    return now.tv_sec;
}
";

/// Compiles the library; `None` if there is no compiler.
fn library(folder: &Path) -> Option<PathBuf> {
    if find_tool("cc").is_none() {
        missing_tool("cc");
        return None;
    }
    let (source, library) = (folder.join("shift.c"), folder.join("shift.so"));
    std::fs::write(&source, SHIFT).unwrap();
    let mut cc = Command::new("cc");
    let built = cc.args(["-shared", "-fPIC", "-o"]).arg(&library).arg(&source).output().unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    Some(library)
}

fn day_of(library: &Path, days: &str) -> i64 {
    let mut date = Command::new("date");
    let date = date.arg("+%s").env("LD_PRELOAD", library).env("SHIFT_DAYS", days).output().unwrap();
    String::from_utf8_lossy(&date.stdout).trim().parse::<i64>().unwrap() / 86400
}

#[test]
fn clocks_that_are_days_apart() {
    let Some(site) = Site::open(&[]) else { return };
    let Some(library) = library(site.folder.path()) else { return };
    let library_name = library.to_str().unwrap();
    assert!(day_of(&library, "30") - day_of(&library, "-30") >= 59, "the library does what it should");
    let (machines, expected) = three_machines(&site);
    let days = ["-30", "0", "30"];
    let start = |(machine, days): (&PathBuf, &str)| {
        site.worker(machine, &[("LD_PRELOAD", library_name), ("SHIFT_DAYS", days)])
    };
    let _workers: Vec<Process> = machines.iter().zip(days).map(start).collect();
    for days in ["-300", "300"] {
        let url = site.url();
        let mut run = nub(site.folder.path());
        run.args(remote_args(&url, &["-q", "--", "@solver"]));
        let run = run.env("LD_PRELOAD", library_name).env("SHIFT_DAYS", days).output().unwrap();
        crate::common::Run::of(run).expect(0);
        assert_eq!(read(&site.path("remote.smt2")), expected);
    }
}
