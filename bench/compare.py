#!/usr/bin/env python3
"""Table 5.7 of [Vida08] again: all its algorithms and `auto` on ten generated files that fail.

    python3 bench/compare.py [--nub PATH] [--depth N | --real] [--simplify] [--only NAMES] [--out DIR]

Generates BTOR files of 700 to 2,300 nodes and takes the first ten that fail: on which `planted.c` (built here) crashes, or with
`--real` those that boolector 1.5.118 calls unsat although they are satisfiable by construction. Runs
`nub reduce --compare-strategies` on each and says which claims hold: the order of merit of the thesis, and what `auto` is
meant to reach. It compares asks, not time.
"""
import argparse, csv, io, json, math, os, pathlib, subprocess, sys, tempfile

HERE = pathlib.Path(__file__).resolve().parent
N_FILES = 10
# boolector's wrong rule needs constants, twins and narrow words; pins make the mistake visible.
WRONG = "--status sat --pins 5 --only concat,and,or,xor,eq,ult --vars 4 --maxwidth 2 --noarrays --more-ops --consts 4 --twins 40"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nub", default=str(HERE.parent / "target/release/nub"))
    parser.add_argument("--depth", type=int, default=8, help="depth of the first defect; each further one is deeper (8)")
    parser.add_argument("--real", action="store_true", help="wrong answers of boolector 1.5.118, not planted defects")
    parser.add_argument("--simplify", action="store_true")
    parser.add_argument("--only", help="only these strategies, separated by commas; claims are not checked then")
    parser.add_argument("--out", help="keep files and tables here")
    return parser.parse_args()


class Planted:
    """Crashes of a program whose defect differs from file to file. A depth below 8 is used for all files."""

    def __init__(self, folder, depth):
        self.program, self.depth = str(folder / "planted"), depth
        subprocess.run(["cc", "-O2", "-o", self.program, HERE / "planted.c"], check=True)

    def generate(self, seed):
        return ["-n", str(600 + 170 * (seed % 8)), "--newformat", "--maxwidth", "5", "--writes", "5"]

    def command(self, number):
        return ["--", self.program, str(number), str(self.depth + number if self.depth >= 8 else self.depth)]

    def fails(self, number, path):
        return subprocess.run([*self.command(number)[1:], path], capture_output=True).returncode == -6


class Wrong:
    """boolector says unsat, and sat if it does not rewrite. Files are satisfiable by construction."""

    def __init__(self, folder):
        self.script = folder / "wrong.sh"
        self.script.write_text('#!/bin/sh\n[ "$(timeout 10 boolector "$1" 2>&1)" = unsat ] || exit 1\n'
                               '[ "$(timeout 10 boolector -rwl0 "$1" 2>&1)" = sat ]\n')
        os.chmod(self.script, 0o755)

    def generate(self, seed):
        return ["-n", str(500 + 150 * (seed % 8)), *WRONG.split()]

    def command(self, _number):
        return ["--test", str(self.script)]

    def fails(self, _number, path):
        return subprocess.run([self.script, path], capture_output=True).returncode == 0


def failing_files(nub, failure, folder):
    """Yields ten files."""
    found, seed = [], 0
    while len(found) < N_FILES:
        seed += 1
        path = folder / f"ex{len(found) + 1}.btor"
        text = subprocess.run([nub, "generate", "--seed", str(seed), *failure.generate(seed)], capture_output=True, check=True).stdout
        n_nodes = sum(1 for line in text.splitlines() if line and not line.startswith(b";"))
        path.write_bytes(text)
        if 700 <= n_nodes <= 2300 and failure.fails(len(found), path):
            found.append(path)
    return found


def compare(args, failure, files):
    """Rows by strategy: one (asks, nodes before, nodes left, percent per ask, known answers) per file. Known answers count as asks for every strategy; `known` is their number."""
    rows = {}
    names = f"={args.only}" if args.only else ""
    for number, path in enumerate(files):
        command = [args.nub, "reduce", path, f"--compare-strategies{names}", "--csv", "-q", "-j", "1",
                   f"--simplify={'on' if args.simplify else 'off'}", *failure.command(number)]
        table = subprocess.run(command, capture_output=True, check=True, text=True).stdout
        for row in csv.DictReader(io.StringIO(table)):
            rows.setdefault(row["strategy"], []).append(
                (int(row["asks"]), int(row["size_before"]), int(row["size_after"]), float(row["percent_per_ask"]), int(row["known"])))
        print(f"{path.name}: done", file=sys.stderr)
    return rows


def table(rows):
    lines = [f"{'strategy':14}{'nodes gone':>12}{'nodes left':>12}{'asks':>10}{'known':>10}{'%/ask':>9}"]
    for name, results in rows.items():
        n = len(results)
        gone = sum(before - after for _, before, after, *_ in results) / n
        left = sum(after for _, _, after, *_ in results) / n
        known = sum(known for *_, known in results) / n
        asks = sum(asks for asks, *_ in results) / n
        rate = 100 - math.exp(sum(math.log(100 - rate) for *_, rate, _ in results) / n)
        lines.append(f"{name:14}{gone:12.1f}{left:12.1f}{asks:10.1f}{known:10.1f}{rate:9.3f}")
    return "\n".join(lines)


def claims(rows):
    """The claims, each with whether it holds."""
    left = {name: sum(after for _, _, after, *_ in results) for name, results in rows.items()}
    asks = {name: sum(asks for asks, *_ in results) for name, results in rows.items()}
    runs = {name: sum(asks - known for asks, *_, known in results) for name, results in rows.items()}
    single = [name for name in rows if name not in ("auto", "all chained")]
    pairs = list(zip(rows["auto"], rows["all chained"]))
    n_small = sum(auto[2] <= chain[2] for auto, chain in pairs)
    return [
        ("lw asks least and removes least", asks["lw"] == min(asks.values()) and left["lw"] == max(left.values())),
        ("changeref removes most of all single algorithms", left["changeref"] == min(left[name] for name in single)),
        ("changeref asks most of all single algorithms", asks["changeref"] == max(asks[name] for name in single)),
        ("changeref+ asks less than changeref", asks["changeref+"] < asks["changeref"]),
        ("hdd* and hdd+ remove no less than hdd", max(left["hdd*"], left["hdd+"]) <= left["hdd"]),
        ("hdd* asks more than hdd+", asks["hdd*"] > asks["hdd+"]),
        ("auto: no more nodes than all chained, on average", left["auto"] <= left["all chained"]),
        (f"auto: no more nodes than all chained, on every file ({n_small} of {len(pairs)})", n_small == len(pairs)),
        ("auto asks less than all chained", asks["auto"] < asks["all chained"]),
        ("auto asks at most half as often as hdd*", 2 * asks["auto"] <= asks["hdd*"]),
        ("auto runs the program at most half as often as hdd*", 2 * runs["auto"] <= runs["hdd*"]),
    ]


def main():
    args = arguments()
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(args.out or temporary).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        failure = Wrong(folder) if args.real else Planted(folder, args.depth)
        rows = compare(args, failure, failing_files(args.nub, failure, folder))
        (folder / "compare.json").write_text(json.dumps(rows))
        print(table(rows))
        for claim, holds in [] if args.only else claims(rows):
            print(f"{'holds' if holds else 'FAILS'}  {claim}")


if __name__ == "__main__":
    main()
