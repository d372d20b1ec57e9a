#!/usr/bin/env python3
"""Repeats table 5.1 of the SMT-Reducer thesis: size and time of the iterative and the recursive approach, and of C-Reduce.

    python3 bench/reducer.py SHARED [--only TEXT] [--cap S] [--csv FILE]
    python3 bench/reducer.py --case FILE ORACLE [--case FILE ORACLE ...]

SHARED/corpus has real failures of solvers (`cases.tsv`); --case takes your own file and a script that exits with 0 if the failure is present. The columns are those of the thesis: `--strategy sound`, `--strategy sound --recursive`, C-Reduce with one and with two threads; then what the
thesis asks for (§6): sound rules first, unsound ones after (`--combine sound,auto`). C-Reduce is `creduce`, or `cvise` if only that is on
PATH; if neither is, its columns are omitted and the last line says so. Sizes are kilobytes, times seconds of wall time; a result that no longer fails counts as the original, a run at the cap is marked `*`.
"""
import argparse, csv, os, shutil, statistics, sys, tempfile

import measure, records

HERE = os.path.dirname(os.path.abspath(__file__))
OURS = {
    'iterative': ['--strategy', 'sound'],
    'recursive': ['--strategy', 'sound', '--recursive'],
    'sound, then auto': ['--combine', 'sound,auto'],
}
PEERS = ('creduce', 'cvise')


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('shared', nargs='?', help='a folder with corpus/cases.tsv')
    parser.add_argument('--case', nargs=2, action='append', default=[], metavar=('FILE', 'ORACLE'))
    parser.add_argument('--only', default='', help='cases whose name contains this text')
    parser.add_argument('--cap', type=float, default=60, help='seconds per run (%(default)s)')
    parser.add_argument('--nub', default=os.path.join(HERE, '../target/release/nub'))
    parser.add_argument('--creduce', help='the program (PATH)')
    parser.add_argument('--csv', help='the rows as comma-separated values')
    args = parser.parse_args()
    if not args.shared and not args.case:
        parser.error('a folder with cases, or --case FILE ORACLE')
    return args


def cases(args):
    """Pairs of a file and its oracle, by name."""
    found = {os.path.basename(file): (os.path.abspath(file), os.path.abspath(oracle)) for file, oracle in args.case}
    if args.shared:
        corpus = os.path.join(os.path.abspath(args.shared), 'corpus')
        for row in csv.DictReader(open(os.path.join(corpus, 'cases.tsv')), delimiter='\t'):
            if row['input'].endswith('.smt2'):
                found[row['id']] = (os.path.join(corpus, row['input']), os.path.join(corpus, row['oracle']))
    return {name: pair for name, pair in found.items() if args.only in name}


def columns(args):
    """The tools in the order of the table, and a remark."""
    nub = os.path.abspath(args.nub)
    ours = {name: lambda file, oracle, options=options: ([nub, 'reduce', file, '-j', '1', '--no-header', '-o', 'out.smt2',
                                                          '--test', oracle, *options], 'out.smt2')
            for name, options in OURS.items()}
    peer = args.creduce or next(filter(None, map(shutil.which, PEERS)), None)
    if not peer:
        return ours, f'C-Reduce is left out: {" and ".join(PEERS)} are not on PATH (apt-get install creduce).'
    theirs = {f'{os.path.basename(peer)}, {n} thread{"s" if n > 1 else ""}': lambda file, oracle, n=n: (
        [peer, '--n', str(n), script_for(file, oracle), file], file) for n in (1, 2)}
    first = dict(list(ours.items())[:2])
    return first | theirs | {'sound, then auto': ours['sound, then auto']}, None


def script_for(file, oracle):
    """C-Reduce gives its script no argument: the file is in the current folder."""
    path = os.path.abspath('test.sh')
    with open(path, 'w') as script:
        script.write(f'#!/bin/sh\nexec {oracle} "$PWD/{file}" >/dev/null 2>&1\n')
    os.chmod(path, 0o755)
    return path


def run(tool, source, oracle, cap):
    """One tool on one case: kilobytes, seconds, and whether the cap was reached."""
    home = os.getcwd()
    with tempfile.TemporaryDirectory(prefix='nub-bench-') as work:
        os.chdir(work)
        try:
            file = os.path.basename(source)
            shutil.copy(source, file)
            argv, out = tool(file, oracle)
            record = measure.run(argv, work, dict(os.environ), cap, os.path.join(work, 'talk'))
            fails = os.path.exists(out) and measure.still_fails(oracle, os.path.join(work, out), dict(os.environ), work)
            size = os.path.getsize(out if fails else source)
            return size / 1000, record['wall_s'], record['capped']
        finally:
            os.chdir(home)


def main():
    args = arguments()
    tools, remark = columns(args)
    rows, left_out = [], []
    for name, (source, oracle) in cases(args).items():
        with tempfile.TemporaryDirectory(prefix='nub-bench-') as folder:
            if not measure.still_fails(oracle, source, dict(os.environ), folder):
                left_out.append(name)
                continue
        results = [run(tool, source, oracle, args.cap) for tool in tools.values()]
        rows.append((name, os.path.getsize(source) / 1000, results))
        print(f'{name}: ' + ', '.join(f'{tool} {size:.2f} kB {seconds:.1f} s' for tool, (size, seconds, _) in zip(tools, results)),
              file=sys.stderr, flush=True)
    if not rows:
        sys.exit('no case can be run here: ' + (', '.join(left_out) or 'none has this name'))
    report(args, tools, rows)
    if left_out:
        print(f'\nNot run, because the oracle rejects the original here: {", ".join(left_out)}.')
    if remark:
        print(f'\n{remark}')


def report(args, tools, rows):
    head = ['case', 'initial kB'] + [f'{tool} {what}' for tool in tools for what in ('kB', 's')]
    body = [[name, f'{size:.2f}'] + [cell for kilobytes, seconds, capped in results
                                     for cell in (f'{kilobytes:.2f}', f'{seconds:.2f}{"*" if capped else ""}')]
            for name, size, results in rows]
    for label, of in (('mean', statistics.mean), ('median', statistics.median)):
        numbers = [of([size for _, size, _ in rows])]
        for column in range(len(tools)):
            numbers += [of([results[column][part] for _, _, results in rows]) for part in (0, 1)]
        body.append([label] + [f'{number:.2f}' for number in numbers])
    print(f'One case after the other, cap {args.cap:g} s (`*`: reached).\n')
    print(records.table(head, body))
    if args.csv:
        with open(args.csv, 'w', newline='') as file:
            csv.writer(file).writerows([head] + body)


if __name__ == '__main__':
    main()
