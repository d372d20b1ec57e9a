#!/usr/bin/env python3
"""The tables of a design review, made from the sources: python3 bench/house.py [--top N]

Prints Markdown: crates with their sizes and what they use, the longest files and functions, names of public types that collide,
parameters that are tuples or `bool`, repeated conventions, translated phrases, and commits without a body. Only `git log` is run; nothing is built. The limits are enforced by `cargo test -p nub-test-kit --test layers`; this shows how far from them the code is.
"""

import argparse
import collections
import pathlib
import re
import statistics
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
TYPE = re.compile(r"^pub (?:struct|enum|trait|type|union) (\w+)", re.M)
FUNCTION = re.compile(
    r"^(?P<indent> *)(?:pub(?:\([^)]*\))? )?(?:const |async |unsafe |extern \"C\" )*fn (?P<name>\w+)", re.M
)
CONVENTIONS = [
    ("`match () {`", r"match \(\) \{"),
    ("`match` on `true`", r"\btrue => "),
    ("`const NEVER_FAILS`", r"const NEVER_FAILS"),
    ("`let _ = write`", r"let _ = writeln?!"),
    # Inner types may have arguments: up to three levels of them.
    ("`Result<_, String>`", r"Result<(?:[^<>]|<(?:[^<>]|<(?:[^<>]|<[^<>]*>)*>)*>)*,\s*String,?\s*>"),
    ("`.clone()`", r"\.clone\(\)"),
    ("`unsafe` blocks", r"unsafe \{"),
    ("SplitMix64 or xorshift written out", r"0x9e37_79b9_7f4a_7c15|0x2545_f491_4f6c_dd1d"),
    ("`UPDATE_EXPECT` read", r"var_os\(\"UPDATE_EXPECT\"\)"),
    ("`built_in()` called", r"(?<!fn )\bbuilt_in\(\)"),
    ("HTML escaped", r"&amp;"),
]


def split(text):
    """Source and the tests at its end."""
    at = text.find("#[cfg(test)]\nmod tests {")
    return (text, "") if at < 0 else (text[:at], text[at:])


def lines(text):
    return text.count("\n")


def functions(text):
    """Name and number of lines of each function, by indentation: rustfmt puts the closing brace below the `fn`."""
    for found in FUNCTION.finditer(text):
        end = re.compile(rf"^{found['indent']}}}", re.M).search(text, found.end())
        first = text[found.end() : text.find("\n", found.end())]
        if first.rstrip().endswith((";", "}")) or not end:
            continue
        yield found["name"], lines(text[found.start() : end.start()]) + 1, signature(text, found.end())


def signature(text, at):
    """The parameters of a function: the text between its parentheses."""
    start = text.find("(", at)
    depth, end = 0, start
    for end in range(start, min(len(text), start + 2000)):
        depth += {"(": 1, ")": -1}.get(text[end], 0)
        if depth == 0:
            break
    return text[start + 1 : end]


def uses(manifest):
    """The crates of ours in [dependencies]."""
    found, section = [], ""
    for line in manifest.splitlines():
        if line.startswith("["):
            section = line.strip("[]")
        elif section == "dependencies" and line.startswith("nub-"):
            found.append(re.split(r"[ .=]", line[4:])[0])
    return found


def table(head, rows):
    print("| " + " | ".join(head) + " |")
    print("|" + "|".join("---" if index == 0 else "---:" for index in range(len(head))) + "|")
    for row in rows:
        print("| " + " | ".join(str(cell) for cell in row) + " |")
    print()


class House:
    def __init__(self):
        self.crates = sorted(path.parent for path in ROOT.glob("crates/*/Cargo.toml"))
        self.sources = {}
        self.tests = collections.Counter()
        for crate in self.crates:
            for path in sorted(crate.glob("src/**/*.rs")):
                source, inline = split(path.read_text(errors="replace"))
                self.sources[path] = source
                self.tests[crate.name] += lines(inline)
            for path in crate.glob("tests/**/*.rs"):
                self.tests[crate.name] += lines(path.read_text(errors="replace"))

    def of(self, crate):
        return {path: text for path, text in self.sources.items() if crate in path.parents}

    def print_crates(self):
        print("## Crates\n")
        rows = []
        for crate in self.crates:
            own = self.of(crate)
            used = ", ".join(uses((crate / "Cargo.toml").read_text())) or "-"
            rows.append([f"`{crate.name}`", sum(map(lines, own.values())), len(own), self.tests[crate.name], used])
        rows.append(["all", sum(row[1] for row in rows), sum(row[2] for row in rows), sum(row[3] for row in rows), ""])
        table(["crate", "source", "files", "tests", "uses"], rows)

    def print_sizes(self, top):
        sizes = sorted(((lines(text), path) for path, text in self.sources.items()), reverse=True)
        every = [
            (n_lines, name, path)
            for path, text in self.sources.items()
            for name, n_lines, _ in functions(text)
        ]
        every.sort(key=lambda found: -found[0])
        lengths = sorted(found[0] for found in every)
        print("## Sizes\n")
        print(f"{len(sizes)} files, median {statistics.median(size for size, _ in sizes):.0f} lines, longest {sizes[0][0]}.")
        print(
            f"{len(lengths)} functions of more than one line, median {statistics.median(lengths):.0f}, "
            f"p99 {lengths[len(lengths) * 99 // 100]}, longest {lengths[-1]}.\n"
        )
        table(["file", "lines"], [[path.relative_to(ROOT), size] for size, path in sizes[:top]])
        table(["function", "lines", "file"], [[f"`{name}`", n, path.relative_to(ROOT)] for n, name, path in every[:top]])

    def print_names(self, top):
        places = collections.defaultdict(list)
        for path, text in self.sources.items():
            for name in TYPE.findall(text):
                places[name].append(path)
        shared = {name: found for name, found in places.items() if len(found) > 1}
        extra = sum(len(found) - 1 for found in shared.values())
        print("## Public types\n")
        print(f"{len(places)} names, {len(shared)} of them used more than once ({extra} collisions).\n")
        most = sorted(shared.items(), key=lambda found: (-len(found[1]), found[0]))[:top]
        table(
            ["name", "times", "where"],
            [[f"`{name}`", len(found), ", ".join(sorted({crate_of(path) for path in found}))] for name, found in most],
        )

    def print_parameters(self):
        tuples, bools = collections.Counter(), collections.Counter()
        for path, text in self.sources.items():
            for _, _, parameters in functions(text):
                tuples[crate_of(path)] += len(re.findall(r"\): \(|\w: &?\((?=[^)]*,)", parameters))
                bools[crate_of(path)] += len(re.findall(r": bool\b", parameters))
        print("## Parameters\n")
        print(f"{sum(tuples.values())} tuples and {sum(bools.values())} `bool`s.\n")
        rows = [[f"`{crate.name}`", tuples[crate.name], bools[crate.name]] for crate in self.crates]
        table(["crate", "tuples", "bools"], [row for row in rows if row[1] + row[2] > 0])

    def print_conventions(self):
        print("## Conventions\n")
        rows = []
        for name, pattern in CONVENTIONS:
            found = {path: len(re.findall(pattern, text)) for path, text in self.sources.items()}
            files = [path for path, number in found.items() if number]
            rows.append([name, sum(found.values()), len(files)])
        table(["what", "times", "files"], rows)


def crate_of(path):
    return path.relative_to(ROOT).parts[1]


def print_phrases():
    recorded = ROOT / "crates/test-kit/tests/layers/phrases.txt"
    counts = [line.rsplit(" ", 1) for line in recorded.read_text().splitlines()]
    print("## Translated phrases\n")
    print(f"At most {sum(int(number) for _, number in counts)}, by `{recorded.relative_to(ROOT)}`.\n")
    table(["where", "phrases"], [[name, number] for name, number in counts if int(number) > 0])


def print_commits():
    log = subprocess.run(
        ["git", "log", "--no-merges", "--format=%s%x00%b%x01"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout
    commits = [entry.strip().split("\0") for entry in log.split("\1") if entry.strip()]
    long = sum(len(subject) > 72 for subject, *_ in commits)
    bare = sum(not "".join(body).strip() for _, *body in commits)
    print("## Commits\n")
    print(f"{len(commits)} without merges: {long} with a subject over 72 characters, {bare} without a body.")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--top", type=int, default=12, metavar="N", help="number of rows per table (12)")
    args = parser.parse_args()
    house = House()
    print("# The house\n")
    house.print_crates()
    house.print_sizes(args.top)
    house.print_names(args.top)
    house.print_parameters()
    house.print_conventions()
    print_phrases()
    print_commits()


if __name__ == "__main__":
    main()
