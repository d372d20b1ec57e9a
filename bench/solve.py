#!/usr/bin/env python3
"""Compare nub solve with boolector, z3, cvc5 and bitwuzla: are the answers the same, and how long do they take?

  solve.py SHARED               generated sets and the BTOR and SMT-LIB files of SHARED/corpus and SHARED/data

Every file is given to every solver that reads its format, one after the other; a BTOR file goes to those that do not read
BTOR as `nub convert` translates it. Tables go to standard output as Markdown. Fails if nub contradicts the other solvers.
"""
import argparse, math, os, random, re, resource, shutil, statistics, subprocess, sys, tempfile

sys.dont_write_bytecode = True
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

BITWUZLA = '''
import sys, bitwuzla
options = bitwuzla.Options()
bitwuzla.Parser(bitwuzla.TermManager(), options).parse(sys.argv[1])
'''
# Logics that nub solve reads. Files in other logics are skipped: there is nothing to compare.
LOGICS = {'QF_BV', 'QF_ABV', 'QF_UFBV', 'QF_AUFBV', 'QF_UF'}
SETS = [
    ('btor, 100 nodes', 'btor', ['-n', '100']),
    ('btor, 400 nodes', 'btor', ['-n', '400']),
    ('btor, unsat', 'btor', ['-n', '200', '--status', 'unsat']),
    ('smt2, 100 nodes', 'smt2', ['-n', '100', '--seed', '1000']),
]


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('shared', metavar='SHARED')
    parser.add_argument('--nub', default=os.path.join(ROOT, 'target', 'release', 'nub'), metavar='PATH')
    parser.add_argument('--count', type=int, default=100, metavar='N', help='files per generated set (default: %(default)s)')
    parser.add_argument('--cap', type=float, default=20, metavar='S', help='seconds per run (default: %(default)s)')
    return parser.parse_args()


def solvers(nub):
    """The command and formats of each solver, by name; solvers that are not installed are reported and skipped."""
    found = {'nub': ([nub, 'solve'], {'btor', 'smt2'})}
    for name, argv, formats in (('boolector', ['boolector'], {'btor'}), ('z3', ['z3'], {'smt2'}),
                                ('cvc5', ['cvc5', '--arrays-exp', '--incremental'], {'smt2'})):
        if shutil.which(name):
            found[name] = (argv, formats)
        else:
            print(f'{name} is not installed', file=sys.stderr)
    if shutil.which('bitwuzla'):
        found['bitwuzla'] = (['bitwuzla'], {'smt2'})
    elif subprocess.run([sys.executable, '-c', 'import bitwuzla'], capture_output=True).returncode == 0:
        found['bitwuzla'] = ([sys.executable, '-c', BITWUZLA], {'smt2'})
    else:
        print('bitwuzla is not installed: pip install bitwuzla', file=sys.stderr)
    return found


def spent():
    """Processor time of all programs so far that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def ask(argv, path, cap):
    """The last answer (sat, unsat, unknown, refused, late) and the seconds of processor time."""
    start = spent()
    try:
        done = subprocess.run(argv + [path], capture_output=True, timeout=cap, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return 'late', cap
    seconds = spent() - start
    said = re.findall(rb'^(sat|unsat|unknown)\s*$', done.stdout, re.M)
    return (said[-1].decode() if said else 'refused'), seconds


def start_seconds(found, work, cap):
    """The start-up time of each solver."""
    easy = {'smt2': '(set-logic QF_BV)\n(check-sat)\n', 'btor': '1 one 1\n2 root 1 1\n'}
    seconds = {}
    for name, (argv, formats) in found.items():
        form = 'smt2' if 'smt2' in formats else 'btor'
        path = os.path.join(work, 'easy.' + form)
        with open(path, 'w') as out:
            out.write(easy[form])
        seconds[name] = statistics.median(ask(argv, path, cap)[1] for _ in range(9))
    return seconds


def generated(nub, work, count):
    """The files of each set."""
    sets = {}
    for at, (name, form, rest) in enumerate(SETS):
        folder = os.path.join(work, f'set{at}')
        argv = [nub, 'generate', '--to', form, '--count', str(count), '--out', folder] + rest
        subprocess.run(argv, check=True, capture_output=True)
        sets[name] = [os.path.join(folder, file) for file in sorted(os.listdir(folder)) if file.endswith(form)]
    return sets


def is_readable(path):
    """A BTOR file, or a script of a logic that nub solve reads."""
    if path.endswith('.btor'):
        return True
    logic = re.search(rb'\(\s*set-logic\s+(\S+?)\s*\)', open(path, 'rb').read(1 << 20)) if path.endswith('.smt2') else None
    return bool(logic) and logic.group(1).decode() in LOGICS


def corpus(shared):
    files = []
    for part in ('corpus', 'data'):
        for folder, _, names in os.walk(os.path.join(shared, part)):
            files += [os.path.join(folder, name) for name in names]
    return sorted(path for path in files if is_readable(path))


def translated(nub, path, work):
    """A BTOR file as a script; None if it cannot be translated."""
    script = os.path.join(work, os.path.basename(path) + '.smt2')
    done = subprocess.run([nub, 'convert', path, '--to', 'smt2', '-o', script], capture_output=True)
    return script if done.returncode == 0 else None


def run_file(found, nub, path, work, cap, rng):
    """The answer and seconds of each solver, whose order changes from file to file."""
    form = path.rsplit('.', 1)[1]
    script = translated(nub, path, work) if form == 'btor' else path
    names = list(found)
    rng.shuffle(names)
    said = {}
    for name in names:
        argv, formats = found[name]
        own = path if form in formats else script if 'smt2' in formats else None
        if own:
            said[name] = ask(argv, own, cap)
    return said


def ratios(records, peer, start):
    """Files answered by both, the ratio of sums and the mean ratio, nub to the peer, without the start of programs."""
    pairs = []
    for said in records.values():
        if peer in said and said['nub'][0] in ('sat', 'unsat') and said[peer][0] in ('sat', 'unsat'):
            pairs.append([max(said[name][1] - start[name], 1e-4) for name in ('nub', peer)])
    if not pairs:
        return 0, '', '', '', ''
    ours, theirs = (sum(pair[side] for pair in pairs) for side in (0, 1))
    mean = math.exp(statistics.fmean(math.log(a / b) for a, b in pairs))
    return len(pairs), f'{ours:.2f}', f'{theirs:.2f}', f'{ours / theirs:.2f}', f'{mean:.2f}'


def report(name, records, found, start):
    """Prints the table of a set; true unless nub contradicts an answer that at least two solvers agree on."""
    is_right = True
    counts = {solver: {} for solver in found}
    for path, said in records.items():
        for solver, (word, _) in said.items():
            counts[solver][word] = counts[solver].get(word, 0) + 1
        answers = {solver: word for solver, (word, _) in said.items() if word in ('sat', 'unsat')}
        if len(set(answers.values())) > 1:
            ours = answers.get('nub')
            against = [solver for solver, word in answers.items() if word != ours]
            print(f'\n{os.path.basename(path)}: {answers}')
            is_right &= ours is None or len(against) * 2 <= len(answers)
    print(f'\n### {name}, {len(records)} files\n')
    print('| solver | start ms | sat | unsat | unknown | refused | late | both | nub s | its s | of sums | mean |')
    print('|---|---|---|---|---|---|---|---|---|---|---|---|')
    for solver in found:
        words = [str(counts[solver].get(word, 0)) for word in ('sat', 'unsat', 'unknown', 'refused', 'late')]
        compared = [str(cell) for cell in ratios(records, solver, start)] if solver != 'nub' else [''] * 5
        print('| ' + ' | '.join([solver, f'{1000 * start[solver]:.0f}'] + words + compared) + ' |')
    return is_right


def main():
    args = options()
    if not os.path.exists(args.nub):
        sys.exit('cannot find nub: cargo build --release, or --nub PATH')
    found, rng, is_right = solvers(args.nub), random.Random(1), True
    with tempfile.TemporaryDirectory() as work:
        start = start_seconds(found, work, args.cap)
        sets = generated(args.nub, work, args.count)
        sets['corpus'] = corpus(args.shared)
        for name, files in sets.items():
            records = {path: run_file(found, args.nub, path, work, args.cap, rng) for path in files}
            is_right &= report(name, records, found, start)
            sys.stdout.flush()
    sys.exit(0 if is_right else 1)


main()
