#!/usr/bin/env python3
"""nub cover on C code that was not written for it: each function of each file, up to a number per file, in a fixed random order.

  cover_public.py FOLDER... [-I DIR...]    C files below these folders

Counts what is covered, what is refused and why, and lists what must not happen: a crash, an answer long after the time limit, a compiled test that
differs (nub says so itself), and, with clang-19 and llvm-19 and the referee of SHARED/bench/cover (--shared), suites for which clang disagrees.
"""
import argparse, collections, concurrent.futures, json, os, random, re, shutil, subprocess, sys, tempfile, time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CRITERIA = {'decision': 'decision', 'condition': 'condition', 'condition-decision': 'conddec', 'mcdc': 'mcdc_llvm'}
DEFINITION = re.compile(r'^(?!\s)(?:[A-Za-z_][\w\s\*]*?[\s\*])?([A-Za-z_]\w*)\s*\(([^;{}()]|\([^()]*\))*\)\s*\{', re.M)
KEYWORDS = {'if', 'while', 'for', 'switch', 'return', 'sizeof', 'else', 'do', 'defined'}
IMPOSSIBLE = ('infeasible', 'undefined')
# Seconds by which an answer may exceed the time limit: the process starts, and the tests are compiled and run.
GRACE = 20


def functions(path):
    text = open(path, errors='replace').read()
    names = [match.group(1) for match in DEFINITION.finditer(text)]
    return [name for name in dict.fromkeys(names) if name not in KEYWORDS]


def tasks(args):
    rng, found = random.Random(args.seed), []
    for folder in args.folders:
        for where, folders, files in os.walk(folder):
            folders.sort()
            for file in sorted(files):
                if file.endswith('.c'):
                    path = os.path.join(where, file)
                    names = functions(path)
                    found += [(path, name) for name in rng.sample(names, min(len(names), args.per_file))]
    rng.shuffle(found)
    return found[:args.most]


def words(args, path):
    return [word for folder in args.include + [os.path.dirname(path)] for word in ('-I', folder)] + [f'-D{name}' for name in args.define]


def said(done):
    """The message, with names and numbers taken out, so that like ones are counted together."""
    lines = [line for line in done.stderr.splitlines() if line.strip() and not line.startswith('warning')]
    text = lines[0] if lines else f'exit code {done.returncode}'
    text = re.sub(r'^(error: )?(\S+:\d+:\d+: )?(error: )?', '', text)
    return re.sub(r'\d+', 'N', re.sub(r'`[^`]*`', '`...`', re.sub(r' \(and \d+ more\)', '', text)))[:90]


def lenient_clang(work):
    """A clang for the referee that links a part of a program, under a name that the referee understands."""
    path = os.path.join(work, 'clang-lenient-19')
    with open(path, 'w') as out:
        out.write('#!/bin/sh\ncase " $* " in *" -c "*|*" -E "*) exec clang-19 "$@";; esac\nexec clang-19 -Wl,--warn-unresolved-symbols "$@"\n')
    os.chmod(path, 0o755)
    return {**os.environ, 'PATH': f'{work}:{os.environ["PATH"]}', 'REFEREE_CLANG': 'clang-lenient-19'}


READS = 'struct nub_read { long long value; };\nstatic const struct nub_read *nub_next;\n'
STUB = '{ty} nub_{name}() {{ {body} }}\nextern __typeof__({name}) {name} __attribute__((alias("nub_{name}")));\n'


def stubs(report, missing):
    """Definitions of the functions that nub supplied: those that return numbers take the next one of the test."""
    read = {read['source']: read['type'] for test in report['tests'] for read in test.get('reads', [])}
    body = 'return ({})nub_next++->value;'
    text = ''.join(STUB.format(ty=ty, name=name, body=body.format(ty)) for name, ty in read.items() if name in missing)
    return READS + text + ''.join(STUB.format(ty='void', name=name, body='') for name in missing if name not in read)


def with_reads(report):
    """The report with tests that first set the numbers to be read."""
    tests = []
    for test in report['tests']:
        values = ', '.join(f'{{ {read["value"]} }}' for read in test.get('reads', []))
        pre = f'static const struct nub_read reads[] = {{ {values} }}; nub_next = reads;' if values else ''
        tests.append({**test, 'pre': pre + test['pre']})
    return {**report, 'tests': tests}


def referee(args, path, name, report, missing):
    """Objections of clang to the suite."""
    if name == 'main':
        return 'unknown: the referee has a main of its own'
    with tempfile.TemporaryDirectory() as work:
        tests = os.path.join(work, 'tests.json')
        with open(tests, 'w') as out:
            json.dump(with_reads(report) if missing else report, out)
        # The referee has a main of its own.
        program = os.path.join(work, 'program.c')
        with open(program, 'w') as out:
            out.write(f'#define main other_main\n#include "{os.path.abspath(path)}"\n#undef main\n')
            out.write(stubs(report, missing) if missing else '')
        script = os.path.join(args.shared, 'bench', 'cover', 'referee.py')
        argv = [sys.executable, script, program, tests, '--function', name, '--json']
        argv += [f'-I{folder}' for folder in args.include + [os.path.dirname(os.path.abspath(path))]] + [f'-D{name}' for name in args.define]
        try:
            done = subprocess.run(argv, capture_output=True, text=True, timeout=120, env=lenient_clang(work))
        except subprocess.TimeoutExpired:
            return 'unknown: the referee takes too long'
    if done.returncode != 0:
        return f'unknown: {(done.stderr.strip() or "the referee fails").splitlines()[-1][:120]}'
    answer = json.loads(done.stdout)
    covered, total = answer[CRITERIA[report['criterion'].removesuffix('-pairs')]]
    counted = [goal for goal in report['goals'] if not re.search(r'/(case\d+|default)$', goal['id'])]
    impossible = sum(goal['state'] in IMPOSSIBLE for goal in counted)
    return None if total - covered == impossible else f'{covered} of {total}, and {impossible} proved impossible'


def run(args, task):
    """The result: a class, and details."""
    path, name = task
    argv = [args.nub, 'cover', path, '-f', name, '-c', ','.join(CRITERIA), '--mcdc-pairs-only', '--json', '--max-time', str(args.time)] + words(args, path)
    argv += ['--no-stubs'] if args.no_stubs else []
    start = time.monotonic()
    try:
        done = subprocess.run(argv, capture_output=True, text=True, errors='replace', timeout=args.time + args.grace, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return 'HANG', f'{time.monotonic() - start:.0f} s'
    if done.returncode == 2:
        return ('no decision', '') if 'has no decisions' in done.stderr else ('refused', said(done))
    if done.returncode != 0:
        return 'CRASH', f'exit code {done.returncode}: {done.stderr.strip()[:300]}'
    reports = json.loads(done.stdout)
    reports = reports if isinstance(reports, list) else reports.get('reports', [reports])
    states = {goal['state'] for report in reports for goal in report['goals']}
    native = {report.get('native') for report in reports if report['tests']}
    if native - {'confirmed'}:
        return 'not compiled', str(sorted(map(str, native))[0]).splitlines()[0][:90]
    if states & {'open', 'beyond-bound'}:
        return 'covered in part', ''
    if args.shared:
        missing = re.findall(r'^warning: `(\w+)` has no body', done.stderr, re.M)
        faults = [(report['criterion'], referee(args, path, name, report, missing)) for report in reports]
        wrong = [f'{criterion}: {fault}' for criterion, fault in faults if fault and not fault.startswith('unknown')]
        if wrong:
            return 'DIFFERS', '; '.join(wrong)
        unknown = [fault for _, fault in faults if fault]
        if unknown:
            return 'covered, not judged', unknown[0]
    return 'covered', ''


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('folders', nargs='+', metavar='FOLDER')
    parser.add_argument('--nub', default=os.path.join(ROOT, 'target', 'release', 'nub'), metavar='PATH')
    parser.add_argument('-I', dest='include', action='append', default=[], metavar='DIR')
    parser.add_argument('-D', dest='define', action='append', default=[], metavar='NAME')
    parser.add_argument('--per-file', type=int, default=2, metavar='N', help='functions of each file (default: %(default)s)')
    parser.add_argument('--most', type=int, default=None, metavar='N', help='functions in all')
    parser.add_argument('--time', type=float, default=8, metavar='S', help='seconds for each (default: %(default)s)')
    parser.add_argument('--grace', type=float, default=GRACE, metavar='S', help='seconds beyond the limit after which it counts as a hang (default: %(default)s)')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--jobs', type=int, default=2)
    parser.add_argument('--no-stubs', action='store_true', help='functions without a body are refused')
    parser.add_argument('--shared', default=None, metavar='SHARED', help='ask the referee in this folder')
    parser.add_argument('-v', action='store_true', help='a line for each function')
    args = parser.parse_args()
    if args.shared and not (shutil.which('clang-19') and shutil.which('llvm-cov-19')):
        sys.exit('clang-19 and llvm-19 are needed for the referee')
    classes, reasons, bad = collections.Counter(), collections.Counter(), []
    todo = tasks(args)
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for task, (kind, detail) in zip(todo, pool.map(lambda task: run(args, task), todo)):
            classes[kind] += 1
            if kind == 'refused':
                reasons[detail] += 1
            if kind.isupper():
                bad.append(f'{kind} {task[0]} {task[1]}: {detail}')
            if args.v:
                print(kind, task[0], task[1], detail, flush=True)
    print(f'{len(todo)} functions: ' + ', '.join(f'{n} {kind}' for kind, n in classes.most_common()))
    for reason, n in reasons.most_common():
        print(f'  {n:4} {reason}')
    print('\n'.join(bad))
    sys.exit(1 if bad else 0)


main()
