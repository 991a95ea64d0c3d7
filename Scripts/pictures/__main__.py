#!/usr/bin/env python3
"""Draws the pictures of the documentation, as SVG.

    python3 Scripts/pictures [--check]

Each module here that has a `draw` is one picture in docs/pictures. With --check nothing is written, and a picture that
is missing or is not what its module draws is an error.
"""

import importlib
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
FOLDER = HERE.parent.parent / "docs/pictures"
LIMIT = 40_000


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    modules = [importlib.import_module(path.stem) for path in sorted(HERE.glob("[!_]*.py"))]
    pictures = {f"{picture.name}.svg": picture.svg() for picture in (m.draw() for m in modules if hasattr(m, "draw"))}
    for name, text in pictures.items():
        if len(text.encode()) > LIMIT:
            sys.exit(f"pictures: {name} has {len(text.encode())} bytes, more than {LIMIT}")
    there = {path.name: path.read_text() for path in FOLDER.glob("*.svg")}
    if sys.argv[1:] == ["--check"]:
        stale = sorted(name for name in there.keys() | pictures.keys() if there.get(name) != pictures.get(name))
        if stale:
            sys.exit(f"pictures: not what Scripts/pictures draws: {', '.join(stale)}; run 'make pictures'")
        return
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in there.keys() - pictures.keys():
        (FOLDER / name).unlink()
    for name, text in pictures.items():
        if there.get(name) != text:
            (FOLDER / name).write_text(text)


main()
