#!/usr/bin/env python3
"""Asks schemagen whether what the pictures say is true.

    pictures.py SCHEMAGEN

A line for each statement; exits 1 if one is false. The pictures of a rehearsal, of files and of properties are drawn from
data, that of bridges is what Tests/Integration/rehearse.sh tries, and each row of that of launches names a test of
SchemaMigrationKitTests.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "Scripts/pictures"))
import checksum  # noqa: E402
import launch  # noqa: E402

SCHEMAGEN = str(Path(sys.argv[1]).resolve())
# The model of the picture.
RECIPE = """\
version: 1.0.0
models:
  Recipe:
    index: [[cooked]]
    properties:
      id: { type: UUID, unique: true }
      name: { type: String, default: '""', originalName: title }
      rating: Int?
      kind: Kind = Kind.main
      cooked: { type: Date, hashModifier: V4 }
      photo: { type: Data?, externalStorage: true }
      steps: { relationship: "[Step]", inverse: recipe, deleteRule: cascade }
  Step:
    properties:
      text: String?
      recipe: { relationship: Recipe? }
types:
  Kind: { enum: String, cases: [main, dessert] }
"""
# What is marked in the picture, and an edit that changes it. Two parts of one spelling have an edit each.
ENTERS = [
    ("Recipe", [("Recipe", "Dish")]),
    (".unique", [(", unique: true", "")]),
    ("id", [(" id:", " key:")]),
    ("UUID", [("UUID", "String")]),
    ("name", [(" name:", " label:")]),
    ("String", [("type: String, default: '\"\"'", "type: Data, default: Data()")]),
    ("rating", [("rating", "stars")]),
    ("Int?", [("Int?", "Int = 0")]),
    ("kind", [(" kind:", " sort:")]),
    ("String", [("enum: String, cases: [main, dessert]", "enum: Int, cases: { main: 1, dessert: 2 }")]),
    ('hashModifier: "V4"', [("hashModifier: V4", "hashModifier: V5")]),
    ("cooked", [("cooked", "eaten")]),
    ("Date", [("type: Date", "type: Double")]),
    (".externalStorage", [(", externalStorage: true", "")]),
    ("photo", [("photo", "image")]),
    ("Data?", [("type: Data?", "type: Data, default: Data()")]),
    (r"inverse: \Step.recipe", [("inverse: recipe", "inverse: dish"), ("      recipe:", "      dish:")]),
    ("steps", [("steps", "parts")]),
    ("[Step]", [('"[Step]"', '"[Step]?"')]),
]
STAYS_OUT = [
    ("the version number", [("version: 1.0.0", "version: 2.0.0")]),
    ("the index", [("    index: [[cooked]]\n", "")]),
    ("originalName", [(", originalName: title", "")]),
    ("a default", [("'\"\"'", "'\"x\"'")]),
    ("the name of an enum", [("Kind", "Sort")]),
    ("the cases of an enum", [("dessert", "side")]),
    ("the delete rule", [("cascade", "nullify")]),
]
failed = 0


def check(name, is_true, found=""):
    global failed
    failed += not is_true
    print(f"{'PASS' if is_true else 'FAIL'}  {name}{'' if is_true else f': {found}'}")


def edited(text, edits):
    for old, new in edits:
        assert old in text, old
        text = text.replace(old, new)
    return text


def generate(*manifests):
    """What `generate` prints, and the files that it writes, by name."""
    with tempfile.TemporaryDirectory() as folder:
        for text in manifests:
            number = re.search(r"version: (\d+)", text)[1]
            (Path(folder) / f"V{number}.yaml").write_text(text)
        (Path(folder) / "schemagen.yaml").write_text("documentation: none\n")
        run = subprocess.run([SCHEMAGEN, "generate", "--schemas", folder], capture_output=True, text=True)
        return run.stdout, {path.name: path.read_text() for path in Path(folder).rglob("*.*") if path.is_file()}


def version_checksum(manifest):
    printed, files = generate(manifest)
    found = re.search(r"checksum: (\S+)", files.get("schema.lock", ""))
    return found[1] if found else printed


def checksums():
    marked = [part.split("›")[0] for part in checksum.SOURCE.split("‹")[1:]]
    check("checksum: each marked part is tried", marked == [part for part, _ in ENTERS], marked)
    before = version_checksum(RECIPE)
    check("checksum: there is one", re.fullmatch(r"[\w+/]{43}=", before), before)
    for part, edits in ENTERS:
        after = version_checksum(edited(RECIPE, edits))
        check(f"checksum: '{part}' enters", re.fullmatch(r"[\w+/]{43}=", after) and after != before, after)
    for part, edits in STAYS_OUT:
        after = version_checksum(edited(RECIPE, edits))
        check(f"checksum: {part} stays out", after == before, after)


def bridge():
    first = 'version: 1.0.0\nmodels: { Recipe: { properties: { name: String = "", servings: String = "" } } }\n'
    second = ('version: 2.0.0\nsummary: A number\nmodels: { Recipe: { properties: { name: String = "", people: '
              "{ type: Int, default: 1, from: servings, convert: 'Int($0.filter(\\.isNumber)) ?? 1' } } } }\n")
    printed, files = generate(first, second)
    between = files.get("SchemaV1ToV2.swift", printed)
    check("bridge: it has both columns", "var servings: String" in between and "var people: Int?" in between, between)
    plan = files.get("MigrationPlan.swift", "")
    stages = re.findall(r"\.(lightweight|custom)\(\s*fromVersion: (\w+)\.self,\s*toVersion: (\w+)\.self", plan)
    check("bridge: a lightweight stage, then a custom one", stages == [
        ("lightweight", "SchemaV1", "SchemaV1ToV2"), ("custom", "SchemaV1ToV2", "SchemaV2")], stages)


def barrier():
    manifest = "version: {0}.0.0\nsummary: It\nmodels: {{ Trip: {{ properties: {{ id: UUID, {1} }} }} }}\n"
    printed, files = generate(
        manifest.format(1, "startDate: Date?"), manifest.format(2, "note: String?") + "drops: { Trip.startDate: gone }\n",
        manifest.format(3, "startDate: Date?, note: String?"))
    check("barrier: from V2 to V3", "V2 → V3  lightweight, as a barrier stage" in printed, printed)
    plan = " ".join(re.sub(r"\s*///", "", files.get("MigrationPlan.swift", "")).split())
    check("barrier: nil step by step, the old value at once",
          "`Trip.startDate`, V1 to V3: step by step nil, at once the value of 'startDate'" in plan, plan)


def launches():
    for *_, then, test in launch.KILLS:
        suite, name = test.split("/")
        path = ROOT / f"Tests/SchemaMigrationKitTests/{suite}.swift"
        check(f"launch: '{then}' has a test", path.exists() and re.search(rf"@Test[^@]*func {name}\(", path.read_text()), test)


checksums()
bridge()
barrier()
launches()
sys.exit(1 if failed else 0)
