#!/usr/bin/env python3
"""Applies a diff as pages show it, without line numbers: apply_diff.py DIFF, in the folder of its paths.

The first two lines name the file before and after; where the second is not there yet, it begins as the first:
    --- Schemas/V1.yaml
    +++ Schemas/V2.yaml
Then come hunks, divided by lines that begin with `@@`. What a hunk takes for granted (its lines with ' ' and '-') must
stand in the file once, word for word. `--- /dev/null` makes a new file.
"""

import pathlib
import sys


def fail(reason):
    sys.exit(f"{sys.argv[1]}: {reason}")


def main():
    lines = pathlib.Path(sys.argv[1]).read_text().splitlines()
    if len(lines) < 3 or not lines[0].startswith("--- ") or not lines[1].startswith("+++ "):
        fail("it does not begin with '--- FILE' and '+++ FILE'")
    before, after = (pathlib.Path(line[4:].strip()) for line in lines[:2])
    hunks = [[]]
    for line in lines[2:]:
        if line.startswith("@@"):
            hunks.append([])
        elif line and line[0] not in " +-":
            fail(f"a line of a hunk begins with ' ', '+' or '-': {line!r}")
        else:
            hunks[-1].append(line or " ")
    hunks = [hunk for hunk in hunks if hunk]
    if not any(line[0] in "+-" for hunk in hunks for line in hunk):
        fail("it changes nothing")
    isNew = str(before) == "/dev/null"
    text = "" if isNew else (after if after.exists() else before).read_text()
    if isNew and after.exists():
        fail(f"{after} is there already")
    for hunk in hunks:
        old = "".join(line[1:] + "\n" for line in hunk if line[0] != "+")
        new = "".join(line[1:] + "\n" for line in hunk if line[0] != "-")
        # Whole lines: a hunk must not begin in the middle of one.
        count = ("\n" + text).count("\n" + old) if old else int(not text)
        if count != 1:
            fail(f"these lines stand in {before if not after.exists() else after} {count} times:\n{old}")
        at = ("\n" + text).index("\n" + old) if old else 0
        text = text[:at] + new + text[at + len(old):]
    after.parent.mkdir(parents=True, exist_ok=True)
    after.write_text(text)


main()
