#!/usr/bin/env python3
"""How does the cost of nub cover grow with the size of a function? Random functions with more and more decisions, each criterion with a cap on time.

  cover_scale.py 40 80 500      numbers of decisions; --seeds functions of each
  cover_scale.py --print 500 1  the function of a seed

The functions have six inputs of type short, ifs in ifs with early returns, and conditions that compare inputs with constants, with each
other and with sums. A table goes to standard output as Markdown: tests, the bound on their number, seconds.
"""
import argparse, json, os, random, subprocess, sys, tempfile, time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
INPUTS = ['a', 'b', 'c', 'd', 'e', 'f']
CRITERIA = ['decision', 'condition', 'mcdc']


def condition(rng):
    left, right = rng.sample(INPUTS, 2)
    relation = rng.choice(['<', '<=', '>', '>=', '==', '!='])
    return rng.choice([f'{left} {relation} {rng.randint(-50, 50)}', f'{left} {relation} {right}', f'{left} + {right} {relation} {rng.randint(-80, 80)}'])


def decision(rng):
    text = condition(rng)
    for _ in range(rng.choice([0, 1, 1, 2, 3])):
        text = f'({text}) {rng.choice(["&&", "||"])} ({condition(rng)})'
    return text


def body(rng, n, depth):
    """Statements with n decisions, as lines."""
    lines, pad = [], '  ' * depth
    while n > 0:
        inner = min(n - 1, rng.randint(0, 3)) if depth < 4 else 0
        lines.append(f'{pad}if ({decision(rng)}) {{')
        lines += body(rng, inner, depth + 1)
        # Few early returns, otherwise later code is hardly reached.
        lines.append(f'{pad}  ' + (f'return {rng.randint(1, 99)};' if rng.random() < 0.04 else f'r = r * 3 + {rng.randint(1, 9)};'))
        lines.append(f'{pad}}}')
        n -= 1 + inner
    return lines


def function(n, seed):
    rng = random.Random(1_000 * n + seed)
    head = ', '.join(f'short {name}' for name in INPUTS)
    return '\n'.join([f'int target({head}) {{', '  unsigned r = 0;'] + body(rng, n, 1) + ['  return (int)(r & 1023u);', '}', ''])


def measure(args, path, criterion):
    argv = [args.nub, 'cover', path, '-f', 'target', '-c', criterion, '--mcdc-pairs-only', '--json', '--no-native', '--max-time', str(args.cap)]
    start = time.perf_counter()
    done = subprocess.run(argv, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    seconds = time.perf_counter() - start
    if done.returncode != 0:
        return f'failed: {done.stderr.strip()[:60]}', seconds
    report = json.loads(done.stdout)
    n = len(report['tests'])
    size = str(n) if report['is_minimal'] else f'{report["lower_bound"]}..{n}'
    n_open = report['summary']['open']
    return size + (f', {n_open} open' if n_open else ''), seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('sizes', type=int, nargs='+', metavar='N')
    parser.add_argument('--print', dest='is_print', action='store_true', help='N SEED: print the function')
    parser.add_argument('--seeds', type=int, default=1, metavar='N')
    parser.add_argument('--cap', type=float, default=120, metavar='S', help='seconds per criterion (default: %(default)s)')
    parser.add_argument('--criteria', default=','.join(CRITERIA), metavar='LIST')
    parser.add_argument('--nub', default=os.path.join(ROOT, 'target', 'release', 'nub'), metavar='PATH')
    args = parser.parse_args()
    if args.is_print:
        return print(function(*args.sizes), end='')
    if not os.path.exists(args.nub):
        sys.exit('cannot find nub: cargo build --release, or --nub PATH')
    criteria = args.criteria.split(',')
    print('| decisions | seed | ' + ' | '.join(f'{criterion} | s' for criterion in criteria) + ' |')
    print('|---:|---:|' + '---|---:|' * len(criteria))
    with tempfile.TemporaryDirectory() as work:
        path = os.path.join(work, 'target.c')
        for n in args.sizes:
            for seed in range(1, args.seeds + 1):
                with open(path, 'w') as out:
                    out.write(function(n, seed))
                cells = []
                for criterion in criteria:
                    size, seconds = measure(args, path, criterion)
                    cells += [size, f'{seconds:.1f}']
                print(f'| {n} | {seed} | ' + ' | '.join(cells) + ' |', flush=True)


main()
