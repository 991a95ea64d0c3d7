#!/usr/bin/env bash
# Times `schemagen-sources lint-code` beside ripgrep and ast-grep doing the nearest job, and `snapshot`, on synthetic apps.
#
#   benchmark-sources.sh [--debug-only] [files]
#
# Whole commands, taken in turns, the median of five, in a tree where no file names a version and in one where one in
# fifty does. ripgrep looks for the names as text, ast-grep for identifiers that are spelled so: neither knows which is
# whose. Each has to find what there is, or nothing is measured. Prints a table in Markdown.
#
# `snapshot` is timed where nothing changed and where a class has another property, in an app whose every 25th file is a
# model, and in one of half the size.
set -euo pipefail

. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
cd "$root"

configurations=(release debug)
files=5000
while (($#)); do
  case $1 in
  --debug-only) configurations=(debug) ;;
  *[!0-9]*) fail "usage: benchmark-sources.sh [--debug-only] [files]" ;;
  *) files=$1 ;;
  esac
  shift
done

Scripts/install-python-tools.sh --with-search
commands=()
for configuration in "${configurations[@]}"; do
  swift build --quiet -c "$configuration" --product schemagen-sources >&2
  commands+=("$configuration=$(swift build -c "$configuration" --show-bin-path)/schemagen-sources")
done
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$(Scripts/build-benchmarks.sh --product schemagen-benchmark)/schemagen-benchmark" --sources "$files" --write "$scratch"

.build/tools/bin/python - "$root/.build/tools/bin" "$scratch" "$files" "${commands[@]}" <<'PYTHON'
import pathlib, statistics, subprocess, sys, time

tools, scratch, files, *commands = sys.argv[1:]
scratch, files = pathlib.Path(scratch), int(files)
models = "UserProfileModel|HabitModel|HabitLogModel|CategoryModel|TripModel|NoteModel"
names = f"(SchemaV[0-9]+(ToV[0-9]+)?|({models})V[0-9]+)"
rule = "\n".join([
    "id: hardcoded-version", "language: swift", "rule:", "  any:",
    f"    - {{ kind: simple_identifier, regex: '^{names}$' }}",
    f"    - {{ kind: type_identifier, regex: '^{names}$' }}"])

tasks = [(f"`schemagen-sources lint-code`, {command.split('=')[0]}",
          [command.split("=")[1], "lint-code"]) for command in commands]
ripgrep = [f"{tools}/rg", "--line-number", "--glob", "*.swift", f"\\b{names}\\b", "."]
tasks += [("ripgrep", ripgrep),
          ("ast-grep", [f"{tools}/ast-grep", "scan", "--inline-rules", rule, "--json=stream"])]


def run(command, tree):
    done = subprocess.run(command, cwd=scratch / tree, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"{command[0]}: exit status {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


# Two names in one file of fifty; in one of a thousand, a comment has one.
there = 2 * len(range(0, files, 50))
comments = len(range(0, files, 1000))
for name, command in tasks:
    report = ["--format", "json"] if "lint-code" in command else []
    found = {tree: run(command + report, tree) for tree in ("clean", "found")}
    if command is ripgrep:
        counts = {tree: len(text.splitlines()) - comments for tree, text in found.items()}
    elif "ast-grep" in name:
        counts = {tree: len(text.splitlines()) for tree, text in found.items()}
    else:
        counts = {tree: text.count('"hardcoded-version"') for tree, text in found.items()}
    # The rule's id stands in a report once more where rules are described.
    if counts["clean"] not in (0, 1) or not there <= counts["found"] <= there + 1:
        sys.exit(f"{name}: {counts}, where there are {there}")

times = {}
for _ in range(5):
    for tree in ("clean", "found"):
        for name, command in tasks:
            start = time.perf_counter()
            run(command, tree)
            times.setdefault((name, tree), []).append(time.perf_counter() - start)

median = {key: statistics.median(taken) for key, taken in times.items()}
size = sum(path.stat().st_size for path in (scratch / "clean").rglob("*.swift")) / 2**20
versions = [subprocess.run([command[0], "--version"], capture_output=True, text=True).stdout.split("\n")[0]
            for _, command in tasks[-2:]]
print(f"{files} Swift files, {size:.1f} MiB, {len(models.split('|'))} models in 9 versions; {', '.join(versions)}; "
      "median of 5\n")
print("| command | nothing found, s | × ripgrep | one file in fifty, s | × ripgrep |\n|---|---|---|---|---|")
targets = ["", " (target: 1.5)", " (target: 0.4)", ""]
for name, _ in tasks:
    cells = []
    for tree in ("clean", "found"):
        cells += [f"{median[name, tree]:.3f}", f"{median[name, tree] / median['ripgrep', tree]:.1f}"]
    if name.endswith(", release"):
        cells = [cell + target for cell, target in zip(cells, targets)]
    print(f"| {name} | {' | '.join(cells)} |")
PYTHON

.build/tools/bin/python - "$scratch" "$files" "${commands[@]}" <<'PYTHON'
import pathlib, statistics, subprocess, sys, time

scratch, files, *commands = sys.argv[1:]
scratch, files = pathlib.Path(scratch), int(files)

model = """import Foundation
import SwiftData

/// One of the things that the app keeps.
@Model
final class Thing{0} {{
  @Attribute(.unique) var identifier: UUID = UUID()
  var title: String = ""
  var count: Int = 1
  var created: Date?
  var kind: Thing{0}Kind = Thing{0}Kind.plain
  var owner: Thing{1}?
  @Relationship(deleteRule: .cascade, inverse: \\Thing{2}.owner) var others: [Thing{2}] = []
  init() {{}}
}}

enum Thing{0}Kind: String, Codable {{ case plain, special }}
"""
row = """
  private func row{0}(_ thing: Thing{1}) -> some View {{
    HStack {{
      Text(thing.title).font(.headline)
      Spacer()
      if thing.count > {0} {{ Image(systemName: "star").foregroundStyle(.yellow) }}
    }}
    .padding({0})
  }}
"""
screen = """import SwiftData
import SwiftUI

/// A screen.
struct Screen{0}: View {{
  @Query private var things: [Thing{1}]

  var body: some View {{
    List(things) {{ thing in row0(thing) }}
  }}
{2}}}
"""


def run(command, tree, *arguments):
    done = subprocess.run([command, *arguments], cwd=tree, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{arguments[0]}: exit status {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")


def write(tree, models, files):
    for number in range(files):
        folder = tree / "App" / f"Feature{number // 50}"
        folder.mkdir(parents=True, exist_ok=True)
        thing = number % models
        if number < models:
            text = model.format(thing, (thing - 1) % models, (thing + 1) % models)
            (folder / f"Thing{thing}.swift").write_text(text)
        else:
            rows = "".join(row.format(place, thing) for place in range(12))
            (folder / f"Screen{number}.swift").write_text(screen.format(number, thing, rows))


def timed(command, tree):
    start = time.perf_counter()
    run(command, tree, "snapshot")
    return time.perf_counter() - start


print("\nmedian of 5\n\n| command | classes | files | nothing changed, s | a property more or less, s |\n|---|---|---|---|---|")
for command in commands:
    name, command = command.split("=")
    for count in (files // 2, files):
        models = max(count // 25, 2)
        tree = scratch / f"{name}-{count}"
        write(tree, models, count)
        run(command, tree, "adopt", "App")
        run(command, tree, "snapshot")
        (tree / "Schemas/V1.yaml").write_text(
            (tree / "Schemas/V1.yaml").read_text().replace("\nidentity: shipped\n", "\n"))
        edited = tree / "App/Feature0/Thing0.swift"
        text = edited.read_text()
        unchanged, changed = [], []
        for turn in range(5):
            more = "  var count: Int = 1\n  var added: Int = 1\n"
            edited.write_text(text if turn % 2 else text.replace("  var count: Int = 1\n", more))
            changed.append(timed(command, tree))
            unchanged.append(timed(command, tree))
        if "added: Int = 1" not in (tree / "Schemas/V1.yaml").read_text():
            sys.exit("the snapshot has no new property")
        target = " (target: 1)" if name == "release" and count == files else ""
        print(f"| `schemagen-sources snapshot`, {name} | {models} | {count} "
              f"| {statistics.median(unchanged):.3f}{target} | {statistics.median(changed):.3f}{target} |")
PYTHON
