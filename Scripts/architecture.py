#!/usr/bin/env python3
"""Writes the picture of the modules and their table, from Package.swift, between marks in documentation.

    Scripts/architecture.py [--check]

The picture and the lines of each wing go to docs/architecture.md, the table to CONTRIBUTING.md. A module's purpose is the first sentence of the
comment directly above its target. Package.swift is read as text, since the dump of a manifest has only the targets of
the platform it was made on; the dump is used to see that the text was understood. With --check nothing is written, and
stale files are errors, shown as a diff.

Left out: tests and what lies in Tests/, and plugins. The picture also leaves out C libraries. A product whose name
begins with an underscore is for Benchmarks/ alone and none here.
"""

import difflib
import json
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OPEN, CLOSE = "<!-- modules -->", "<!-- /modules -->"
KINDS = {
    "systemLibrary": "system", "target": "regular", "executableTarget": "executable", "macro": "macro",
    "testTarget": "test", "plugin": "plugin",
}


@dataclass
class Target:
    name: str
    kind: str
    purpose: str
    dependencies: list  # Names of targets and, with their package, of products.
    in_tests: bool
    # `#if` around it, such as `os(Linux)`, and whether it stands behind `#else`.
    platform: str = ""
    knows: list = field(default_factory=list)
    level: int = 0


def enclosed(text, start):
    """The text from a place to the bracket that closes the first one behind it."""
    depth = 0
    for match in re.compile(r'"(?:[^"\\]|\\.)*"|//[^\n]*|[()\[\]]').finditer(text, start):
        if match[0] in "()[]":
            depth += 1 if match[0] in "([" else -1
            if depth == 0:
                return text[start:match.end()]
    sys.exit("architecture.py: Package.swift: a bracket is never closed")


def dependencies(source):
    """What `dependencies: […]` of a target lists."""
    source = re.sub(r"(?m)^\s*//.*$", "", source)
    match = re.search(r"\bdependencies: \[", source)
    if not match:
        return []
    found = []
    for product, package, name in re.findall(
            r'\.product\(\s*name: "([^"]+)",\s*package: "([^"]+)"|"([^"]+)"',
            enclosed(source, match.start())):
        found.append(name or (product, package))
    return found


def read_targets(text):
    targets = {}
    conditions, comment, offset = [], [], 0
    declaration = re.compile(r"\s*(?:package\.targets\.append\()?(\.(%s)\()" % "|".join(KINDS))
    # Products and dependencies are declared with words that targets have too.
    products, offset_of_targets = set(), text.index("targets: [\n", text.index("dependencies: [\n"))
    for source in re.findall(r'\.(?:executable|library)(\(\s*name: "[^_].*?\]\))', text, re.S):
        name, *of = re.findall(r'"([^"]+)"', source)
        products |= {name} & set(of)
    for line in text.splitlines(keepends=True):
        stripped = line.strip()
        if stripped.startswith("#if"):
            conditions.append(stripped.removeprefix("#if "))
        elif stripped == "#else":
            conditions[-1] = f"not {conditions[-1]}"
        elif stripped == "#endif":
            conditions.pop()
        match = declaration.match(line)
        if match and offset >= offset_of_targets:
            source = enclosed(text, offset + match.start(1))
            name = re.search(r'name: "([^"]+)"', source)[1]
            path = re.search(r'\bpath: "([^"]+)"', source)
            targets[name] = Target(
                name, KINDS[match[2]], re.split(r"(?<=\.)\s", " ".join(comment) + " ")[0].strip(" ."),
                dependencies(source), bool(path and path[1].startswith("Tests/")), " ".join(conditions))
        comment = comment + [stripped[2:].strip()] if re.match(r"//(?!/)", stripped) else []
        offset += len(line)
    return targets, products


def compare_with_dump(targets):
    """Ends the script where SwiftPM sees something else than was read here."""
    run = subprocess.run(["swift", "package", "dump-package"], cwd=ROOT, capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"architecture.py: swift package dump-package failed:\n{run.stderr}")
    for dumped in json.loads(run.stdout)["targets"]:
        known = [
            tuple(entry["product"][:2]) if "product" in entry else next(iter(entry.values()))[0]
            for entry in dumped["dependencies"]
        ]
        if dumped["type"] in ("test", "plugin"):
            continue
        target = targets.get(dumped["name"])
        if target is None or target.kind != dumped["type"] or target.dependencies != known:
            sys.exit(
                f"architecture.py: Package.swift was read wrongly: target '{dumped['name']}' is {dumped['type']} "
                f"with {known}, and was read as {target}. Fix Scripts/architecture.py.")


def lay_out(targets):
    """Leaves out what no reader looks for, and finds levels and the edges that say something."""
    modules = {
        name: target for name, target in targets.items()
        if target.kind not in ("test", "plugin") and not target.in_tests
    }

    def reachable(name, seen):
        for other in modules[name].dependencies:
            if other in modules and other not in seen:
                seen.add(other)
                reachable(other, seen)
        return seen

    def level(target):
        levels = [level(modules[name]) for name in target.dependencies if name in modules]
        return 0 if target.kind == "system" else 1 + max(levels, default=0)

    for target in modules.values():
        if not target.purpose:
            sys.exit(f"architecture.py: Package.swift: no comment above target '{target.name}' says what it is for")
        direct = [name for name in target.dependencies if name in modules]
        further = set().union(*(reachable(name, set()) for name in direct))
        target.knows = [name for name in direct if name not in further]
        target.level = level(target)
    return modules


def folder_of(name):
    """A module's folder: in whichever wing of Sources it lies, or Templates/."""
    found = list((ROOT / "Sources").glob(f"*/{name}"))
    if len(found) > 1:
        sys.exit(f"architecture.py: '{name}' lies in several wings of Sources")
    return found[0] if found else ROOT / "Templates"


def wing(name):
    folder = folder_of(name)
    return folder.name if folder.parent == ROOT else folder.parent.name


def platform(target):
    name = re.sub(r"os\((\w+)\)", r"\1", target.platform)
    return f"{name} only" if name and not name.startswith("not ") else name


def picture(modules, products):
    shown = {
        name: target for name, target in modules.items()
        if target.kind != "system"
    }
    identifier = {name: re.sub(r"\W", "_", name) for name in shown}
    lines = ["```mermaid", "flowchart TD"]
    for place in sorted({wing(name) for name in shown}):
        lines.append(f'  subgraph {place}Wing["{place}"]')
        for name, target in sorted(shown.items()):
            if wing(name) == place:
                style = ("product" if name in products else "module") + ("Elsewhere" if target.platform else "")
                lines.append(f'    {identifier[name]}["{name}"]:::{style}')
        lines.append("  end")
    for name, target in sorted(shown.items()):
        lines += [f"  {identifier[name]} --> {identifier[other]}" for other in sorted(target.knows) if other in shown]
    lines += [
        "  classDef module fill:#eef,stroke:#557,color:#000",
        "  classDef product fill:#fd9,stroke:#960,color:#000",
        "  classDef moduleElsewhere fill:#eef,stroke:#557,color:#000,stroke-dasharray:5 3",
        "  classDef productElsewhere fill:#fd9,stroke:#960,color:#000,stroke-dasharray:5 3",
        "```",
    ]
    return [
        f"{len(shown)} modules on {max(target.level for target in shown.values())} levels, in the folders of `Sources` and "
        "in `Templates`. An arrow leads from a module",
        "to one that it uses; an arrow is left out if a chain of other arrows connects the two modules. Products are orange. Dashed: Linux only.",
        "",
    ] + lines


def weights():
    """How many lines of Swift each wing has, in hundreds: whoever adds some sees it. Generated lines are counted apart."""
    counts, generated = {}, 0
    for file in (ROOT / "Sources").rglob("*.swift"):
        place, text = file.relative_to(ROOT / "Sources").parts[0], file.read_text()
        if text.startswith("// Generated by "):
            generated += text.count("\n")
        else:
            counts[place] = counts.get(place, 0) + text.count("\n")
    rows = [(place, round(count, -2)) for place, count in sorted(counts.items())]
    return [
        "", "| folder of `Sources` | lines of Swift, to the nearest hundred |", "|---|---:|",
        *(f"| {place} | {count:,} |" for place, count in rows), f"| all | {sum(count for _, count in rows):,} |",
        f"| beside them, written by `Scripts/rules.py` and `Scripts/keys.py` | {round(generated, -2):,} |",
    ]


def table(modules):
    lines = ["| level | wing | module | what it is for | uses directly |", "|---|---|---|---|---|"]
    for target in sorted(modules.values(), key=lambda target: (target.level, target.name)):
        packages = sorted({name[1] for name in target.dependencies if isinstance(name, tuple)})
        uses = ", ".join([f"`{name}`" for name in sorted(target.knows)] + packages)
        where = f" ({platform(target)})" if target.platform else ""
        lines.append(f"| {target.level} | {wing(target.name)} | `{target.name}` | {target.purpose}{where} | {uses} |")
    return lines


def replaced(path, lines):
    text = path.read_text()
    if text.count(OPEN) != 1 or text.count(CLOSE) != 1:
        sys.exit(f"architecture.py: {path.relative_to(ROOT)} must have '{OPEN}' and '{CLOSE}' once each")
    before, rest = text.split(OPEN)
    after = rest.split(CLOSE)[1]
    note = "<!-- written by Scripts/architecture.py from Package.swift -->"
    return text, before + "\n".join([OPEN, note, "", *lines, "", CLOSE]) + after


def main():
    targets, products = read_targets((ROOT / "Package.swift").read_text())
    compare_with_dump(targets)
    modules = lay_out(targets)
    stale = False
    for path, lines in (
            (ROOT / "docs/architecture.md", picture(modules, products) + weights()), (ROOT / "CONTRIBUTING.md", table(modules))):
        old, new = replaced(path, lines)
        if old == new:
            continue
        if "--check" not in sys.argv:
            path.write_text(new)
            continue
        stale = True
        name = str(path.relative_to(ROOT))
        sys.stdout.writelines(difflib.unified_diff(
            old.splitlines(keepends=True), new.splitlines(keepends=True), name, f"{name}, as Package.swift has it"))
    if stale:
        print("architecture.py: stale: run Scripts/architecture.py", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
