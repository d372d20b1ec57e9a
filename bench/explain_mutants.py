#!/usr/bin/env python3
"""New one-token mutants of correct programs: at which rank is the changed line?

    bench/explain_mutants.py FOLDER [PROGRAM.c...] [--tcas HARNESS ORIGINAL] [--seed N] [--count N] [--tool COMMAND] [--points] [--except FOLDER]... [--again]

A PROGRAM is correct up to the line `/* harness */`, and has a weak specification after it; bench/explain-programs has some. With --tcas,
mutants of ORIGINAL are made, and HARNESS includes them. In one place of a function body an operator, a number, a variable or a negation is
changed, or one operand of `&&` or `||` is dropped. The line is drawn first, then the kind, then the change, so that no kind outweighs the
others. Mutants that are not valid C, cannot fail, or have undefined behaviour first are drawn again.

--points ranks each mutant a second time, by point repair and damage alone. The value of a line is the share of the counterexamples that a point
repair of it repairs (0.6 of that share if one more variable is needed), times 1 - damage. For a line without a point repair it is the share that some value of the line repairs. Lines with equal values count as if in a random order. "one token" is operators, numbers and variables together.

Mutants, an index and the ranks are left in FOLDER. --except omits mutants of another folder: a small program does not have many. --again ranks the existing mutants, with another build.
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
TOKENS = ["operator", "number", "variable"]
TOPS = (1, 3, 5, 10)
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
    """False if it is not valid C, or reads an uninitialised variable."""
    check = ["cc", "-w", "-O1", "-Werror=uninitialized", "-fsyntax-only", *defines, str(source)]
    if subprocess.run(check, stderr=subprocess.DEVNULL).returncode:
        return False
    subprocess.run(["cc", "-w", "-E", *defines, str(source), "-o", str(out)], check=True)
    return True


def ranking(arguments, file, options=()):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [*arguments.tool.split(), *options, "--unwind", str(arguments.unwind), str(file)]
    try:
        output = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT).stdout
    except subprocess.TimeoutExpired:
        output = "null"
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return json.loads(output or "null"), after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def is_it(entry, line, name):
    return entry["file"].endswith(name) and entry["line"] <= line <= entry["end_line"]


def places(found, line, name):
    """Chances that the line is among the first 1, 3, 5, 10."""
    rank = next((entry["rank"] for entry in found["lines"] if is_it(entry, line, name)), None)
    return [float(rank is not None and rank <= most) for most in TOPS]


def points(entry):
    """What point repair says about a line."""
    return (round(entry["score"] * (1 - entry["damage"]), 9), entry["n_repaired"] if entry["score"] == 0 else 0)


def places_by_points(found, line, name):
    """The same by points alone; lines with equal values are in a random order."""
    own = max((points(entry) for entry in found["lines"] if is_it(entry, line, name)), default=None)
    if own is None:
        return [0.0 for _ in TOPS]
    n_before = sum(1 for entry in found["lines"] if points(entry) > own)
    n_same = sum(1 for entry in found["lines"] if points(entry) == own)
    return [min(max((most - n_before) / n_same, 0.0), 1.0) for most in TOPS]


def ranked(arguments, row):
    """The row with the places of the changed line in the rankings; `None` if there is no ranking, or no assertion fails."""
    file = arguments.folder / f"{row['name']}.i"
    found, seconds = ranking(arguments, file)
    if not found or "lines" not in found or any("no assertion fails" in note for note in found["notes"]):
        return None
    row = {**row, "places": {"all": places(found, row["line"], row["file"])}, "seconds": seconds}
    if arguments.points:
        found, _ = ranking(arguments, file, ["--points"])
        row["places"]["points"] = places_by_points(found, row["line"], row["file"])
    return row


def made(arguments, program, harness):
    """Draws mutants of one program, and ranks each."""
    rng = random.Random(f"{arguments.seed}-{program.stem}")
    text = program.read_text(errors="replace")
    known = [folder / row["file"] for folder in arguments.known for row in index(folder) if row["program"] == program.stem]
    results, seen = [], {file.read_text(errors="replace") for file in known}
    for _ in range(arguments.count * 30):
        if len(results) == arguments.count:
            break
        line, kind, new = mutant(text, rng)
        name = f"{program.stem}_{arguments.seed}_{len(results)}"
        file = (arguments.folder / f"{name}.c").resolve()
        if new in seen:
            continue
        seen.add(new)
        file.write_text(new, errors="replace")
        source, defines = (harness, [f'-DTCAS_VERSION="{file}"', *arguments.define]) if harness else (file, [])
        if not preprocessed(source, defines, arguments.folder / f"{name}.i"):
            continue
        row = {"name": name, "file": file.name, "line": line, "kind": kind, "program": program.stem}
        row = ranked(arguments, row)
        results += [row] if row else []
    return results


def index(folder):
    return json.loads((folder / "index.json").read_text())


def again(arguments):
    rows = index(arguments.folder)
    nowhere = {"all": [0.0 for _ in TOPS], "points": [0.0 for _ in TOPS]}
    return [ranked(arguments, row) or {**row, "places": nowhere} for row in rows]


def show(title, rows):
    if not rows:
        return
    seconds = [row["seconds"] for row in rows]
    shares = {}
    for rule in rows[0]["places"]:
        sums = [sum(row["places"][rule][at] for row in rows) for at in range(len(TOPS))]
        shares[rule] = " / ".join(f"{100 * found / len(rows):.0f}" for found in sums)
    by_points = f" (by points {shares['points']})" if "points" in shares else ""
    print(f"{title:20} n = {len(rows):3}, first / 3 / 5 / 10 = {shares['all']} %{by_points}, "
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
    parser.add_argument("--points", action="store_true")
    parser.add_argument("--except", dest="known", action="append", default=[], type=pathlib.Path)
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
    show("one token", [row for row in results if row["kind"] in TOKENS])
    for key in ("kind", "program"):
        for value in sorted({row[key] for row in results}):
            show(value, [row for row in results if row[key] == value])


main()
