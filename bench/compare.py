#!/usr/bin/env python3
"""Table 5.7 of seed 000 again: all its algorithms and `auto` on ten generated files with a planted defect.

    python3 bench/compare.py [--nub PATH] [--depth N] [--simplify] [--out DIR]

Generates BTOR files of 700 to 2,300 nodes, takes the first ten on which `planted.c` (built here) crashes, runs
`nub reduce --compare-strategies` and says which claims hold: the order of merit of the thesis, and what `auto` is meant to
reach. Asks are compared, not time.
"""
import argparse, csv, io, json, math, pathlib, subprocess, sys, tempfile

HERE = pathlib.Path(__file__).resolve().parent
N_FILES = 10


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nub", default=str(HERE.parent / "target/release/nub"))
    parser.add_argument("--depth", type=int, default=8, help="the first defect lies so deep, each further one deeper (8)")
    parser.add_argument("--simplify", action="store_true")
    parser.add_argument("--out", help="keep files and tables here")
    return parser.parse_args()


def defect(planted, number, depth):
    """The command that crashes on one kind of defect. A depth below 8 is the same for all."""
    return [planted, str(number), str(depth + number if depth >= 8 else depth)]


def failing_files(nub, planted, folder, depth):
    """Ten files, each with a defect of its own."""
    found, seed = [], 0
    while len(found) < N_FILES:
        seed += 1
        nodes = 600 + 170 * (seed % 8)
        path = folder / f"ex{len(found) + 1}.btor"
        text = subprocess.run([nub, "generate", "-s", str(seed), "-n", str(nodes), "--newformat", "--maxwidth", "5",
                               "--writes", "5"], capture_output=True, check=True).stdout
        n_nodes = sum(1 for line in text.splitlines() if line and not line.startswith(b";"))
        path.write_bytes(text)
        crashes = subprocess.run([*defect(planted, len(found), depth), path], capture_output=True).returncode == -6
        if 700 <= n_nodes <= 2300 and crashes:
            found.append(path)
    return found


def compare(args, planted, files):
    """Rows by strategy: lists of (asks, nodes left), one per file. Each file has its own defect, so one call each."""
    rows = {}
    for number, path in enumerate(files):
        command = [args.nub, "reduce", path, "--compare-strategies", "--csv", "-q", *(["--simplify"] if args.simplify else []),
                   "--", *defect(planted, number, args.depth)]
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
        rate = math.exp(sum(math.log(max(rate, 1e-3)) for *_, rate, _ in results) / n)
        lines.append(f"{name:14}{gone:12.1f}{left:12.1f}{asks:10.1f}{known:10.1f}{rate:9.3f}")
    return "\n".join(lines)


def claims(rows):
    """The claims, each with whether it holds."""
    left = {name: sum(after for _, _, after, *_ in results) for name, results in rows.items()}
    asks = {name: sum(asks for asks, *_ in results) for name, results in rows.items()}
    auto, chain = rows["auto"], rows["all chained"]
    return [
        ("lw asks least and removes least", asks["lw"] == min(asks.values()) and left["lw"] == max(left.values())),
        ("changeref removes most of all single algorithms", left["changeref"] == min(
            value for name, value in left.items() if name not in ("auto", "all chained"))),
        ("changeref asks most of all single algorithms", asks["changeref"] == max(
            value for name, value in asks.items() if name not in ("auto", "all chained"))),
        ("changeref+ asks less than changeref", asks["changeref+"] < asks["changeref"]),
        ("hdd* and hdd+ remove no less than hdd", max(left["hdd*"], left["hdd+"]) <= left["hdd"]),
        ("hdd* asks more than hdd+", asks["hdd*"] > asks["hdd+"]),
        ("auto: no more nodes than all chained, on every file", all(a[2] <= c[2] for a, c in zip(auto, chain))),
        ("auto asks less than all chained", asks["auto"] < asks["all chained"]),
        ("auto asks at most half as often as hdd*", 2 * asks["auto"] <= asks["hdd*"]),
    ]


def main():
    args = arguments()
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(args.out or temporary)
        folder.mkdir(parents=True, exist_ok=True)
        planted = str(folder / "planted")
        subprocess.run(["cc", "-O2", "-o", planted, HERE / "planted.c"], check=True)
        rows = compare(args, planted, failing_files(args.nub, planted, folder, args.depth))
        (folder / "compare.json").write_text(json.dumps(rows))
        print(table(rows))
        for claim, holds in claims(rows):
            print(f"{'holds' if holds else 'FAILS'}  {claim}")


if __name__ == "__main__":
    main()
