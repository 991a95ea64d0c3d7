#!/usr/bin/env python3
"""Plants faults in the portable runtime, one at a time, and requires that an experiment finds each.

    faults.py                    all of them: builds and runs everything for each, some twenty minutes
    faults.py --only NAME…       these
    faults.py --check-patches    says only whether each fault can still be planted, exactly once

The checkout is not touched: its sources are copied to a scratch folder. Exits 1 if a fault was not found, or cannot be
planted, or if something is contradicted where no fault is planted. Needs a toolchain of swift.org's: its own SwiftSyntax
builds the macros in seconds.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCES = HERE.parent / "Sources"
EXPERIMENTS = HERE / "Sources"
MACROS = "PortableSwiftDataMacros"
# Each compiled whole into one object file, in the order in which they need each other.
MODULES = ["ManagedModels", "StoreFormat", "StoreEngine", "SwiftData"]
LIBRARIES = ["CStoreLibraries", "CSHA"]
UPCOMING = ["-enable-upcoming-feature", "ExistentialAny"]
SETTINGS = [
    *("-swift-version", "6", "-parse-as-library", "-whole-module-optimization", "-package-name", "schemagen"),
    *UPCOMING,
    *("-enable-upcoming-feature", "InternalImportsByDefault", "-enable-upcoming-feature", "MemberImportVisibility"),
]

INFERENCE = "StoreEngine/MappingInference.swift"
EXECUTION = "StoreEngine/MappingExecution.swift"
STAGES = "SwiftData/Migration/StagedMigration.swift"
GRAPH = "SwiftData/Schema/SchemaGraph.swift"
COMPOSITES = "SwiftData/Schema/CompositeShape.swift"
VALUES = "StoreFormat/Values/StorableValue.swift"
CONTAINER = "SwiftData/Context/ModelContainer.swift"
CONTEXT = "SwiftData/Context/ModelContext.swift"
HASHES = "ManagedModels/VersionHashes.swift"
INVERSES = "ManagedModels/UndeclaredInverses.swift"

# What goes wrong, where, the text that stands there exactly once, and what stands there instead.
FAULTS = [
    # Attributes
    (
        "a default is not written to old rows", INFERENCE,
        "        ValueMapping(path: attribute.name, type: attribute.type, origin: .constant(value))",
        "        ValueMapping(path: attribute.name, type: attribute.type, origin: .null)",
    ),
    (
        "a required attribute without a default passes", INFERENCE,
        "        isDemanded: !attribute.isOptional)",
        "        isDemanded: false)",
    ),
    (
        "nils stay where an attribute becomes required with a default", INFERENCE,
        "let nils = isTightened ? new.defaultConstant : nil",
        "let nils: StoredValue? = nil",
    ),
    (
        "nils pass where an attribute becomes required", INFERENCE,
        "          origin: .value(path: old.name, type: old.type, nils: nils),\n"
        "          isDemanded: isTightened && nils == nil)",
        "          origin: .value(path: old.name, type: old.type, nils: nils),\n"
        "          isDemanded: false)",
    ),
    (
        "what is ephemeral has a column", "SwiftData/Schema/ModelShape.swift",
        "    isStored = attribute?.options.contains { $0.kind == .ephemeral } != true",
        "    isStored = true",
    ),
    # Names
    (
        "an originalName is ignored", INFERENCE,
        "var identifier: String { originalName ?? name }",
        "var identifier: String { name }",
    ),
    (
        "an originalName may name the name in between", INFERENCE,
        "candidates.first { $0.identifier == property.identifier }",
        "candidates.first { $0.identifier == property.identifier || $0.name == property.identifier }",
    ),
    (
        "two properties of one renaming identifier pass", INFERENCE,
        "    try Self.checkIdentifiers(of: before)\n",
        "",
    ),
    # Types
    (
        "a number that becomes real loses digits", EXECUTION,
        'return "CAST(\\(column) AS REAL)"',
        'return "CAST(\\(column) % 1000 AS REAL)"',
    ),
    (
        "a fraction is rounded", EXECUTION,
        'return "CAST(\\(column) AS INTEGER)"',
        'return "CAST(ROUND(\\(column)) AS INTEGER)"',
    ),
    (
        "a number becomes text without a word", INFERENCE,
        "(old.isNumeric && new.isNumeric)",
        "(old.isNumeric || new.isNumeric)",
    ),
    (
        "text that becomes an enum is not a drop", INFERENCE,
        "        (match.type == .composite) == (attribute.type == .composite)\n",
        "        match.type == .composite || match.type == .string\n",
    ),
    (
        "external storage can be taken back", INFERENCE,
        "if old.isExternal, !new.isExternal {",
        "if old.isExternal, !new.isExternal, old.isOptional != new.isOptional {",
    ),
    (
        "data that becomes external is not kept", INFERENCE,
        "    if old.isExternal, !new.isExternal {",
        "    if new.isExternal, !old.isExternal { return addition(new) }\n    if old.isExternal, !new.isExternal {",
    ),
    # Enums and structs
    (
        "the leaf of an enum is as optional as the property", COMPOSITES,
        "[ManagedAttribute(name: name, type: type, isOptional: true)]",
        "[ManagedAttribute(name: name, type: type, isOptional: isOptional)]",
    ),
    (
        "an enum that is NULL can be read", "SwiftData/Coding/AttributeCodec.swift",
        "    if columns.allSatisfy(\\.isNull) { return nil }\n    return try?",
        "    if columns.allSatisfy(\\.isNull), MemoryLayout<Value>.size == 1 {\n"
        "      return unsafeBitCast(UInt8(0), to: Value.self)\n    }\n    return try?",
    ),
    (
        "a required field of a struct that comes passes", INFERENCE,
        "path: leaf.path, type: leaf.type, origin: .null, isDemanded: !element.isOptional)",
        "path: leaf.path, type: leaf.type, origin: .null, isDemanded: false)",
    ),
    (
        "a struct's fields are all optional", COMPOSITES,
        "optional[$0.name] ?? probe.lenient.contains($0.name) ? $0.optionalized : $0",
        "_ = optional; return $0.optionalized",
    ),
    # Relationships
    (
        "a mandatory relationship that comes passes", INFERENCE,
        "RelationshipMapping(target: new, isDemanded: isDemanded) }",
        "RelationshipMapping(target: new, isDemanded: false) }",
    ),
    (
        "a to-many becomes a to-one without a word", INFERENCE,
        "if old.isToMany, !new.isToMany {",
        "if old.isToMany, !new.isToMany, old.isOrdered {",
    ),
    (
        "an inverse that comes in the same step keeps links", INFERENCE,
        "guard let before, before.name == old.inverse else { return RelationshipMapping(target: new) }",
        "_ = before",
    ),
    (
        "another destination drops links instead of copying keys", INFERENCE,
        "    return RelationshipMapping(\n      target: new, source: old,",
        "    if old.destination != new.destination { return RelationshipMapping(target: new) }\n"
        "    return RelationshipMapping(\n      target: new, source: old,",
    ),
    (
        "a many-to-many that is made anew is empty", EXECUTION,
        "    for pairs in pairs(of: join) {",
        "    for pairs in pairs(of: join).dropFirst(2) {",
    ),
    (
        "rows keep their old entity's number", EXECUTION,
        "    try renumber(table)\n",
        "",
    ),
    (
        "cascade does not delete", CONTEXT,
        "case .cascade: for other in others { remove(other) }",
        "case .cascade: break",
    ),
    (
        "a class that declares one inverse infers others", INVERSES,
        "guard !own.contains(where: { isJoined[$0] }) else { continue }",
        "guard !own.allSatisfy({ isJoined[$0] }) else { continue }",
    ),
    (
        "a mandatory side pairs without being told", INVERSES,
        "for index in own where ends[index].isOptional && !isJoined[index] {",
        "for index in own where !isJoined[index] {",
    ),
    # Uniqueness and indexes
    (
        "unique is not enforced at a migration", EXECUTION,
        "for index in indexes where !known.contains(index.statement) {",
        "for index in indexes where !known.contains(index.statement) && !index.isUnique {",
    ),
    (
        "a migration builds no index", EXECUTION,
        "for index in indexes where !known.contains(index.statement) {",
        "for index in indexes where !known.contains(index.statement) && index.isUnique {",
    ),
    # Files
    (
        "a migration that fails is committed", "StoreEngine/StoreFile.swift",
        'try? database.execute("ROLLBACK")',
        'try? database.execute("COMMIT")',
    ),
    (
        "a table that is copied gets new keys", EXECUTION,
        'var expressions = ["Z_PK",',
        'var expressions = ["ROW_NUMBER() OVER (ORDER BY Z_PK)",',
    ),
    (
        "dates count from 1970", VALUES,
        "var stored: StoredValue { .real(timeIntervalSinceReferenceDate) }",
        "var stored: StoredValue { .real(timeIntervalSince1970) }",
    ),
    # What is hashed
    (
        "a hashModifier is not hashed", HASHES,
        'hash.update(modifier ?? "")',
        "_ = modifier",
    ),
    (
        "bounds of relationships are not hashed", HASHES,
        "hash.update(bytes(relationship.isToMany ? relationship.maximumCount : 1))",
        "hash.update(bytes(relationship.isToMany ? 0 : 1))",
    ),
    (
        "properties are hashed without regard to case", HASHES,
        "one.utf8.lexicographicallyPrecedes(other.utf8)",
        "one.lowercased() < other.lowercased()",
    ),
    (
        "a relationship's inverse is not hashed", HASHES,
        "if let inverse = relationship.inverse, !isOwnInverse { hash.update(inverse) }",
        "_ = isOwnInverse",
    ),
    (
        "parts of a struct are hashed as they are declared", HASHES,
        "? one.offset < other.offset : precedes(one.element.name, other.element.name)",
        "? one.offset < other.offset : one.offset < other.offset",
    ),
    (
        "uniqueness constraints are not hashed", HASHES,
        "return Array((entity.hashModifier ?? \"\").utf8) + constraints.flatMap { Array($0.utf8) }",
        "return Array((entity.hashModifier ?? \"\").utf8) + constraints.flatMap { _ in [UInt8]() }",
    ),
    # Plans
    (
        "a stage does not know the versions between its own", STAGES,
        "let between = versions[min(end, (start ?? end) + 1)..<end]",
        "let between: [Version] = []",
    ),
    (
        "a run of lightweight stages goes step by step", STAGES,
        "    try file.migrate(to: model)\n  }\n",
        "    if !stages.contains(where: { if case .custom = $0 { true } else { false } }),\n"
        "      let first = versions.firstIndex(where: { $0.identity == source.identity })\n"
        "    {\n"
        "      for version in versions[first...] { try file.migrate(to: version.model) }\n"
        "    }\n"
        "    try file.migrate(to: model)\n  }\n",
    ),
    (
        "a store of a later version is unknown instead of backwards", STAGES,
        "        .backwardMigration,\n        \"Store cannot",
        "        .unknownModelVersion,\n        \"Store cannot",
    ),
    (
        "what cannot be inferred is 134190 alone", EXECUTION,
        '.noMapping, "Can\'t find or automatically infer mapping model for migration: \\(error)")',
        '.cannotInfer, "\\(error)")',
    ),
    (
        "exceptions are raised for new stores, too", STAGES,
        "    self.stages = list\n",
        "    self.stages = list\n    check()\n",
    ),
    (
        "equal ends of a custom stage pass", STAGES,
        "case .custom(let from, let to, _, _) where from.identity == to.identity:",
        "case .custom(let from, let to, _, _) where from.type == to.type:",
    ),
    (
        "a stage that leads back is not refused", STAGES,
        "if let start, end < start {",
        "if let start, end < start - versions.count {",
    ),
    # Closures
    (
        "unsaved work of closures is kept", STAGES,
        "    try closure(ModelContext(container, graph: graph, store: StoreAccess(file, graph)))",
        "    let context = ModelContext(container, graph: graph, store: StoreAccess(file, graph))\n"
        "    try closure(context)\n    try context.save()",
    ),
    (
        "willMigrate sees the new version", STAGES,
        "try run(will, on: file, of: from, container)",
        "try run(will, on: file, of: to, container)",
    ),
    (
        "an error of didMigrate takes the migration back", STAGES,
        "      try run(did, on: file, of: to, container)",
        "      do { try run(did, on: file, of: to, container) } catch {\n"
        "        try file.migrate(to: from.model)\n        throw error\n      }",
    ),
    (
        "willMigrate runs on a store of another version", STAGES,
        "    try file.adopt(version.model)",
        "    try? file.adopt(version.model)",
    ),
    (
        "a stage that a kill ended is not repeated", STAGES,
        "        if from.identity == identity { return Place(stage: index) }",
        "        if from.identity == identity { return Place(stage: index + 1) }",
    ),
]


def run(arguments, **options):
    """Runs a program, and returns what it writes."""
    done = subprocess.run([str(argument) for argument in arguments], capture_output=True, text=True, **options)
    if done.returncode:
        raise RuntimeError(f"'{Path(arguments[0]).name}' failed:\n{done.stdout[-2000:]}{done.stderr[-6000:]}")
    return done.stdout


def folder_of(module):
    """A module's folder in the checkout, in whichever wing of Sources it lies."""
    (folder,) = SOURCES.glob(f"*/{module}")
    return folder


def planted(name, file, text, instead, path):
    """The source with a fault in it."""
    content = path.read_text()
    if content.count(text) != 1:
        raise ValueError(f"'{name}' cannot be planted: its text stands {content.count(text)} times in {file}")
    return content.replace(text, instead)


class Build:
    """The runtime and the experiments, compiled as a rehearsal compiles the runtime: without SwiftPM."""

    def __init__(self, folder, sources):
        self.folder, self.sources = folder, sources
        self.includes = [flag for library in LIBRARIES for flag in ("-I", sources / library)]
        self.plugin = ["-I", folder, "-load-plugin-library", folder / f"lib{MACROS}.so"]

    def all(self):
        self.macros()
        for module in MODULES:
            self.module(module)
        self.experiments()
        return self.link()

    def macros(self):
        target = json.loads(run(["swiftc", "-print-target-info"]))
        host = Path(target["paths"]["runtimeResourcePath"]) / "host"
        # Loaded as a library, it needs no main.
        files = [file for file in self.files(self.sources / MACROS) if file.name != "MacroPlugin.swift"]
        run(
            ["swiftc", "-emit-library", "-O", "-whole-module-optimization", "-parse-as-library", "-swift-version", "6"]
            + ["-module-name", MACROS, "-o", self.folder / f"lib{MACROS}.so", "-I", host, "-L", host]
            + ["-lSwiftSyntax", "-lSwiftSyntaxBuilder", "-lSwiftSyntaxMacros", "-Xlinker", "-rpath", "-Xlinker", host]
            + files
        )

    def module(self, name):
        run(
            ["swiftc", *SETTINGS, "-Onone", "-module-name", name, *self.plugin, *self.includes]
            + ["-emit-module", "-emit-module-path", self.folder / f"{name}.swiftmodule"]
            + ["-c", "-o", self.folder / f"{name}.o", *self.files(self.sources / name)]
        )

    def experiments(self):
        run(
            ["swiftc", "-swift-version", "6", "-parse-as-library", "-whole-module-optimization", "-Onone", *UPCOMING]
            + ["-D", "INHERITANCE", "-module-name", "experiments", "-I", EXPERIMENTS / "SystemSQLite"]
            + [*self.plugin, *self.includes, "-c", "-o", self.folder / "experiments.o"]
            + self.files(EXPERIMENTS / "schemagen-experiments")
        )

    def link(self):
        program = self.folder / "schemagen-experiments"
        objects = [self.folder / f"{name}.o" for name in [*MODULES, "experiments"]]
        run(["swiftc", "-o", program, *objects, "-lsqlite3", "-lz"])
        return program

    @staticmethod
    def files(folder):
        return sorted(folder.rglob("*.swift"))


def contradicted(program, folder):
    """The ids of the experiments that find something wrong."""
    report = folder / "facts.json"
    report.unlink(missing_ok=True)
    done = subprocess.run([program, "--report", report], capture_output=True, text=True)
    if not report.exists():
        raise RuntimeError(f"the experiments did not end:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    experiments = json.loads(report.read_text())["experiments"]
    return [experiment["id"] for experiment in experiments if experiment["verdict"] == "contradicted"]


def find(faults, scratch):
    """Plants one after the other; the number that was not found."""
    sources, folder = scratch / "Sources", scratch / "build"
    folder.mkdir()
    for name in [MACROS, *MODULES, *LIBRARIES]:
        shutil.copytree(folder_of(name), sources / name)
    build = Build(folder, sources)
    program = build.all()
    if wrong := contradicted(program, folder):
        print(f"contradicted without any fault: {', '.join(wrong)}")
        return len(faults)
    print(f"{len(faults)} faults")
    missed = 0
    for number, (name, file, text, instead) in enumerate(faults, 1):
        start = time.monotonic()
        module = file.split("/")[0]
        products = [folder / f"{module}.o", folder / f"{module}.swiftmodule"]
        kept = {product: product.read_bytes() for product in products}
        original = (sources / file).read_text()
        (sources / file).write_text(planted(name, file, text, instead, sources / file))
        try:
            build.module(module)
            found = contradicted(build.link(), folder)
        finally:
            (sources / file).write_text(original)
            for product, content in kept.items():
                product.write_bytes(content)
        missed += not found
        by = ", ".join(found[:3]) + (f" and {len(found) - 3} more" if len(found) > 3 else "")
        print(f"{number:2} {'found ' if found else 'MISSED'} {time.monotonic() - start:3.0f} s  {name}: {by or '–'}", flush=True)
    print(f"{len(faults) - missed} of {len(faults)} found")
    return missed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check-patches", action="store_true")
    parser.add_argument("--only", nargs="+", metavar="NAME")
    options = parser.parse_args()
    faults = [fault for fault in FAULTS if not options.only or fault[0] in options.only]
    try:
        for fault in faults:
            module, _, rest = fault[1].partition("/")
            planted(*fault, folder_of(module) / rest)
    except ValueError as error:
        sys.exit(f"faults.py: error: {error}")
    if options.check_patches:
        print(f"{len(faults)} faults can be planted")
        return
    scratch = Path(tempfile.mkdtemp(prefix="schemagen-faults-"))
    try:
        sys.exit(1 if find(faults, scratch) or not faults else 0)
    finally:
        shutil.rmtree(scratch)


if __name__ == "__main__":
    main()
