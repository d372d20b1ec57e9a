#!/usr/bin/env python3
"""Measures what more workers save: reductions with an oracle that sleeps, with 1, 4, 16 and 64 workers.

    python3 bench/workers.py SHARED [--sleep S] [--workers 1,4,16,64] [--only TEXT] [--cap S] [--nub PATH]
    python3 bench/workers.py SHARED --real --workers 1,2

The cases are t01 to t09 and twelve of the corpus. Every run takes S seconds; the verdict comes from the real oracle, which runs once
for each candidate and whose answer is kept for the other runs, so that the processor does not become the limit (`sleeper.c`). Each
measurement is preceded by reductions that are not measured, until the real oracle has been asked about almost all candidates. For every case:
speed-up over one worker, all runs as a multiple of those needed, and our own processor time per run. Bytes and needed runs must be
the same with any number of workers: a case where they differ is reported, and the exit status is 1. The last lines are geometric means.

With --real nothing sleeps: all cases of the corpus whose original fails here, with the solvers themselves. More workers than
processors save nothing there.
"""
import argparse, csv, hashlib, json, math, os, shutil, subprocess, sys, tempfile

import tasks as task_oracles

HERE = os.path.dirname(os.path.abspath(__file__))
# Quick oracles of all kinds and formats, without those that were padded.
CORPUS = ['btor-n10_write_3000', 'btor-wrong-s40741_n1500', 'btor-wrong-s50686_n300', 'cvc4-issue5785', 'cvc5-issue12648',
          'cvc5-issue8809', 'cvc5-wrong-proj-issue321', 'z3-4.8.7-3379', 'z3-4.8.7-3417', 'z3-4.8.7-fz2-817',
          'z3-4.8.10-euf-lra-vts-inf', 'z3-4.8.12-euf-quaternion']

# Warm-up ends when new candidates are at most this fraction of the known ones, or after this many reductions.
FEW_NEW = 0.02
MAX_WARM_UPS = 5


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('shared', help='a folder with bench/reduce and corpus')
    parser.add_argument('--sleep', type=float, default=0.3, help='seconds that a run sleeps (%(default)s)')
    parser.add_argument('--real', action='store_true', help='the whole corpus, with its own oracles and no sleep')
    parser.add_argument('--workers', default='1,4,16,64', help='numbers of workers, 1 first (%(default)s)')
    parser.add_argument('--only', default='', help='cases whose name contains this text')
    parser.add_argument('--cap', type=float, default=900, help='seconds per reduction (%(default)s)')
    parser.add_argument('--nub', default=os.path.join(HERE, '../target/release/nub'))
    args = parser.parse_args()
    args.workers = [int(n) for n in args.workers.split(',')]
    if args.workers[0] != 1:
        parser.error('--workers: 1 comes first, since the others are compared with it')
    return args


def cases(args, folder):
    """Name, file, and the command that judges it."""
    bench = os.path.join(os.path.abspath(args.shared), 'bench', 'reduce')
    orc = os.path.join(folder, 'orc')
    subprocess.check_call([os.environ.get('CC', 'cc'), '-O2', '-o', orc, os.path.join(bench, 'orc.c')])
    tasks = {} if args.real else json.load(open(os.path.join(bench, 'tasks.json')))
    for name, task in sorted(tasks.items()):
        arg = task['arg']
        arg = '\x1f'.join(arg) if isinstance(arg, list) else os.path.join(bench, arg)
        words = ['env', f'ORC_MODE={task["mode"]}', 'ORC_LOG=/dev/null', f'ORC_ARG={arg}', orc]
        yield name, os.path.join(bench, task['input']), words
    corpus = os.path.join(os.path.abspath(args.shared), 'corpus')
    for row in csv.DictReader(open(os.path.join(corpus, 'cases.tsv')), delimiter='\t'):
        if args.real or row['id'] in CORPUS:
            yield row['id'], os.path.join(corpus, row['input']), ['sh', os.path.join(corpus, row['oracle'])]


def reduce(args, folder, name, file, oracle, workers):
    """The last event of a reduction and the hash of its result, or None."""
    place = tempfile.mkdtemp(prefix=f'{name}-{workers}-', dir=folder)
    base = os.path.basename(file)
    shutil.copy(file, place)
    argv = [os.path.abspath(args.nub), 'reduce', base, '-j', str(workers), '--json', '--no-header', '--timeout', '60', '-o', 'out',
            '--max-time', str(args.cap), '--test', oracle]
    done = subprocess.run(argv, cwd=place, capture_output=True, text=True, env=task_oracles.solver_environment())
    events = [json.loads(line) for line in done.stdout.splitlines() if line.startswith('{')]
    end = next((event for event in events if event.get('type') == 'end'), None)
    if not end or end['reason'] != 'fixpoint' or not os.path.exists(os.path.join(place, 'out')):
        return None
    return end, hashlib.sha256(open(os.path.join(place, 'out'), 'rb').read()).hexdigest()


def build_oracle(seconds, folder, name, words):
    """A program that takes this long and gives the verdict of the command. Verdicts are shared by all oracles of this name."""
    kept = os.path.join(folder, name + '.verdicts')
    os.makedirs(kept, exist_ok=True)
    quoted = [json.dumps(word).replace('\\u001f', '\\037') for word in words]
    oracle = os.path.join(folder, f'{name}-{seconds}')
    subprocess.check_call([os.environ.get('CC', 'cc'), '-O2', f'-DSECONDS={seconds}', f'-DKEPT="{kept}"',
                           '-DCOMMAND=' + ','.join(quoted), '-o', oracle, os.path.join(HERE, 'sleeper.c')])
    return oracle


def warm_up(args, folder, name, file, oracle, workers):
    """Runs reductions that are not measured, until one of them asks about few new candidates."""
    for _ in range(MAX_WARM_UPS):
        before = n_kept(folder, name)
        reduce(args, folder, name, file, oracle, workers)
        if n_kept(folder, name) - before <= FEW_NEW * before:
            return


def n_kept(folder, name):
    return len(os.listdir(os.path.join(folder, name + '.verdicts')))


def measure(args, folder, name, file, words):
    """One row: {workers: (speed-up, all runs / needed runs)}, or None; and whether the law holds."""
    row, first, holds = {}, None, True
    oracle = words[-1] if args.real else build_oracle(args.sleep, folder, name, words)
    for workers in args.workers:
        if not args.real:
            # Speculative asks depend on run times; the asks of one worker do not.
            warm = build_oracle(0, folder, name, words) if workers == 1 else oracle
            warm_up(args, folder, name, file, warm, workers)
        result = reduce(args, folder, name, file, oracle, workers)
        if not result:
            print(f'{name}: not reduced to the end with {workers} workers', file=sys.stderr, flush=True)
            return row, holds
        end, digest = result
        first = first or (end, digest)
        if (end['asks'], digest) != (first[0]['asks'], first[1]):
            print(f'{name}: {workers} workers: {end["asks"]} needed runs and {end["after"]["bytes"]} bytes, one worker: '
                  f'{first[0]["asks"]} and {first[0]["after"]["bytes"]}', file=sys.stderr)
            holds = False
        total = end['asks'] + end.get('speculative', 0)
        row[workers] = (first[0]['seconds'] / end['seconds'], total / end['asks'])
        print(f'{name:28} {workers:3} {end["seconds"]:9.1f} {row[workers][0]:8.2f} {end["asks"]:7} {row[workers][1]:6.2f} '
              f'{end["after"]["bytes"]:7} {1000 * end["own_cpu_seconds"] / total:8.2f}', flush=True)
    return row, holds


def mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else math.nan


def main():
    args = arguments()
    folder = tempfile.mkdtemp(prefix='nub-workers-')
    try:
        print(f'{"case":28} {"j":>3} {"seconds":>9} {"speed-up":>8} {"needed":>7} {"all/n":>6} {"bytes":>7} {"cpu ms":>8}')
        rows, law = [], True
        for name, file, words in cases(args, folder):
            if args.only in name:
                row, holds = measure(args, folder, name, file, words)
                rows.append(row)
                law = law and holds
        for workers in args.workers[1:]:
            found = [row[workers] for row in rows if workers in row]
            print(f'geometric mean of {len(found)} cases, {workers} workers: {mean([up for up, _ in found]):.2f} times as fast, '
                  f'{mean([total for _, total in found]):.2f} times the runs')
        sys.exit(0 if law else 1)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == '__main__':
    main()
