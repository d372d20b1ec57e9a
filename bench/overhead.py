"""`reduce.py overhead`: what nub costs in addition to the oracle."""
import json, os, re, subprocess, sys

import measure, records, tasks

# Asks of the run in which nothing succeeds. Enough for a mean, few enough to take seconds.
N_HOPELESS = 300
# While candidates are at least this large, an ask counts as one on the large file.
LARGE = 1_000_000


def cargo(package, example, *rest):
    """The output of an example, or None."""
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    done = subprocess.run(['cargo', 'run', '--release', '--quiet', '-p', package, '--example', example, '--', *rest],
                          cwd=root, capture_output=True, text=True)
    if done.returncode != 0:
        print(f'{package}, example {example}: {done.stderr.strip()[-300:]}', file=sys.stderr)
        return None
    return done.stdout


def reducing(place, args):
    """t08 to the end: first ask, processor time per ask, memory."""
    samples = []
    argv, result = tasks.command('nub', args.nub, 1, place.base, place.orc)
    record = measure.run(argv, place.dir, place.env, args.cap, os.path.join(place.work, 'talk'), samples)
    calls, original = place.calls(), os.path.getsize(place.source)
    # The first call is the golden run; others on the same bytes or on nothing check the oracle.
    golden_end = calls[0][0] + calls[0][1]
    first = next(n for n, call in enumerate(calls) if 0 < call[4] < original)
    large = [call for call in calls if call[4] >= LARGE]
    last_large = large[-1][0] + large[-1][1]
    cpu_large = max((cpu for when, cpu in samples if when <= last_large + measure.POLL_S), default=record['own_cpu_s'])
    tool_cpu = record['cpu_s'] - sum(call[2] for call in calls)
    final = os.path.getsize(os.path.join(place.dir, result))
    return [
        ('first run on the original to first candidate, s', calls[first][0] - golden_end),
        ('last check of the oracle to first candidate, s', calls[first][0] - sum(calls[first - 1][:2])),
        ('calls, all / with a candidate of 1 MB or more', f'{len(calls)} / {len(large)}'),
        ('own CPU ms per ask, while candidates have 1 MB or more (start included)', 1000 * cpu_large / len(large)),
        ('own CPU ms per ask, whole run', 1000 * record['own_cpu_s'] / len(calls)),
        ('tool CPU ms per ask, whole run (all CPU less the oracle\'s)', 1000 * tool_cpu / len(calls)),
        ('peak memory of nub, MB', record['peak_mb']),
        ('final B / wall s', f"{final} / {records.show(record['wall_s'], 1)}" + (' (cap)' if record['capped'] else '')),
    ]


def hopeless(place, args):
    """An oracle that accepts only the original: every ask builds and writes a large candidate in vain."""
    script = os.path.join(place.work, 'same.sh')
    with open(script, 'w') as out:
        out.write(f'#!/bin/sh\nexec cmp -s "{place.source}" "$1"\n')
    os.chmod(script, 0o755)
    talk = os.path.join(place.work, 'talk2')
    argv = [args.nub, 'reduce', '-j', '1', place.base, '-o', 'same.smt2', '--no-header', '--max-asks', str(N_HOPELESS),
            '--json', '--test', script]
    record = measure.run(argv, place.dir, place.env, args.cap, talk)
    end = {}
    for line in open(talk, errors='replace'):
        if line.startswith('{') and '"type":"end"' in line:
            end = json.loads(line)
    n_asks = end.get('asks')
    per_ask = 1000 * end['own_cpu_seconds'] / n_asks if n_asks else None
    return [(f'nothing succeeds, {n_asks} asks on 5 MB: own CPU ms per ask (start included)', per_ask),
            ('nothing succeeds: peak memory of nub, MB', record['peak_mb'])]


def throughput(source):
    text = cargo('nub-smtlib', 'check', source) or ''
    found = re.search(r'parse (\d+) MB/s, analyse (\d+) MB/s', text)
    return [('parse, MB/s', int(found[1]) if found else None), ('analyse, MB/s', int(found[2]) if found else None)]


def spawning():
    text = cargo('nub-process', 'overhead') or ''
    found = re.search(r'^overhead +(-?[\d.]+) us own CPU, wall x ([\d.]+)', text, re.M)
    return [('`process`: own CPU above spawn and wait, ms', float(found[1]) / 1000 if found else None),
            ('`process`: wall time against spawn and wait, times', float(found[2]) if found else None)]


def main(args):
    bench = os.path.join(args.shared, 'bench', 'reduce')
    all_tasks = json.load(open(os.path.join(bench, 'tasks.json')))
    place = tasks.Place(bench, all_tasks['t08'])
    try:
        rows = reducing(place, args) + hopeless(place, args) + throughput(place.source) + spawning()
    finally:
        place.remove()
    print('\nOne worker, t08 (5.2 MB).\n')
    print(records.table(['figure', 'value'], rows))
