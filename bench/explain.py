#!/usr/bin/env python3
"""Measures fault localisation by repair.

    bench/explain.py SHARED TCAS_DIR [--tool COMMAND] [--only tcas|properties|mutants|pdg] [--verbose]

SHARED holds bench/explain (harness, table of versions, line_pdg.py) and data/c/mutants. TCAS_DIR holds v1.c ... v41.c of the Siemens
suite, which we may not distribute. COMMAND takes a preprocessed C file and prints a ranking as JSON; the default is the example `repair`
of crates/repair. Times are CPU seconds of the child process.

A line counts as found if it overlaps a faulty line, or uses a macro that is defined on one. For version 38 (an array that is too short) the two accesses count too.
"""

import argparse
import csv
import json
import pathlib
import resource
import subprocess
import sys
import tempfile

USES = {"38": {53, 58}}
PAPER = ["1", "11", "31", "40", "41"]
WEAK = ["1", "11", "31", "41", "4", "10"]


def preprocess(source, out, defines=()):
    subprocess.run(["cc", "-E", *defines, str(source), "-o", str(out)], check=True, stderr=subprocess.DEVNULL)


def ranking(tool, file, more=()):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = subprocess.run([*tool, *more, str(file)], capture_output=True, text=True, timeout=600)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return json.loads(result.stdout or "null"), seconds


def rank_of(found, faulty, name):
    """The place of the first faulty line in the list."""
    for line in found["lines"]:
        if not line["file"].endswith(name):
            continue
        lines = set(range(line["line"], line["end_line"] + 1))
        lines |= {use["line"] for use in line["macros"]}
        if lines & faulty:
            return line["rank"]
    return None


class Table:
    def __init__(self, name):
        self.name, self.ranks, self.seconds, self.rows = name, [], [], []

    def add(self, label, found, faulty, file, seconds):
        if not found or "lines" not in found:
            rank, first = None, found
        else:
            rank = rank_of(found, faulty, file)
            first = [(line["line"], line["tier"]["kind"], round(line["score"], 2), round(line["damage"], 2),
                      line["proof"]["kind"]) for line in found["lines"][:4]]
        self.ranks.append(rank)
        self.seconds.append(seconds)
        self.rows.append((label, sorted(faulty), rank, round(seconds, 2), first))

    def show(self, verbose):
        if verbose:
            for row in self.rows:
                print(*row)
        n = len(self.ranks)
        if n == 0:
            return
        tops = [sum(1 for rank in self.ranks if rank and rank <= most) for most in (1, 3, 5, 10)]
        shares = " / ".join(f"{100 * top / n:.0f}" for top in tops)
        missed = [row[0] for row in self.rows if row[2] != 1]
        print(f"{self.name}: n = {n}, first / 3 / 5 / 10 = {shares} %, "
              f"mean {sum(self.seconds) / n:.2f} s, worst {max(self.seconds):.2f} s CPU; not first: {missed}")


def versions(shared):
    with open(shared / "bench/explain/tcas/versions.tsv") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    rows = [row for row in rows if row["version"] != "orig"]
    return {row["version"]: {int(line) for line in row["lines_version"].split(",")} for row in rows}


def tcas(arguments, folder, which, defines, title):
    harness = arguments.shared / "bench/explain/tcas/tcas_harness.c"
    table, found_all = Table(title), {}
    for version, faulty in versions(arguments.shared).items():
        if version not in which:
            continue
        source = arguments.tcas / f"v{version}.c"
        file = folder / f"v{version}.i"
        preprocess(harness, file, [f'-DTCAS_VERSION="{source}"', *defines])
        found, seconds = ranking(arguments.tool, file)
        table.add(version, found, faulty | USES.get(version, set()), source.name, seconds)
        found_all[version] = found
    table.show(arguments.verbose)
    return found_all


def mutants(arguments, folder):
    home = arguments.shared / "data/c/mutants"
    table = Table("mutants")
    with open(home / "INDEX.tsv") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            out = folder / (row["file"] + ".i")
            preprocess(home / row["file"], out)
            found, seconds = ranking(arguments.tool, out, ["--unwind", "14"])
            table.add(row["file"], found, {int(row["faulty_line"])}, row["file"], seconds)
    table.show(arguments.verbose)


def pdg(arguments, rankings):
    """The score of the first five lines, forward and either way (needs pycparser)."""
    harness = arguments.shared / "bench/explain/tcas/tcas_harness.c"
    scores = []
    for version, found in rankings.items():
        source = arguments.tcas / f"v{version}.c"
        faulty = versions(arguments.shared)[version]
        lines = [line["line"] for line in found["lines"] if line["file"].endswith(source.name)][:5]
        defines = ["-DEQUIV"] if version == "40" else []
        command = [sys.executable, str(arguments.shared / "bench/explain/line_pdg.py"), str(harness),
                   f'-DTCAS_VERSION="{source}"', *defines,
                   "--faulty", ",".join(f"{source.name}:{line}" for line in sorted(faulty)),
                   "--report", ",".join(f"{source.name}:{line}" for line in lines)]
        result = subprocess.run(command, capture_output=True, text=True, check=True)
        score = json.loads(result.stdout)["score"]
        scores.append((score["forward"], score["both"]))
        print(f"  version {version}: first lines {lines}, forward {scores[-1][0]:.3f}, either way {scores[-1][1]:.3f}")
    forward, both = (sum(column) / len(scores) for column in zip(*scores))
    print(f"PDG score of the first five lines: forward {forward:.3f}, either way {both:.3f}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("shared", type=pathlib.Path)
    parser.add_argument("tcas", type=pathlib.Path)
    parser.add_argument("--tool", default="target/release/examples/repair")
    parser.add_argument("--only")
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    arguments.tool = arguments.tool.split()
    arguments.tcas = arguments.tcas.resolve()
    wanted = lambda name: arguments.only in (None, name)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if wanted("tcas"):
            tcas(arguments, folder, versions(arguments.shared), ["-DEQUIV"], "TCAS, equivalence")
        if wanted("properties"):
            tcas(arguments, folder, WEAK, [], "TCAS, properties")
        if wanted("pdg"):
            found = tcas(arguments, folder, [v for v in PAPER if v != "40"], [], "the paper's, properties")
            found |= tcas(arguments, folder, ["40"], ["-DEQUIV"], "the paper's, equivalence")
            pdg(arguments, found)
        if wanted("mutants"):
            mutants(arguments, folder)


main()
