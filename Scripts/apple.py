#!/usr/bin/env python3
"""Compiles Sources and Plugins for Apple's systems, on Linux, as far as types: what their conditions say there, and what
is there on the oldest systems that Package.swift names.

    Scripts/apple.py [--modules DIR] [SYSTEM…]
    Scripts/apple.py [--modules DIR] --sdk DIR

Without --sdk the compiler knows every system; what it lacks here is their modules. So it gets copies of those of Linux with another
system's name in them: the standard library, and the half of Foundation that is the same everywhere, tell there since
which version of Apple's systems something is available. What only Apple has is in Tests/Support/SwiftUIInterface. C has the
types that it has on Linux, and the other half of Foundation tells no versions: a Mac may still find more.

What compiles stays in .build/apple. A module is compiled again where it, one that it imports, or anything else that the
compiler is told has changed. Headers below /usr/include do not count: remove .build/apple after an upgrade of them.

--modules DIR   where SwiftPM has built the packages' modules; without it, .build/debug/Modules
--sdk DIR       compiles against a real SDK, for its system, on a machine that has one: a Mac, where
                `xcrun --sdk iphoneos --show-sdk-path` prints the folder. Besides the sources it compiles what we have
                generated, in every mode of the tests that its Xcode has, and on macOS the experiments, against the
                SDK's SwiftData.
                Nothing of an SDK is copied. `swiftc` is the one on the PATH, on a Mac xcrun's
SYSTEM          macOS: everything that is not for Linux alone; iOS, tvOS or watchOS: what apps link. Without any, all of
                them. visionOS counts by versions of iOS, which only its SDK tells
"""

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from architecture import ROOT, folder_of, read_targets

STAND_INS = ROOT / "Tests/Support/SwiftUIInterface"
# Each system's name in a triple, and that of its folder of libraries.
SYSTEMS = {
    "macOS": ("macosx", "macosx"), "iOS": ("ios", "iphoneos"), "tvOS": ("tvos", "appletvos"),
    "watchOS": ("watchos", "watchos"),
}
# Those of an SDK, by the beginning of its canonical name.
SDK_NAMES = {libraries: name for name, (_, libraries) in SYSTEMS.items()} | {"xros": "visionOS"}
TRIPLES = {name: triple for name, (triple, _) in SYSTEMS.items()} | {"visionOS": "xros"}
# The oldest version whose SwiftData has `#Unique` and `#Index`, and that in which models inherit.
NEWER = {
    "macOS": ("15.0", "26.0"), "iOS": ("18.0", "26.0"), "tvOS": ("18.0", "26.0"), "watchOS": ("11.0", "26.0"),
    "visionOS": ("2.0", "26.0"),
}
# Headers of Linux, for a compiler that would take them for Apple's. `stat` has Apple's names.
C = [
    "-fno-define-target-os-macros", "-U__APPLE__", "-U__MACH__", "-U__nonnull", "-U__nullable", "-U__null_unspecified",
    "-D__linux__=1", "-D__gnu_linux__=1", "-D__unix__=1", "-D__ELF__=1", "-D_GNU_SOURCE=1",
    "-UOS_OBJECT_HAVE_OBJC_SUPPORT", "-DOS_OBJECT_HAVE_OBJC_SUPPORT=0",
    "-Dst_atim=st_atimespec", "-Dst_mtim=st_mtimespec", "-Dst_ctim=st_ctimespec",
]


def digest(*parts):
    """Of texts, and of files by their names and bytes."""
    result = hashlib.sha256()
    for part in parts:
        for piece in (part.name.encode(), part.read_bytes()) if isinstance(part, Path) else (str(part).encode(),):
            result.update(len(piece).to_bytes(8, "big") + piece)
    return result.hexdigest()


class System:
    """One of Apple's systems, made of Linux's modules."""

    def __init__(self, name, version, packages):
        triple, libraries = SYSTEMS[name]
        self.folder = ROOT / ".build/apple" / name
        self.modules = self.folder / "modules"
        resources = self.folder / "resources"
        # By module: of all that it was made of.
        self.digests = {}

        told = subprocess.run(["swiftc", "-print-target-info"], capture_output=True, text=True, check=True).stdout
        host = re.search(r'"unversionedTriple"\s*:\s*"([^"]+)"', told)[1]
        machine = host.split("-")[0]
        apple = f"arm64-apple-{triple}"
        # A name in a module's file is replaced by one of the same length; zeros behind the point say nothing.
        self.names = host.encode(), f"{apple}{version}.".ljust(len(host), "0").encode()

        toolchain = Path(os.path.realpath(shutil.which("swiftc"))).parent.parent / "lib"
        clang = max((toolchain / "clang").iterdir())
        glibc = toolchain / "swift/linux" / machine
        headers = [path for path in (ROOT / "Sources/System").rglob("*") if path.suffix in (".h", ".modulemap")]
        self.key = digest(told, str(toolchain), apple, version, Path(__file__), *sorted(packages), *sorted(headers))
        if not (self.folder / "key").exists() or (self.folder / "key").read_text() != self.key:
            shutil.rmtree(self.folder, ignore_errors=True)
            self.modules.mkdir(parents=True)
            (resources / libraries).mkdir(parents=True)
            for path in (toolchain / "swift").iterdir():
                if path.name not in ("linux", "clang"):
                    (resources / path.name).symlink_to(path)
            (resources / "clang").symlink_to(clang)
            for path in (toolchain / "swift/linux").glob(f"*.swiftmodule/{host}.swiftmodule"):
                library = f"{apple.replace('macosx', 'macos')}.swiftmodule"
                self.copy(path, resources / libraries / path.parent.name / library)
            for path in [*(toolchain / "swift/pm/PluginAPI").glob("*.swiftmodule"), *packages]:
                self.copy(path, self.modules / path.name)
            shutil.copy(glibc / "SwiftGlibc.h", self.folder)
            (self.folder / "module.modulemap").write_text(
                re.sub(r'header "(?!SwiftGlibc)', 'header "/usr/include/', (glibc / "glibc.modulemap").read_text()))
            (self.folder / "key").write_text(self.key)

        c = [*C, "-U__aarch64__", f"-D__{machine}__=1", f"-fmodule-map-file={self.folder}/module.modulemap",
             f"-fmodule-map-file={toolchain}/swift/dispatch/module.modulemap"]
        for path in (clang / "include", f"/usr/include/{machine}-linux-gnu", "/usr/include"):
            c += ["-isystem", str(path)]
        for path in sorted((ROOT / ".build/checkouts").glob("*/Sources/*/include/module.modulemap")):
            c += ["-I", str(path.parent)]
        self.options = [
            "-target", f"{apple}{version}", "-resource-dir", resources, "-module-cache-path",
            self.folder / "cache", "-swift-version", "6", "-package-name", "schemagen", "-I", self.modules,
            # Linux's Foundation has none.
            "-Xfrontend", "-disable-objc-interop",
        ] + [text for option in c for text in ("-Xcc", option)]

    def compiler(self):
        return ["swiftc"]

    def copy(self, path, copy):
        copy.parent.mkdir(exist_ok=True)
        copy.write_bytes(path.read_bytes().replace(*self.names))

    def compile(self, name, files, *options, imports=()):
        """Makes a module, bodies included; what the compiler says against it. Not again where nothing has changed."""
        module = self.modules / f"{name.replace('-', '_')}.swiftmodule"
        imported = [self.digests[other] for other in imports]
        made = digest(self.key, *map(str, [*self.options, *options]), *imported, *files)
        self.digests[name] = made
        kept = module.with_suffix(".made")
        if kept.exists() and kept.read_text() == made:
            return ""
        kept.unlink(missing_ok=True)
        outcome = subprocess.run(
            [*self.compiler(), "-emit-module", "-wmo", "-module-name", name.replace("-", "_"), "-o", module, *self.options,
             *options, *files],
            capture_output=True, text=True)
        if outcome.returncode or "warning:" in outcome.stderr:
            return outcome.stderr
        kept.write_text(made)
        return ""


class SDK(System):
    """A real one."""

    def __init__(self, folder, modules, oldest):
        settings = folder / "SDKSettings.json"
        if not settings.exists():
            sys.exit(f"apple.py: '{folder}' is no SDK: it has no SDKSettings.json")
        told = json.loads(settings.read_text())
        canonical = told["CanonicalName"]
        known = re.match(r"([a-z]+?)([\d.]+)", canonical)
        if not known or known[1] not in SDK_NAMES:
            sys.exit(f"apple.py: '{canonical}' is the SDK of no system that apps with SwiftData run on")
        self.name = SDK_NAMES[known[1]]
        self.sdk, self.version, self.oldest = folder, known[2], oldest[self.name]
        self.folder = ROOT / ".build/apple" / canonical
        self.modules = self.folder / "modules"
        self.modules.mkdir(parents=True, exist_ok=True)
        self.digests = {}
        version = subprocess.run([*self.compiler(), "--version"], capture_output=True, text=True, check=True)
        self.key = digest(str(folder), settings, version.stdout, Path(__file__))
        self.options = [*self.target(self.oldest), "-I", self.modules]
        if self.name == "macOS":
            # The packages that the command is made of, as SwiftPM has built them for this machine.
            self.options += ["-I", modules]
            for path in sorted((ROOT / ".build/checkouts").glob("*/Sources/*/include/module.modulemap")):
                self.options += ["-Xcc", "-I", "-Xcc", str(path.parent)]
            yaml = shutil.which("pkg-config") and subprocess.run(
                ["pkg-config", "--cflags-only-I", "yaml-0.1"], capture_output=True, text=True)
            self.options += [text for flag in (yaml.stdout.split() if yaml else []) for text in ("-Xcc", flag)]

    def compiler(self):
        return ["xcrun", "swiftc"] if shutil.which("xcrun") else ["swiftc"]

    def target(self, version):
        return [
            "-sdk", self.sdk, "-target", f"arm64-apple-{TRIPLES[self.name]}{version}", "-module-cache-path",
            self.folder / "cache", "-swift-version", "6", "-package-name", "schemagen",
        ]

    def has(self, version):
        """Whether the SDK is of that version of its system, or a later one."""
        def numbers(text):
            return [int(number) for number in text.split(".")]
        return numbers(self.version) >= numbers(version)

    def check(self, files, version, *options):
        """Compiles files as one module, and keeps nothing; what the compiler says against it."""
        outcome = subprocess.run(
            [*self.compiler(), "-emit-sil", "-o", "/dev/null", "-parse-as-library", "-wmo", "-module-name", "Checked",
             "-warnings-as-errors", *self.target(version), "-I", self.modules, *options, *files],
            capture_output=True, text=True)
        return outcome.stderr if outcome.returncode or "warning:" in outcome.stderr else ""


def modes(isolating):
    """The modes in which the tests compile everything, and the flags that CompilerMode.swift has for each. A compiler
    before Xcode 26's has no default isolation: without it, the strictest mode is that of the imports."""
    text = (ROOT / "Tests/Support/TestSupport/CompilerMode.swift").read_text()
    isolation = ["-default-isolation", "MainActor", *upcoming("NonisolatedNonsendingByDefault", "InferIsolatedConformances")]
    imports = upcoming("InternalImportsByDefault", "MemberImportVisibility")
    older = ["-swift-version", "5", "-strict-concurrency=minimal"]
    known = {
        "swift6": [], "olderSDK": [], "swift5": older, "mainActor": isolation, "mainActorInSwift5": older + isolation,
        "internalImports": imports, "strictest": isolation + imports,
    }
    cases = re.findall(r"\.(\w+)", re.search(r"matrix: \[CompilerMode\] = \[([^\]]+)\]", text)[1])
    if not isolating:
        cases = ["internalImports" if name == "strictest" else name for name in cases]
    return [(name, known[name]) for name in cases if isolating or isolation[0] not in known[name]]


def upcoming(*features):
    return [text for feature in features for text in ("-enable-upcoming-feature", feature)]


def histories():
    """Each folder with generated files of ours: its name, all Swift of its app, and whether models inherit there."""
    for generated in sorted(ROOT.glob("*/**/Generated")):
        folder = generated.parent
        if ".build" in generated.parts or not (generated / "MigrationSupport.swift").exists():
            continue
        files = sorted(path for path in folder.rglob("*.swift") if "Tests" not in path.relative_to(folder).parts)
        text = "\n".join(path.read_text() for path in files)
        yield folder.relative_to(ROOT), files, re.search(r"@Model\s+(\w+ )*class \w+: ", text) is not None


def against_swift_data(sdk, libraries, report):
    """Compiles what we have generated, and the experiments, against the SDK's SwiftData."""
    newer, inheriting = NEWER[sdk.name]
    for folder, files, inherits in histories():
        version = inheriting if inherits else newer
        if not sdk.has(version):
            print(f"{folder}: not compiled, since SDK {sdk.version} is older than {version}")
            continue
        for mode, flags in modes(isolating=sdk.has(inheriting)):
            report(f"{folder}, {mode}", sdk.check(files, version, *libraries, *flags))
    if sdk.name == "macOS" and sdk.has(newer):
        experiments = sorted((ROOT / "Experiments/Sources/schemagen-experiments").rglob("*.swift"))
        flags = ["-D", "INHERITANCE"] if sdk.has(inheriting) else []
        report("the experiments", sdk.check(
            experiments, inheriting if flags else newer, "-I", ROOT / "Experiments/Sources/SystemSQLite", *flags))


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--modules", type=Path, default=ROOT / ".build/debug/Modules")
    parser.add_argument("--sdk", type=Path)
    parser.add_argument("systems", nargs="*", metavar="SYSTEM")
    options = parser.parse_args()
    text = (ROOT / "Package.swift").read_text()
    targets = read_targets(text)[0]
    linked = []

    def visit(name, into):
        target = targets[name]
        for other in target.dependencies:
            if other in targets:
                visit(other, into)
        if name not in into:
            into.append(name)

    visit("SchemaMigrationKit", linked)
    everything = []
    for name, target in targets.items():
        if target.kind in ("regular", "executable") and not target.in_tests and target.platform != "os(Linux)":
            visit(name, everything)
    # Our own are compiled anew; a package's are as they are.
    packages = [path for path in options.modules.glob("*.swiftmodule") if path.stem.replace("_", "-") not in targets]
    oldest = {name: number.replace("_", ".") for name, number in re.findall(r"\.(\w+OS)\(\.v([\d_]+)\)", text)}
    real = options.sdk and SDK(options.sdk.resolve(), options.modules, oldest)
    if not packages and (not real or real.name == "macOS"):
        sys.exit(f"apple.py: nothing is built in {options.modules}: swift build")

    failed = False
    for name in linked:
        if targets[name].kind == "system" and re.search(rf'name: "{name}",[^()]*pkgConfig:', text):
            print(f"{name}: Xcode would link apps for every system with what pkg-config finds on the Mac")
            failed = True
    for name in [real.name] if real else options.systems or SYSTEMS:
        version = oldest[name]
        system = real or System(name, version, packages if name == "macOS" else [])

        def report(what, said):
            if said:
                nonlocal failed
                failed = True
                print(f"=== {name} {version}: {what}\n{said}", flush=True)

        def compile(module, files, *options, imports=()):
            report(module, system.compile(module, files, *options, imports=imports))

        darwin, stand_ins = [], []
        if not real:
            compile("Darwin", [STAND_INS / "Darwin.swift"], "-parse-as-library")
            darwin = ["-Xfrontend", "-import-module", "-Xfrontend", "Darwin"]
            stand_ins = ["CryptoKit", "os"]
            stand_ins += ["XcodeProjectPlugin"] if name == "macOS" else ["UIKit"] if name != "watchOS" else []
            for stand_in in stand_ins:
                compile(stand_in, [STAND_INS / f"{stand_in}.swift"], "-parse-as-library")
            stand_ins = ["Darwin", *stand_ins]
        order = everything if name == "macOS" else linked
        libraries = [text for target in order if targets[target].kind == "system"
                     for text in ("-I", folder_of(target))]
        features = [text for feature in re.findall(r'\.enableUpcomingFeature\("(\w+)"\)', text)
                    for text in ("-enable-upcoming-feature", feature)]
        for target in order:
            if targets[target].kind == "system":
                continue
            folder = folder_of(target)
            files = sorted(folder.rglob("*.swift"))
            files += options.modules.parent.glob(f"{target}.build/DerivedSources/embedded_resources.swift")
            entry = [] if any(file.name == "main.swift" for file in files) else ["-parse-as-library"]
            imports = []
            visit(target, imports)
            imports = [other for other in imports[:-1] if targets[other].kind != "system"]
            compile(target, files, *darwin, *libraries, *features, *entry, imports=[*stand_ins, *imports])
        if real:
            against_swift_data(real, libraries, report)
        elif name == "macOS":
            for folder in sorted((ROOT / "Plugins").iterdir()):
                # What the others share, and an editor's, which is not Swift.
                if folder.name not in ("Shared", "VSCode"):
                    compile(folder.name, sorted(folder.glob("*.swift")), *darwin, "-parse-as-library",
                            "-package-description-version", re.match("// swift-tools-version: (.*)", text)[1],
                            imports=stand_ins)
    sys.exit(failed)


main()
