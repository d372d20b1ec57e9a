#!/usr/bin/env python3
"""Measure nub fuzz.

  fuzz.py throughput     share of wall time in the solver (z3, scripts of 100 nodes), cost per run above a bare spawn
  fuzz.py memory         resident memory of nub over many runs of a program that only prints an answer
  fuzz.py race           planted faults: inputs and seconds to the first detection, for several seeds, beside peers
  fuzz.py prey           campaigns on old solvers: groups, and the sizes of their files before and after

`prey` takes solvers as NAME=COMMAND after `--solver`; z3 4.8.7 and 4.8.10 come with the package z3-solver, boolector
1.5.118 is in Debian 12. Python 3.9 or later and a C compiler are needed. Tables go to standard output as Markdown.
"""
import argparse, json, os, resource, shutil, subprocess, sys, tempfile, time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
HERE = os.path.dirname(os.path.abspath(__file__))

# Only prints an answer, so what remains is the cost of running a program.
ANSWER_C = 'int puts(const char*); int main(void) { puts("sat"); return 10; }\n'
# Starts a program N times, as cheaply as it can be done.
LOOP_C = '''
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <fcntl.h>
extern char **environ;
int main(int argc, char **argv) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    for (int n = atoi(argv[1]); n > 0; n--) {
        pid_t pid;
        if (posix_spawn(&pid, argv[2], &actions, 0, argv + 2, environ)) return 1;
        waitpid(pid, 0, 0);
    }
    return 0;
}
'''

# A fault of planted.py, and what nub and FuzzSMT are told to make.
FAULTS = {
    'wrong answer, smod at width 1': ('smod', ['btor', 'smt2:bv'], 'QF_BV'),
    'crash, choice of arrays over a write': ('acond', ['btor', 'smt2:bv,arrays'], 'QF_ABV'),
    'hang, nested quantifiers': ('quantifiers', ['smt2:ints,quantifiers'], 'AUFLIA'),
}


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest='command', required=True)
    for name in ('throughput', 'memory', 'race', 'prey'):
        sub = commands.add_parser(name)
        sub.add_argument('--nub', default=os.path.join(ROOT, 'target', 'release', 'nub'), metavar='PATH')
        sub.add_argument('--time', type=float, default=600 if name == 'prey' else 30, metavar='S')
        if name == 'throughput':
            sub.add_argument('--solver', default='z3', metavar='CMD')
        if name == 'memory':
            sub.add_argument('--runs', type=int, default=100_000, metavar='N')
        if name == 'race':
            sub.add_argument('--seeds', type=int, default=5, metavar='N')
            sub.add_argument('--fuzzsmt', metavar='JAR', help='fuzzsmt.jar, to race beside nub; needs java')
            sub.add_argument('--opfuzz', metavar='PATH', help='opfuzz (pip install yinyang), to race beside nub')
        if name == 'prey':
            sub.add_argument('--solver', action='append', required=True, metavar='NAME=CMD')
            sub.add_argument('--generate', metavar='SPEC')
            sub.add_argument('--keep', metavar='DIR', help='leave the campaigns here')
    return parser.parse_args()


def campaign(nub, folder, args):
    """Runs a campaign and returns its last event."""
    command = [nub, 'fuzz', '--out', folder, '--json', '-q', *args]
    run = subprocess.run(command, capture_output=True, text=True)
    events = [json.loads(line) for line in run.stdout.splitlines() if line.startswith('{')]
    last = next((event for event in reversed(events) if event['type'] == 'campaign'), None)
    if last is None:
        sys.exit(f'{" ".join(command)}\n{run.stderr}')
    return last


def build(folder, name, text):
    source, program = os.path.join(folder, name + '.c'), os.path.join(folder, name)
    with open(source, 'w') as file:
        file.write(text)
    subprocess.run(['cc', '-O1', '-o', program, source], check=True)
    return program


def throughput(args, folder):
    spec = '--to smt2 -n 100'
    rows = []
    for jobs, unit in ((1, 1), (1, 20), (2, 20)):
        place = os.path.join(folder, f'{jobs}-{unit}')
        state = campaign(args.nub, place, ['-s', args.solver, '--no-built-in', '--no-options', '--generate', spec,
                                           '-j', str(jobs), '--unit', str(unit), '--max-time', str(args.time)])
        solver = state['solvers'][0]
        share = 100 * solver['seconds'] / (state['seconds'] * jobs)
        rows.append(f'| {jobs} | {unit} | {state["inputs"]} | {state["inputs"] / state["seconds"]:.0f} | {share:.1f} % |')
    print('| workers | inputs per process | inputs | inputs/s | time in the solver |\n|---|---|---|---|---|')
    print('\n'.join(rows))
    answer, loop = build(folder, 'answer', ANSWER_C), build(folder, 'loop', LOOP_C)
    n_runs = 5_000
    start = time.perf_counter()
    subprocess.run([loop, str(n_runs), answer], check=True)
    bare = (time.perf_counter() - start) / n_runs
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    campaign(args.nub, os.path.join(folder, 'answers'),
             ['-s', answer, '--no-built-in', '--no-options', '--generate', '--to btor -n 100 --status sat', '-j', '1',
              '--max-inputs', str(n_runs)])
    ours = (time.perf_counter() - start) / n_runs
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / n_runs
    print(f'\na run of a program that prints an answer: bare {1e3 * bare:.2f} ms, in a campaign {1e3 * ours:.2f} ms '
          f'({1e3 * cpu:.2f} ms of processor time, the program included): {1e3 * (ours - bare):.2f} ms above')


def memory(args, folder):
    answer = build(folder, 'answer', ANSWER_C)
    command = [args.nub, 'fuzz', '--out', os.path.join(folder, 'c'), '-q', '-s', answer, '--no-built-in',
               '--no-options', '--generate', '--to btor -n 100 --status sat', '--max-inputs', str(args.runs), '-j', '2']
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    samples = []
    while process.poll() is None:
        time.sleep(1)
        try:
            with open(f'/proc/{process.pid}/status') as status:
                resident = [int(line.split()[1]) for line in status if line.startswith('VmRSS')]
            samples.extend(resident)
        except OSError:
            break
    tenth = max(1, len(samples) // 10)
    print(f'{args.runs} runs: {samples[tenth] / 1024:.1f} MiB after a tenth, {samples[-1] / 1024:.1f} MiB at the end, '
          f'{max(samples) / 1024:.1f} MiB at most')


def race(args, folder):
    print('| fault | tool | seed | inputs | seconds | bytes before | after |\n|---|---|---|---|---|---|---|')
    for name, (fault, specs, logic) in FAULTS.items():
        stub = os.path.join(folder, 'stub-' + fault)
        with open(stub, 'w') as file:
            file.write(f'#!/bin/sh\nexec {sys.executable} {HERE}/planted.py {fault} {args.nub} "$@"\n')
        os.chmod(stub, 0o755)
        for seed in range(1, args.seeds + 1):
            rows = [(f'nub, {spec}', race_nub(args, folder, stub, spec, seed)) for spec in specs]
            if args.fuzzsmt:
                rows.append(('FuzzSMT', race_fuzzsmt(args, folder, stub, logic, seed)))
            if args.opfuzz:
                rows.append(('opfuzz', race_opfuzz(args, folder, stub, specs[-1].split(':')[1], seed)))
            for tool, (inputs, seconds, before, after) in rows:
                shown = f'{seconds:.1f}' if seconds is not None else f'none in {args.time:.0f}'
                print(f'| {name} | {tool} | {seed} | {inputs} | {shown} | {before} | {after} |', flush=True)


def race_nub(args, folder, stub, spec, seed):
    """Inputs, seconds to the first group, and the sizes before and after reduction, which the seconds do not contain."""
    place = os.path.join(folder, f'{os.path.basename(stub)}-{spec}-{seed}')
    command = [args.nub, 'fuzz', '--out', place, '--json', '-q', '-s', 'stub=' + stub, '--generate', spec, '--seed',
               str(seed * 1_000_000), '--max-groups', '1', '--max-time', str(args.time), '--unit', '5', '--timeout', '2',
               '--reduce-time', '60', '-j', '1']
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    groups, first = os.path.join(place, 'groups'), None
    while process.poll() is None:
        if first is None and os.path.isdir(groups) and os.listdir(groups):
            first = time.perf_counter() - start
        time.sleep(0.05)
    state = json.loads(process.stdout.read().splitlines()[-1])
    if not state['groups']:
        return state['inputs'], None, '', ''
    group = state['groups'][0]
    return state['inputs'], first or time.perf_counter() - start, group['bytes_before'], group['bytes_after']


def fuzzsmt_files(args, place, logic, seed, count):
    os.makedirs(place, exist_ok=True)
    subprocess.run(['java', '-jar', os.path.abspath(args.fuzzsmt), logic, '-seed', str(seed), '-bulk-export', str(count)],
                   cwd=place, check=True, capture_output=True)
    return [os.path.join(place, name) for name in sorted(os.listdir(place))]


def is_detected(args, stub, path):
    """Whether the solver crashes, hangs or contradicts a second solver, as a script around FuzzSMT would check."""
    try:
        run = subprocess.run([stub, path], capture_output=True, text=True, timeout=2)
    except subprocess.TimeoutExpired:
        return True
    if run.returncode < 0 or run.returncode > 128:
        return True
    right = subprocess.run([args.nub, 'solve', path], capture_output=True, text=True)
    answers = {said.split()[0] for said in (run.stdout, right.stdout) if said.split()} - {'unknown'}
    return len(answers) > 1


def race_fuzzsmt(args, folder, stub, logic, seed):
    start, inputs = time.perf_counter(), 0
    while time.perf_counter() - start < args.time:
        place = os.path.join(folder, f'fuzzsmt-{logic}-{seed}-{inputs}')
        for path in fuzzsmt_files(args, place, logic, seed * 1_000_000 + inputs, 20):
            inputs += 1
            if is_detected(args, stub, path):
                return inputs, time.perf_counter() - start, os.path.getsize(path), ''
            if time.perf_counter() - start >= args.time:
                break
        shutil.rmtree(place)
    return inputs, None, '', ''


def race_opfuzz(args, folder, stub, theories, seed):
    """opfuzz needs seed files and two solvers. It gets 50 small scripts of ours (it finds nothing to mutate in those of
    FuzzSMT), and a second stub without a fault."""
    place = os.path.join(folder, f'opfuzz-{seed}-{os.path.basename(stub)}')
    seeds = os.path.join(place, 'seeds')
    os.makedirs(place)
    subprocess.run([args.nub, 'generate', '--to', 'smt2', '--theories', theories, '-n', '20', '--count', '50', '--seed',
                    str(seed * 1_000_000), '--out', seeds], check=True)
    right = f'{sys.executable} {HERE}/planted.py none {args.nub}'
    command = [args.opfuzz, '-t', '2', '-i', '50', f'{stub};{right}', seeds]
    start = time.perf_counter()
    with open(os.path.join(place, 'log'), 'w') as log:
        process = subprocess.Popen(command, cwd=place, stdout=log, stderr=log)
    bugs, first = os.path.join(place, 'bugs'), None
    while process.poll() is None and first is None and time.perf_counter() - start < args.time:
        if os.path.isdir(bugs) and os.listdir(bugs):
            first = time.perf_counter() - start
        time.sleep(0.05)
    process.kill()
    process.wait()
    sizes = [os.path.getsize(os.path.join(bugs, name)) for name in os.listdir(bugs)] if first else ['']
    return '', first, sizes[0], ''


def prey(args, folder):
    folder = args.keep or folder
    print('| solver | inputs | groups | | bytes before | after | found |\n|---|---|---|---|---|---|---|')
    for text in args.solver:
        name = text.split('=')[0]
        more = ['--generate', args.generate] if args.generate else []
        state = campaign(args.nub, os.path.join(folder, name), ['-s', text, '--max-time', str(args.time), *more])
        print(f'| {name} | {state["inputs"]} | {len(state["groups"])} | | | | |', flush=True)
        for group in state['groups']:
            print(f'| | | | {group["title"]} | {group["bytes_before"]} | {group["bytes_after"]} | {group["members"]} times |')


def main():
    args = options()
    args.nub = shutil.which(args.nub) or os.path.abspath(args.nub)
    with tempfile.TemporaryDirectory() as folder:
        {'throughput': throughput, 'memory': memory, 'race': race, 'prey': prey}[args.command](args, folder)


if __name__ == '__main__':
    main()
