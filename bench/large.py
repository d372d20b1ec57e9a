#!/usr/bin/env python3
"""Memory of `nub reduce` on large generated files, as a multiple of the file.

    python3 bench/large.py NUB smt 50          # an SMT-LIB file of 50 MB
    python3 bench/large.py NUB dimacs 1000000  # a DIMACS file of a million clauses

The oracle is a script that fails while most of the file is present: steps are accepted, and the subject stays large.
Prints bytes, peak resident bytes, their quotient, processor time, and when the first candidate was asked. The same file in every run.
"""

import os
import random
import resource
import subprocess
import sys
import tempfile
import time

N_CONSTANTS = 20_000
OPS = ['bvadd', 'bvmul', 'bvand', 'bvor', 'bvxor', 'bvsub', 'bvudiv']
MAX_ASKS = '60'


def term(rng, depth):
    """A random term of 32 bits."""
    if depth == 0:
        return f'v{rng.randrange(N_CONSTANTS)}'
    draw = rng.random()
    if draw < 0.1:
        return f'#x{rng.getrandbits(32):08x}'
    if draw < 0.2:
        return f'(bvnot {term(rng, depth - 1)})'
    return f'({rng.choice(OPS)} {term(rng, depth - 1)} {term(rng, depth - 1)})'


def write_smt(out, megabytes):
    """Declarations, assertions of random terms up to the size, and a check."""
    rng = random.Random(1)
    out.write('(set-logic QF_BV)\n')
    for name in range(N_CONSTANTS):
        out.write(f'(declare-fun v{name} () (_ BitVec 32))\n')
    written = 0
    while written < megabytes * 1_000_000:
        line = f'(assert (= {term(rng, rng.randrange(1, 6))} {term(rng, rng.randrange(1, 5))}))\n'
        written += len(line)
        out.write(line)
    out.write('(check-sat)\n')


def write_dimacs(out, n_clauses):
    """Random clauses of three literals."""
    rng = random.Random(1)
    n_variables = max(n_clauses // 4, 1)
    out.write(f'p cnf {n_variables} {n_clauses}\n')
    for _ in range(n_clauses):
        literals = (rng.choice((1, -1)) * rng.randrange(1, n_variables + 1) for _ in range(3))
        out.write(' '.join(map(str, literals)) + ' 0\n')


def main():
    nub, kind, size = os.path.abspath(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    with tempfile.TemporaryDirectory() as folder:
        name = 'large.smt2' if kind == 'smt' else 'large.cnf'
        path = os.path.join(folder, name)
        with open(path, 'w', encoding='ascii') as out:
            (write_smt if kind == 'smt' else write_dimacs)(out, size)
        n_bytes = os.path.getsize(path)
        oracle = os.path.join(folder, 'oracle.sh')
        with open(oracle, 'w', encoding='ascii') as out:
            out.write(f'#!/bin/sh\nsize=$(stat -c %s "$1")\necho $size $(date +%s.%N) >> {folder}/log\n'
                      f'[ $size -gt {n_bytes * 9 // 10} ] && exit 1\nexit 0\n')
        os.chmod(oracle, 0o755)
        command = [nub, 'reduce', path, '-j', '1', '--max-asks', MAX_ASKS, '--timeout', '600', '-q', '--', oracle]
        began = time.time()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        with open(os.path.join(folder, 'log'), encoding='ascii') as log:
            calls = [(int(size), float(at) - began) for size, at in map(str.split, log)]
        first = next((at for size, at in calls if size not in (0, n_bytes)), None)
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        peak = usage.ru_maxrss * 1024
        print(f'{n_bytes} bytes, peak {peak} bytes, {peak / n_bytes:.1f} times the file, {usage.ru_utime:.1f} s of processor time')
        if first:
            print(f'first candidate after {first:.1f} s; {len(calls)} runs, the last after {calls[-1][1]:.1f} s')


if __name__ == '__main__':
    main()
