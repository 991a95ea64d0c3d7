#!/usr/bin/env python3
"""Plants faults in the portable runtime, one at a time, and requires that an experiment finds each."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
MACROS = "PortableSwiftDataMacros"
# Each compiled whole into one object file, in the order in which they need each other.
MODULES = ["SchemaDigests", "ManagedModels", "StoreFormat", "StoreEngine", "PortableSwiftData", "SwiftData"]
LIBRARIES = ["CSQLite", "CZlib"]
FLAGS = (
    "-swift-version 6 -parse-as-library -whole-module-optimization -package-name schemagen"
    " -enable-upcoming-feature ExistentialAny -enable-upcoming-feature InternalImportsByDefault"
    " -enable-upcoming-feature MemberImportVisibility"
).split()


def run(arguments, **options):
    done = subprocess.run([str(argument) for argument in arguments], capture_output=True, text=True, **options)
    if done.returncode:
        raise RuntimeError(f"{arguments[0]} failed:\n{done.stdout[-2000:]}{done.stderr[-60000:]}")
    return done.stdout


class Build:
    """The portable runtime and the experiments, compiled as a rehearsal compiles the former: without SwiftPM."""

    def __init__(self, folder, sources):
        self.folder, self.sources = Path(folder), Path(sources)
        self.folder.mkdir(parents=True, exist_ok=True)

    def files(self, module):
        return sorted((self.sources / module).rglob("*.swift"))

    def includes(self):
        return [flag for library in LIBRARIES for flag in ("-I", self.sources / library)]

    def macros(self):
        host = Path(run(["swiftc", "-print-target-info"]).split('"runtimeResourcePath": "')[1].split('"')[0]) / "host"
        files = [file for file in self.files(MACROS) if file.name != "MacroPlugin.swift"]
        run(
            ["swiftc", "-emit-library", "-O", "-whole-module-optimization", "-parse-as-library", "-swift-version", "6"]
            + ["-module-name", MACROS, "-o", self.folder / f"lib{MACROS}.so", "-I", host, "-L", host]
            + ["-lSwiftSyntax", "-lSwiftSyntaxBuilder", "-lSwiftSyntaxMacros"]
            + ["-Xlinker", "-rpath", "-Xlinker", host]
            + files
        )

    def plugin(self):
        return ["-I", self.folder, "-load-plugin-library", self.folder / f"lib{MACROS}.so"]

    def module(self, name):
        run(
            ["swiftc", *FLAGS, "-Onone", "-module-name", name]
            + ["-emit-module", "-emit-module-path", self.folder / f"{name}.swiftmodule"]
            + ["-c", "-o", self.folder / f"{name}.o", *self.plugin(), *self.includes(), *self.files(name)]
        )

    def experiments(self):
        run(
            ["swiftc", "-swift-version", "6", "-parse-as-library", "-whole-module-optimization", "-Onone", "-num-threads", "2"]
            + ["-enable-upcoming-feature", "ExistentialAny", "-D", "INHERITANCE", "-module-name", "experiments"]
            + ["-I", HERE / "Sources/SystemSQLite", *self.plugin(), *self.includes()]
            + ["-c", *sorted((HERE / "Sources/schemagen-experiments").rglob("*.swift"))],
            cwd=self.folder,
        )

    def link(self):
        program = self.folder / "schemagen-experiments"
        objects = [self.folder / f"{name}.o" for name in MODULES]
        own = [self.folder / f"{file.stem}.o" for file in sorted((HERE / "Sources/schemagen-experiments").rglob("*.swift"))]
        run(["swiftc", "-o", program, *own, *objects, "-lsqlite3", "-lz"])
        return program
