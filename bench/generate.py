#!/usr/bin/env python3
"""Measure nub generate: is it fast, valid, and does its CNF layer do what the thesis says?

  generate.py acceptance        share of unsatisfiable files against clauses per variable; fails if it differs from the thesis
  generate.py figures --out DIR figures 3.1 to 3.5 of the thesis as SVG and CSV
  generate.py valid             10,000 files of many options: boolector, z3 and cvc5 accept every one
  generate.py speed             time per file and per node, compared with writing the bytes
  generate.py table             the table behind --unsat-share without a solver

Needs boolector 1.5.118 (Debian package `boolector`); `valid` also z3 and cvc5. Tables go to standard output as Markdown.
"""
import argparse, os, sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import acceptance, figures, measure, overhead, valid  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest='command', required=True)
    for name in ('acceptance', 'figures', 'valid', 'speed', 'table'):
        sub = commands.add_parser(name)
        sub.add_argument('--nub', default=os.path.join(ROOT, 'target', 'release', 'nub'), metavar='PATH')
        sub.add_argument('-j', type=int, default=os.cpu_count(), metavar='N', help='solver runs at once')
        if name in ('acceptance', 'table'):
            sub.add_argument('--files', type=int, default=150, metavar='N', help='files per point (default: %(default)s)')
        if name == 'valid':
            sub.add_argument('--count', type=int, default=10_000, metavar='N', help='files per solver (default: %(default)s)')
            sub.add_argument('--only', default='boolector,z3,cvc5', metavar='NAMES', help='solvers (default: %(default)s)')
        if name == 'figures':
            figure_options(sub)
    return parser.parse_args()


def figure_options(sub):
    sub.add_argument('--out', required=True, metavar='DIR')
    sub.add_argument('--solver', action='append', metavar='CMD',
                     help='experiment 1: a solver per figure; may be repeated (default: boolector -rwl0, boolector)')
    sub.add_argument('--timeout', type=float, default=10, metavar='S', help='seconds per file (default: %(default)s)')
    sub.add_argument('--max-nodes', type=int, default=5_000, metavar='N', help='experiment 1 (default: %(default)s)')
    sub.add_argument('--max-nodes-2', type=int, default=10_000, metavar='N', help='experiment 2 (default: %(default)s)')
    sub.add_argument('--step', type=int, default=100, metavar='N', help='between sizes (default: %(default)s)')
    sub.add_argument('--files', type=int, default=100, metavar='N', help='experiment 3: per point (default: %(default)s)')


def speed():
    """Runs the example of the crate, which excludes the start of a process."""
    for name in ('btor', 'btor2', 'smt2', 'cnf'):
        print(f'\n`{name}`\n\n```')
        print((overhead.cargo('nub-generate', 'speed', name) or 'not measured').rstrip())
        print('```')
    return True


def main():
    args = options()
    if args.command == 'speed':
        sys.exit(0 if speed() else 1)
    args.nub = measure.find('nub', args.nub)
    if not args.nub:
        sys.exit('cannot find nub: cargo build --release, or --nub PATH')
    run = {'acceptance': acceptance.main, 'table': acceptance.table, 'figures': figures.main, 'valid': valid.main}
    sys.exit(0 if run[args.command](args) else 1)


main()
