#!/usr/bin/env python3
"""cvc5 as a program: its Python package (`pip install cvc5`) contains none.

    python3 bench/solvers/cvc5_program.py [--option[=value] | --no-option]... FILE
"""

import sys

import cvc5


def set_option(solver, word):
    """`--name=value`, `--name` and `--no-name`, as the program reads them."""
    name, _, value = word.removeprefix("--").partition("=")
    if value:
        solver.setOption(name, value)
    elif name.startswith("no-"):
        solver.setOption(name.removeprefix("no-"), "false")
    else:
        solver.setOption(name, "true")


def say(text):
    # The program says `unknown`; the package adds why.
    if text.startswith("unknown ("):
        text = "unknown\n"
    # At once: what was printed before a crash must not be lost.
    sys.stdout.write(text)
    sys.stdout.flush()


def error(message):
    say('(error "%s")\n' % str(message).replace('"', '""'))
    return 1


def main(words):
    if "--version" in words:
        manager = cvc5.TermManager()
        say("cvc5 %s (package of Python)\n" % cvc5.Solver(manager).getVersion().decode())
        return 0
    solver = cvc5.Solver(cvc5.TermManager())
    try:
        for word in words[:-1]:
            set_option(solver, word)
        parser = cvc5.InputParser(solver)
        # "smt2" alone reads what is standard; 2.6 is the language of the program.
        parser.setFileInput(cvc5.InputLanguage.SMT_LIB_2_6, words[-1])
        symbols = parser.getSymbolManager()
        while True:
            command = parser.nextCommand()
            if command.isNull():
                return 0
            say(command.invoke(solver, symbols))
            if command.getCommandName() == "exit":
                return 0
    except RuntimeError as problem:
        return error(problem)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
