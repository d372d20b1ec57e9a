#!/usr/bin/env python3
"""nub cover on every function of projects that have a compilation database, as their own build compiles them.

  project.py BUILD...                 folders with compile_commands.json (cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, or bear -- make)
  project.py BUILD --results FILE     goes on where an interrupted run stopped; each answer is a line of FILE

Each file is preprocessed by the command of the database. The functions that the file itself defines are covered one by one, each within a
time limit, several at once. Prints a table per file and project (functions, answered, goals, covered, infeasible, infeasible
under a stated assumption, beyond a bound or undecided, tests, functions whose number of tests is proved minimal, refused, seconds of CPU) and the reasons of refusals, most frequent first.
Functions without decisions are left out; those that are refused for floating point are counted apart.
"""
import argparse, collections, concurrent.futures, json, os, re, shlex, subprocess, sys, tempfile, threading

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DEFINITION = re.compile(r'(?:^|[;}\n])\s*(?:[A-Za-z_][\w\s\*]*?[\s\*])?([A-Za-z_]\w*)\s*\(((?:[^;{}()]|\((?:[^()]|\([^()]*\))*\))*)\)\s*\{', re.M)
MARKER = re.compile(r'^# \d+ "([^"]*)"')
KEYWORDS = {'if', 'while', 'for', 'switch', 'return', 'sizeof', 'else', 'do', '__attribute__', '__asm__'}
# Seconds that an answer may come after its time.
GRACE = 20
COLUMNS = ('functions', 'answered', 'goals', 'covered', 'infeasible', 'infeasible if', 'open', 'tests', 'minimal', 'float', 'refused', 'cpu s')


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('builds', nargs='+', metavar='BUILD')
    parser.add_argument('--nub', default=os.path.join(ROOT, 'target', 'release', 'nub'), metavar='PATH')
    parser.add_argument('--max-time', type=float, default=20, metavar='S', help='seconds per function (default: %(default)s)')
    parser.add_argument('-j', '--jobs', type=int, default=os.cpu_count(), metavar='N')
    parser.add_argument('--per-file', type=int, default=10 ** 6, metavar='N', help='functions of each file at most')
    parser.add_argument('--only', default='', metavar='TEXT', help='only files whose path contains this')
    parser.add_argument('--results', metavar='FILE', help='answers, one JSON line each; those that are there are not asked again')
    parser.add_argument('nub_options', nargs='*', metavar='-- OPTIONS', help='for nub cover')
    return parser.parse_args()


def preprocess(entry, out):
    """The file as its command preprocesses it; what the compiler says if it does not."""
    words = entry.get('arguments') or shlex.split(entry['command'])
    kept, rest = [words[0]], iter(words[1:])
    for word in rest:
        if word in ('-o', '-MF', '-MT', '-MQ'):
            next(rest, None)
        elif word not in ('-c', '-MD', '-MMD', '-MP', '-S') and not word.startswith('-o'):
            kept.append(word)
    done = subprocess.run(kept + ['-E', '-o', out], cwd=entry['directory'], capture_output=True, text=True)
    return done.stderr.strip() if done.returncode else None


def own_functions(text, path):
    """Names of the functions that the file itself defines, in their order."""
    own, is_own = [], False
    for line in text.splitlines():
        marker = MARKER.match(line)
        if marker:
            is_own = os.path.basename(marker.group(1)) == os.path.basename(path)
        elif is_own:
            own.append(line)
    names = [match.group(1) for match in DEFINITION.finditer('\n'.join(own))]
    return [name for name in dict.fromkeys(names) if name not in KEYWORDS]


def run(argv, cap):
    """Exit code, output, errors and seconds of CPU; no exit code if the time is over."""
    with tempfile.TemporaryFile('w+') as out, tempfile.TemporaryFile('w+') as errors:
        child = subprocess.Popen(argv, stdout=out, stderr=errors, stdin=subprocess.DEVNULL)
        timer = threading.Timer(cap, child.kill)
        timer.start()
        _, status, usage = os.wait4(child.pid, 0)
        timer.cancel()
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0), errors.seek(0)
        code = None if child.returncode == -9 else child.returncode
        return code, out.read(), errors.read(), usage.ru_utime + usage.ru_stime


def ask(args, unit, name):
    """One function: what comes of it."""
    argv = [args.nub, 'cover', unit, '-f', name, '--json', '-q', '--no-native', '--max-time', f'{args.max_time:g}s'] + args.nub_options
    code, out, errors, seconds = run(argv, args.max_time + GRACE)
    if code is None:
        return {'state': 'late', 'seconds': seconds}
    if code in (0, 1):
        return {'state': 'answered', 'seconds': seconds, **counts(json.loads(out))}
    lines = [line for line in errors.splitlines() if line.strip() and not line.startswith('warning')]
    why = re.sub(r'^(error: )?(\S+:\d+:\d+: )?(error: )?', '', lines[0]) if lines else f'exit code {code}'
    why = re.sub(r' \(and \d+ more\)', '', why)
    state = 'empty' if 'has no decisions' in why else 'float' if 'floating point' in why else 'refused'
    return {'state': 'crash' if code not in (2, 3) else state, 'why': why, 'seconds': seconds}


def counts(report):
    """Goals by state, tests, and whether their number is proved minimal."""
    summary = report['summary']
    known = summary['covered'] + summary['infeasible'] + summary['undefined']
    return {'goals': summary['goals'], 'covered': summary['covered'], 'infeasible': summary['infeasible'] + summary['undefined'],
            'infeasible if': summary['infeasible_if'], 'open': summary['goals'] - known - summary['infeasible_if'],
            'tests': len(report['tests']), 'minimal': int(report['is_minimal'])}


def row(answers):
    total = collections.Counter()
    for answer in answers:
        total['functions'] += 1
        total[answer['state']] += 1
        total['cpu s'] += answer.get('seconds', 0)
        for key in ('goals', 'covered', 'infeasible', 'infeasible if', 'open', 'tests', 'minimal'):
            total[key] += answer.get(key, 0)
    total['refused'] += total['late'] + total['crash']
    return total


def show(name, total):
    cells = [f'{total[key]:.0f}' for key in COLUMNS]
    print(f'| {name} | ' + ' | '.join(cells) + ' |', flush=True)


def known_answers(path):
    if not path or not os.path.exists(path):
        return {}
    lines = (json.loads(line) for line in open(path))
    return {(line['file'], line['function']): line for line in lines}


def project(args, build, known, record):
    entries = json.load(open(os.path.join(build, 'compile_commands.json')))
    by_file = {os.path.join(entry['directory'], entry['file']): entry for entry in entries if entry['file'].endswith('.c')}
    every, reasons = [], collections.Counter()
    with tempfile.TemporaryDirectory() as work, concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for number, (path, entry) in enumerate(sorted(by_file.items())):
            if args.only not in path:
                continue
            unit = os.path.join(work, f'{number}.i')
            trouble = preprocess(entry, unit)
            if trouble:
                print(f'{path}: {trouble.splitlines()[0]}', file=sys.stderr)
                continue
            names = own_functions(open(unit, errors='replace').read(), path)[:args.per_file]
            asked = [name for name in names if (path, name) not in known]
            for name, answer in zip(asked, pool.map(lambda name: ask(args, unit, name), asked)):
                known[path, name] = {'file': path, 'function': name, **answer}
                record(known[path, name])
            answers = [known[path, name] for name in names]
            answers = [answer for answer in answers if answer['state'] != 'empty']
            reasons.update(answer.get('why', answer['state']) for answer in answers if answer['state'] != 'answered')
            every += answers
            show(os.path.relpath(path, build), row(answers))
    show(f'**{os.path.basename(os.path.dirname(os.path.abspath(build)))}**', row(every))
    return every, reasons


def main():
    args = options()
    if not os.path.exists(args.nub):
        sys.exit('nub is not there: cargo build --release -p nub-cli, or --nub PATH')
    known = known_answers(args.results)
    results = open(args.results, 'a') if args.results else None

    def record(answer):
        if results:
            print(json.dumps(answer), file=results, flush=True)

    print('| file | ' + ' | '.join(COLUMNS) + ' |\n|---|' + '---:|' * len(COLUMNS))
    every, reasons = [], collections.Counter()
    for build in args.builds:
        answers, why = project(args, build, known, record)
        every += answers
        reasons.update(why)
    show('**all**', row(every))
    total = row(every)
    n_wanted = total['functions'] - total['float']
    print(f'\n{total["answered"]} of {n_wanted} functions with decisions and without floats answered '
          f'({100 * total["answered"] / max(n_wanted, 1):.0f} %). Refused:\n')
    for why, count in reasons.most_common(40):
        print(f'{count:4} {why}')


main()
