"""`reduce.py corpus`: nub compared with ddSMT 2 on real solver failures."""
import csv, os, queue, shutil, subprocess, sys, tempfile, threading

import measure, records
from records import geometric_mean, show

TOOLS = ('nub', 'ddsmt')


def command(tool, program, jobs, base, out, oracle):
    if tool == 'nub':
        return [program, 'reduce', base, '-o', out, '--test', oracle, '--no-header', '-j', str(jobs)]
    return [program, '-j', str(jobs), '--ignore-output', base, out, oracle]


def run(case, tool, program, args):
    """One tool on one case, in a folder of its own."""
    corpus = os.path.join(args.shared, 'corpus')
    source, oracle = os.path.join(corpus, case['input']), os.path.join(corpus, case['oracle'])
    work = tempfile.mkdtemp(prefix='nub-bench-')
    try:
        folder, temp = os.path.join(work, 'd'), os.path.join(work, 'tmp')
        os.mkdir(folder)
        os.mkdir(temp)
        base = os.path.basename(source)
        shutil.copy(source, folder)
        env = dict(os.environ, TMPDIR=temp)
        out, talk = os.path.join(folder, 'out.smt2'), os.path.join(work, 'talk')
        record = measure.run(command(tool, program, args.j, base, 'out.smt2', oracle), folder, env, args.cap, talk)
        record.pop('start')
        written = os.path.exists(out)
        fails = written and measure.still_fails(oracle, out, env, folder)
        kept = out if fails else source
        record.update(case=case['id'], tool=tool, original=os.path.getsize(source), written=written, fails=fails,
                      final=os.path.getsize(kept), solid=measure.n_solid(kept), jobs=args.j, slots=args.slots,
                      load=os.getloadavg()[0], result=open(kept, errors='replace').read(400) if fails else None,
                      talk=open(talk, errors='replace').read()[-400:])
        return record
    finally:
        shutil.rmtree(work, ignore_errors=True)


def accepts_original(case, args):
    """Whether the case can be run here at all."""
    corpus = os.path.join(args.shared, 'corpus')
    with tempfile.TemporaryDirectory(prefix='nub-bench-') as folder:
        oracle, source = os.path.join(corpus, case['oracle']), os.path.join(corpus, case['input'])
        return measure.still_fails(oracle, source, dict(os.environ), folder)


def work_off(cases, book, programs, args, core, failures):
    """Process cases until there are none. Affinity belongs to the thread and is inherited by the programs that it starts."""
    if core is not None:
        os.sched_setaffinity(0, {core})
    while True:
        try:
            number, case = cases.get_nowait()
        except queue.Empty:
            return
        keys = {tool: ('corpus', case['id'], tool, measure.fingerprint(programs[tool]), args.j, args.slots, args.cap)
                for tool in TOOLS}
        missing = [tool for tool in TOOLS if not book.get(keys[tool])]
        if missing and not accepts_original(case, args):
            failures.append(case['id'])
            continue
        # The tools alternate in going first, so that warm files and a changing load favour neither.
        for tool in missing if number % 2 == 0 else missing[::-1]:
            record = book.add(keys[tool], run(case, tool, programs[tool], args))
            print(f"{case['id']} {tool}: {record['original']} -> {record['final']} B, {record['wall_s']:.1f} s"
                  + (', cap' if record['capped'] else '') + ('' if record['fails'] else ', NO VALID RESULT'),
                  file=sys.stderr, flush=True)


def main(args):
    if args.slots > 1 and args.j != 1:
        sys.exit('--slots needs -j 1: each slot has one core')
    programs = {'nub': args.nub, 'ddsmt': measure.find('ddsmt', args.ddsmt)}
    if not programs['ddsmt']:
        sys.exit('cannot find ddsmt: pip install ddsmt, or --ddsmt PATH')
    rows = csv.DictReader(open(os.path.join(args.shared, 'corpus', 'cases.tsv')), delimiter='\t')
    chosen = [case for case in rows if case['input'].endswith('.smt2') and args.only in case['id']]
    book, cases, failures = records.Book(args.out, args.fresh), queue.Queue(), []
    for pair in enumerate(chosen):
        cases.put(pair)
    cores = sorted(os.sched_getaffinity(0))
    if args.slots > len(cores):
        sys.exit(f'--slots: there are {len(cores)} cores')
    slots = [threading.Thread(target=work_off, daemon=True,
                              args=(cases, book, programs, args, cores[n] if args.slots > 1 else None, failures))
             for n in range(args.slots)]
    for slot in slots:
        slot.start()
    for slot in slots:
        while slot.is_alive():
            slot.join(0.2)
    print_tables(args, book, programs, chosen, failures)


def print_tables(args, book, programs, chosen, failures):
    pairs = []
    for case in chosen:
        pair = [book.get(('corpus', case['id'], tool, measure.fingerprint(programs[tool]), args.j, args.slots, args.cap))
                for tool in TOOLS]
        if all(pair):
            pairs.append((case['id'], *pair))
    print(f'\n`-j {args.j}`, {args.slots} at once, cap {args.cap:g} s. A result that does not fail counts as the original.\n')
    rows = [[name, nub['original'], nub['final'], dd['final'], nub['final'] / dd['final'], wall(nub), wall(dd),
             nub['wall_s'] / dd['wall_s'], remark(nub, dd)] for name, nub, dd in pairs]
    print(records.table(['case', 'original B', 'nub B', 'ddSMT B', 'bytes ratio', 'nub s', 'ddSMT s', 'time ratio', 'remark'],
                        rows))
    big = [pair for pair in pairs if 'big' in pair[0]]
    rest = [pair for pair in pairs if 'big' not in pair[0]]
    print('\nSummary, nub / ddSMT.\n')
    print(records.table(
        ['', 'cases', 'bytes, geometric mean', 'without white space', 'wall time, geometric mean', 'CPU, geometric mean',
         'nub larger', 'nub valid', 'ddSMT valid', 'nub at the cap', 'ddSMT at the cap'],
        [summary(*group) for group in (('all', pairs), ('without `big`', rest), ('`big`', big)) if group[1]]))
    if failures:
        print(f'\nNot run, because the oracle rejects the original here: {", ".join(sorted(failures))}.')


def summary(name, pairs):
    def ratio(field):
        # Times below the tick of measurement count as the tick.
        return geometric_mean([max(nub[field], 0.01) / max(dd[field], 0.01) for _, nub, dd in pairs])
    return [name, len(pairs), ratio('final'), ratio('solid'), ratio('wall_s'), ratio('cpu_s'),
            sum(nub['final'] > dd['final'] for _, nub, dd in pairs),
            sum(nub['fails'] for _, nub, _ in pairs), sum(dd['fails'] for _, _, dd in pairs),
            sum(nub['capped'] for _, nub, _ in pairs), sum(dd['capped'] for _, _, dd in pairs)]


def wall(record):
    return 'cap' if record['capped'] else show(record['wall_s'], 1)


def remark(nub, dd):
    remarks = ['nub larger'] if nub['final'] > dd['final'] else []
    for name, record in (('nub', nub), ('ddSMT', dd)):
        if not record['fails']:
            remarks.append(f'{name}: ' + ('result does not fail' if record['written'] else 'no result'))
    return ', '.join(remarks)
