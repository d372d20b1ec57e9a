#!/usr/bin/env python3
"""Check the C front end with programs of known verdict: is an assertion violated or behaviour undefined?

  verdicts.py FOLDER            a folder with INDEX.tsv (columns: name, file, options, expected) and the files it names

Expected is SUCCESSFUL or FAILED; other rows are left out, and so are those with options that have no counterpart here. A program that
is refused, by name and place, is not wrong. If checks are switched off and a run still has such undefined behaviour, the program has no meaning in C and is refused. Prints a table of the results, every wrong verdict and, with --refused, every refusal.
Fails if a verdict is wrong or fewer than half are accepted.
"""
import argparse, collections, csv, os, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CHECKS = ['overflow', 'shift', 'shift-base', 'division', 'bounds', 'pointer', 'null']
# Options that change nothing here, and what the others mean.
IGNORED = {'--trace', '--no-simplify', '--little-endian', '--stop-on-fail', '--no-propagation', '--unwinding-assertions',
           '--floatbv', '--slice-formula', '--bounds-check', '--pointer-check', '--div-by-zero-check', '--signed-overflow-check'}
WITHOUT = {'--no-standard-checks': CHECKS, '--no-pointer-check': ['pointer', 'null'], '--no-bounds-check': ['bounds'],
           '--no-signed-overflow-check': ['overflow'], '--no-div-by-zero-check': ['division'], '--no-undefined-shift-check': ['shift', 'shift-base']}


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('folder', metavar='FOLDER')
    parser.add_argument('--verdict', default=os.path.join(ROOT, 'target', 'release', 'examples', 'verdict'), metavar='PATH',
                        help='cargo build --release -p nub-cover --example verdict')
    parser.add_argument('--cap', type=float, default=20, metavar='S', help='seconds per program (default: %(default)s)')
    parser.add_argument('--only', default='', metavar='TEXT', help='only programs whose name contains this')
    parser.add_argument('--refused', action='store_true', help='list what is refused, and why')
    return parser.parse_args()


def translate(words):
    """Options of the table as words for the program, and whether the bound of loops is an assertion; None if one has no counterpart."""
    found, is_bound_asserted, rest = [], True, [word for word in words.split() if word != '-']
    while rest:
        word = rest.pop(0)
        if word in ('--unwind', '--function') and rest:
            found += [word, rest.pop(0)]
        elif word == '--no-unwinding-assertions':
            is_bound_asserted = False
        elif word == '--no-malloc-may-fail':
            found.append('--allocations-succeed')
        elif word in WITHOUT:
            found += [part for check in WITHOUT[word] for part in ('--without', check)]
        elif word not in IGNORED:
            return None, None
    return found, is_bound_asserted


def verdict(args, path, words, work):
    text = os.path.join(work, 'program.i')
    done = subprocess.run(['cc', '-E', '-w', '-o', text, path], capture_output=True, text=True)
    if done.returncode != 0:
        return 'refused: the preprocessor'
    try:
        done = subprocess.run([args.verdict] + words + [text], capture_output=True, text=True, timeout=args.cap)
    except subprocess.TimeoutExpired:
        return f'not decided: {args.cap} s'
    return done.stdout.strip() or f'crashed: {done.stderr.strip()}'


def judge(said, expected, is_bounded, is_bound_asserted):
    """right, wrong, refused, or open."""
    if said.startswith('holds'):
        return 'right' if expected == 'SUCCESSFUL' else 'wrong'
    if said.startswith('fails'):
        return 'right' if expected == 'FAILED' else 'wrong'
    if said == 'beyond the bound' and is_bounded:
        return 'right' if (expected == 'FAILED') == is_bound_asserted else 'wrong'
    if said.startswith('crashed'):
        return 'wrong'
    return 'refused' if said.startswith('refused') else 'open'


def main():
    args = options()
    if not os.path.exists(args.verdict):
        sys.exit('cannot find verdict: cargo build --release -p nub-cover --example verdict, or --verdict PATH')
    counts, notes = collections.Counter(), []
    with open(os.path.join(args.folder, 'INDEX.tsv')) as lines, tempfile.TemporaryDirectory() as work:
        for row in csv.DictReader(lines, delimiter='\t', quoting=csv.QUOTE_NONE):
            words, is_bound_asserted = translate(row['options'])
            if args.only not in row['name']:
                continue
            if row['expected'] not in ('SUCCESSFUL', 'FAILED') or words is None:
                counts['left out'] += 1
                continue
            said = verdict(args, os.path.join(args.folder, row['file']), words, work)
            came = judge(said, row['expected'], '--unwind' in words, is_bound_asserted)
            counts[came] += 1
            if came in ('wrong', 'open') or (came == 'refused' and args.refused):
                notes.append(f'{came.upper()} {row["name"]} ({row["options"]}): {row["expected"]}, and nub: {said}')
    columns = ('right', 'wrong', 'open', 'refused', 'left out')
    print('| ' + ' | '.join(columns) + ' |\n|' + '---:|' * len(columns))
    print('| ' + ' | '.join(str(counts[came]) for came in columns) + ' |')
    print(*notes, sep='\n')
    n_asked = sum(counts.values()) - counts['left out']
    sys.exit(1 if counts['wrong'] or 2 * (counts['right'] + counts['open']) < n_asked else 0)


main()
