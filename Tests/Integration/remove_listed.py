#!/usr/bin/env python3
"""Does by hand what `adopt --finish` lists, which stands on standard input: removes declarations that are generated now.

An alias that is to stand in the place of one is written there; other members that are to be kept are not. A file that has
a generated one's name gets another.
"""

import collections
import os
import re
import sys

PLACE = re.compile(r"^(\S+\.swift):(\d+):(\d+): warning: '.*' (?:is generated now|served the old plan)")
RENAME = re.compile(r"^(\S+)\.swift:1:1: warning: .*\n(?:.*\n){0,2}  help: rename this file", re.MULTILINE)
EMPTY = re.compile(r"(?:\s*(?://[^\n]*|import [^\n]*)?\n)*\s*")
TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|"""(?:\\.|.)*?"""|"(?:\\.|[^"\\\n])*"|[{}()\[\]\n]', re.DOTALL)


def end_of(text: str, start: int) -> int:
    """Where a declaration ends: with its last brace, or its line."""
    depth = 0
    for token in TOKEN.finditer(text, start):
        if token[0] in "{([":
            depth += 1
        elif token[0] in "})]":
            depth -= 1
            if depth < 0:
                return token.start()
            if token[0] == "}" and depth == 0:
                return token.end()
        elif token[0] == "\n" and depth == 0 and not text[start : token.start()].startswith("@"):
            return token.start()
    return len(text)


def main() -> None:
    places = collections.defaultdict(list)
    keep = ""
    report = sys.stdin.read()
    for line in reversed(report.splitlines()):
        alias = re.match(r"^  help: remove it here, and keep: (typealias [^,]*)", line)
        if line.startswith("  help: "):
            keep = alias[1] if alias else ""
        elif place := PLACE.match(line):
            places[place[1]].append((int(place[2]), int(place[3]), keep))
    for path, found in places.items():
        with open(path, encoding="utf-8") as file:
            text = file.read()
        starts = [0]
        starts += [index + 1 for index, character in enumerate(text) if character == "\n"]
        done = 0
        result = ""
        for line, column, keep in sorted(found):
            start = starts[line - 1] + column - 1
            if start >= done:
                result += text[done:start] + keep
                done = end_of(text, start)
        result += text[done:]
        if EMPTY.fullmatch(result):
            os.remove(path)
            continue
        with open(path, "w", encoding="utf-8") as file:
            file.write(result)
    for stem in RENAME.findall(report):
        if os.path.exists(stem + ".swift"):
            os.rename(stem + ".swift", stem + "+App.swift")


main()
