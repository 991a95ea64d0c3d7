#!/usr/bin/env python3
"""Writes into CONTRIBUTING.md which check runs where and what it costs.

    Scripts/checks.py < FILE     lines of SECONDS PROCESSOR COMMAND, as `Scripts/test.sh --record` measures them
"""

import os
import sys
from pathlib import Path

PAGE = Path(__file__).resolve().parent.parent / "CONTRIBUTING.md"
OPEN, CLOSE = "<!-- checks -->", "<!-- /checks -->"
# What runs elsewhere than in `make test`, and is not measured by it.
ELSEWHERE = [
    ("`make check`", "while editing; CI with the oldest Swift and on a Mac"),
    ("`make generate`, `make references`: nothing changes", "`.ci/run`"),
    ("`make lint`", "`.ci/run`"),
    ("`Tests/Integration/packages.sh`", "a release; `make test` where what it rests on has changed"),
    ("`Experiments/faults.py`", "by hand"),
    ("`make attack`, `make fuzz`: without end, 200,000 runs", "by hand"),
    ("`make benchmark`", "weekly on GitHub, by hand"),
    ("`make experiments`", "GitHub's Macs"),
]


def main():
    measured = [] if sys.stdin.isatty() else [line.split(maxsplit=2) for line in sys.stdin]
    if len(sys.argv) > 1 or not measured or any(len(row) < 3 for row in measured):
        sys.exit(__doc__.strip())
    rows = ["| check | where | seconds | of the processor |", "|---|---|---:|---:|"]
    for seconds, processor, command in sorted(measured, key=lambda row: -int(row[1])):
        if "packages.sh" not in command:
            rows.append(f"| `{command.strip()}` | `make test` | {seconds} | {processor} |")
    rows += [f"| {command} | {where} | | |" for command, where in ELSEWHERE]
    before, rest = PAGE.read_text().split(OPEN)
    note = "<!-- written by Scripts/test.sh --record -->"
    cores = f"On {os.cpu_count()} cores, three at a time, so seconds by the clock are no sum."
    PAGE.write_text(before + "\n".join([OPEN, note, "", cores, "", *rows, "", CLOSE]) + rest.split(CLOSE)[1])


main()
