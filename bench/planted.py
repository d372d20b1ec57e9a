#!/usr/bin/env python3
"""A solver with one planted fault: planted.py FAULT NUB FILE, for `fuzz.py race`.

FAULT is `smod` (a wrong answer if smod meets operands of one bit), `acond` (dies if an array is chosen and one of the two is a
write), `quantifiers` (hangs on quantifiers inside quantifiers) or `none`. FILE is BTOR or SMT-LIB. What the fault does not
touch is answered by `NUB solve`.
"""
import os, re, signal, subprocess, sys, time

# Operators whose results have one bit or none, whatever the width of their operands.
TRUTHS = {'=', 'distinct', 'and', 'or', 'not', 'xor', '=>', 'true', 'false'}


def btor_facts(text):
    """The faults that the lines of a BTOR file provoke."""
    found, writes = set(), set()
    for words in (line.split() for line in text.splitlines()):
        if len(words) < 3:
            continue
        if words[1] == 'write':
            writes.add(words[0])
        if words[1:3] == ['smod', '1']:
            found.add('smod')
        if words[1] in ('acond', 'cond') and writes & {word.lstrip('-') for word in words[4:]}:
            found.add('acond')
    return found


def parse(text):
    """Nested lists of words."""
    text = re.sub(r';[^\n]*|\|[^|]*\||"[^"]*"', lambda m: '' if m[0][0] == ';' else 'quoted', text)
    stack = [[]]
    for token in re.findall(r'[()]|[^\s()]+', text):
        if token == '(':
            stack.append([])
        elif token == ')' and len(stack) > 1:
            done = stack.pop()
            stack[-1].append(done)
        elif token != ')':
            stack[-1].append(token)
    return stack[0]


class Script:
    """Finds the faults that the terms of a script provoke. A term is its head, its width (0 if unknown or a truth value) and,
    for an array, the width of its elements."""

    def __init__(self, text):
        self.found, self.symbols = set(), {}
        for command in parse(text):
            if not isinstance(command, list) or not command:
                continue
            if command[0] in ('declare-fun', 'declare-const'):
                self.symbols[command[1]] = ('var', *self.sort(command[-1]))
            elif command[0] in ('assert', 'define-fun'):
                self.term(command[-1], self.symbols, 0)

    def sort(self, sort):
        if isinstance(sort, list) and sort[:2] == ['_', 'BitVec']:
            return int(sort[2]), None
        if isinstance(sort, list) and sort[:1] == ['Array'] and len(sort) == 3:
            return 0, self.sort(sort[2])[0]
        return 0, None

    def term(self, term, scope, depth):
        if isinstance(term, str):
            digits = {'#b': len(term) - 2, '#x': 4 * (len(term) - 2)}.get(term[:2])
            return ('const', digits, None) if digits else scope.get(term, (term, 0, None))
        if not term:
            return '', 0, None
        head, rest = term[0], term[1:]
        if head == '_' and len(term) == 3 and str(rest[0]).startswith('bv'):
            return 'const', int(rest[1]), None
        if head in ('let', 'forall', 'exists') and len(rest) == 2:
            return self.binder(head, rest, scope, depth)
        if head == '!':
            return self.term(rest[0], scope, depth)
        return self.application(head, [self.term(arg, scope, depth) for arg in rest])

    def binder(self, head, rest, scope, depth):
        inner = dict(scope)
        if head == 'let':
            inner.update((name, self.term(value, scope, depth)) for name, value in rest[0])
            return self.term(rest[1], inner, depth)
        if depth:
            self.found.add('quantifiers')
        inner.update((name, ('var', *self.sort(sort))) for name, sort in rest[0])
        return self.term(rest[1], inner, depth + 1)

    def application(self, head, args):
        widths = [width for _, width, _ in args]
        if isinstance(head, list):
            name, numbers = head[1] if head[0] == '_' else '', [int(n) for n in head[2:] if str(n).isdigit()]
            width = widths[0] if widths else 0
            changed = {'extract': lambda: numbers[0] - numbers[1] + 1, 'repeat': lambda: width * numbers[0],
                       'zero_extend': lambda: width + numbers[0], 'sign_extend': lambda: width + numbers[0]}
            return name, changed.get(name, lambda: width)(), None
        if head == 'bvsmod' and widths[:1] == [1]:
            self.found.add('smod')
        if head == 'ite':
            if any(arg[2] is not None for arg in args) and any(arg[0] == 'store' for arg in args):
                self.found.add('acond')
            return ('ite', *args[-1][1:])
        if head == 'select':
            return 'select', args[0][2] or 0, None
        if head == 'store':
            return 'store', 0, args[0][2]
        if head in TRUTHS or re.match(r'bv[us](lt|le|gt|ge)$', head):
            return head, 0, None
        return head, {'concat': sum(widths), 'bvcomp': 1}.get(head, widths[0] if widths else 0), None


def main():
    fault, nub, path = sys.argv[1], sys.argv[2], sys.argv[-1]
    sys.setrecursionlimit(100_000)
    with open(path, errors='replace') as file:
        text = file.read()
    is_script = '(' in text
    strikes = fault in (Script(text).found if is_script else btor_facts(text))
    if strikes and fault == 'acond':
        os.kill(os.getpid(), signal.SIGSEGV)
    if strikes and fault == 'quantifiers':
        time.sleep(60)
    run = subprocess.run([nub, 'solve', path], capture_output=True, text=True)
    answer = run.stdout.split()[0] if run.stdout.split() else 'unknown'
    if strikes and fault == 'smod':
        answer = {'sat': 'unsat', 'unsat': 'sat'}.get(answer, answer)
    print(answer)
    sys.exit(0 if is_script else {'sat': 10, 'unsat': 20}.get(answer, 0))


main()
