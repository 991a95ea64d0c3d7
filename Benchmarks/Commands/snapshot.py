"""`schemagen snapshot` where nothing changed and where a class has another property, in an app whose every 25th file is a
model, and in one of half the size."""

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
