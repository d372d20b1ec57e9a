#!/usr/bin/env python3
"""Does nub cover reach less than random testing? Calls functions of numbers with random values for some seconds, and compares the branches taken with those of nub's tests.

  cover_random.py SHARED                 the functions of SHARED/data/c/funcs, and random ones with many decisions (cover_scale.py)
  cover_random.py FILE.c... --sizes      functions of other files; only those whose parameters are numbers

Both are compiled once with gcc's counters, and branches that were taken are compared. The exit code is 1 if random values take 95 % of all branches, or
more, and nub takes fewer than they do. A call with undefined behaviour may end in a signal, which is caught; its branches count for the random values.
"""
import argparse, glob, json, os, re, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
NUMBER = r'(?:(?:const|signed|unsigned|char|short|int|long|_Bool|u?int(?:8|16|32|64)_t|size_t)\s+)+'
DEFINITION = re.compile(r'^(?:static\s+|inline\s+)*' + NUMBER + r'(\w+)\s*\(((?:' + NUMBER + r'\w+\s*,?\s*)+)\)\s*\{', re.M)
DRIVER = r'''
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
static sigjmp_buf nub_back;
static void nub_caught(int number) { siglongjmp(nub_back, number); }
static unsigned long long nub_state = 88172645463325252ull;
static unsigned long long nub_bits(void) { nub_state ^= nub_state << 13; nub_state ^= nub_state >> 7; nub_state ^= nub_state << 17; return nub_state; }
static const long long nub_numbers[] = {NUMBERS};
static long long nub_random(void) {
  long long number = nub_numbers[nub_bits() % (sizeof nub_numbers / sizeof *nub_numbers)];
  switch (nub_bits() % 4) {
  case 0: return (long long)(nub_bits() % 256) - 128;
  case 1: return (long long)((unsigned long long)number + nub_bits() % 3 - 1);
  case 2: return (long long)(nub_bits() >> nub_bits() % 64);
  default: return (long long)nub_bits();
  }
}
int main(int argc, char **argv) {
  if (argc == 1) { TESTS return 0; }
  signal(SIGFPE, nub_caught); signal(SIGSEGV, nub_caught);
  clock_t end = clock() + (clock_t)(atof(argv[1]) * CLOCKS_PER_SEC);
  while (clock() < end)
    for (int round = 0; round < 1000; round++)
      if (!sigsetjmp(nub_back, 1)) FUNCTION(RANDOM);
  return 0;
}
'''


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('where', nargs='+', metavar='PATH')
    parser.add_argument('--sizes', type=int, nargs='*', default=[40, 80, 200], metavar='N', help='decisions of random functions (default: 40 80 200)')
    parser.add_argument('--limit', type=float, default=5, metavar='S', help='--max-time of nub (default: %(default)s)')
    parser.add_argument('--seconds', type=float, default=5, metavar='S', help='processor time of the random values (default: %(default)s)')
    parser.add_argument('--nub', default=os.path.join(ROOT, 'target', 'release', 'nub'), metavar='PATH')
    return parser.parse_args()


def cases(args, work):
    """File, function, number of parameters."""
    files = []
    for path in args.where:
        files += [path] if path.endswith('.c') else sorted(glob.glob(os.path.join(path, 'data', 'c', 'funcs', '*.c')))
    for n in args.sizes:
        made = subprocess.run([sys.executable, os.path.join(ROOT, 'bench', 'cover_scale.py'), '--print', str(n), '1'], capture_output=True, text=True, check=True)
        files.append(os.path.join(work, f'random_{n}.c'))
        with open(files[-1], 'w') as out:
            out.write(made.stdout)
    for path in files:
        for match in DEFINITION.finditer(open(path, errors='replace').read()):
            yield path, match.group(1), match.group(2).count(',') + 1


def taken(binary, folder, argv):
    """The branches of the function's file that one run of the program takes, and all of them."""
    for file in glob.glob(os.path.join(folder, '*.gcda')):
        os.remove(file)
    subprocess.run([binary, *argv], cwd=folder, check=True)
    text = subprocess.run(['gcov', '-b', '-c', '--json-format', '--stdout', 'driver.gcda'], cwd=folder, capture_output=True, text=True, check=True).stdout
    found, every = set(), set()
    for file in json.loads(text)['files']:
        if os.path.basename(file['file']) == 'subject.c':
            for line in file['lines']:
                for index, branch in enumerate(line['branches']):
                    every.add((line['line_number'], index))
                    if branch['count']:
                        found.add((line['line_number'], index))
    return found, every


def compare(args, path, function, n_parameters):
    """The branches that random values take, those that nub takes, and all; and the number of open goals. None if gcc needs more than this file."""
    done = subprocess.run([args.nub, 'cover', path, '-f', function, '--json', '--no-native', '--max-time', str(args.limit)], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    report = json.loads(done.stdout) if done.returncode in (0, 1) and done.stdout else {'tests': [], 'summary': {'open': '?'}}
    source = open(path, errors='replace').read()
    numbers = sorted({int(text, 0) for text in re.findall(r'\b(?:0x[0-9a-fA-F]+|[1-9]\d*)\b', source) if int(text, 0) < 1 << 63} | {0})
    tests = ''.join(f'{function}({", ".join(test["args"])}); ' for test in report['tests'])
    driver = DRIVER.replace('NUMBERS', ', '.join(map(str, numbers))).replace('TESTS', tests).replace('FUNCTION', function)
    driver = driver.replace('RANDOM', ', '.join(['nub_random()'] * n_parameters))
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, 'subject.c'), 'w') as out:
            out.write(source)
        with open(os.path.join(folder, 'driver.c'), 'w') as out:
            out.write(f'#include "subject.c"\n{driver}')
        if subprocess.run(['gcc', '-w', '--coverage', '-c', 'driver.c', '-o', 'driver.o'], cwd=folder, stderr=subprocess.DEVNULL).returncode:
            return None
        subprocess.run(['gcc', '--coverage', 'driver.o', '-o', 'driver'], cwd=folder, check=True)
        binary = os.path.join(folder, 'driver')
        mine, every = taken(binary, folder, [])
        chance, _ = taken(binary, folder, [str(args.seconds)])
    return chance, mine, every, report['summary']['open']


def main():
    args = options()
    bad = 0
    print('| function | branches | random | nub | open goals | taken by random values alone |\n|---|---:|---:|---:|---:|---|')
    with tempfile.TemporaryDirectory() as work:
        for path, function, n_parameters in cases(args, work):
            found = compare(args, path, function, n_parameters)
            if found is None:
                continue
            chance, mine, every, n_open = found
            is_bad = len(chance) >= 0.95 * len(every) and len(mine) < len(chance)
            bad += is_bad
            alone = ', '.join(f'line {line}' for line, _ in sorted(chance - mine)[:5])
            name = f'{os.path.basename(path)}: `{function}`'
            print(f'| {name} | {len(every)} | {len(chance)} | {len(mine)} | {n_open} | {alone}{" **below**" if is_bad else ""} |', flush=True)
    print(f'\n{bad} functions in which random values take 95 % of the branches and nub takes fewer')
    sys.exit(bool(bad))


main()
