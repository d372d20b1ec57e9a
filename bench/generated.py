"""Generated files and the answers of solvers."""
import concurrent.futures, os, shutil, subprocess, sys, tempfile, time

# Exit codes of boolector.
ANSWERS = {10: 'sat', 20: 'unsat'}
# `-t` of boolector prints `unknown` and exits with this.
TIMEOUT_CODE = 14


def options(**values):
    """`n=100, cnf=True` as words for the command line."""
    words = []
    for name, value in values.items():
        dashes = '-' if len(name) == 1 else '--'
        if value is True:
            words.append(dashes + name.replace('_', '-'))
        elif value is not False:
            words += [dashes + name.replace('_', '-'), str(value)]
    return words


class Folder:
    """Files of consecutive seeds; removed at the end."""

    def __init__(self, nub, words, seed, count, suffix='btor'):
        self.path = tempfile.mkdtemp(prefix='nub-bench-')
        command = [nub, 'generate', '--seed', str(seed), '--count', str(count), '--out', self.path, '--to', suffix, *words]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            shutil.rmtree(self.path)
            sys.exit(f'{" ".join(command)}: {done.stderr.strip()}')
        self.files = [os.path.join(self.path, f'{s}.{suffix}') for s in range(seed, seed + count)]

    def __enter__(self):
        return self.files

    def __exit__(self, *_):
        shutil.rmtree(self.path, ignore_errors=True)


def run(command, path, timeout):
    """(answer, seconds): sat, unsat, timeout or failure. Signals and other exit codes are failures."""
    start = time.monotonic()
    try:
        code = subprocess.run([*command, path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              timeout=timeout).returncode
    except subprocess.TimeoutExpired:
        return 'timeout', timeout
    answer = 'timeout' if code == TIMEOUT_CODE else ANSWERS.get(code, 'failure')
    return answer, time.monotonic() - start


def run_all(command, paths, timeout, jobs):
    """Answers of all files, in order."""
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(lambda path: run(command, path, timeout), paths))


def unsat_percent(args, count, seed=1, timeout=20, **values):
    """Share of unsatisfiable files among those that boolector answers."""
    with Folder(args.nub, options(**values), seed, count) as files:
        answers = [answer for answer, _ in run_all(['boolector'], files, timeout, args.j)]
    if 'failure' in answers:
        sys.exit(f'boolector failed on seed {seed + answers.index("failure")} of {values}')
    known = [answer for answer in answers if answer != 'timeout']
    return 100 * known.count('unsat') / max(1, len(known))


def progress(text):
    print(text, file=sys.stderr, flush=True)
