"""`generate.py acceptance` and `generate.py table`: unsatisfiable files against clauses per variable.

The conditions: (a) the share grows with the ratio and with the number of nodes, give or take some points; (b) the ratio at
which half of the files are unsatisfiable falls from 100 to 200 nodes, and both ratios are between 0.8 and 2.2; (c) for a 3-CNF
without operators it is between 4.1 and 4.6, as the literature says; (d) without a CNF layer few files are unsatisfiable.
"""
import records
from generated import progress, unsat_percent

SIZES = (100, 150, 200)
RATIOS = (0.5, 1, 2, 3, 4)
# Condition (a) is about these; 0.5 only helps to find the ratio for condition (b).
COMPARED = (1, 2, 3, 4)
PURE_VARS = 120
PURE_RATIOS = (3.9, 4.1, 4.25, 4.4, 4.6, 4.8)
PLAIN_SIZES = (100, 150, 200, 500)
# Shares of the reference, a prototype that follows the thesis, at the ratios 1 to 4; 150 files per point.
REFERENCE = {100: (24, 67, 93, 98), 150: (35, 81, 98, 99), 200: (49, 95, 100, 100)}
# As in the thesis's third experiment.
LAYER = dict(vars=10, arrays=3, writes=0, cnf=True)


def crossing(ratios, shares, level=50):
    """The ratio at which the share reaches a level, by linear interpolation; None if it does not."""
    for (r0, s0), (r1, s1) in zip(zip(ratios, shares), zip(ratios[1:], shares[1:])):
        if s0 < level <= s1:
            return r0 + (r1 - r0) * (level - s0) / (s1 - s0)
    return None


def non_decreasing(shares, allowance):
    return all(later >= earlier - allowance for earlier, later in zip(shares, shares[1:]))


def measure(args):
    layer, allowed = {}, args.files
    for size in SIZES:
        layer[size] = []
        for ratio in RATIOS:
            layer[size].append(unsat_percent(args, allowed, n=size, clauses=ratio, **LAYER))
            progress(f'n={size} ratio {ratio}: {layer[size][-1]:.0f} % unsat')
    pure = []
    for ratio in PURE_RATIOS:
        pure.append(unsat_percent(args, allowed, cnfonly=True, vars=PURE_VARS, clauses=ratio))
        progress(f'pure 3-CNF ratio {ratio}: {pure[-1]:.0f} % unsat')
    plain = {}
    for size in PLAIN_SIZES:
        plain[size] = unsat_percent(args, allowed, n=size, vars=10, arrays=3)
        progress(f'n={size} without CNF: {plain[size]:.0f} % unsat')
    return layer, pure, plain


def conditions(layer, pure, plain, allowance):
    columns = {size: layer[size][RATIOS.index(COMPARED[0]):] for size in SIZES}
    rows = [[columns[size][idx] for size in SIZES] for idx in range(len(COMPARED))]
    marks = {size: crossing(RATIOS, layer[size]) for size in SIZES}
    pure_mark = crossing(PURE_RATIOS, pure)
    show = lambda mark: 'none' if mark is None else f'{mark:.2f}'
    in_range = all(marks[size] and 0.8 <= marks[size] <= 2.2 for size in (100, 200))
    return [
        ('a', f'shares grow with ratio and size, {allowance:.0f} points allowed',
         all(non_decreasing(shares, allowance) for shares in [*columns.values(), *rows])),
        ('b', '50 % at ' + ', '.join(f'{show(marks[size])} (n={size})' for size in SIZES),
         in_range and marks[200] < marks[100]),
        ('c', f'pure 3-CNF, {PURE_VARS} variables: 50 % at {show(pure_mark)}',
         pure_mark is not None and 4.1 <= pure_mark <= 4.6),
        ('d', 'without CNF at most {:.0f} %'.format(max(plain.values())), max(plain.values()) < 15),
    ]


def main(args):
    layer, pure, plain = measure(args)
    print(f'\nUnsatisfiable files in percent, {args.files} per point; in brackets the reference.\n')
    rows = []
    for idx, ratio in enumerate(RATIOS):
        row = [f'{ratio}']
        for size in SIZES:
            known = f' ({REFERENCE[size][COMPARED.index(ratio)]})' if ratio in COMPARED else ''
            row.append(f'{layer[size][idx]:.0f}{known}')
        rows.append(row)
    print(records.table(['clauses per variable', *(f'n={size}' for size in SIZES)], rows))
    print()
    print(records.table(['pure 3-CNF', *map(str, PURE_RATIOS)], [['unsat %', *(f'{share:.0f}' for share in pure)]]))
    print()
    print(records.table(['no CNF, n', *map(str, PLAIN_SIZES)],
                        [['unsat %', *(f'{plain[size]:.0f}' for size in PLAIN_SIZES)]]))
    # The error of a share near one half is 100 * sqrt(0.25 / files): 4 points for 150 files.
    allowance = max(5.0, 60 / args.files ** 0.5)
    results = conditions(layer, pure, plain, allowance)
    print()
    print(records.table(['condition', 'measured', 'holds'],
                        [[name, text, 'yes' if holds else '**no**'] for name, text, holds in results]))
    return all(holds for _, _, holds in results)


# In the order of RATIOS in crates/generate/src/share.rs.
TABLE_RATIOS = (0.334, 0.5, 0.75, 1, 1.5, 2, 3, 4, 6)
TABLE_SIZES = (50, 100, 150, 200, 300)


def table(args):
    """Rust source for the table of `nub_generate::from_table`."""
    for size in TABLE_SIZES:
        shares = []
        for ratio in TABLE_RATIOS:
            shares.append(round(unsat_percent(args, args.files, n=size, cnf=True, clauses=ratio)))
            progress(f'n={size} ratio {ratio}: {shares[-1]} % unsat')
        print(f'    Column {{ nodes: {size}, shares: {shares} }},', flush=True)
    return True
