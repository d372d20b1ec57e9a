#!/usr/bin/env python3
"""Does nub cover respect its time limit? Each function of each C file below a folder, with a limit on the search.

  cover_time_limit.py FOLDER [-I DIR...] [--rest globals]

Measures how much processor time nub and the programs that it starts use after the limit, for each function: the total at the end less what had been used when
the limit was reached, so that other work on the machine does not count. A table of those that exceed the grace period goes to standard output, the slowest first; the exit code
is 1 if there are any. µC/OS-II, for example, needs -I for a port and for Cfg/Template.
"""
import argparse, os, re, resource, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DEFINITION = re.compile(r'^(?!\s)(?:[A-Za-z_][\w\s\*]*?[\s\*])?([A-Za-z_]\w*)\s*\(([^;{}()]|\([^()]*\))*\)\s*\{', re.M)
KEYWORDS = {'if', 'while', 'for', 'switch', 'return', 'sizeof', 'else', 'do', 'defined'}
TICKS = os.sysconf('SC_CLK_TCK')


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('folder', metavar='FOLDER')
    parser.add_argument('-I', dest='include', action='append', default=[], metavar='DIR')
    parser.add_argument('--nub', default=os.path.join(ROOT, 'target', 'release', 'nub'), metavar='PATH')
    parser.add_argument('--limit', type=float, default=5, metavar='S', help='seconds (default: %(default)s)')
    parser.add_argument('--grace', type=float, default=1, metavar='S', help='processor seconds after the limit that are allowed (default: %(default)s)')
    parser.add_argument('--whole', metavar='FILE', help='take each function from this file, which includes the others, so that calls have bodies')
    parser.add_argument('--only', default='', metavar='TEXT', help='only functions whose name contains this')
    parser.add_argument('--rest', nargs='*', default=[], metavar='OPTION', help='options for nub cover, without the dashes')
    return parser.parse_args()


def functions(folder):
    """Each function once, with the first file that defines it."""
    seen = {}
    for where, folders, files in sorted(os.walk(folder)):
        for file in sorted(name for name in files if name.endswith('.c')):
            path = os.path.join(where, file)
            for match in DEFINITION.finditer(open(path, errors='replace').read()):
                if match.group(1) not in KEYWORDS:
                    seen.setdefault(match.group(1), path)
    return sorted((path, name) for name, path in seen.items())


def used(pid):
    """Processor seconds of a process, of the children that it has waited for, and of those that still run."""
    total, todo = 0.0, [pid]
    while todo:
        process = todo.pop()
        try:
            fields = open(f'/proc/{process}/stat').read().rsplit(')', 1)[1].split()
            total += sum(int(field) for field in fields[11:15]) / TICKS
            todo += [int(child) for child in open(f'/proc/{process}/task/{process}/children').read().split()]
        except OSError:
            pass
    return total


def measure(args, path, name):
    """The processor seconds in total and after the limit, and the exit code."""
    include = [word for folder in [*args.include, os.path.dirname(path)] for word in ('-I', folder)]
    rest = [f'--{word}' for word in args.rest]
    argv = [args.nub, 'cover', path, '-f', name, '--max-time', str(args.limit), '--json', *rest, *include]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryFile() as sink:
        child = subprocess.Popen(argv, stdout=sink, stderr=subprocess.DEVNULL)
        at_limit = 0.0
        try:
            child.wait(timeout=args.limit)
        except subprocess.TimeoutExpired:
            at_limit = used(child.pid)
        child.wait()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    total = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return total, (total - at_limit if at_limit else 0.0), child.returncode


def main():
    args = options()
    found = [item for item in functions(args.folder) if args.only in item[1]]
    rows, codes = [], {}
    for number, (path, name) in enumerate(found, 1):
        total, late, code = measure(args, args.whole or path, name)
        codes[code] = codes.get(code, 0) + 1
        print(f'{number} of {len(found)}: {name}: {total:.1f} s, {late:.1f} s after the limit, exit code {code}', file=sys.stderr, flush=True)
        rows.append((late, total, name, os.path.basename(path), code))
    over = sorted((row for row in rows if row[0] > args.grace), reverse=True)
    print('| function | file | processor seconds | after the limit | exit code |\n|---|---|---|---|---|')
    for late, total, name, file, code in over:
        print(f'| {name} | {file} | {total:.1f} | {late:.1f} | {code} |')
    worst = max((row[0] for row in rows), default=0)
    answered = sum(row[4] in (0, 1) for row in rows)
    print(f'\n{len(over)} of {answered} functions with an answer (of {len(rows)}; others have no decision, or cannot be read) use more than {args.grace:g} s of processor time after {args.limit:g} s; the worst {worst:.1f} s. Exit codes: {codes}')
    if not answered:
        sys.exit('no function has an answer: nothing was measured')
    sys.exit(bool(over))


main()
