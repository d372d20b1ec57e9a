//! Measures what a run costs on top of starting a program and waiting for it.
//!
//! `cargo run --release -p nub-process --example overhead -- [runs] [program]`
#![allow(clippy::print_stdout, clippy::disallowed_methods, clippy::unwrap_used)] // a measuring program

use std::process::Stdio;
use std::time::{Duration, Instant};

use nub_process::{Cancel, ChildInput, Command, ProcessLimits, Runner};
use rustix::time::{ClockId, clock_gettime};

fn main() {
    let mut args = std::env::args().skip(1);
    let runs: u32 = args.next().map_or(2000, |text| text.parse().unwrap());
    let program = args.next().unwrap_or_else(|| "/bin/true".to_owned());
    let runner = Runner::new().unwrap();
    let (limits, cancel) = (ProcessLimits::default(), Cancel::new());
    let command = Command {
        program: program.clone().into(),
        args: vec![],
        folder: None,
        env: vec![],
        input: ChildInput::Null,
    };

    let plain = || {
        let mut child = std::process::Command::new(&program);
        child
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
            .wait()
            .unwrap();
    };
    let piped = || {
        std::process::Command::new(&program).stdin(Stdio::null()).output().unwrap();
    };
    let ours = || {
        runner.run(&command, &limits, &cancel).unwrap();
    };
    // Alternating, so that other load on the machine affects all equally.
    let mut sums = [(Duration::ZERO, Duration::ZERO); 3];
    for _ in 0..runs.div_ceil(50) {
        for (sum, action) in sums.iter_mut().zip([&plain as &dyn Fn(), &piped, &ours]) {
            let (cpu, wall) = (own_cpu(), Instant::now());
            (0..50).for_each(|_| action());
            sum.0 += own_cpu() - cpu;
            sum.1 += wall.elapsed();
        }
    }
    let n = runs.div_ceil(50) * 50;
    for (name, (cpu, wall)) in ["spawn, wait", "output()", "Runner::run"].iter().zip(sums) {
        println!("{name:12} {:7.1} us own CPU, {:7.1} us wall", micros(cpu, n), micros(wall, n));
    }
    let extra = micros(sums[2].0, n) - micros(sums[0].0, n);
    println!(
        "overhead     {extra:7.1} us own CPU, wall x {:.2}",
        sums[2].1.as_secs_f64() / sums[0].1.as_secs_f64()
    );
}

/// User and system time of this process, without its children.
fn own_cpu() -> Duration {
    clock_gettime(ClockId::ProcessCPUTime).try_into().unwrap()
}

fn micros(time: Duration, runs: u32) -> f64 {
    time.as_secs_f64() * 1e6 / f64::from(runs)
}
