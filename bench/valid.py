"""`generate.py valid`: do solvers accept every file? Files that they cannot parse are rejected; files that are not solved in time are accepted."""
import concurrent.futures, subprocess

import records
from generated import Folder, options, progress

# Options that reach every part of the generator; small files, since reading is what is tested.
SETS = [
    dict(),
    dict(n=40, all=True, more_ops=True),
    dict(n=150, cnf=True, clauses=1.5),
    dict(n=60, noarrays=True, maxwidth=12),
    dict(n=60, minwidth=3, maxwidth=3),
    dict(n=60, maxwidth=70, more_ops=True, all=True, arrmaxwidth=10),
    dict(n=80, arrays=12, writes=20),
    dict(n=60, vars=0),
    dict(n=60, depth=6, dag=0),
    dict(n=60, dag=100, maxwidth=1),
    dict(n=90, per_layer='20,5'),
    dict(cnfonly=True, vars=40, clauses=4.2),
    dict(n=60, status='sat', more_ops=True),
    dict(n=80, status='sat', cnf=True, clauses=4),
    dict(n=80, status='unsat', maxwidth=3),
    dict(n=3),
    dict(n=200, maxwidth=6, minwidth=2),
    dict(n=50, maxwidth=16, status='sat', per_layer=6),
    dict(n=1, vars=1, arrays=0),
    dict(n=300, arrays=1, writes=30),
]
# A file that boolector has not solved by then has still been parsed.
SECONDS = 1


def boolector(args, words, seed, count):
    """Rejected files. Exit code 1 is a parse error; 14 is the time limit."""
    with Folder(args.nub, words, seed, count) as files:
        with concurrent.futures.ThreadPoolExecutor(args.j) as pool:
            codes = list(pool.map(
                lambda path: subprocess.run(['boolector', '-t', str(SECONDS), path], stdout=subprocess.DEVNULL,
                                            stderr=subprocess.DEVNULL).returncode, files))
    return [f'seed {seed + idx}: exit code {code}' for idx, code in enumerate(codes) if code not in (10, 20, 14)]


def reader(*command):
    """A checker that gives a solver one stream of scripts, each with an `echo` in place of `check-sat`: what counts is that
    it is read and sorted, and z3 4.8.12 takes seconds for some of the files whatever its time limit says."""
    def check(args, words, seed, count):
        generate = [args.nub, 'generate', '--to', 'smt2', '--seed', str(seed), '--count', str(count), *words]
        script = subprocess.run(generate, capture_output=True, check=True).stdout
        script = script.replace(b'(check-sat)', b'(echo "was read")')
        done = subprocess.run(command, input=script, capture_output=True)
        lines = (done.stdout + done.stderr).decode(errors='replace').split('\n')
        n_read = sum(line.strip('"') == 'was read' for line in lines)
        errors = [line for line in lines if 'rror' in line]
        if n_read != count or done.returncode != 0:
            errors.append(f'seeds {seed} on: {n_read} of {count} were read, exit code {done.returncode}')
        return errors
    return check


CHECKERS = {
    'boolector': boolector,
    'z3': reader('z3', '-in'),
    'cvc5': reader('cvc5', '--lang=smt2', '--incremental', '-'),
}


def main(args):
    per_set = -(-args.count // len(SETS))
    rows, is_fine = [], True
    for name in args.only.split(','):
        n_rejected = 0
        for idx, values in enumerate(SETS):
            rejected = CHECKERS[name](args, options(**values), 1 + idx * per_set, per_set)
            n_rejected += len(rejected)
            progress(f'{name}, {" ".join(options(**values)) or "defaults"}: {len(rejected)} of {per_set} rejected')
            for line in rejected[:3]:
                progress(f'  {line}')
        rows.append([name, str(per_set * len(SETS)), str(n_rejected)])
        is_fine &= n_rejected == 0
    print(records.table(['solver', 'files', 'rejected'], rows))
    return is_fine
