"""`reduce.py tasks`: t01 to t08 with an oracle that logs every call."""
import json, os, shutil, subprocess, sys, tempfile

import measure, records
from records import show

# t09 is BTOR2, which ddSMT does not read; bench/workers.py reduces it.
TASKS = [f't{n:02}' for n in range(1, 9)]


def command(tool, program, jobs, base, orc):
    """(arguments, the file that holds the result). For all of them only the exit status of the oracle counts."""
    out, jobs = 'out.' + base, str(jobs)
    return {
        'nub': ([program, 'reduce', '-j', jobs, base, '-o', out, '--no-header', '--ignore-output', '--', orc], out),
        'ddsmt': ([program, '-j', jobs, '--ignore-output', base, out, orc], out),
        'shrinkray': ([program, '--ui', 'basic', '--volume', 'quiet', '--no-history', '--parallelism', jobs, '--timeout',
                       '30', '--input-type', 'arg', '--trivial-is-not-error', orc, base], base),
        'cvise': ([program, '--not-c', '--n', jobs, '--timeout', '30', orc, base], base),
    }[tool]


def solver_environment():
    """Where the oracles t01 to t05 find their solvers, unless the user sets it."""
    env = dict(os.environ)
    folder = env.get('NUB_SOLVERS') or os.path.join(os.path.expanduser('~'), '.cache', 'nub-solvers')
    for name, version in (('Z3_485', '4.8.5'), ('Z3_4812', '4.8.12')):
        path = os.path.join(folder, f'z3-{version}', 'bin', 'z3')
        if name not in env and os.path.exists(path):
            env[name] = path
    return env


class Place:
    """A temporary folder with a task's input and the built oracle."""

    def __init__(self, bench, task):
        self.work = tempfile.mkdtemp(prefix='nub-bench-')
        self.orc = os.path.join(self.work, 'bin', 'orc')
        self.dir = os.path.join(self.work, 'd')
        self.log = os.path.join(self.work, 'orc.log')
        for name in ('bin', 'd', 'tmp'):
            os.mkdir(os.path.join(self.work, name))
        subprocess.check_call([os.environ.get('CC', 'cc'), '-O2', '-o', self.orc, os.path.join(bench, 'orc.c')])
        self.source = os.path.join(bench, task['input'])
        self.base = os.path.basename(self.source)
        shutil.copy(self.source, self.dir)
        arg = task['arg']
        arg = '\x1f'.join(arg) if isinstance(arg, list) else os.path.join(bench, arg)
        self.env = dict(solver_environment(), ORC_MODE=task['mode'], ORC_LOG=self.log, ORC_FILE=self.base, ORC_ARG=arg,
                        TMPDIR=os.path.join(self.work, 'tmp'), SHRINKRAY_LLM='0')
        self.env_unlogged = dict(self.env, ORC_LOG=os.devnull)

    def still_fails(self, name):
        path = os.path.join(self.dir, name)
        return os.path.exists(path) and measure.still_fails(self.orc, path, self.env_unlogged, self.dir)

    def calls(self):
        """(start in s, wall in s, processor time in s, exit status, size) of each call."""
        if not os.path.exists(self.log):
            return []
        lines = [[int(field) for field in line.split()] for line in open(self.log)]
        return [(l[0] / 1e6, l[1] / 1e6, l[2] / 1e6, l[3], l[4]) for l in lines]

    def remove(self):
        shutil.rmtree(self.work, ignore_errors=True)


def run(bench, tasks, name, tool, program, args):
    place = Place(bench, tasks[name])
    try:
        if not place.still_fails(place.base):
            print(f'{name}: the oracle rejects the input; is its solver here?', file=sys.stderr)
            return None
        argv, result = command(tool, program, args.j, place.base, place.orc)
        talk = os.path.join(place.work, 'talk')
        record = measure.run(argv, place.dir, place.env, args.cap, talk)
        return finish(record, place, name, tool, result, talk)
    finally:
        place.remove()


def finish(record, place, name, tool, result, talk):
    calls = place.calls()
    original = os.path.getsize(place.source)
    path = os.path.join(place.dir, result)
    fails = place.still_fails(result)
    oracle_cpu = sum(call[2] for call in calls)
    tool_cpu = max(0.0, record['cpu_s'] - oracle_cpu)
    start = record.pop('start')
    record.update(
        task=name, tool=tool, original=original, fails=fails, written=os.path.exists(path),
        final=os.path.getsize(path) if fails else original,
        calls=len(calls), accepted=sum(call[3] == 0 for call in calls),
        oracle_cpu_s=round(oracle_cpu, 3), oracle_wall_s=round(sum(call[1] for call in calls), 3),
        tool_cpu_s=round(tool_cpu, 3), tool_cpu_ms_per_call=round(1000 * tool_cpu / max(1, len(calls)), 3),
        first_call_s=round(calls[0][0] - start, 3) if calls else None,
        second_call_s=round(calls[1][0] - start, 3) if len(calls) > 1 else None,
        load=os.getloadavg()[0])
    if fails:
        record['result'] = open(path, errors='replace').read(300)
    record['talk'] = open(talk, errors='replace').read()[-300:]
    return record


def recorded_peers(bench):
    """The records of results-peers.jsonl that count: task -> list of (tool, final bytes, processor ms per call)."""
    path, found = os.path.join(bench, 'results-peers.jsonl'), {}
    for record in records.read(path) if os.path.exists(path) else []:
        final = record['final'] if record['final_ok'] else record['orig']
        found.setdefault(record['task'], []).append((record['tool'], final, record['tool_cpu_ms_per_call']))
    return found


def main(args):
    bench = os.path.join(args.shared, 'bench', 'reduce')
    all_tasks = json.load(open(os.path.join(bench, 'tasks.json')))
    programs = {'nub': args.nub}
    for tool in args.tools.split(','):
        if tool not in ('nub', 'ddsmt', 'shrinkray', 'cvise'):
            sys.exit(f'no such tool: {tool}')
        if tool != 'nub':
            programs[tool] = measure.find(tool, args.ddsmt if tool == 'ddsmt' else None)
    tools = [tool for tool in args.tools.split(',') if programs[tool]]
    for tool in set(args.tools.split(',')) - set(tools):
        print(f'{tool} is not here; its recorded results are used', file=sys.stderr)
    book, results = records.Book(args.out, args.fresh), {}
    for name in (name for name in TASKS if args.only in name):
        for tool in tools:
            key = ('task', name, tool, measure.fingerprint(programs[tool]), args.j, args.cap)
            record = book.get(key)
            if not record:
                record = run(bench, all_tasks, name, tool, programs[tool], args)
                if not record:
                    continue
                book.add(key, record)
            results[name, tool] = record
            print(f"{name} {tool}: {record['final']} B, {record['calls']} calls, {record['wall_s']:.1f} s"
                  + (', cap' if record['capped'] else ''), file=sys.stderr)
    print_tables(args, results, tools, recorded_peers(bench))


def print_tables(args, results, tools, recorded):
    rows = []
    for (name, tool), r in results.items():
        rows.append([f'{name} {tool}', r['original'], r['final'], r['fails'], 'cap' if r['capped'] else show(r['wall_s'], 1),
                     r['calls'], r['oracle_cpu_s'], r['tool_cpu_s'], r['tool_cpu_ms_per_call'], r['own_cpu_s'],
                     f"{show(r['first_call_s'])} / {show(r['second_call_s'])}", r['peak_mb']])
    print(f'\nEvery run, `-j {args.j}`, cap {args.cap:g} s. Tool CPU: all processor time less the oracle\'s. Peak memory and '
          'own CPU: the tool\'s first process alone.\n')
    print(records.table(['task, tool', 'original B', 'final B', 'still fails', 'wall s', 'calls', 'oracle CPU s', 'tool CPU s',
                         'tool CPU ms/call', 'own CPU s', '1st / 2nd call s', 'peak MB'], rows))
    rows = [row for name in TASKS if (row := ratios(name, results, tools, recorded))]
    print('\nRatios. A peer that was not run counts with its recorded result (marked *).\n')
    print(records.table(['task', 'nub B', 'best peer B', 'bytes: nub / best peer', 'nub converged',
                         'nub CPU ms/call', 'ddSMT CPU ms/call', 'CPU per call: ddSMT / nub'], rows))


def ratios(name, results, tools, recorded):
    nub = results.get((name, 'nub'))
    if not nub:
        return None
    peers = [(results[name, tool]['final'], tool) for tool in tools if tool != 'nub' and (name, tool) in results]
    ran = {tool for _, tool in peers}
    peers += [(final, tool + '*') for tool, final, _ in recorded.get(name, []) if tool.split('-')[0] not in ran]
    ddsmt = results.get((name, 'ddsmt'))
    noted = [(ms, '*') for tool, _, ms in recorded.get(name, []) if tool == 'ddsmt-j1']
    cpu, mark = (ddsmt['tool_cpu_ms_per_call'], '') if ddsmt else min(noted, default=(None, ''))
    best, who = min(peers, default=(None, ''))
    own = nub['tool_cpu_ms_per_call']
    return [name, nub['final'], f'{show(best)} {who}', nub['final'] / best if best else None, not nub['capped'],
            own, show(cpu) + mark, cpu / own if cpu and own else None]
