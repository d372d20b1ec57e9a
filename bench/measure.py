"""Run one reducer under a wall-clock cap and measure it. Linux only: reads /proc.

What is measured, and how:
  wall_s      from start to end, or the cap
  cpu_s       processor time of the tool and of everything it waited for (wait4); of the live tree if it had to be killed
  own_cpu_s   processor time of the tool's own process alone, without children (/proc/PID/stat, ticks of 10 ms)
  peak_mb     peak resident memory of the tool's own process, without children (VmHWM)
"""
import hashlib, os, shutil, signal, subprocess, threading, time

TICK = os.sysconf('SC_CLK_TCK')
POLL_S = 0.02
# After the cap: SIGINT, then this long, then SIGKILL for the whole tree.
GRACE_S = 10.0


def stat_fields(pid):
    """Fields of /proc/PID/stat from the state on, or None if the process is gone."""
    try:
        text = open(f'/proc/{pid}/stat').read()
    except OSError:
        return None
    return text[text.rindex(')') + 2:].split()


def own_cpu(pid):
    fields = stat_fields(pid)
    return sum(map(int, fields[11:13])) / TICK if fields else 0.0


def peak_mb(pid):
    try:
        for line in open(f'/proc/{pid}/status'):
            if line.startswith('VmHWM:'):
                return int(line.split()[1]) / 1024
    except OSError:
        pass
    return 0.0


def tree(root):
    """Process ids of root and of all its descendants, and the processor time of them and of those they waited for."""
    children, cpu = {}, {}
    for name in os.listdir('/proc'):
        fields = stat_fields(name) if name.isdigit() else None
        if fields:
            cpu[int(name)] = sum(map(int, fields[11:15])) / TICK
            children.setdefault(int(fields[1]), []).append(int(name))
    todo, found = [root], []
    while todo:
        pid = todo.pop()
        if pid in cpu:
            found.append(pid)
        todo += children.get(pid, [])
    return found, sum(cpu[pid] for pid in found)


# Children that run now, so that Ctrl-C can end them: they are in sessions of their own.
running = set()
running_lock = threading.Lock()


def kill_all():
    with running_lock:
        for pid in list(running):
            for member in tree(pid)[0]:
                kill(member, signal.SIGKILL)


def kill(pid, how):
    try:
        os.kill(pid, how)
    except ProcessLookupError:
        pass


def run(argv, cwd, env, cap, log_path, samples=None):
    """Run a tool until it ends or the cap is reached. `samples`, if given, gets pairs (time, own_cpu_s)."""
    with open(log_path, 'wb') as log:
        start = time.time()
        child = subprocess.Popen(argv, cwd=cwd, env=env, stdout=log, stderr=log, stdin=subprocess.DEVNULL,
                                 start_new_session=True)
    with running_lock:
        running.add(child.pid)
    record = {'start': start, 'capped': False, 'peak_mb': 0.0, 'own_cpu_s': 0.0}
    tree_cpu, usage, status = 0.0, None, None
    try:
        while True:
            pid, status, usage = os.wait4(child.pid, os.WNOHANG)
            now = time.time()
            if pid:
                break
            record['peak_mb'] = max(record['peak_mb'], peak_mb(child.pid))
            record['own_cpu_s'] = max(record['own_cpu_s'], own_cpu(child.pid))
            if samples is not None:
                samples.append((now, record['own_cpu_s']))
            if now - start > cap:
                record['capped'] = True
                tree_cpu = tree(child.pid)[1]
                status, usage = stop(child.pid, record)
                break
            time.sleep(POLL_S)
    finally:
        with running_lock:
            running.discard(child.pid)
        child.returncode = 0  # Waited for here, so that Popen does not.
    record['wall_s'] = round(min(now - start, cap) if record['capped'] else now - start, 3)
    record['cpu_s'] = round(max(tree_cpu, usage.ru_utime + usage.ru_stime if usage else 0.0), 3)
    record['exit'] = os.waitstatus_to_exitcode(status) if status is not None else None
    record['peak_mb'] = round(record['peak_mb'], 1)
    return record


def stop(pid, record):
    """SIGINT, patience, SIGKILL for the tree. Returns (status, usage)."""
    kill(pid, signal.SIGINT)
    since = time.time()
    while time.time() - since < GRACE_S:
        done, status, usage = os.wait4(pid, os.WNOHANG)
        if done:
            record['sigint_to_exit_s'] = round(time.time() - since, 2)
            return status, usage
        time.sleep(POLL_S)
    for member in tree(pid)[0]:
        kill(member, signal.SIGKILL)
    _, status, usage = os.wait4(pid, 0)
    record['sigint_to_exit_s'] = None
    return status, usage


def still_fails(oracle, path, env, cwd):
    """Whether the oracle accepts a file. On a rejection two more runs: two of three decide."""
    votes = 0
    for n_runs in (1, 2, 3):
        votes += subprocess.call([oracle, path], env=env, cwd=cwd, stdin=subprocess.DEVNULL,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) == 0
        if votes == n_runs == 1 or votes == 2:
            return True
    return False


def find(name, given):
    """The absolute path of a program: as given, or from PATH; None if it does not exist.

    A pyenv shim costs a shell and more at each start; the program behind it is used instead.
    """
    path = given or shutil.which(name)
    if not path or not os.access(path, os.X_OK):
        return None
    if os.sep + 'shims' + os.sep in path and shutil.which('pyenv'):
        behind = subprocess.run(['pyenv', 'which', name], capture_output=True, text=True)
        path = behind.stdout.strip() if behind.returncode == 0 else path
    return os.path.abspath(path)


def fingerprint(path):
    """A few digits that change when a program does."""
    return hashlib.sha256(open(path, 'rb').read()).hexdigest()[:12]


def n_solid(path):
    """Bytes that are not white space: the size without layout."""
    data = open(path, 'rb').read()
    return len(data) - sum(data.count(blank) for blank in b' \t\r\n')
