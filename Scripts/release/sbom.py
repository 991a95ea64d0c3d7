#!/usr/bin/env python3
"""Writes what is in a release, as CycloneDX 1.6: its archives, the Swift packages and the libraries linked into them.

    sbom.py VERSION DAY SOURCES RESOLVED ARCHIVE…     prints it

SOURCES is the digest of the checkout's sources, as download.sh prints it, and RESOLVED the Package.resolved that the
archives were built with. Libraries are those of share/doc/schemagen/built-of.txt in each archive, and its sources must be
SOURCES. The same files give the same bytes. What is missing or does not fit is an error, a line each: a list that lacks
something would be worse than none.
"""

import hashlib
import json
import pathlib
import re
import sys
import tarfile
import uuid

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGES = {
    "swift-argument-parser": "Apache-2.0 WITH Swift-exception",
    "swift-mustache": "Apache-2.0",
    "swift-syntax": "Apache-2.0 WITH Swift-exception",
}
LIBRARIES = {
    "libstdc++": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "libyaml": "MIT",
    # Foundation and its ICU included.
    "swift": "Apache-2.0 WITH Swift-exception",
    "sqlite": "blessing",
    "zlib": "Zlib",
}
BUILT_OF = "share/doc/schemagen/built-of.txt"
problems = []


def licence(known, name):
    if name not in known:
        problems.append(f"sbom.py does not know the licence of '{name}': add it there")
        return []
    return [{"expression": known[name]}]


def packages(resolved):
    try:
        pins = {pin["identity"]: pin for pin in json.loads(resolved.read_text())["pins"]}
    except OSError:
        problems.append(f"there is no {resolved}: take the one that the archives were built with, or run "
                        f"'swift package resolve'")
        return
    addresses = re.findall(r'\.package\(url: "([^"]+)"', (ROOT / "Package.swift").read_text())
    for name in sorted(address.rsplit("/", 1)[1] for address in addresses):
        if name not in pins:
            problems.append(f"{resolved} has no {name}, which Package.swift names: run 'swift package resolve' without "
                            f"SCHEMAGEN_CHECK")
    for name, pin in sorted(pins.items()):
        location = pin["location"].removesuffix(".git")
        version = pin["state"].get("version")
        if not version:
            problems.append(f"{resolved} has {name} at no version")
            continue
        purl = f"pkg:swift/{location.removeprefix('https://')}@{version}"
        yield {
            "type": "library", "bom-ref": purl, "name": name, "version": version, "purl": purl,
            "licenses": licence(PACKAGES, name),
            "externalReferences": [{"type": "vcs", "url": location, "comment": pin["state"]["revision"]}],
        }


def linked(archives, sources):
    found = {}
    for path in archives:
        member = f"{path.name.removesuffix('.tar.gz')}/{BUILT_OF}"
        with tarfile.open(path) as archive:
            try:
                text = archive.extractfile(member).read().decode()
            except KeyError:
                problems.append(f"{path.name} has no {BUILT_OF}: build it again with Scripts/release/build.sh")
                continue
        for line in text.splitlines():
            name, version, purl = line.split()
            if name == "sources":
                if purl != sources:
                    problems.append(f"{path.name} was built of other sources than this commit's: build it again")
                continue
            found.setdefault(purl, (name, version, []))[2].append(path.name)
    for purl, (name, version, names) in sorted(found.items()):
        yield {
            "type": "library", "bom-ref": purl, "name": name, "version": version, "purl": purl,
            "licenses": licence(LIBRARIES, name),
            "properties": [{"name": "schemagen:linked-into", "value": name} for name in sorted(names)],
        }


def main(version, day, digest, resolved, *paths):
    archives = sorted(map(pathlib.Path, paths))
    sources = (ROOT / "Sources/Schema/SchemaModel/Rules/Project.swift").read_text()
    repository = re.search(r'static let repository = "([^"]*)"', sources)[1]
    purl = f"pkg:github/{repository.removeprefix('https://github.com/')}@v{version}"
    shared = list(packages(pathlib.Path(resolved)))
    libraries = list(linked(archives, digest))
    files = [{
        "type": "file", "bom-ref": path.name, "name": path.name,
        "hashes": [{"alg": "SHA-256", "content": hashlib.sha256(path.read_bytes()).hexdigest()}],
    } for path in archives]
    if problems:
        sys.exit("\n".join(problems))
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "timestamp": f"{day}T00:00:00Z",
            "component": {
                "type": "application", "bom-ref": purl, "name": "schemagen", "version": version, "purl": purl,
                "licenses": [{"license": {"id": "MIT"}}],
                "externalReferences": [{"type": "vcs", "url": repository}],
            },
        },
        "components": shared + libraries + files,
        "dependencies": [{"ref": purl, "dependsOn": [one["bom-ref"] for one in files]}] + [{
            "ref": file["name"],
            "dependsOn": [one["bom-ref"] for one in shared] + [
                one["bom-ref"] for one in libraries if file["name"] in [entry["value"] for entry in one["properties"]]],
        } for file in files],
    }
    # A name for these contents, rather than a new one in each run.
    document["serialNumber"] = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(document, sort_keys=True)).urn
    print(json.dumps(document, indent=2))


if __name__ == "__main__":
    if len(sys.argv) < 6:
        sys.exit(__doc__)
    main(*sys.argv[1:])
