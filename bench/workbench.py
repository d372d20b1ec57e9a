#!/usr/bin/env python3
"""Measures the cost of the workbench: time to open large files, frames while they scroll, memory during a campaign, lag of events,
and processor time of a reduction under the page against the command line.

    bench/workbench.py [weight files jobs lag reduce campaign]

Needs what crates/workbench/tests/browser/run needs (chromium, node, playwright-core) and target/debug/nub or $NUB. Prints the
figures with the load of the machine; times are only meaningful at low load.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PARTS = ["weight", "files", "jobs", "lag", "reduce", "campaign"]


def measure(parts):
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    environment = {
        **os.environ,
        "NUB": os.environ.get("NUB", str(target / "debug" / "nub")),
        "NUB_MODULES": str(target / "browser" / "node_modules"),
        "NUB_EXAMPLES": str(ROOT / "examples"),
        "NUB_MEASURE": " ".join(parts),
    }
    done = subprocess.run(["node", str(ROOT / "bench" / "workbench.mjs")], env=environment, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit("the measurement failed")
    return json.loads(done.stdout.strip().splitlines()[-1])


def work(frame):
    script, style, layout = frame["partsMs"]
    return f"{frame['cpuPerFrameMs']:.1f} ms (script {script:.1f}, style {style:.1f}, layout {layout:.1f})"


def report(found):
    """One line per figure: what, how much, and the limit of the design if there is one."""
    if "firstPaintMs" in found:
        yield "first paint", f"{found['firstPaintMs']:.0f} ms", "300 ms"
        yield "bytes of Home", f"{found['homeBytes']:,}", "1,500,000"
    for name, file in found.get("files", {}).items():
        yield f"{name}: open", f"{file['openMs']} ms", "2,000 ms"
        yield f"{name}: processor time of a frame while scrolling", work(file), "8 ms"
        yield f"{name}: processor time of the longest frame of 200", f"{file['longestMs']:.1f} ms", "16.7 ms"
        yield f"{name}: median frame, longest, slow ones of 200", f"{file['frameMs']:.1f} ms, {file['longestGapMs']:.1f} ms, {file['slowFrames']}", "16.7 ms"
    if "graphFrames" in found:
        yield "BTOR, 5,000 nodes: processor time of a frame while the graph moves", work(found["graphFrames"]), "8 ms"
        yield "BTOR, 5,000 nodes: processor time of the longest of 200 such frames", f"{found['graphFrames']['longestMs']:.1f} ms", "16.7 ms"
    if "graphMs" in found:
        yield "BTOR, 5,000 nodes: graph", f"{found['graphMs']} ms", "2,000 ms"
    if "jobsAnswerMs" in found:
        yield "1,000 jobs: start of the server", f"{found['startWithJobsMs']} ms", ""
        yield "1,000 jobs: answer, and processor time to draw all", f"{found['jobsAnswerMs']:.0f} ms, {found['allJobsCpuMs']:.0f} ms", ""
    if "lagMs" in found:
        yield "lag of an event: median, most of 20", f"{found['lagMs']['median']:.0f} ms, {found['lagMs']['most']:.0f} ms", "200 ms"
    if "reduce" in found:
        asks = [", ".join(map(str, runs)) for runs in found["reduce"]["asks"]]
        yield "reduction: test runs, command line and page", f"{asks[0]} and {asks[1]}", "equal"
        for what, name in [("processor time of nub and the runs", "cpu"), ("elapsed time", "seconds")]:
            alone, under = found["reduce"][name]
            yield f"reduction: {what}", f"{alone:.2f} s and {under:.2f} s: {under / alone:.3f}", "1.05"
    if "campaign" in found:
        samples = found["campaign"]
        late = samples[len(samples) // 2 :]
        yield f"campaign of {samples[-1]['at']} s: inputs", f"{samples[-1]['inputs']:,}", ""
        yield "campaign: heap after 20 s, in the second half", f"{samples[2]['heap'] / 1e6:.1f} MB, {max(s['heap'] for s in late) / 1e6:.1f} MB", "flat"
        yield "campaign: nodes of the document, the same", f"{samples[2]['nodes']:.0f}, {max(s['nodes'] for s in late):.0f}", "flat"


def main():
    parts = sys.argv[1:] or PARTS
    before = os.getloadavg()[0]
    found = measure(parts)
    print(f"load {before:.1f} to {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores\n\n| figure | measured | limit |\n|---|---|---|")
    for line in report(found):
        print("| " + " | ".join(line) + " |")


if __name__ == "__main__":
    main()
