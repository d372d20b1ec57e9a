//! What /proc says about processes.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::FileExt;
use std::time::Duration;

use rustix::process::Pid;

/// How many bytes of an environment are read; the kernel allows a quarter of the stack limit.
const MAX_ENVIRON: u64 = 8 << 20;
/// How many bytes of a list of children are read, about 500,000 processes.
const MAX_CHILDREN: usize = 4 << 20;

/// One process at one moment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stat {
    pub pid: Pid,
    pub is_zombie: bool,
    /// Process group; `None` for the group 0 of foreign namespaces.
    pub group: Option<Pid>,
    /// Processor time in ticks: its own and that of children it waited for.
    pub cpu_ticks: u64,
    pub threads: u64,
    /// Start in ticks after boot.
    pub start_ticks: u64,
    pub resident_pages: u64,
    /// Whether its environment is in place, which it is not for a moment inside `exec`.
    pub has_environ: bool,
}

impl Stat {
    /// Identifies a process uniquely; process numbers alone are reused.
    pub(crate) fn name(&self) -> (Pid, u64) {
        (self.pid, self.start_ticks)
    }
}

/// What the environment of a process says about a variable.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Variable {
    Set(Vec<u8>),
    /// Not set, or not readable by us.
    Unset,
    /// The process is inside `exec`; ask again.
    Unclear,
}

/// Reads `/proc/<pid>/stat`; `None` if the process is gone.
pub(crate) fn stat(pid: Pid) -> Option<Stat> {
    let mut buffer = [0; 1024];
    let file = File::open(format!("/proc/{pid}/stat")).ok()?;
    let length = file.read_at(&mut buffer, 0).ok()?;
    parse_stat(pid, &buffer[..length])
}

/// How long the first thread of a process, alive or not yet reaped, was runnable but not scheduled. Zero if the kernel
/// does not say.
pub(crate) fn delay(pid: Pid) -> Duration {
    let mut buffer = [0; 128];
    let length = File::open(format!("/proc/{pid}/schedstat")).and_then(|file| file.read_at(&mut buffer, 0));
    let text = std::str::from_utf8(&buffer[..length.unwrap_or(0)]).unwrap_or("");
    let nanos = text.split_ascii_whitespace().nth(1).and_then(|field| field.parse().ok());
    Duration::from_nanos(nanos.unwrap_or(0))
}

fn parse_stat(pid: Pid, line: &[u8]) -> Option<Stat> {
    // The name is in parentheses and may itself hold spaces and parentheses.
    let after_name = line.iter().rposition(|&byte| byte == b')')? + 1;
    let rest = std::str::from_utf8(line.get(after_name..)?).ok()?;
    // Numbered as in proc(5), where the state is field 3.
    let mut fields = [""; 49];
    for (slot, field) in fields.iter_mut().zip(rest.split_ascii_whitespace()) {
        *slot = field;
    }
    let number = |field: usize| fields[field - 3].parse::<u64>().ok();
    Some(Stat {
        pid,
        // A first thread that ended before the others also appears as a zombie, but its process is alive.
        is_zombie: matches!(fields[0], "Z" | "X") && number(20)? <= 1,
        group: parse_pid(fields[5 - 3]),
        cpu_ticks: number(14)? + number(15)? + number(16)? + number(17)?,
        threads: number(20)?,
        start_ticks: number(22)?,
        resident_pages: number(24)?,
        has_environ: number(51).is_some_and(|end| end != 0),
    })
}

/// The children of a process, by any of its threads.
pub(crate) fn children(parent: &Stat) -> Vec<Pid> {
    let pid = parent.pid;
    let mut found = Vec::new();
    if parent.threads <= 1 {
        append_thread_children(&format!("/proc/{pid}/task/{pid}/children"), &mut found);
        return found;
    }
    let Ok(threads) = std::fs::read_dir(format!("/proc/{pid}/task")) else { return found };
    for thread in threads.flatten() {
        let name = thread.file_name();
        append_thread_children(&format!("/proc/{pid}/task/{}/children", name.to_string_lossy()), &mut found);
    }
    found
}

fn append_thread_children(path: &str, found: &mut Vec<Pid>) {
    if let Ok(file) = File::open(path) {
        // A process that ends meanwhile has no children any more.
        let _ = read_children(&file, found);
    }
}

/// Reads an open `children` file from its start.
pub(crate) fn read_children(file: &File, found: &mut Vec<Pid>) -> io::Result<()> {
    let mut buffer = [0; 4096];
    let length = file.read_at(&mut buffer, 0)?;
    if length == 0 {
        return Ok(());
    }
    let mut text = buffer[..length].to_vec();
    while text.len() < MAX_CHILDREN {
        let length = file.read_at(&mut buffer, text.len() as u64)?;
        if length == 0 {
            break;
        }
        text.extend_from_slice(&buffer[..length]);
    }
    let text = String::from_utf8_lossy(&text);
    found.extend(text.split_ascii_whitespace().filter_map(parse_pid));
    Ok(())
}

/// Looks up a variable in the environment a process was started with.
///
/// The whole environment of a forked child is copied, so a daemon keeps its mark unless it
/// clears its environment on purpose.
pub(crate) fn variable(pid: Pid, name: &str) -> Variable {
    // Inside `exec` the environment is first missing, then empty for some instructions.
    for _ in 0..3 {
        let mut environ = Vec::new();
        let Ok(file) = File::open(format!("/proc/{pid}/environ")) else { return Variable::Unset };
        if file.take(MAX_ENVIRON).read_to_end(&mut environ).is_err() {
            return Variable::Unset;
        }
        if !environ.is_empty() {
            let mut values = environ
                .split(|&byte| byte == 0)
                .filter_map(|entry| entry.strip_prefix(name.as_bytes())?.strip_prefix(b"="));
            return values.next().map_or(Variable::Unset, |value| Variable::Set(value.to_vec()));
        }
        if stat(pid).is_some_and(|stat| !stat.is_zombie && !stat.has_environ) {
            return Variable::Unclear;
        }
    }
    Variable::Unset
}

/// Resident bytes of a process with shared pages divided among those who share them.
pub(crate) fn proportional_bytes(pid: Pid) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("Pss:"))?;
    let kilobytes: u64 = line.split_ascii_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024)
}

fn parse_pid(text: &str) -> Option<Pid> {
    // A process that is being reaped shows group -1, which `from_raw` takes for a bug of ours.
    text.parse::<i32>().ok().filter(|raw| *raw > 0).and_then(Pid::from_raw)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_parentheses_does_not_confuse() {
        let line = b"7 (a) R (b) S 1 9 9 0 -1 4194560 1 2 3 4 10 20 30 40 20 0 3 0 5678 99999 42 1";
        let stat = parse_stat(Pid::from_raw(7).unwrap(), line).unwrap();
        assert_eq!(stat.group, Pid::from_raw(9));
        assert_eq!((stat.cpu_ticks, stat.threads), (100, 3));
        assert_eq!((stat.start_ticks, stat.resident_pages), (5678, 42));
        assert!(!stat.is_zombie);
    }

    #[test]
    fn a_process_whose_first_thread_ended_is_alive() {
        let line = |threads: u8| format!("7 (a) Z 1 9 9 0 -1 0 1 2 3 4 1 2 3 4 20 0 {threads} 0 5 9 4 1");
        assert!(!parse_stat(Pid::INIT, line(2).as_bytes()).unwrap().is_zombie);
        assert!(parse_stat(Pid::INIT, line(1).as_bytes()).unwrap().is_zombie);
    }

    #[test]
    fn half_a_line_is_no_process() {
        assert!(parse_stat(Pid::INIT, b"7 (a) S 1 9").is_none());
        assert!(parse_stat(Pid::INIT, b"").is_none());
    }

    #[test]
    fn our_variables_are_found_by_their_whole_name() {
        let own = rustix::process::getpid();
        assert!(matches!(variable(own, "PATH"), Variable::Set(path) if path.starts_with(b"/")));
        assert_eq!(variable(own, "PAT"), Variable::Unset);
    }

    #[test]
    fn we_see_ourselves() {
        let stat = stat(rustix::process::getpid()).unwrap();
        assert!(stat.resident_pages > 0 && stat.threads > 0 && stat.has_environ);
    }
}
