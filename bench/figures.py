"""`generate.py figures`: the experiments of the thesis's section 3 with the solvers of today.

3.1, 3.2  solving time against nodes, one figure per solver (the thesis: per version of Boolector), by answer
3.3       failures per second against nodes, from the data of the last solver; a time-out counts as a failure
3.4       the same with new files and twice the size
3.5       share of unsatisfiable files against clauses per variable
"""
import csv, os

from generated import Folder, options, progress, run_all, unsat_percent
from plot import Plot

# The options of experiment 1.
FIRST = dict(clauses=4, depth=9999, arrays=3, writes=5, vars=10, minwidth=1, maxwidth=5, arrmaxwidth=4, dag=50,
             newformat=True)
FILES_PER_SIZE = 4
ANSWERS = ('sat', 'unsat', 'timeout', 'failure')


def measure(args, command, max_nodes, seed):
    """Rows (nodes, seed, answer, seconds) for sizes from 10 on."""
    rows = []
    for size in [10, *range(args.step, max_nodes + 1, args.step)]:
        with Folder(args.nub, options(n=size, **FIRST), seed, FILES_PER_SIZE) as files:
            for idx, (answer, seconds) in enumerate(run_all(command, files, args.timeout, args.j)):
                rows.append((size, seed + idx, answer, round(seconds, 4)))
        seed += FILES_PER_SIZE
        progress(f'{" ".join(command)}, n={size}: ' + ', '.join(row[2] for row in rows[-FILES_PER_SIZE:]))
    return rows


def write_csv(path, header, rows):
    with open(path, 'w', newline='') as out:
        writer = csv.writer(out)
        writer.writerow(header)
        writer.writerows(rows)


def scatter(path, title, rows, timeout):
    """Solving time against nodes."""
    plot = Plot(title, 'nodes (-n)', 'seconds', max(row[0] for row in rows), timeout)
    for answer in ANSWERS:
        points = [(row[0], row[3]) for row in rows if row[2] == answer]
        if points:
            plot.points(answer, points)
    plot.write(path)


def efficiency(path, title, solver, rows):
    """The share of failing files of a size, divided by the mean time of that size."""
    points = []
    for size in sorted({row[0] for row in rows}):
        here = [row for row in rows if row[0] == size]
        share = sum(row[2] in ('failure', 'timeout') for row in here) / len(here)
        mean = sum(row[3] for row in here) / len(here)
        points.append((size, share / mean if mean else 0))
    plot = Plot(title, 'nodes (-n)', 'failures per second', points[-1][0], max(point[1] for point in points))
    plot.line(solver, points)
    plot.write(path)


def cnf_layer(args):
    ratios, rows = range(1, 11), []
    plot = Plot('Figure 3.5: files with a CNF layer', 'clauses per variable', 'unsatisfiable, percent', 10, 100)
    for size in (100, 150, 200):
        shares = []
        for ratio in ratios:
            shares.append(unsat_percent(args, args.files, n=size, clauses=ratio, cnf=True, vars=10, arrays=3))
            rows.append((size, ratio, round(shares[-1], 1)))
            progress(f'n={size} ratio {ratio}: {shares[-1]:.0f} % unsat')
        plot.line(f'n={size}', list(zip(ratios, shares)))
    plot.write(os.path.join(args.out, 'figure-3.5.svg'))
    write_csv(os.path.join(args.out, 'figure-3.5.csv'), ['nodes', 'clauses per variable', 'unsat percent'], rows)


def main(args):
    os.makedirs(args.out, exist_ok=True)
    header = ['nodes', 'seed', 'answer', 'seconds']
    solvers = args.solver or ['boolector -rwl0', 'boolector']
    for idx, solver in enumerate(solvers, 1):
        rows = measure(args, solver.split(), args.max_nodes, seed=1)
        name = os.path.join(args.out, f'figure-3.{idx}' if len(solvers) <= 2 else f'figure-3.1-{idx}')
        scatter(name + '.svg', f'Figure 3.{min(idx, 2)}: solving time, {solver}', rows, args.timeout)
        write_csv(name + '.csv', header, rows)
    efficiency(os.path.join(args.out, 'figure-3.3.svg'), 'Figure 3.3: efficiency of bug search', solver, rows)
    # Seeds that experiment 1 has not used.
    rows = measure(args, solver.split(), args.max_nodes_2, seed=1_000_001)
    efficiency(os.path.join(args.out, 'figure-3.4.svg'), 'Figure 3.4: new and larger files', solver, rows)
    write_csv(os.path.join(args.out, 'figure-3.4.csv'), header, rows)
    cnf_layer(args)
    print(f'figures 3.1 to 3.5 are in {args.out}')
    return True
