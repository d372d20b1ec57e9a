#!/usr/bin/env python3
"""Bitwuzla as a program: its Python package (`pip install bitwuzla`) contains none.

    python3 bench/solvers/bitwuzla_program.py [OPTION]... FILE
"""

import sys

import bitwuzla


def main(words):
    if "--version" in words:
        print("Bitwuzla %s (package of Python)" % bitwuzla.version())
        return 0
    args, language = words[:-1], "smt2"
    if "--lang" in args:
        at = args.index("--lang")
        language = args[at + 1]
        del args[at : at + 2]
    try:
        options = bitwuzla.Options()
        if args:
            options.set_args(*args)
        parser = bitwuzla.Parser(bitwuzla.TermManager(), options, language)
        parser.parse(words[-1], False)
    except bitwuzla.BitwuzlaException as problem:
        print('(error "%s")' % str(problem).replace('"', '""'))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
