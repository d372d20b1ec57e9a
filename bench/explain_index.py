#!/usr/bin/env python3
"""Faulty programs with an index: at which rank does `nub explain` list the faulty line, and how long does it take?

    bench/explain_index.py FOLDER [--nub COMMAND] [--only NAME]... [--verbose]

FOLDER holds C files and INDEX.tsv with the columns `file` and `faulty_line`, as data/c/mutants and data/c/float-mutants of the shared data do.
It measures the command as a user types it: the failing run, the closest passing run, the ranking with its proofs, and the replay in the
compiled program. Times are CPU seconds of the process and its children. With --verbose each file has a line: rank, seconds, the first three lines
with their edits.
"""

import argparse
import csv
import json
import pathlib
import resource
import subprocess

TOPS = (1, 3, 5, 10)
TIMEOUT = 300


def explained(command, file):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        result = subprocess.run([*command, "explain", str(file), "--json"], capture_output=True, text=True, timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        return None, float(TIMEOUT)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    try:
        return json.loads(result.stdout), seconds
    except json.JSONDecodeError:
        print(f"{file.name}: {result.stderr.strip()}")
        return None, seconds


def lines_of(report):
    """The ranked lines of a report; none if it has no ranking."""
    ranking = (report or {}).get("ranking") or {}
    return ranking.get("lines") or []


def shown(line):
    edit = line.get("edit")
    text = f"{edit['old']} -> {edit['new']}" if edit else line["tier"]["kind"]
    return f"{line['line']} [{text}; {line['proof']['kind']}; damage {line['damage']:.2f}]"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--nub", default="target/release/nub")
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    with open(arguments.folder / "INDEX.tsv") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    rows = [row for row in rows if not arguments.only or any(name in row["file"] for name in arguments.only)]
    ranks, times = [], []
    for row in rows:
        found, seconds = explained(arguments.nub.split(), arguments.folder / row["file"])
        lines, faulty = lines_of(found), int(row["faulty_line"])
        is_it = lambda line: line["file"].endswith(row["file"]) and line["line"] <= faulty <= line["end_line"]
        rank = next((line["rank"] for line in lines if is_it(line)), None)
        ranks.append(rank)
        times.append(seconds)
        if arguments.verbose:
            print(f"{row['file']}: line {faulty}, rank {rank}, {seconds:.2f} s;", *map(shown, lines[:3]))
    shares = " / ".join(f"{100 * sum(1 for rank in ranks if rank and rank <= most) / len(rows):.0f}" for most in TOPS)
    print(f"n = {len(rows)}, first / 3 / 5 / 10 = {shares} %, mean {sum(times) / len(times):.2f} s, worst {max(times):.2f} s CPU")


main()
