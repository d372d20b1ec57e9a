#!/usr/bin/env python3
"""Run nub cover on functions with floating point: are all conditions covered according to clang, are the suites as small as the best known, how long does it take?

  cover_floats.py SHARED        the functions of SHARED/data/c/float, MC/DC (pairs)

INDEX.tsv there has for each function its conditions, how many of them cannot be shown, and the size of the best known suite. SHARED/bench/cover/referee.py
measures each suite with clang-19. Time is CPU time: of the answer with --no-native, as other tools are timed, and of nub and all that it starts, with
compiling and running the tests under sanitizers. A table goes to standard output as Markdown. Fails if a suite is larger than the best known, if clang misses more than what cannot be shown, or if the compiled tests
do not agree.
"""
import argparse, csv, json, os, resource, statistics, subprocess, sys, tempfile

sys.dont_write_bytecode = True
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('shared', metavar='SHARED')
    parser.add_argument('--nub', default=os.path.join(ROOT, 'target', 'release', 'nub'), metavar='PATH')
    parser.add_argument('--cap', type=float, default=120, metavar='S', help='seconds per function (default: %(default)s)')
    parser.add_argument('--only', default='', metavar='TEXT', help='only files whose name contains this')
    return parser.parse_args()


def cpu():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def cover(args, path, name, native='--native'):
    """The report, or what went wrong; and seconds of CPU time."""
    before = cpu()
    argv = [args.nub, 'cover', path, '-f', name, native, '--mcdc-pairs-only', '--json']
    try:
        done = subprocess.run(argv, capture_output=True, text=True, timeout=args.cap, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return None, f'no answer in {args.cap} s', args.cap
    seconds = cpu() - before
    if done.returncode != 0:
        return None, done.stderr.strip() or f'exit code {done.returncode}', seconds
    return json.loads(done.stdout), None, seconds


def refereed(args, path, name, report):
    """Conditions that clang sees shown, and all that it sees."""
    with tempfile.TemporaryDirectory() as work:
        tests = os.path.join(work, 'tests.json')
        with open(tests, 'w') as out:
            json.dump(report, out)
        script = os.path.join(args.shared, 'bench', 'cover', 'referee.py')
        argv = [sys.executable, script, path, tests, '--function', name, '--json', '-lm']
        done = subprocess.run(argv, capture_output=True, text=True, timeout=args.cap)
    if done.returncode != 0:
        sys.exit(f'the referee failed on {name}: {done.stderr.strip()}')
    return json.loads(done.stdout)['mcdc_llvm']


def faults(report, row, shown):
    """What is wrong with an answer."""
    covered, total = shown
    if len(report['tests']) > int(row['best_known_tests']):
        yield f'{len(report["tests"])} tests, and {row["best_known_tests"]} do'
    if total - covered > int(row['infeasible']):
        yield f'clang sees {covered} of {total}'
    if report.get('native') != 'confirmed':
        yield f'compiled tests: {report.get("native")}'


def main():
    args = options()
    folder = os.path.join(args.shared, 'data', 'c', 'float')
    with open(os.path.join(folder, 'INDEX.tsv')) as lines:
        rows = [row for row in csv.DictReader(lines, delimiter='\t') if args.only in row['file']]
    found, seconds, with_runs, n_complete, n_minimal = [], [], [], 0, 0
    print('| function | tests | best known | minimum | shown by clang | infeasible | CPU s | with test runs |\n|---|---:|---:|---|---:|---:|---:|---:|')
    for row in rows:
        path = os.path.join(folder, row['file'])
        report, fault, taken = cover(args, path, row['function'])
        with_runs.append(taken)
        seconds.append(cover(args, path, row['function'], '--no-native')[2])
        if report is None:
            found.append(f'{row["file"]}: {fault}')
            continue
        shown = refereed(args, path, row['function'], report)
        wrong = list(faults(report, row, shown))
        found += [f'{row["file"]}: {fault}' for fault in wrong]
        n_complete += not wrong
        n_minimal += report['is_minimal']
        n_infeasible = report['summary']['infeasible']
        minimum = 'proved' if report['is_minimal'] else 'open'
        print(f'| `{row["function"]}` | {len(report["tests"])} | {row["best_known_tests"]} | {minimum} | {shown[0]}/{shown[1]} | {n_infeasible} | {seconds[-1]:.2f} | {taken:.2f} |', flush=True)
    above = sum(taken > 10 for taken in with_runs)
    print(f'\n{n_complete} of {len(rows)} complete, {n_minimal} with a proved minimum; CPU time: median {statistics.median(seconds):.2f} s, with test runs {statistics.median(with_runs):.2f} s, {above} above 10 s.')
    for fault in found:
        print(f'\nDIFFERS {fault}')
    sys.exit(1 if found else 0)


if __name__ == '__main__':
    main()
