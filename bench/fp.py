#!/usr/bin/env python3
"""Run nub solve on floating-point scripts beside bitwuzla and z3: which are answered, which wrongly, how long it takes.

  fp.py FOLDER                  scripts with (set-info :status ...), such as SHARED/data/fp/smt2

Every file goes to every solver that is installed, one solver after the other on the same file, each under a limit of CPU time.
Prints what was refused, solved and wrong, then the geometric means of CPU time relative to each peer over the files that both
solve and that cost the peer more than 0.1 s, then how nub does on files that cost the peer less than 10 ms. The start of each
program is subtracted everywhere. Fails if an answer of nub contradicts the status of a file.
"""
import argparse, math, os, re, resource, shutil, subprocess, sys

sys.dont_write_bytecode = True
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BITWUZLA = [sys.executable, os.path.join(ROOT, 'bench', 'solvers', 'bitwuzla_program.py')]
FLOOR = 0.001


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('folder', metavar='FOLDER')
    parser.add_argument('--nub', default=os.path.join(ROOT, 'target', 'release', 'nub'), metavar='PATH')
    parser.add_argument('--cap', type=int, default=10, metavar='S', help='seconds of CPU per run (default: %(default)s)')
    parser.add_argument('--every', type=int, default=1, metavar='N', help='only every Nth file (default: all)')
    parser.add_argument('--alone', action='store_true', help='no peers')
    parser.add_argument('--rows', metavar='FILE', help='write one line per file: name, status, answer and CPU seconds of each solver')
    return parser.parse_args()


def solvers(given):
    """The command of each solver, by name; solvers that are not installed are reported and skipped."""
    found = {'nub': [given.nub, 'solve']}
    if given.alone:
        return found
    if shutil.which('bitwuzla'):
        found['bitwuzla'] = ['bitwuzla']
    elif subprocess.run([sys.executable, '-c', 'import bitwuzla'], capture_output=True).returncode == 0:
        found['bitwuzla'] = BITWUZLA
    else:
        print('bitwuzla is not installed (pip install bitwuzla)', file=sys.stderr)
    if shutil.which('z3'):
        found['z3'] = ['z3']
    else:
        print('z3 is not installed', file=sys.stderr)
    return found


def run(command, path, cap):
    """The first answer, if there is one, and the CPU seconds."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (cap, cap + 1))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([*command, path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, preexec_fn=limit)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    answers = re.findall(r'^(sat|unsat|unknown)$', done.stdout.decode(errors='replace'), re.M)
    if answers and answers[0] != 'unknown':
        return answers[0], seconds
    # Some solvers catch the signal and leave with a message.
    is_over = done.returncode < 0 or seconds >= 0.95 * cap
    return ('over' if is_over else 'refused'), seconds


def start_of(command, folder):
    """The CPU seconds of a run that has nothing to do."""
    path = os.path.join(folder, 'nothing.smt2')
    with open(path, 'w') as out:
        out.write('(set-logic QF_FP)\n(check-sat)\n')
    return min(run(command, path, 10)[1] for _ in range(5))


def geometric_mean(numbers):
    return math.exp(sum(map(math.log, numbers)) / len(numbers)) if numbers else float('nan')


def main():
    given = options()
    names = sorted(name for name in os.listdir(given.folder) if name.endswith('.smt2'))[::given.every]
    found = solvers(given)
    import tempfile
    with tempfile.TemporaryDirectory() as folder:
        starts = {name: start_of(command, folder) for name, command in found.items()}
    table = {}
    for name in names:
        path = os.path.join(given.folder, name)
        with open(path, errors='replace') as text:
            status = re.search(r':status (sat|unsat)', text.read()).group(1)
        table[name] = (status, {solver: run(command, path, given.cap) for solver, command in found.items()})
        if given.rows:
            with open(given.rows, 'a') as out:
                cells = [f'{runs[0]} {max(runs[1] - starts[solver], 0):.4f}' for solver, runs in table[name][1].items()]
                out.write(' '.join([name, status, *cells]) + '\n')
    wrong = 0
    print('| solver | files | refused | solved | wrong | CPU s of the solved | start s |')
    print('|---|---|---|---|---|---|---|')
    for solver in found:
        rows = [(status, *runs[solver]) for status, runs in table.values()]
        solved = [row for row in rows if row[1] in ('sat', 'unsat')]
        bad = [row for row in solved if row[0] != row[1]]
        refused = sum(row[1] == 'refused' for row in rows)
        print(f'| {solver} | {len(rows)} | {refused} | {len(solved)} | {len(bad)} | '
              f'{sum(row[2] for row in solved):.1f} | {starts[solver]:.3f} |')
        wrong += len(bad) if solver == 'nub' else 0
    for peer in [name for name in found if name != 'nub']:
        pairs = []
        for status, runs in table.values():
            (ours, own), (theirs, other) = runs['nub'], runs[peer]
            own, other = max(own - starts['nub'], FLOOR), max(other - starts[peer], FLOOR)
            if ours == theirs == status:
                pairs.append((own, other))
        slow = [own / other for own, other in pairs if other > 0.1]
        either = [own / other for own, other in pairs if max(own, other) > 0.1]
        print(f'\nnub / {peer}, geometric mean of CPU: {geometric_mean(slow):.2f} over {len(slow)} files where {peer} needs '
              f'more than 0.1 s; {geometric_mean(either):.2f} over {len(either)} where either does')
        quick = sorted(own for own, other in pairs if other < 0.01)
        above = sum(own > 0.01 for own in quick)
        if quick:
            print(f'{len(quick)} files that {peer} solves in less than 10 ms: nub needs more for {above}, at most {quick[-1]:.3f} s')
    for name, (status, runs) in table.items():
        if runs['nub'][0] != status:
            print(f'{name}: {status}, nub {runs["nub"][0]} after {runs["nub"][1]:.1f} s')
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
