#!/usr/bin/env python3
"""Writes packages without dependencies, made from this one, for those who should not resolve or compile it.

    packages.py kit FOLDER                                   the library that apps link: SchemaMigrationKit
    packages.py plugins FOLDER --path BUNDLE                 the plugins, with a bundle in the same folder or below
    packages.py plugins FOLDER --url URL --checksum SHA256   the plugins, with a bundle that SwiftPM downloads
    packages.py runtime FOLDER                               what `schemagen rehearse` compiles

SwiftPM resolves every package that a manifest names, whichever product is asked for. So a manifest that names none has
to be another package, which a release publishes in a repository of its own. Targets, settings and platforms are read
from Package.swift: nothing is said twice. FOLDER must not exist, or be empty but for `.git`.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TITLES = {
    "kit": ("SchemaMigrationKit", "What an app links to be safe when it launches."),
    "plugins": ("schemagen-plugins", "The command plugins of schemagen, with its binary."),
    "runtime": ("schemagen", "What `schemagen rehearse` compiles: a SwiftData off Apple's systems."),
}
PRODUCTS = {"kit": ["SchemaMigrationKit"], "runtime": ["SwiftData", "SwiftDataRehearsal"]}
PLATFORMS = {"macos": "macOS", "ios": "iOS", "tvos": "tvOS", "watchos": "watchOS", "visionos": "visionOS"}
README = {
    "kit": """# SchemaMigrationKit

Backs a SwiftData store up before its migration, checks what came out, and restores it where that failed.

```swift
.package(url: "{mirror}", from: "{version}")
```

```swift
.product(name: "SchemaMigrationKit", package: "SchemaMigrationKit")
```

It depends on no other package. [How to use it]({repository}/blob/v{version}/docs/launch.md).

This repository is written by the release script of [schemagen]({repository}): please send changes there. A package that
depends on schemagen itself has this library already, and must not depend on this one as well: two packages cannot have
targets of the same names.
""",
    "plugins": """# schemagen-plugins

The command plugins of [schemagen]({repository}), with its binary: nothing is compiled but the plugin itself.

```swift
.package(url: "{mirror}", from: "{version}")
```

```sh
swift package --allow-writing-to-package-directory generate-schema
swift package lint-schema
swift package detect-schema-changes
```

[What they take]({repository}/blob/v{version}/docs/plugin.md). This repository is written by schemagen's release script:
please send changes there.
""",
}


def fail(message: str) -> "None":
    print(f"packages.py: error: {message}", file=sys.stderr)
    sys.exit(1)


def manifest() -> dict:
    """Package.swift as SwiftPM reads it; no warning is an error for those who use it."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("SCHEMAGEN_")}
    result = subprocess.run(
        ["swift", "package", "--package-path", ROOT, "dump-package"],
        env=environment, stdout=subprocess.PIPE, check=True)
    return json.loads(result.stdout)


def between(path: str, start: str, end: str) -> str:
    text = (ROOT / path).read_text()
    return text.split(start, 1)[1].split(end, 1)[0]


def version() -> str:
    return between("Sources/Schema/SchemaModel/Rules/Project.swift", 'static let version = "', '"')


def repository() -> str:
    return between("Sources/Schema/SchemaModel/Rules/Project.swift", 'static let repository = "', '"')


def names(target: dict) -> list[str]:
    """What a target of this package depends on, without other packages' products."""
    return [d["byName"][0] if "byName" in d else d["target"][0] for d in target["dependencies"] if "product" not in d]


def closure(package: dict, products: list[str]) -> list[dict]:
    """The targets of products and all that they need, in the manifest's order."""
    targets = {target["name"]: target for target in package["targets"]}
    wanted: list[str] = []
    left = [t for p in package["products"] if p["name"] in products for t in p["targets"]]
    while left:
        name = left.pop()
        if name not in wanted:
            wanted.append(name)
            left += names(targets[name])
    return [target for target in package["targets"] if target["name"] in wanted]


def quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def written(target: dict) -> str:
    """A target as a manifest declares it."""
    arguments = [f"name: {quoted(target['name'])}"]
    if target["type"] == "system":
        if "pkgConfig" in target:
            arguments.append(f"pkgConfig: {quoted(target['pkgConfig'])}")
        providers = [
            f".{kind}([{', '.join(quoted(name) for name in values[0])}])"
            for provider in target.get("providers") or [] for kind, values in provider.items()]
        if providers:
            arguments.append(f"providers: [{', '.join(providers)}]")
        arguments.insert(1, f"path: {quoted(target['path'])}")
        return f".systemLibrary({', '.join(arguments)})"
    dependencies = [quoted(name) for name in names(target)] + [
        f".product(name: {quoted(d['product'][0])}, package: {quoted(d['product'][1])})"
        for d in target["dependencies"] if "product" in d]
    if target["resources"]:
        fail(f"the target {target['name']} has resources, which packages.py does not write")
    if dependencies:
        arguments.append(f"dependencies: [{', '.join(dependencies)}]")
    arguments.append(f"path: {quoted(target['path'])}")
    kind = {"regular": "target", "macro": "macro"}.get(target["type"])
    if kind is None:
        fail(f"the target {target['name']} is of the kind {target['type']}, which packages.py does not write")
    return f".{kind}({', '.join(arguments)}, swiftSettings: settings)"


def settings(targets: list[dict]) -> list[str]:
    """The settings that all compiled targets have."""
    found = {json.dumps(t["settings"], sort_keys=True) for t in targets if t["type"] != "system"}
    if len(found) != 1:
        fail("targets differ in their settings, which packages.py does not write")
    result = []
    for setting in json.loads(found.pop()):
        (kind, value), = setting["kind"].items()
        result.append(f".{kind}({quoted(value['_0'])})")
    return result


def library_package(kind: str, package: dict, folder: pathlib.Path) -> str:
    products = PRODUCTS[kind]
    targets = closure(package, products)
    for target in targets:
        shutil.copytree(ROOT / target["path"], folder / target["path"])
    platforms = ", ".join(
        f".{PLATFORMS[p['platformName']]}(\"{p['version']}\")" for p in package["platforms"])
    used = {d["product"][1] for t in targets for d in t["dependencies"] if "product" in d}
    dependencies = []
    for dependency in package["dependencies"]:
        control = dependency["sourceControl"][0]
        if control["identity"] in used:
            url = control["location"]["remote"][0]["urlString"]
            bounds = control["requirement"]["range"][0]
            dependencies.append(
                f".package(url: {quoted(url)}, {quoted(bounds['lowerBound'])}..<{quoted(bounds['upperBound'])}),")
    lines = [f"let settings: [SwiftSetting] = [{', '.join(settings(targets))}]", "", "let package = Package("]
    lines.append(f"  name: {quoted(TITLES[kind][0])},")
    lines.append(f"  platforms: [{platforms}],")
    lines.append("  products: [")
    for product in products:
        lines.append(f"    .library(name: {quoted(product)}, targets: [{quoted(product)}]),")
    lines.append("  ],")
    if dependencies:
        lines += ["  dependencies: ["] + [f"    {line}" for line in dependencies] + ["  ],"]
    lines.append("  targets: [")
    lines += [f"    {written(target)}," for target in targets]
    lines += ["  ],", "  swiftLanguageModes: [.v6]", ")"]
    imports = ["import CompilerPluginSupport"] if any(t["type"] == "macro" for t in targets) else []
    return "\n".join(imports + ["import PackageDescription", ""] + lines)


def plugin_package(options: argparse.Namespace, package: dict, folder: pathlib.Path) -> str:
    plugins = [target for target in package["targets"] if target["type"] == "plugin"]
    for plugin in plugins:
        # The files they share are symbolic links.
        shutil.copytree(ROOT / "Plugins" / plugin["name"], folder / "Plugins" / plugin["name"])
    place = (
        f"path: {quoted(options.path)}" if options.path
        else f"url: {quoted(options.url)},\n      checksum: {quoted(options.checksum)}")
    lines = [f"let package = Package(\n  name: {quoted(TITLES['plugins'][0])},", "  products: ["]
    for plugin in plugins:
        lines.append(f"    .plugin(name: {quoted(plugin['name'])}, targets: [{quoted(plugin['name'])}]),")
    lines += ["  ],", "  targets: [", f'    .binaryTarget(\n      name: "schemagen",\n      {place}),']
    for plugin in plugins:
        intent, permissions = plugin["pluginCapability"]["command"]
        custom = intent["custom"]
        lines.append(f"    .plugin(\n      name: {quoted(plugin['name'])},\n      capability: .command(")
        lines.append(f"        intent: .custom(\n          verb: {quoted(custom['verb'])},")
        lines.append(f"          description: {quoted(custom['description'])}),")
        reasons = [
            f".writeToPackageDirectory(\n            reason: {quoted(p['writeToPackageDirectory']['reason'])})"
            for p in permissions]
        lines.append(f"        permissions: [{', '.join(reasons)}]),\n      dependencies: [\"schemagen\"]),")
    lines += ["  ]", ")"]
    return "\n".join(["import PackageDescription", ""] + lines)


def main() -> None:
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1])
    parser.add_argument("kind", choices=TITLES)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--path")
    parser.add_argument("--url")
    parser.add_argument("--checksum")
    options = parser.parse_args()
    bundles = [bool(options.path), bool(options.url and options.checksum)]
    if (options.kind == "plugins") != (bundles.count(True) == 1):
        fail("plugins, and only they, take either --path BUNDLE, or --url URL and --checksum SHA256")
    folder = options.folder
    folder.mkdir(parents=True, exist_ok=True)
    if options.path and not (folder / options.path).exists():
        fail(f"there is no bundle at {folder / options.path}: SwiftPM takes paths inside the package")
    first = options.path and pathlib.Path(options.path).parts[0]
    others = [entry.name for entry in folder.iterdir() if entry.name not in (".git", first)]
    if others:
        fail(f"{folder} is not empty: it has {', '.join(sorted(others)[:3])}; name another folder, or empty it")
    package = manifest()
    body = plugin_package(options, package, folder) if options.kind == "plugins" else library_package(
        options.kind, package, folder)
    tools = ".".join(package["toolsVersion"]["_version"].split(".")[:2])
    title, purpose = TITLES[options.kind]
    (folder / "Package.swift").write_text(
        f"// swift-tools-version: {tools}\n"
        f"// {purpose}\n// Written by Scripts/release/packages.py of schemagen {version()}: change that.\n{body}\n")
    subprocess.run(
        ["swift", "format", "format", "--in-place", "--configuration", ROOT / ".swift-format", folder / "Package.swift"],
        check=True)
    if options.kind in README:
        (folder / "README.md").write_text(README[options.kind].format(
            repository=repository(), version=version(), mirror=f"{repository().rsplit('/', 1)[0]}/{title}"))
        (folder / ".gitignore").write_text(".build\nPackage.resolved\n")
    if options.kind == "kit":
        shutil.copy(ROOT / ".spi.yml", folder)
    shutil.copy(ROOT / "LICENSE", folder)


main()
