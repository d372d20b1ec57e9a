#!/usr/bin/env python3
"""A reduction with a sleeping oracle: workers of a fleet against as many local slots.

    python3 bench/fleet.py bug.smt2 NEEDLE [--sleep 0.3] [--workers 8] [--namespaces] [--nub target/release/nub]

The file fails while it contains the needle. Every worker has one slot. With --namespaces (root, iproute2) each is in its own network namespace, behind a bridge. Prints seconds of both and their ratio; the bytes must be equal, or the script fails.
All started processes are stopped; folders are temporary.
"""

import argparse
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import time

BRIDGE = "nubbr0"


def run(*words):
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)


class Namespaces:
    """Network namespaces behind a bridge; without root there are none."""

    def __init__(self, number):
        self.number = number
        self.host = "10.177.0.1"

    def __enter__(self):
        run("ip", "link", "add", BRIDGE, "type", "bridge")
        run("ip", "addr", "add", f"{self.host}/24", "dev", BRIDGE)
        run("ip", "link", "set", BRIDGE, "up")
        for idx in range(self.number):
            name, inner, outer = f"nub{idx}", f"nubi{idx}", f"nubo{idx}"
            run("ip", "netns", "add", name)
            run("ip", "link", "add", outer, "type", "veth", "peer", "name", inner)
            run("ip", "link", "set", inner, "netns", name)
            run("ip", "link", "set", outer, "master", BRIDGE, "up")
            run("ip", "netns", "exec", name, "ip", "addr", "add", f"10.177.0.{idx + 2}/24", "dev", inner)
            run("ip", "netns", "exec", name, "ip", "link", "set", inner, "up")
        return self

    def __exit__(self, *_):
        for idx in range(self.number):
            subprocess.run(["ip", "netns", "del", f"nub{idx}"], check=False)
        subprocess.run(["ip", "link", "del", BRIDGE], check=False)

    def prefix(self, idx):
        return ["ip", "netns", "exec", f"nub{idx}"]


class Here:
    """No namespaces."""

    host = "127.0.0.1"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def prefix(self, _):
        return []


def free_port(host):
    with socket.socket() as server:
        server.bind((host, 0))
        return server.getsockname()[1]


def seconds_of(command, folder):
    begun = time.monotonic()
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - begun


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("file")
    parser.add_argument("needle")
    parser.add_argument("--sleep", type=float, default=0.3)
    parser.add_argument("--workers", type=int, default=8)
    parser.add_argument("--namespaces", action="store_true")
    parser.add_argument("--nub", default="target/release/nub")
    args = parser.parse_args()
    nub, started = os.path.abspath(args.nub), []
    with tempfile.TemporaryDirectory() as folder, (Namespaces(args.workers) if args.namespaces else Here()) as net:
        folder = pathlib.Path(folder)
        subject = folder / ("subject" + pathlib.Path(args.file).suffix)
        subject.write_bytes(pathlib.Path(args.file).read_bytes())
        oracle = folder / "oracle"
        oracle.write_text(f"#!/bin/sh\nsleep {args.sleep}\ngrep -q -e '{args.needle}' \"$1\" && exit 9\nexit 0\n")
        oracle.chmod(0o755)
        (folder / "nub.toml").write_text('[programs]\noracle = "./oracle"\n')
        common = [nub, "reduce", subject.name, "--no-header", "-q", "-j", str(args.workers)]
        try:
            port = free_port(net.host)
            server = ["nats-server", "-a", net.host, "-p", str(port), "-js", "-sd", str(folder / "js")]
            started.append(subprocess.Popen(server, stderr=subprocess.DEVNULL))
            url = f"nats://{net.host}:{port}"
            time.sleep(2)
            for idx in range(args.workers):
                worker = net.prefix(idx) + [nub, "worker", "--join", url, "-j", "1", "-q"]
                started.append(subprocess.Popen(worker, cwd=folder))
            while f"{args.workers} worker" not in subprocess.run(
                [nub, "status", "--on", url], capture_output=True, text=True, check=False
            ).stdout:
                time.sleep(0.5)
            local = seconds_of(common + ["-o", "local.out", "--", "./oracle"], folder)
            remote = seconds_of(common + ["-o", "remote.out", "--on", url, "--", "@oracle"], folder)
        finally:
            for process in reversed(started):
                process.terminate()
                process.wait()
        same = (folder / "local.out").read_bytes() == (folder / "remote.out").read_bytes()
        print(f"{args.workers} slots, {args.sleep} s: local {local:.1f} s, fleet {remote:.1f} s, ratio {local / remote:.2f}")
        sys.exit(0 if same else "the bytes differ")


if __name__ == "__main__":
    main()
