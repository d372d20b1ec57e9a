#!/usr/bin/env python3
"""Applies the edits that are claimed to fix a program: does any assertion still fail?

    bench/explain_apply.py FILE.c... [--tool COMMAND] [--unwind N] [--all]

Each FILE is preprocessed and ranked. An edit with `proof.kind` `edited` is applied to the file at `edit.place`, unchanged; with --all each such
line is tried, otherwise the first three. The text at that place must be `edit.old`, the new file must compile, and when it is ranked again, none
of its assertions may fail. Two edits that only repair the program together are applied together. Edits of code from a macro have no place; they are only counted.

Also prints the files for which the report says that no single expression is enough; for a file in which one token was changed, that is wrong.
Exits with 1 if an edit is wrong.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

TIMEOUT = 300


def ranking(arguments, source, folder):
    """The ranking of a C file; `None` if no run fails, False if it is not valid C or takes too long."""
    out = folder / "made.i"
    check = ["cc", "-w", "-E", str(source), "-o", str(out)]
    if subprocess.run(["cc", "-w", "-fsyntax-only", str(source)], stderr=subprocess.DEVNULL).returncode:
        return False
    subprocess.run(check, check=True)
    command = [*arguments.tool.split(), "--unwind", str(arguments.unwind), str(out)]
    try:
        return json.loads(subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT).stdout)
    except (subprocess.TimeoutExpired, json.JSONDecodeError):
        return False


def offset(lines, line, column):
    return sum(len(before) + 1 for before in lines[:line - 1]) + column - 1


def applied(text, edits):
    """The text with edits made, or what is wrong."""
    lines = text.split(b"\n")
    spans = []
    for edit in edits:
        place = edit["place"]
        start = offset(lines, place["line"], place["column"])
        end = offset(lines, place["end_line"], place["end_column"])
        old = b"".join(text[start:end].split()).decode(errors="replace")
        if not edit["old"].endswith("...") and old != "".join(edit["old"].split()):
            return f"found {old!r} where {edit['old']!r} was expected"
        spans.append((start, end, edit["new"].encode()))
    for start, end, new in sorted(spans, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def groups(found, arguments):
    """Edits that belong together, by line."""
    lines = found["lines"]
    together = [line["edit"] for line in lines if line["edit"] and line["edit"]["partner"] and line["edit"]["is_proved"]]
    alone = [[line["edit"]] for line in lines if line["proof"]["kind"] == "edited"]
    return ([together] if together else []) + (alone if arguments.all else alone[:3])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    parser.add_argument("--tool", default="target/release/examples/repair")
    parser.add_argument("--unwind", type=int, default=8)
    parser.add_argument("--all", action="store_true")
    arguments = parser.parse_args()
    counts = {"ranked": 0, "right": 0, "wrong": 0, "in a macro": 0}
    refuted = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for file in arguments.files:
            found = ranking(arguments, file, folder)
            if not found or "lines" not in found:
                continue
            counts["ranked"] += 1
            if found["verdict"]["kind"] == "no-single-line" or found["verdict"].get("is_single_refuted"):
                refuted.append(file.name)
            for edits in groups(found, arguments):
                if any(edit["place"] is None for edit in edits):
                    counts["in a macro"] += 1
                    continue
                text = applied(file.read_bytes(), edits)
                made = folder / file.name
                made.write_bytes(text if isinstance(text, bytes) else b"")
                again = ranking(arguments, made, folder) if isinstance(text, bytes) else False
                is_known = not isinstance(text, str) and again is not False
                is_right = again is None or is_known and any("no assertion fails" in note for note in again.get("notes", []))
                verdict = "right" if is_right else "wrong"
                if not is_right:
                    print(file.name, [(edit["place"]["line"], edit["old"], edit["new"]) for edit in edits], text if isinstance(text, str) else verdict)
                counts[verdict] += 1
    print(counts, "no single expression:", refuted)
    sys.exit(1 if counts["wrong"] else 0)


main()
