#!/usr/bin/env python3
"""Holds the public interface of modules against the demand that all of it is documented.

    interface.py FOLDER

FOLDER has symbol graphs, as `swift symbolgraph-extract` writes them. Prints each public symbol without a comment with its
place, and exits 1 if there are any. What the compiler makes and names that begin with an underscore do not count.
"""

import json
import sys
from pathlib import Path


def undocumented(graph):
    for symbol in graph["symbols"]:
        if "docComment" in symbol or "location" not in symbol or "::SYNTHESIZED::" in symbol["identifier"]["precise"]:
            continue
        if any(part.startswith("_") for part in symbol["pathComponents"]):
            continue
        place = symbol["location"]
        yield f"{place['uri'].removeprefix('file://')}:{place['position']['line'] + 1}", symbol


def main():
    count = 0
    graphs = [json.loads(path.read_text()) for path in sorted(Path(sys.argv[1]).glob("*.symbols.json"))]
    for graph in graphs:
        for place, symbol in sorted(undocumented(graph), key=lambda found: found[0]):
            print(f"{place}: '{'.'.join(symbol['pathComponents'])}' is public and has no comment")
            count += 1
    if not any(graph["symbols"] for graph in graphs):
        sys.exit("interface.py: no symbols")
    sys.exit(1 if count else 0)


main()
