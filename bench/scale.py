#!/usr/bin/env python3
"""How far a fleet scales: a simulation of up to 1,000 slots, without a clock.

    python3 bench/scale.py                        # the tables of bench/README.md
    python3 bench/scale.py --runs runs.txt        # run times of your own oracle, one number of seconds per line

Three things besides slots can be the bottleneck: likely candidates (a search asks ahead of itself, and guesses miss), the thread of the coordinator
(it builds one candidate after the other), and the server (every lease costs messages). The simulation models all three, and reports which one was the limit. It does not model failures, workers of different speed, files so large that their transfer takes time.

A reduction is a path in a tree of answers. The search needs `needed` answers in a row. Which of two answers comes is guessed; the
confidence of the guess is drawn for each candidate, and the guess is right with that probability. Free slots get the candidates that are most likely to be
needed (crates/reduce/src/ahead.rs), down to a chance of 0.6 divided by the number of slots. A campaign is the simple case: seed ranges that
do not depend on each other.

The distributions below were measured; bench/README.md says how. Random numbers come from a fixed seed: two runs print the same.
"""

import argparse
import heapq
import random

# Seconds, as quantiles at 0, 5, 10, ..., 100 %. Processor time of z3 4.8.12 on the 55 candidates of a reduction of z3-4.8.7-big-3559.smt2 (31 kB).
RUN_QUANTILES = [0.0034, 0.0037, 0.0169, 0.0189, 0.0191, 0.0194, 0.0208, 0.0219, 0.0225, 0.0235, 0.0246, 0.0252, 0.0256, 0.0264,
                 0.0268, 0.0278, 0.0281, 0.0285, 0.0295, 0.0311, 0.0358]
# From the ask to the answer without the run: `cargo test -p nub-fleet --test leases -- --nocapture`, 300 items, on two cores with a load of 20. The
# longest waits there follow a kill, and are left out.
TRIP_QUANTILES = [0.0018, 0.0049, 0.0067, 0.0102, 0.0129, 0.0147, 0.0164, 0.0180, 0.0207, 0.0232, 0.0266, 0.0319, 0.0376, 0.0439,
                  0.0512, 0.0623, 0.0738, 0.0921, 0.1234, 0.2385]
# Seconds of the coordinator's thread for a candidate: building it ahead, packing it, receiving its report.
BUILD_SECONDS = 0.0006
# Messages that the server takes in a second, and messages of a lease: itself, its acknowledgement by the server, the question which
# items are needed and its answer, the report and its acknowledgement, the acknowledgement of the lease and its answer.
SERVER_RATE = 9600.0
LEASE_MESSAGES = 8
# Confidence of guesses: quantiles at 0, 25, 50, 75, 100 %. They give the counted speed-ups of docs/notes/2026-11-17-speculation.md.
CONFIDENCE = [0.5, 0.72, 0.86, 0.95, 1.0]
LEAST_CHANCE = 0.6
# Asks under way are bounded by what the server carries (crates/fleet/src/coordinator/mod.rs).
LEASES_PER_SECOND = 600.0
ALWAYS_CARRIED = 16


def draw(quantiles, rng):
    """A number from a distribution that is given by equidistant quantiles."""
    at = rng.random() * (len(quantiles) - 1)
    idx = min(int(at), len(quantiles) - 2)
    return quantiles[idx] + (at - idx) * (quantiles[idx + 1] - quantiles[idx])


class Node:
    """A candidate that may be asked."""

    __slots__ = ("chance", "is_true", "children", "state", "ends", "likely_is_true")

    def __init__(self, chance, is_true):
        self.chance, self.is_true = chance, is_true
        self.children, self.state, self.ends = None, "new", 0.0


class Reduction:
    """A search with speculative asks."""

    def __init__(self, slots, needed, run, trip, seed=1):
        self.rng = random.Random(seed)
        self.slots, self.needed, self.run, self.trip = slots, needed, run, trip
        self.now = self.builder = self.server = 0.0
        self.build_busy = self.server_busy = 0.0
        self.running, self.started = 0, 0
        self.root = Node(1.0, True)
        self.heap, self.number = [], 0
        self.ends = []
        self.push(self.root)

    def push(self, node):
        self.number += 1
        heapq.heappush(self.heap, (-node.chance, self.number, node))

    def start(self, node):
        """Builds a candidate, sends it and has it run."""
        self.builder = max(self.builder, self.now) + BUILD_SECONDS
        self.build_busy += BUILD_SECONDS
        cost = LEASE_MESSAGES / SERVER_RATE
        self.server = max(self.server, self.builder) + cost
        self.server_busy += cost
        node.ends = self.server + draw(self.trip, self.rng) + draw(self.run, self.rng)
        node.state = "running"
        self.running += 1
        self.started += 1
        self.number += 1
        heapq.heappush(self.ends, (node.ends, self.number, node))
        confidence = draw(CONFIDENCE, self.rng)
        likely = self.rng.random() < confidence
        node.children = [
            Node(node.chance * confidence, node.is_true and likely),
            Node(node.chance * (1 - confidence), node.is_true and not likely),
        ]
        for child in node.children:
            self.push(child)

    def fill(self):
        """Starts what is most likely to be needed."""
        while self.running < self.slots and self.heap:
            node = self.heap[0][2]
            if node.state == "new" and node.chance < LEAST_CHANCE / self.slots * self.root.chance:
                break
            heapq.heappop(self.heap)
            if node.state == "new":
                self.start(node)

    def forget(self, node):
        """Stops asks that a real answer has made unnecessary."""
        todo = [node]
        while todo:
            node = todo.pop()
            if node.state == "running":
                self.running -= 1
            node.state = "void"
            todo.extend(node.children or [])

    def seconds(self):
        """Runs the search to its end."""
        for _ in range(self.needed):
            while self.root.state != "done":
                # What the search needs goes first, and takes the slot of what is least likely if it must.
                if self.root.state == "new":
                    self.start(self.root)
                self.fill()
                ends, _, node = heapq.heappop(self.ends)
                if node.state == "running":
                    self.now = max(self.now, ends)
                    node.state = "done"
                    self.running -= 1
            taken, refuted = sorted(self.root.children, key=lambda child: not child.is_true)
            self.forget(refuted)
            self.root = taken
        return self.now

    def limit(self, seconds):
        """The bottleneck."""
        shares = {"building": self.build_busy / seconds, "server": self.server_busy / seconds}
        name, share = max(shares.items(), key=lambda item: item[1])
        return f"{name} ({share:.0%})" if share > 0.8 else "likely candidates"


def campaign(slots, lease_seconds, n_leases, seed=1):
    """Leases that do not depend on each other: leases per second, and how busy the server is."""
    rng = random.Random(seed)
    cost = LEASE_MESSAGES / SERVER_RATE
    free = [(0.0, idx) for idx in range(slots)]
    heapq.heapify(free)
    server = busy = end = 0.0
    for _ in range(n_leases):
        at, idx = heapq.heappop(free)
        server = max(server, at) + cost
        busy += cost
        ends = server + draw(TRIP_QUANTILES, rng) + lease_seconds * (0.5 + rng.random())
        end = max(end, ends)
        heapq.heappush(free, (ends, idx))
    return n_leases / end, busy / end


def carried(run):
    """Number of asks that the server handles without queueing."""
    return max(ALWAYS_CARRIED, round(LEASES_PER_SECOND * sum(run) / len(run)))


def print_reductions(run, needed, sizes, is_capped):
    mean = sum(run) / len(run)
    alone = needed * mean
    print(f"\nA reduction that needs {needed} runs of {mean:.3f} s on average\n")
    print("| slots | speed-up over one local slot | all runs | limit |\n|---:|---:|---:|---|")
    for slots in sizes:
        used = min(slots, carried(run)) if is_capped else slots
        reduction = Reduction(used, needed, run, TRIP_QUANTILES)
        seconds = reduction.seconds()
        all_runs = reduction.started / needed
        limit = f"{used} asks under way, which the server carries" if used < slots else reduction.limit(seconds)
        print(f"| {slots} | {alone / seconds:.2f} | {all_runs:.1f} × | {limit} |")


def print_campaigns(sizes):
    print("\nA campaign, leases of a second\n")
    print("| slots | leases/s | of the ideal | server busy |\n|---:|---:|---:|---:|")
    for slots in sizes:
        rate, busy = campaign(slots, 1.0, 40 * slots)
        print(f"| {slots} | {rate:.0f} | {rate / slots:.0%} | {busy:.0%} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runs", help="run times in seconds, one per line")
    parser.add_argument("--needed", type=int, default=400, help="answers that the search needs (400)")
    parser.add_argument("--uncapped", action="store_true", help="allow as many asks in progress as there are slots")
    args = parser.parse_args()
    runs = [RUN_QUANTILES, [0.05, 0.05], [0.3, 0.3]]
    if args.runs:
        with open(args.runs, encoding="utf-8") as file:
            runs = [sorted(float(line) for line in file if line.strip())]
    for run in runs:
        print_reductions(run, args.needed, [1, 4, 16, 64, 256, 1000], not args.uncapped)
    print_campaigns([16, 64, 256, 1000, 2000, 4000])


if __name__ == "__main__":
    main()
