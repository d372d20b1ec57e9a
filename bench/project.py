#!/usr/bin/env python3
"""nub cover on every function of projects that have a compilation database, and independent checks of the results.

  project.py BUILD...                    folders with compile_commands.json (cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, or bear -- make)
  project.py BUILD --out FOLDER          keeps the results there; an interrupted run continues
  project.py BUILD --sample 200          200 functions of each, spread evenly over it
  project.py BUILD --judge 10            also asks the judges, the second one for 10 s per function

Prints a table of projects (functions with decisions, answered, answered with all goals open, without an answer for floating point, goals, covered, infeasible, infeasible under a stated
assumption, open, tests, functions with a proved minimum for all goals, or for the decided ones, functions whose tests ran as observed, bugs) and the reasons of refusals, most frequent first.

First judge: clang compiles the tests, and llvm-cov counts. Every line and every outcome of a condition that nub says its tests execute must be executed.
Second judge: the same tests with other values, random ones and corners, under sanitizers that end a run at undefined behaviour. No outcome of a condition that
is reached may have been called infeasible, and no condition may have been called unable to decide where llvm-cov sees two runs that show its effect (MC/DC).
"""
import argparse, collections, glob, json, os, re, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
COLUMNS = ('functions', 'answered', 'undecided', 'float', 'goals', 'covered', 'infeasible', 'infeasible_if', 'open', 'tests', 'minimal', 'minimal_of_decided', 'confirmed', 'bugs')
COVERAGE = ['-w', '-g', '-O0', '-fprofile-instr-generate', '-fcoverage-mapping', '-mllvm', '-runtime-counter-relocation']
SANITIZERS = ['-fcoverage-mcdc', '-fsanitize=address,undefined', '-fno-sanitize-recover=all']
# What a value becomes: corners, small numbers, any bits, or itself. A null pointer stays one. Test programs have names like `nub_next` themselves.
VALUES = '''
#include <stdlib.h>
static unsigned long long nub_judge_state = 88172645463325252ull;
static unsigned long long nub_judge_next(void) { nub_judge_state ^= nub_judge_state << 13; nub_judge_state ^= nub_judge_state >> 7; return nub_judge_state ^= nub_judge_state << 17; }
static long long nub_judge_value(long long was) {
    static const long long corners[] = { 0, 1, -1, 2, 7, 8, 127, 128, 255, 256, 32767, 65535, 2147483647, -2147483648ll, 4294967295ll, 9223372036854775807ll };
    switch (nub_judge_next() % 5) {
    case 0: return corners[nub_judge_next() % (sizeof corners / sizeof *corners)];
    case 1: return (long long)(nub_judge_next() % 200) - 50;
    case 2: return (long long)nub_judge_next();
    case 3: return was + (long long)(nub_judge_next() % 5) - 2;
    default: return was;
    }
}
#define nub_judge_set(place, was) place = __builtin_choose_expr(__builtin_classify_type(place) == NUB_JUDGE_POINTER, (void *)0, nub_judge_value(was))
enum { NUB_JUDGE_POINTER = 5 };
'''
# Each round in a process of its own: sanitizers end it at undefined behaviour. llvm-cov subtracts counters, so that a run which ends in the middle seems to take the
# other branch of every decision that it has not reached. So counters are written, and added up in one file, only when a run has returned.
ROUNDS = '''
int __llvm_profile_write_file(void);
void __llvm_profile_reset_counters(void);
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static void nub_judge_leave(void) { _exit(0); }
int main(void) {
    unsigned n = sizeof nub_tests / sizeof *nub_tests;
    time_t end = time(0) + SECONDS;
    for (unsigned round = 0; time(0) < end; round++) {
        pid_t child = fork();
        if (child == 0) {
            nub_judge_state += round * 2654435761ull;
            alarm(2);
            atexit(nub_judge_leave);
            for (unsigned k = 0; k < 20; k++) {
                __llvm_profile_reset_counters();
                nub_tests[nub_judge_next() % n].run();
                __llvm_profile_write_file();
            }
            _exit(0);
        }
        waitpid(child, 0, 0);
    }
    return 0;
}
'''


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('builds', nargs='+', metavar='BUILD')
    parser.add_argument('--nub', default=os.path.join(ROOT, 'target', 'release', 'nub'), metavar='PATH')
    parser.add_argument('--function-time', type=float, default=20, metavar='S', help='seconds per function (default: %(default)s)')
    parser.add_argument('-j', '--jobs', type=int, default=os.cpu_count(), metavar='N')
    parser.add_argument('--only', metavar='TEXT', help='only files whose path contains this')
    parser.add_argument('--sample', type=int, metavar='N', help='only N functions of each project, spread evenly over it')
    parser.add_argument('--out', metavar='FOLDER', help='keep the results of each project below this folder')
    parser.add_argument('--judge', type=int, metavar='S', help='ask the judges, the second one for S seconds per function')
    parser.add_argument('--clang', default='clang-19', metavar='PATH')
    parser.usage = '%(prog)s [options] BUILD... [-- OPTIONS of nub cover]'
    words = sys.argv[1:]
    at = words.index('--') if '--' in words else len(words)
    args = parser.parse_args(words[:at])
    args.nub_options = words[at + 1:]
    return args


def cover(args, build, out):
    argv = [args.nub, 'cover', '--project', build, '-q', '-o', out, '-j', str(args.jobs), '--function-time', f'{args.function_time:g}s']
    argv += (['--only', args.only] if args.only else []) + (['--sample', str(args.sample)] if args.sample else []) + args.nub_options
    done = subprocess.run(argv, stdout=subprocess.DEVNULL)
    if done.returncode not in (0, 1):
        sys.exit(f'{" ".join(argv)}: exit code {done.returncode}')
    return json.load(open(os.path.join(out, 'report.json')))


def row(report):
    functions = report['functions']
    total = collections.Counter(report['total'])
    total['functions'], total['answered'], total['undecided'] = len(functions), report['answered'], report['undecided']
    total['bugs'] = sum(found['state'] == 'crashed' for found in functions)
    total['float'] = sum(found['state'] == 'refused' and 'floating point' in found.get('why', '') for found in functions)
    return total


def reasons(report):
    found = collections.Counter()
    for function in report['functions']:
        if function['state'] != 'answered':
            found[re.sub(r'`[^`]*`', '...', function.get('why', '')).split(' (and ')[0]] += 1
    return found


def places_of_copy(path):
    """Where each line of a test program comes from, if it holds a copy of the program: clang's mapping ignores `#line`. By number from 1; none for lines of the tests."""
    found, here = [None], None
    for line in open(path, errors='replace'):
        marker = re.match(r'#(?:line)? (\d+) "(.*)"', line)
        found.append(here)
        if marker:
            here = (os.path.realpath(marker.group(2)), int(marker.group(1)))
        elif here:
            here = (here[0], here[1] + 1)
    return found


def lcov(text, program=None):
    """Lines that were executed, outcomes of conditions that were taken, and all lines, by file. A line of the test program itself is the one that it was copied from."""
    lines, taken, listed, file = set(), set(), set(), None
    n_before = collections.Counter()
    copied = places_of_copy(program) if program else []
    for line in text.splitlines():
        key, _, rest = line.partition(':')
        if key == 'SF':
            file = os.path.realpath(rest)
            is_copy = program is not None and file == os.path.realpath(program)
        elif key in ('DA', 'BRDA'):
            place = (file, int(rest.split(',')[0]))
            place = copied[place[1]] if is_copy else place
        if key == 'DA' and place:
            listed.add(place)
            lines.update([place] if rest.split(',')[1] != '0' else [])
        elif key == 'BRDA' and place:
            # Both write true and false of each condition of a line, from left to right.
            if rest.split(',')[3] not in ('-', '0'):
                taken.add((*place, n_before[place]))
            n_before[place] += 1
    return lines, taken, listed


def unseen_outcomes(claimed, seen):
    """How many outcomes were claimed and not seen. Where a macro expands to several conditions, llvm-cov has its own order of them: the conditions of a line are then matched in any order."""
    by_place = collections.defaultdict(lambda: (set(), set()))
    for side, outcomes in enumerate((claimed, seen)):
        for *place, number in outcomes:
            by_place[tuple(place)][side].add(number)
    count = 0
    for ours, theirs in by_place.values():
        if ours <= theirs:
            continue
        wanted, free = ([{number % 2 for number in numbers if number // 2 == condition} for condition in {number // 2 for number in numbers}] for numbers in (ours, theirs))
        for outcomes in sorted(wanted, key=len, reverse=True):
            fitting = sorted((other for other in free if outcomes <= other), key=len)
            if fitting:
                free.remove(fitting[0])
            else:
                count += len(outcomes)
    return count


def profile(args, folder, program, form):
    raw = glob.glob(os.path.join(folder, '*.profraw'))
    if not raw:
        return ''
    merged, suffix = os.path.join(folder, 'seen.profdata'), args.clang.replace('clang', '')
    if subprocess.run([f'llvm-profdata{suffix}', 'merge', '-o', merged] + raw, capture_output=True).returncode:
        return ''
    export = [f'llvm-cov{suffix}', 'export', f'-format={form}', f'-instr-profile={merged}', program]
    return subprocess.run(export, capture_output=True, text=True).stdout


def compiler_options(out):
    """Of each test program: its C file and what the Makefile gives the compiler."""
    rule = re.compile(r'^bin/(\S+): (\S+)\n\t@mkdir -p bin\n\t\$\(CC\) \$\(CFLAGS\) (.*) -o \$@', re.M)
    makefile = open(os.path.join(out, 'Makefile')).read()
    return {found.group(2): found.group(3).replace('$$', '$') for found in rule.finditer(makefile)}


def understood(clang, words):
    """The options without those that only gcc has: musl's build gives some of them."""
    answer = subprocess.run(f'{clang} {words} -E -x c -o /dev/null /dev/null', shell=True, capture_output=True, text=True)
    for unknown in re.findall(r"unknown argument: '([^']*)'", answer.stderr):
        words = words.replace(f' {unknown} ', ' ')
    return words


def build_and_run(args, source, words, extra, seconds, form):
    """Compiles a program and runs it; what llvm-cov says, or none if it does not compile; whether it exits with 0."""
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, 'program')
        base = f'{args.clang} {" ".join(COVERAGE + extra)}'
        words = understood(args.clang, words)
        if subprocess.run(f'{base} {words} -o {program} {source} -lm', shell=True, capture_output=True).returncode:
            return None, False
        pattern = '%m.profraw' if extra else '%c%p.profraw'
        environment = {**os.environ, 'LLVM_PROFILE_FILE': os.path.join(folder, pattern), 'ASAN_OPTIONS': 'detect_leaks=0'}
        try:
            code = subprocess.run([program], env=environment, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=seconds).returncode
        except subprocess.TimeoutExpired:
            code = None
        return profile(args, folder, program, form), code == 0


def judge_counts(args, out):
    """Test programs that do not compile, those that do not run as observed, and lines and outcomes that nub claims and llvm-cov does not see."""
    counts = collections.Counter()
    seen_lines, seen_taken, known = set(), set(), set()
    for path, words in compiler_options(out).items():
        text, is_right = build_and_run(args, os.path.join(out, path), words, [], 60, 'lcov')
        counts['programs'] += 1
        if text is None:
            counts['not compiled'] += 1
            print(f'{path}: not compiled', flush=True)
            continue
        if not is_right:
            counts['not as observed'] += 1
            print(f'{path}: not as observed', flush=True)
        lines, taken, listed = lcov(text, os.path.join(out, path))
        known |= listed
        seen_lines |= lines
        seen_taken |= taken
    lines, taken, _ = lcov(open(os.path.join(out, 'coverage.info')).read())
    # llvm-cov has no count for a line that is nothing but a macro.
    files = {file for file, _ in known}
    uncounted = {(file, line) for file, line in lines if file in files and (file, line) not in known}
    counts['lines'], counts['lines without a count'] = len(lines), len(uncounted)
    counts['lines not seen'] = len(lines - seen_lines - uncounted)
    counts['outcomes'], counts['outcomes not seen'] = len(taken), unseen_outcomes(taken, seen_taken)
    return counts


def claims(out):
    """The outcomes of conditions that nub calls infeasible, by file and function: line, column, and `true`, `false` or `decides`."""
    found = collections.defaultdict(set)
    for path in glob.glob(os.path.join(out, 'records', '*.json')):
        record = json.load(open(path))
        for goal in record['uncovered']:
            if goal['kind'] == 'condition' and goal['state'] == 'infeasible' and goal['wanted'] in ('true', 'false', 'decides'):
                key = (record['outcome']['file'], record['outcome']['function'])
                found[key].add((goal['line'], goal['column'], goal['wanted']))
    return found


def reached(data):
    """What llvm-cov saw of the conditions of a file, in the form of `claims`."""
    found, places = set(), set()
    for line, column, _, _, n_true, n_false, *_ in data.get('branches', []):
        places.add((line, column))
        found |= {(line, column, word) for word, times in (('true', n_true), ('false', n_false)) if times}
    for line, column, last_line, last_column, _, _, shown in data.get('mcdc_records', []):
        # The record names its conditions by their order in the source alone; a decision inside of another one has more places.
        inside = sorted(place for place in places if (line, column) <= place < (last_line, last_column))
        if len(inside) == len(shown):
            found |= {(*place, 'decides') for place, is_shown in zip(inside, shown) if is_shown}
    return found


def with_other_values(text, seconds):
    """The tests with values that change, and a `main` that calls them again and again."""
    # The test itself counts calls that came early, and registers.
    text = re.sub(r'(?m)^    (?!nub_n_)([\w.\[\]>-]+) = (-?\d+)[uUlL]*;$', r'    nub_judge_set(\1, \2);', text)
    text = text[:text.rindex('\nint main(')]
    head, start = text.split('#define main', 1)
    return head + VALUES + '#define main' + start + ROUNDS.replace('SECONDS', str(seconds))


def judge_claims(args, out):
    """Claims that were asked about, and those that a run refutes."""
    counts, words = collections.Counter(), compiler_options(out)
    by_id = {}
    for (file, function), places in claims(out).items():
        by_id[re.sub(r'[^A-Za-z0-9-]', '_', re.sub(r'\.c$', '', file)), function] = (file, places)
    for path, options in words.items():
        unit, function = path.split('/')[1], os.path.basename(path)[:-2]
        file, places = by_id.get((unit, function)) or by_id.get((unit, function.removesuffix('_tests')), (None, None))
        if not places:
            continue
        with tempfile.NamedTemporaryFile('w', suffix='.c') as source:
            source.write(with_other_values(open(os.path.join(out, path)).read(), args.judge))
            source.flush()
            text, _ = build_and_run(args, source.name, options, SANITIZERS, args.judge + 30, 'text')
        if not text:
            counts['functions not asked'] += 1
            continue
        counts['functions'] += 1
        counts['claims'] += len(places)
        for data in json.loads(text)['data'][0]['files']:
            if not data['filename'].endswith('/' + os.path.basename(file)):
                continue
            for line, column, word in sorted(reached(data) & places):
                counts['refuted'] += 1
                print(f'{file}:{line}:{column}: {function}: "{word}" was called infeasible', flush=True)
    return counts


def main():
    args = options()
    if not os.path.exists(args.nub):
        sys.exit('nub does not exist: cargo build --release -p nub-cli, or --nub PATH')
    print('| project | ' + ' | '.join(COLUMNS) + ' |\n|---|' + '---:|' * len(COLUMNS), flush=True)
    every, why, judged = collections.Counter(), collections.Counter(), []
    with tempfile.TemporaryDirectory() as scratch:
        for number, build in enumerate(args.builds):
            parts = [part for part in os.path.abspath(build).split('/') if part not in ('', 'build')]
            name = parts[-1]
            out = os.path.join(args.out or scratch, f'{name}-{number}' if not args.out else name)
            os.makedirs(os.path.dirname(out), exist_ok=True)
            report = cover(args, build, out)
            every.update(row(report))
            why.update(reasons(report))
            print(f'| {name} | ' + ' | '.join(str(row(report)[key]) for key in COLUMNS) + ' |', flush=True)
            if args.judge is not None:
                judged.append((name, judge_counts(args, out), judge_claims(args, out)))
    print('| **all** | ' + ' | '.join(str(every[key]) for key in COLUMNS) + ' |')
    n_wanted = every['functions'] - every['float']
    n_answered = every['answered'] - every['undecided']
    print(f'\n{every["answered"]} of {n_wanted} functions with decisions and without floats answered '
          f'({100 * every["answered"] / max(n_wanted, 1):.0f} %), '
          f'{n_answered} with at least one decided goal ({100 * n_answered / max(n_wanted, 1):.0f} %). Without an answer:\n')
    for reason, count in why.most_common(40):
        print(f'{count:4} {reason}')
    for name, counts, refuted in judged:
        print(f'\n{name}: llvm-cov: ' + ', '.join(f'{count} {what}' for what, count in counts.items()))
        print(f'{name}: other values: ' + ', '.join(f'{count} {what}' for what, count in refuted.items()))


main()
