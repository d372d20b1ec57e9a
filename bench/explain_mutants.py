#!/usr/bin/env python3
"""Fresh one-token mutants of right programs: where does the ranking put the line?

    bench/explain_mutants.py FOLDER [PROGRAM.c...] [--tcas HARNESS ORIGINAL] [--seed N] [--count N] [--tool COMMAND] [--again]

A PROGRAM is right up to the line `/* harness */`, and has a weak specification after it; bench/explain-programs has some. With --tcas,
mutants of ORIGINAL are made, and HARNESS includes them. In one place of a function body an operator, a number, a variable or a negation is
changed, or one operand of `&&` or `||` is dropped. The line is drawn first, then the kind, then the change, so that no kind outweighs the
others. Mutants that are no C, cannot fail, or break a rule of C first are drawn again.

Mutants, an index and the ranks are left in FOLDER. --again ranks those that are there: the same mutants with another build.
Times are CPU seconds of the child process.
"""

import argparse
import json
import pathlib
import random
import re
import resource
import subprocess
import sys

COMPARISONS = ["<", "<=", ">", ">=", "==", "!="]
OPERATORS = {"+": ["-"], "-": ["+"], "*": ["+", "/"], "/": ["*", "%"], "%": ["/"], "&&": ["||"], "||": ["&&"],
             "&": ["|"], "|": ["&"], "<<": [">>"], ">>": ["<<"]}
TOKEN = re.compile(r"[A-Za-z_]\w*|\d+|&&|\|\||<=|>=|==|!=|<<|>>|\+\+|--|[-+*/%<>=!&|?:;,(){}\[\]]")
CONDITION = r"(?:!?\w+(?:\([^()]*\))?|\w+ [<>=!]+ \w+)"
TIMEOUT = 120


def declared(text):
    """Names of integer variables and parameters in a text."""
    names = []
    for match in re.finditer(r"\b(?:int|bool)\s+([^;(){}]*)", text):
        for part in match.group(1).split(","):
            word = re.match(r"\s*(?:int\s+)?([A-Za-z_]\w*)\s*(?:=|$)", part)
            names += [word.group(1)] if word else []
    return list(dict.fromkeys(names))


def bodies(lines):
    """First and last line of each function body; a body ends in column 0, or on the line where it begins."""
    start, found = None, []
    for number, line in enumerate(lines):
        if start is None and re.match(r"[a-z].*\)\s*\{.*\}\s*$", line):
            found.append((number, number))
        elif start is None and re.match(r"\{|[a-z].*\)\s*\{\s*$", line):
            start = number
        elif start is not None and line.startswith("}"):
            found.append((start, number))
            start = None
    return found


def changes(line, names, numbers):
    """New lines, by the kind of the change."""
    found = {"operator": [], "number": [], "variable": [], "negation": [], "dropped": []}
    code = line.split("/*")[0]
    begin = line.index("{") if re.match(r"[a-z].*\{.*\}\s*$", line) else 0
    tokens = [token for token in TOKEN.finditer(code) if token.start() >= begin]
    for index, token in enumerate(tokens):
        text = token.group()
        before = tokens[index - 1].group() if index else ""
        after = tokens[index + 1].group() if index + 1 < len(tokens) else ""
        put = lambda new: line[:token.start()] + new + line[token.end():]
        if text in COMPARISONS:
            found["operator"] += [put(other) for other in COMPARISONS if other != text]
        elif text in OPERATORS and re.match(r"[\w)\]]", before):
            found["operator"] += [put(other) for other in OPERATORS[text]]
        elif text.isdigit():
            near = sorted({int(text) + 1, max(int(text) - 1, 0), 0, 1, *numbers} - {int(text)})
            found["number"] += [put(str(other)) for other in near[:6]]
        elif text in names and before != "int" and after not in ("=", "[", "("):
            found["variable"] += [put(other) for other in names if other != text]
        elif text == "!":
            found["negation"].append(put(""))
    for match in re.finditer(CONDITION + r" (?:&&|\|\|) ", code):
        found["dropped"].append(line[:match.start()] + line[match.end():])
    for match in re.finditer(r" (?:&&|\|\|) " + CONDITION + r"(?=[;)])", code):
        found["dropped"].append(line[:match.start()] + line[match.end():])
    return {kind: list(dict.fromkeys(new)) for kind, new in found.items() if new}


def mutant(text, rng):
    """A line number, the kind of the change, and the new text."""
    lines = text.split("\n")
    end = next((number for number, line in enumerate(lines) if line.strip() == "/* harness */"), len(lines))
    spans = bodies(lines[:end])
    is_inside = lambda number: any(first <= number <= last for first, last in spans)
    outside = "\n".join(line for number, line in enumerate(lines[:end]) if not is_inside(number) and "(" not in line)
    places = [(number, first, last) for first, last in spans for number in range(first, last + 1)]
    while True:
        number, first, last = rng.choice(places)
        if re.match(r"\s*(int|bool)\s+[\w, ]+;\s*$", lines[number]):
            continue
        head = [line for line in lines[max(first - 2, 0):first] if "(" in line]
        own = "\n".join(head + lines[first:last + 1])
        names = list(dict.fromkeys(declared(own.replace("(", ";int ").replace(")", ";")) + declared(own) + declared(outside)))
        numbers = {int(found) for found in re.findall(r"\b\d{1,5}\b", own)}
        kinds = changes(lines[number], names, numbers)
        if kinds:
            kind = rng.choice(sorted(kinds))
            return number + 1, kind, "\n".join(lines[:number] + [rng.choice(kinds[kind])] + lines[number + 1:])


def preprocessed(source, defines, out):
    """False if it is no C, or reads what was not written."""
    check = ["cc", "-w", "-O1", "-Werror=uninitialized", "-fsyntax-only", *defines, str(source)]
    if subprocess.run(check, stderr=subprocess.DEVNULL).returncode:
        return False
    subprocess.run(["cc", "-w", "-E", *defines, str(source), "-o", str(out)], check=True)
    return True


def ranking(arguments, file):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [*arguments.tool.split(), "--unwind", str(arguments.unwind), str(file)]
    try:
        output = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT).stdout
    except subprocess.TimeoutExpired:
        output = "null"
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return json.loads(output or "null"), after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def rank_of(found, line, name):
    for entry in found["lines"]:
        if entry["file"].endswith(name) and entry["line"] <= line <= entry["end_line"]:
            return entry["rank"]
    return None


def made(arguments, program, harness):
    """Draws mutants of one program, and ranks each."""
    rng = random.Random(f"{arguments.seed}-{program.stem}")
    text = program.read_text(errors="replace")
    results, seen = [], set()
    for _ in range(arguments.count * 30):
        if len(results) == arguments.count:
            break
        line, kind, new = mutant(text, rng)
        name = f"{program.stem}_{arguments.seed}_{len(results)}"
        file = (arguments.folder / f"{name}.c").resolve()
        if new in seen:
            continue
        seen.add(new)
        file.write_text(new)
        source, defines = (harness, [f'-DTCAS_VERSION="{file}"', *arguments.define]) if harness else (file, [])
        if not preprocessed(source, defines, arguments.folder / f"{name}.i"):
            continue
        found, seconds = ranking(arguments, arguments.folder / f"{name}.i")
        if not found or "lines" not in found or any("no assertion fails" in note for note in found["notes"]):
            continue
        row = {"name": name, "file": file.name, "line": line, "kind": kind, "program": program.stem}
        results.append({**row, "rank": rank_of(found, line, file.name), "seconds": seconds})
    return results


def again(arguments):
    results = []
    for row in json.loads((arguments.folder / "index.json").read_text()):
        found, seconds = ranking(arguments, arguments.folder / f"{row['name']}.i")
        rank = rank_of(found, row["line"], row["file"]) if found and "lines" in found else None
        results.append({**row, "rank": rank, "seconds": seconds})
    return results


def show(title, rows):
    if not rows:
        return
    tops = [sum(1 for row in rows if row["rank"] and row["rank"] <= most) for most in (1, 3, 5, 10)]
    shares = " / ".join(f"{100 * top / len(rows):.0f}" for top in tops)
    seconds = [row["seconds"] for row in rows]
    print(f"{title:20} n = {len(rows):3}, first / 3 / 5 / 10 = {shares} %, "
          f"mean {sum(seconds) / len(rows):.2f} s, worst {max(seconds):.2f} s CPU")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("programs", nargs="*", type=pathlib.Path)
    parser.add_argument("--tcas", nargs=2, type=pathlib.Path)
    parser.add_argument("--define", action="append", default=[], help="for --tcas: -DEQUIV")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--unwind", type=int, default=8)
    parser.add_argument("--tool", default="target/release/examples/repair")
    parser.add_argument("--again", action="store_true")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    if arguments.again:
        results = again(arguments)
    else:
        todo = [(program, None) for program in arguments.programs]
        todo += [(arguments.tcas[1], arguments.tcas[0])] if arguments.tcas else []
        results = [row for program, harness in todo for row in made(arguments, program, harness)]
        (arguments.folder / "index.json").write_text(json.dumps(results))
    show("all", results)
    for key in ("kind", "program"):
        for value in sorted({row[key] for row in results}):
            show(value, [row for row in results if row[key] == value])


main()
