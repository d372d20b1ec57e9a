#!/usr/bin/env python3
"""Compare nub reduce with its peers. SHARED is the folder that holds bench/reduce and corpus.

  reduce.py tasks SHARED      the tasks t01 to t08, with an oracle that counts and times its calls
  reduce.py corpus SHARED     every SMT-LIB case of the corpus, nub beside ddSMT 2, in one run
  reduce.py overhead SHARED   what nub itself costs: first ask, processor time per ask, memory, throughput

Tables go to standard output as Markdown, progress to standard error, records to --out. What is in --out already, for
the same program, is not run again; --fresh runs everything. bench/README.md says how to get peers and solvers.
"""
import argparse, os, sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import corpus, measure, overhead, tasks  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest='command', required=True)
    for name, default_cap in (('tasks', 150), ('corpus', 600), ('overhead', 150)):
        sub = commands.add_parser(name)
        sub.add_argument('shared', metavar='SHARED')
        sub.add_argument('--cap', type=float, default=default_cap, help='seconds per run')
        sub.add_argument('--nub', default=os.path.join(ROOT, 'target', 'release', 'nub'), metavar='PATH')
        if name == 'overhead':
            continue
        sub.add_argument('-j', type=int, default=1, metavar='N', help='oracle runs at once, for every tool')
        sub.add_argument('--only', default='', metavar='TEXT', help='only tasks or cases whose name contains this')
        sub.add_argument('--out', default=os.path.join(ROOT, 'target', f'bench-{name}.jsonl'), metavar='FILE')
        sub.add_argument('--fresh', action='store_true', help='do not use what is in --out')
        sub.add_argument('--ddsmt', metavar='PATH')
        if name == 'tasks':
            sub.add_argument('--tools', default='nub,ddsmt', help='of nub, ddsmt, shrinkray, cvise (default: %(default)s)')
        else:
            sub.add_argument('--slots', type=int, default=1, metavar='K',
                             help='cases at once, each pinned to one core; only with -j 1')
    return parser.parse_args()


def main():
    args = options()
    args.shared = os.path.abspath(args.shared)
    args.nub = measure.find('nub', args.nub)
    if not args.nub:
        sys.exit('cannot find nub: cargo build --release, or --nub PATH')
    try:
        {'tasks': tasks, 'corpus': corpus, 'overhead': overhead}[args.command].main(args)
    except KeyboardInterrupt:
        measure.kill_all()
        sys.exit(130)


main()
