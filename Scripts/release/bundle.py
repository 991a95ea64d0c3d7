#!/usr/bin/env python3
"""Makes an artifact bundle (SE-0305) from the archives of build.sh: what SwiftPM, Xcode, mise and nest take.

    bundle.py --output FOLDER ARCHIVE…     writes FOLDER/schemagen.artifactbundle.zip, and prints its checksum

The bundle has each archive's folder as it is. `schemagen` and `schemagen-sources` are both named, so that plugins find
them; each finds the other, and what a rehearsal compiles, by its own place. The same archives give the same bytes.
"""

import argparse
import hashlib
import json
import pathlib
import re
import sys
import tarfile
import zipfile

NAME = re.compile(r"schemagen-(\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]+?)?)-((?:x86_64|aarch64|arm64)-[a-z0-9-]+)\.tar\.gz")
BUNDLE = "schemagen.artifactbundle"
TOOLS = ["schemagen", "schemagen-sources"]


def fail(message: str) -> "None":
    print(f"bundle.py: error: {message}", file=sys.stderr)
    sys.exit(1)


def add(bundle: zipfile.ZipFile, name: str, contents: bytes, mode: int) -> None:
    entry = zipfile.ZipInfo(f"{BUNDLE}/{name}", (1980, 1, 1, 0, 0, 0))
    entry.create_system = 3
    entry.external_attr = (0o100000 | mode) << 16
    entry.compress_type = zipfile.ZIP_DEFLATED
    bundle.writestr(entry, contents, compresslevel=9)


def main() -> None:
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1])
    parser.add_argument("--output", type=pathlib.Path, required=True)
    parser.add_argument("archives", type=pathlib.Path, nargs="+")
    options = parser.parse_args()
    found: dict[str, tuple[str, pathlib.Path]] = {}
    problems = []
    for path in options.archives:
        match = NAME.fullmatch(path.name)
        if not match:
            problems.append(f"{path} is not called schemagen-VERSION-TRIPLE.tar.gz")
        elif not path.is_file():
            problems.append(f"{path} is not there")
        elif match[2] in found:
            problems.append(f"{path} and {found[match[2]][1]} are of one platform")
        else:
            found[match[2]] = (match[1], path)
    versions = sorted({version for version, _ in found.values()})
    if len(versions) > 1:
        problems.append(f"the archives are of several versions: {', '.join(versions)}")
    if problems:
        fail("; ".join(problems))
    # What SwiftPM calls Linux's variants, and where the executables are.
    folders = {triple: f"schemagen-{versions[0]}-{triple}" for triple in sorted(found)}
    info = {
        "schemaVersion": "1.0",
        "artifacts": {
            tool: {
                "type": "executable",
                "version": versions[0],
                "variants": [
                    {"path": f"{folder}/bin/{tool}", "supportedTriples": [triple]}
                    for triple, folder in folders.items()
                ],
            }
            for tool in TOOLS
        },
    }
    options.output.mkdir(parents=True, exist_ok=True)
    target = options.output / f"{BUNDLE}.zip"
    aside = target.with_suffix(".new")
    with zipfile.ZipFile(aside, "w") as bundle:
        add(bundle, "info.json", (json.dumps(info, indent=2) + "\n").encode(), 0o644)
        for triple, folder in folders.items():
            names = set()
            with tarfile.open(found[triple][1]) as archive:
                for member in archive:
                    names.add(member.name)
                    if member.isdir():
                        continue
                    if not member.isfile() or not member.name.startswith(f"{folder}/"):
                        fail(f"{found[triple][1]} has {member.name}, which is not a file in {folder}")
                    add(bundle, member.name, archive.extractfile(member).read(), member.mode)
            lacking = [f"{folder}/bin/{tool}" for tool in TOOLS if f"{folder}/bin/{tool}" not in names]
            if lacking:
                fail(f"{found[triple][1]} lacks {', '.join(lacking)}")
    aside.replace(target)
    # What `swift package compute-checksum` says.
    print(hashlib.sha256(target.read_bytes()).hexdigest())


main()
