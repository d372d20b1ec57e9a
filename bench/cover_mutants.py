#!/usr/bin/env python3
"""Do the tests of nub cover detect changes? Mutate functions, prove which mutants differ, and count those that the MC/DC tests kill.

  cover_mutants.py SHARED       the functions of SHARED/data/c/funcs, 20 mutants each

A mutant is the function with one operator replaced, one constant raised by one, or one statement dropped; the places are spread evenly over the text, so
that the same mutants are made each time. nub proves whether a mutant differs: a driver calls both and compares the results, and the outcome "they
differ" is covered (inputs are known), infeasible (the mutant is equivalent, for all inputs), or undecided within the time. A mutant is killed if tests.c,
compiled against it, does not exit with 0. The score is killed / proved to differ. For the survivors, nub finds the
fewest tests that kill all of them, with proof: tests that execute the statement after each comparison. Mutants that do not compile are not counted.
With --most TOOL (cargo build -p nub-cover --example kills) it only asks, for the same mutants, whether any suite of the same size could kill more.
A table goes to standard output as Markdown; the exit code is 1 if less than 85 % of all mutants that differ are killed.
"""
import argparse, json, os, re, subprocess, sys, tempfile

sys.dont_write_bytecode = True
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SWAPS = {'<': '<=', '<=': '<', '>': '>=', '>=': '>', '==': '!=', '!=': '==', '&&': '||', '||': '&&', '+': '-', '-': '+', '*': '+', '<<': '>>', '>>': '<<',
         '&': '|', '|': '&', '^': '&', '%': '/', '/': '*', '+=': '-=', '-=': '+=', '<<=': '>>=', '>>=': '<<=', '!': ''}
TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"[^"]*"|\'[^\']*\'|0[xX][0-9a-fA-F]+[uUlL]*|\d+[uUlL]*|\w+|<<=|>>=|\+\+|--|->|[<>=!+\-*/%&|^]=|<<|>>|&&|\|\||\S', re.S)
STATEMENT = re.compile(r'(?<=[;{}])\s*(?!return\b|if\b|else\b|while\b|for\b|do\b|break\b|continue\b|static\b|int\b|short\b|long\b|unsigned\b|char\b|case\b)(\w[^;{}()]*;)')


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('shared', metavar='SHARED')
    parser.add_argument('--nub', default=os.path.join(ROOT, 'target', 'release', 'nub'), metavar='PATH')
    parser.add_argument('--places', type=int, default=20, metavar='N', help='mutants per function (default: %(default)s)')
    parser.add_argument('--time', type=float, default=20, metavar='S', help='seconds for each question (default: %(default)s)')
    parser.add_argument('--only', default='', metavar='TEXT', help='only functions whose name contains this')
    parser.add_argument('--most', metavar='TOOL', help='the example `kills`: ask how many mutants a suite of the same size can kill at most')
    args = parser.parse_args()
    args.nub = os.path.abspath(args.nub)
    return args


def edits(text, start):
    """(start, end, new text) of every place in the body that can be changed."""
    found = []
    previous = ''
    for match in TOKEN.finditer(text, start):
        token = match.group()
        if token.startswith(('/*', '//')):
            continue
        is_prefix = token in '+-*&!' and (not previous or previous in '(,=?:;{}<>!&|^%+-*/' or previous in SWAPS or previous == 'return')
        if token in SWAPS and (token == '!' or not is_prefix):
            found.append((match.start(), match.end(), SWAPS[token]))
        elif re.match(r'\d', token):
            digits = re.match(r'0[xX][0-9a-fA-F]+|\d+', token).group()
            found.append((match.start(), match.end(), str(int(digits, 0) + 1) + token[len(digits):]))
        previous = token
    for match in STATEMENT.finditer(text, start):
        found.append((match.start(1), match.end(1), ';'))
    return sorted(set(found))


def spread(items, n):
    return items if len(items) <= n else [items[k * len(items) // n] for k in range(n)]


class Function:
    def __init__(self, path):
        self.text = open(path).read()
        match = re.search(r'^(\w[\w ]*?[ *])(\w+)\s*\(([^)]*)\)\s*\{', self.text, re.M)
        self.result, self.name, self.params = match.group(1).strip(), match.group(2), match.group(3)
        self.start, self.body = match.start(), match.end()
        self.args = ', '.join(re.findall(r'(\w+)\s*(?:,|$)', self.params))

    def renamed(self, text, name):
        """The function of another text, under another name."""
        return re.sub(r'\b%s\b' % self.name, name, text[self.start:])

    def driver(self, mutants):
        """A program that calls the original and some mutants, with a statement that is executed where they differ."""
        text = self.text + '\n' + '\n'.join(self.renamed(mutant, f'{self.name}__{k}') for k, mutant in enumerate(mutants))
        checks = ''.join(f'  if ({self.name}({self.args}) != {self.name}__{k}({self.args}))\n    differs++;\n' for k in range(len(mutants)))
        return text + f'\nint nub_driver({self.params}) {{\n  int differs = 0;\n{checks}  return differs;\n}}\n'


def cover(args, folder, file, name, words):
    argv = [args.nub, 'cover', file, '-f', name, '--max-time', str(args.time)] + words
    done = subprocess.run(argv, cwd=folder, capture_output=True, text=True)
    return (json.loads(done.stdout) if done.returncode == 0 else None), done


def write(folder, name, text):
    with open(os.path.join(folder, name), 'w') as file:
        file.write(text)


def is_killed(folder):
    """None if the mutant does not compile."""
    argv = ['gcc', '-w', '-o', 'program', 'tests.c']
    if subprocess.run(argv, cwd=folder, capture_output=True).returncode != 0:
        return None
    try:
        return subprocess.run(['./program'], cwd=folder, capture_output=True, timeout=30).returncode != 0
    except subprocess.TimeoutExpired:
        return True


def difference(args, folder, function, mutant):
    """'differs', 'equivalent' or 'undecided'."""
    write(folder, 'driver.c', function.driver([mutant]))
    reports, _ = cover(args, folder, 'driver.c', 'nub_driver', ['-c', 'statement', '--json', '--no-native'])
    if not reports:
        return 'undecided'
    reports = reports if isinstance(reports, list) else reports.get('reports', [reports])
    goal = next(goal for goal in reports[0]['goals'] if 'differs++' in goal['text'])
    return {'covered': 'differs', 'infeasible': 'equivalent'}.get(goal['state'], 'undecided')


def fewest(args, folder, function, mutants):
    """How many tests kill all of these, and whether fewer are impossible."""
    if not mutants:
        return '0'
    write(folder, 'driver.c', function.driver(mutants))
    reports, _ = cover(args, folder, 'driver.c', 'nub_driver', ['-c', 'statement', '--json', '--no-native'])
    if not reports:
        return '?'
    reports = reports if isinstance(reports, list) else reports.get('reports', [reports])
    report = reports[0]
    n_missing = sum(goal['state'] != 'covered' for goal in report['goals'] if 'differs++' in goal['text'])
    size = f"{len(report['tests'])}{'' if report['is_minimal'] else ' or fewer'}"
    return size if n_missing == 0 else f'{size}, {n_missing} mutants left'


def measure(args, path):
    function = Function(path)
    with tempfile.TemporaryDirectory() as folder:
        write(folder, 'f.c', function.text)
        reports, done = cover(args, folder, 'f.c', function.name, ['--json', '--no-native', '-o', 'tests.c'])
        if not reports:
            sys.exit(f'{path}: {done.stderr}')
        reports = reports if isinstance(reports, list) else reports.get('reports', [reports])
        row = {'name': function.name, 'tests': len(reports[0]['tests']), 'mutants': 0, 'differs': 0, 'equivalent': 0, 'undecided': 0, 'killed': 0}
        assert is_killed(folder) is False, f'{path}: the tests fail on the original'
        survivors = []
        for start, end, new in spread(edits(function.text, function.body), args.places):
            mutant = function.text[:start] + new + function.text[end:]
            write(folder, 'f.c', mutant)
            killed = is_killed(folder)
            if killed is None:
                continue
            state = difference(args, folder, function, mutant)
            # A test that fails is a proof of its own.
            state = 'differs' if killed else state
            row['mutants'] += 1
            row[state] += 1
            row['killed'] += killed
            if state == 'differs' and not killed:
                survivors.append(mutant)
        row['fewest'] = fewest(args, folder, function, survivors)
    return row


def most(args, path):
    """Returns how many mutants a suite of minimum size can kill."""
    function = Function(path)
    with tempfile.TemporaryDirectory() as folder:
        write(folder, 'f.c', function.text)
        names = []
        for start, end, new in spread(edits(function.text, function.body), args.places):
            names.append(f'mutant{len(names)}.c')
            write(folder, names[-1], '\n' + function.renamed(function.text[:start] + new + function.text[end:], 'nub_mutant'))
        done = subprocess.run([os.path.abspath(args.most), 'f.c', function.name] + names, cwd=folder, capture_output=True, text=True)
        print(done.stdout.strip() or f'{path}: {done.stderr.strip()}', flush=True)


def main():
    args = options()
    folder = os.path.join(args.shared, 'data', 'c', 'funcs')
    if args.most:
        return [most(args, os.path.join(folder, file)) for file in sorted(os.listdir(folder)) if file.endswith('.c') and args.only in file]
    print('| function | tests | mutants | differ | equivalent | undecided | killed | score | tests that kill the rest |')
    print('|---|---|---|---|---|---|---|---|---|')
    rows = []
    for file in sorted(os.listdir(folder)):
        if not file.endswith('.c') or args.only not in file:
            continue
        row = measure(args, os.path.join(folder, file))
        rows.append(row)
        score = f"{100 * row['killed'] / row['differs']:.0f} %" if row['differs'] else '-'
        print(f"| {row['name']} | {row['tests']} | {row['mutants']} | {row['differs']} | {row['equivalent']} | {row['undecided']} | {row['killed']} | {score} | {row['fewest']} |", flush=True)
    killed, differs = (sum(row[key] for row in rows) for key in ('killed', 'differs'))
    print(f'\n{killed} of {differs} mutants that differ are killed: {100 * killed / max(differs, 1):.1f} %')
    sys.exit(killed < 0.85 * differs)


main()
