#!/usr/bin/env python3
"""Run nub cover on functions whose smallest test suites are known: are the sizes right, does clang see the coverage, how long does it take?

  cover.py SHARED               the functions of SHARED/bench/cover/seed and SHARED/data/c/funcs, four criteria
  cover.py SHARED --cbmc PATH --ratios FILE...   any functions: nub's CPU time divided by CBMC's

Sizes are compared with SHARED/bench/cover/reference_minima.tsv, whose MC/DC requires only the pairs; nub is run with --mcdc-pairs-only. With clang-19 and llvm-19, SHARED/bench/cover/referee.py measures
each suite: everything except what nub proved infeasible must be covered. With --cbmc PATH the same goals are asked of CBMC, in the same run: nub must not
be slower. Times are those of the default run: start-up, search, proof, and the replay in the interpreter and in the compiled program under
sanitizers; CBMC compiles nothing. The table has the CPU time of all processes and the wall time. CPU time is compared; with --wall, for an otherwise idle machine, wall time. The two programs take turns, and the best of several runs of each counts: other load only adds to the time of both. A table goes to standard output as Markdown. Fails on any difference, and on more than 0.2 s, or 3 s with wide
division.

With --ratios nub runs with --no-native, because CBMC compiles nothing, and both with CBMC's three criteria. A file is PATH or PATH:FUNCTION; without a name it
is the function that is called like the file, or else the last one in it. A folder means its C files. Fails if nub takes more than --times times CBMC's time where
CBMC ends within --cap.
"""
import argparse, csv, json, os, re, resource, shutil, subprocess, sys, tempfile, time

sys.dont_write_bytecode = True
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# For each criterion, its column in the table of minima and its name in the referee's answer.
CRITERIA = {'decision': ('decision', 'decision'), 'condition': ('condition', 'condition'),
            'condition-decision': ('cond_dec', 'conddec'), 'mcdc': ('mcdc', 'mcdc_llvm')}
# The types of the thesis: its int has 16 bits, its long 32.
DEFINES = {'g': ['-DWORD=short'], 'check_date_validity': ['-DWORD=short'], 'ariane_sri_analogy': ['-DLWORD=int']}
READINGS = {'short-circuit': [], 'all conditions evaluated': ['--evaluate-all']}
# Seconds that a criterion may take: wide division is hard for SAT.
LIMIT, HARD_LIMIT, HARD = 0.2, 3, {'gcd', 'luaV_idiv'}
# States of goals that need no test.
IMPOSSIBLE = ('infeasible', 'undefined')


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('shared', metavar='SHARED')
    parser.add_argument('--nub', default=os.path.join(ROOT, 'target', 'release', 'nub'), metavar='PATH')
    parser.add_argument('--runs', type=int, default=5, metavar='N', help='runs per cell; the best counts (default: %(default)s)')
    parser.add_argument('--cap', type=float, default=60, metavar='S', help='seconds per run (default: %(default)s)')
    parser.add_argument('--only', default='', metavar='TEXT', help='only functions whose name contains this')
    parser.add_argument('--wall', action='store_true', help='compare wall time, on an otherwise idle machine; the default is the CPU time of all processes')
    parser.add_argument('--cbmc', default=None, metavar='PATH', help='also run CBMC, and compare the times')
    parser.add_argument('--no-referee', action='store_true', help='do not ask clang')
    parser.add_argument('--ratios', nargs='+', default=[], metavar='FILE', help='only divide the times of nub and CBMC, for these functions: PATH, PATH:FUNCTION, or a folder')
    parser.add_argument('--times', type=float, default=2, metavar='N', help='with --ratios: the largest ratio that is accepted (default: %(default)s)')
    parser.add_argument('--unwind', type=int, default=70, metavar='N', help='with --ratios: the bound of loops for CBMC (default: %(default)s)')
    args = parser.parse_args()
    if args.ratios and not args.cbmc:
        parser.error('--ratios needs --cbmc')
    return args


def minima(shared):
    """The rows of the table, by function and reading."""
    with open(os.path.join(shared, 'bench', 'cover', 'reference_minima.tsv')) as lines:
        return {(row['function'], row['semantics']): row for row in csv.DictReader(lines, delimiter='\t')}


def functions(shared, known):
    """The file of each function, in the order of the files. A file has one function of the table, or one with the name of the file."""
    names = {name for name, _ in known}
    found = {}
    for folder in (os.path.join(shared, 'bench', 'cover', 'seed'), os.path.join(shared, 'data', 'c', 'funcs')):
        for file in sorted(os.listdir(folder)):
            if file.endswith('.c'):
                path = os.path.join(folder, file)
                words = re.findall(r'\w+', open(path).read())
                own = file[:-2] if file[:-2] in words else None
                name = own or next((word for word in words if word in names), None)
                if name:
                    found[name] = path
                else:
                    print(f'{file}: no known function', file=sys.stderr)
    return found


class Stopwatch:
    """CPU seconds and wall seconds of programs that we started; the best of several runs."""

    def __init__(self):
        self.runs = []

    def start(self):
        self.before = self.now()

    def stop(self):
        self.runs.append([after - before for before, after in zip(self.before, self.now())])

    def now(self):
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime, time.perf_counter()

    def judged(self, args):
        return min(run[args.wall] for run in self.runs)

    def __str__(self):
        return '/'.join(f'{1000 * min(run[which] for run in self.runs):.0f}' for which in (0, 1))


# Functions with loops: CBMC unrolls forever without a bound.
LOOPS = {'gcd', 'sqlite3LogEst'}


# Seconds after which one run is enough.
FAR = 5


class Contender:
    """A program that is run several times, with its last output or error."""

    def __init__(self, argv):
        self.argv, self.watch, self.out, self.fault = argv, Stopwatch(), '', None

    def run(self, args):
        """Runs it once more, unless it failed before or the result is clear. At a time-out its time is the cap."""
        if self.fault or any(run[1] > FAR for run in self.watch.runs):
            return
        self.watch.start()
        try:
            done = subprocess.run(self.argv, capture_output=True, text=True, timeout=args.cap, stdin=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            self.watch.runs = [[args.cap, args.cap]]
            self.fault = f'no answer in {args.cap} s'
            return
        self.watch.stop()
        self.out = done.stdout
        if done.returncode != 0:
            self.fault = done.stderr.strip() or f'exit code {done.returncode}'


def nub_argv(args, path, name, criterion, reading):
    return [args.nub, 'cover', path, '-f', name, '-c', criterion, '--mcdc-pairs-only', '--json'] + READINGS[reading] + DEFINES.get(name, [])


def cbmc_argv(args, path, name, criterion):
    argv = [args.cbmc, path, '--function', name, '--cover', criterion, '--show-test-suite', '--no-standard-checks'] + DEFINES.get(name, [])
    return argv + (['--unwind', '70'] if name in LOOPS else [])


def measure(args, path, name, criterion, reading):
    """Run nub and CBMC in turns; None for CBMC if it is not used or lacks the criterion."""
    ours, theirs = Contender(nub_argv(args, path, name, criterion, reading)), None
    if args.cbmc and reading == 'short-circuit' and criterion in ('decision', 'condition', 'mcdc'):
        theirs = Contender(cbmc_argv(args, path, name, criterion))
    for _ in range(args.runs):
        ours.run(args)
        if theirs:
            theirs.run(args)
    return ours, theirs


def cbmc_size(theirs):
    """How many tests CBMC gives."""
    suite = theirs.out.partition('Test suite:')[2]
    return str(len([line for line in suite.splitlines() if line.strip()])) if theirs.out else 'none'


def size_faults(report, expected):
    """What is wrong with the size and its proof."""
    n_tests, faults = len(report['tests']), []
    if expected and n_tests != int(expected):
        faults.append(f'{n_tests} tests, not {expected}')
    if not report['is_minimal']:
        faults.append('not proved to be the fewest')
    undecided = [goal['id'] for goal in report['goals'] if goal['state'] not in ('covered',) + IMPOSSIBLE]
    if undecided:
        faults.append(f'not decided: {", ".join(undecided)}')
    return faults


def referee_faults(args, path, name, criterion, report):
    """What clang misses besides the goals that are proved infeasible."""
    with tempfile.TemporaryDirectory() as work:
        tests = os.path.join(work, 'tests.json')
        with open(tests, 'w') as out:
            json.dump(report, out)
        script = os.path.join(args.shared, 'bench', 'cover', 'referee.py')
        argv = [sys.executable, script, path, tests, '--function', name, '--json'] + DEFINES.get(name, [])
        done = subprocess.run(argv, capture_output=True, text=True, timeout=args.cap)
    if done.returncode != 0:
        return [f'the referee failed: {done.stderr.strip()}']
    said = json.loads(done.stdout)
    covered, total = said[CRITERIA[criterion][1]]
    # The referee does not count the cases of `switch`.
    counted = [goal for goal in report['goals'] if not re.search(r'/(case\d+|default)$', goal['id'])]
    n_impossible = sum(goal['state'] in IMPOSSIBLE for goal in counted)
    faults = [f'clang: {note}' for note in said['notes']]
    if total - covered != n_impossible or total == 0:
        faults.append(f'clang sees {covered} of {total}, while {n_impossible} are proved impossible')
    return faults


def run_row(args, name, path, reading, row):
    """The cells of a row and what is wrong."""
    cells, faults = [], []
    for criterion, (column, _) in CRITERIA.items():
        ours, theirs = measure(args, path, name, criterion, reading)
        if ours.fault:
            cells.append('failed')
            faults.append(f'{name}, {criterion}: {ours.fault}')
            continue
        report = json.loads(ours.out)
        found = size_faults(report, row and row[column])
        if args.has_referee and reading == 'short-circuit':
            found += referee_faults(args, path, name, criterion, report)
        limit = HARD_LIMIT if name in HARD else LIMIT
        seconds = ours.watch.judged(args)
        found += [f'{seconds:.2f} s, more than {limit}'] if seconds > limit else []
        found += [f'compiled tests: {report.get("native")}'] if report['tests'] and report.get('native') != 'confirmed' else []
        faults += [f'{name}, {reading}, {criterion}: {fault}' for fault in found]
        impossible = sum(goal['state'] in IMPOSSIBLE for goal in report['goals'])
        note = f' ({impossible} impossible)' if impossible else ''
        if theirs and theirs.watch.judged(args) < seconds:
            faults.append(f'{name}, {criterion}: {ours.watch} ms, and CBMC {theirs.watch} ms')
        cells += [f'{len(report["tests"])}{note}', f'{ours.watch}' + (f' : {theirs.watch} ({cbmc_size(theirs)})' if theirs else '')]
    return cells, faults


DEFINITION = re.compile(r'^(?!static\s+const|typedef|struct\s*\w*\s*\{|enum)[A-Za-z_][\w\s*]*?\b(\w+)\s*\([^;{}]*\)\s*\{', re.M)


def chosen(files):
    """(path, function) for each of the arguments of --ratios."""
    for file in files:
        if os.path.isdir(file):
            yield from chosen(sorted(os.path.join(file, name) for name in os.listdir(file) if name.endswith('.c')))
            continue
        path, _, name = file.partition(':')
        defined = DEFINITION.findall(open(path).read())
        stem = os.path.basename(path)[:-2]
        if name or defined:
            yield path, name or (stem if stem in defined else defined[-1])
        else:
            print(f'{path}: no function', file=sys.stderr)


def ratio_cell(args, path, name, criterion):
    """A cell, the ratio if CBMC has ended, and what is wrong."""
    ours = Contender([args.nub, 'cover', path, '-f', name, '-c', criterion, '--no-native', '--json'] + DEFINES.get(name, []))
    theirs = Contender(cbmc_argv(args, path, name, criterion)[:-2 if name in LOOPS else None] + ['--unwind', str(args.unwind)])
    for _ in range(args.runs):
        ours.run(args)
        theirs.run(args)
    if ours.fault or theirs.fault:
        times = ' : '.join('-' if run.fault else f'{run.watch}' for run in (ours, theirs))
        return times, None, [f'{name}, {criterion}: {ours.fault}'] if ours.fault and not theirs.fault else []
    seconds = [run.watch.judged(args) for run in (ours, theirs)]
    ratio, report = seconds[0] / seconds[1], json.loads(ours.out)
    states = [goal['state'] for goal in report['goals']]
    n_open = sum(state not in ('covered', 'infeasible-if') + IMPOSSIBLE for state in states)
    size = f"{len(report['tests'])}{'' if report['is_minimal'] else '?'} ({cbmc_size(theirs)})"
    faults = [f'{name}, {criterion}: {ratio:.2f} times'] if ratio > args.times else []
    return f'{ratio:.2f}: {1000 * seconds[0]:.0f}/{1000 * seconds[1]:.0f}, {size}' + (f', {n_open} open' if n_open else ''), ratio, faults


def ratios(args):
    criteria, all_ratios, faults = [name for name in CRITERIA if name != 'condition-decision'], [], []
    print('| function | ' + ' | '.join(criteria) + ' |\n|---|' + '---|' * len(criteria))
    for path, name in chosen(args.ratios):
        if args.only not in name:
            continue
        cells = [ratio_cell(args, path, name, criterion) for criterion in criteria]
        all_ratios += [ratio for _, ratio, _ in cells if ratio is not None]
        faults += [fault for _, _, found in cells for fault in found]
        print(f'| `{name}` | ' + ' | '.join(cell for cell, _, _ in cells) + ' |', flush=True)
    n_above = sum(ratio > args.times for ratio in all_ratios)
    print(f'\nA cell is the ratio: milliseconds of nub / of CBMC, the number of tests (? if it is not proved minimal) and of those of CBMC. '
          f'{n_above} of {len(all_ratios)} cells that CBMC ends are above {args.times:g}; the largest is {max(all_ratios, default=0):.2f}.')
    for fault in faults:
        print(f'\nABOVE {fault}')
    sys.exit(1 if faults else 0)


def main():
    args = options()
    if not os.path.exists(args.nub):
        sys.exit('cannot find nub: cargo build --release, or --nub PATH')
    if args.ratios:
        ratios(args)
    args.has_referee = not args.no_referee and bool(shutil.which('clang-19') and shutil.which('llvm-cov-19'))
    known, faults = minima(args.shared), []
    print('| function | conditions | ' + ' | '.join(f'{criterion} | ms' for criterion in CRITERIA) + ' |')
    print('|---|---|' + '---:|---:|' * len(CRITERIA))
    for name, path in functions(args.shared, known).items():
        for reading in READINGS:
            row = known.get((name, reading))
            if args.only in name and (row or reading == 'short-circuit'):
                cells, found = run_row(args, name, path, reading, row)
                faults += found
                print(f'| `{name}` | {reading} | ' + ' | '.join(cells) + ' |', flush=True)
    if args.cbmc:
        print('\nAfter the colon: CBMC, and the number of its tests.')
    print('\nMilliseconds: CPU time of all processes / wall time; judged by ' + ('wall time.' if args.wall else 'CPU time.'))
    print('\nReferee: ' + ('clang-19.' if args.has_referee else 'not asked (clang-19 and llvm-19 are needed).'))
    for fault in faults:
        print(f'\nDIFFERS {fault}')
    sys.exit(1 if faults else 0)


main()
