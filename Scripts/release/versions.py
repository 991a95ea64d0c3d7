#!/usr/bin/env python3
"""The version and the owner of the repository, which one file each says, and every other file that names them.

    versions.py [--root FOLDER] check              they agree; without a release: with the exit status 1, where they do not
    versions.py [--root FOLDER] problems VERSION   why VERSION cannot be released, a line each; none where it can
    versions.py [--root FOLDER] set VERSION DAY    makes everything say VERSION, and CHANGELOG.md have a section of that day
    versions.py [--root FOLDER] owner NAME         makes everything name NAME as the owner
    versions.py [--root FOLDER] notes VERSION      the section of CHANGELOG.md

Both stand in Project.swift. `set` and `owner` change nothing when they are run again.
"""

import argparse
import os
import pathlib
import re
import sys

PROJECT = "Sources/Schema/SchemaModel/Rules/Project.swift"
CHANGELOG = "CHANGELOG.md"
PLACEHOLDER = "OWNER"
REPOSITORIES = r"(?:schemagen-plugins|schemagen|SchemaMigrationKit|homebrew-tap|tap)\b"

# semver.org's own expression, without build metadata: a tag or a package's version with it is none to SwiftPM.
SEMVER = r"(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*)?"
# Where a file says which version is to be used: what goes before it, and after.
VERSIONS = [re.compile(f"({before})({SEMVER})(?={after})") for before, after in [
    (r"/(?:schemagen-plugins|schemagen)@v", r"\s|$"),
    (r"githubusercontent\.com/[^/\s]+/schemagen/v", "/"),
    (r"schemagen/releases/download/v", "/"),
    (r"schemagen\.git#v", r"\W|$"),
    (r"SCHEMAGEN_REVISION: v", r"\s|$"),
    (r"\brev: v", r"\s|$"),
    (r'/(?:schemagen-plugins|schemagen|SchemaMigrationKit)(?:\.git)?", (?:from|exact): "', '"'),
    (r"\bplaceholder: schemagen ", ","),
    (r"\bschemagen-", r"-(?:x86_64|aarch64|arm64)-"),
    (r"\bschemagen-", r"\.vsix"),
    (r'"name": "schemagen", "version": "', '"'),
]]
# Where a file names a repository of ours.
OWNERS = [re.compile(f"({before})([^/\\s\"'()<>]+)(?=/{REPOSITORIES}{after})") for before, after in [
    (r"https://(?:github\.com/|raw\.githubusercontent\.com/)?", ""),
    (r"\b(?:github|spm):", ""),
    (r"\buses: ", "@"),
    (r"\b(?:nest|brew) install ", ""),
]]
NAMES = re.compile(r"schemagen|SCHEMAGEN_REVISION|SchemaMigrationKit|rev: v|tap\b")
# History stays as it was, and tests have versions of their own.
LEFT_OUT = {CHANGELOG, "Scripts/release/versions.py"}
ENDINGS = {".md", ".html", ".yml", ".yaml", ".swift", ".rb", ".toml", ".json", ".txt", ""}


def files(root):
    """Those that name something of ours: the other expressions on all of them would take most of the time."""
    for folder, folders, names in os.walk(root):
        # What is generated of manifests names nobody; what `Scripts/rules.py` writes has the pages' addresses.
        is_source = pathlib.Path(folder).relative_to(root).parts[:1] == ("Sources",)
        folders[:] = sorted(set(folders) - {".git", ".build", ".swiftpm"} - (set() if is_source else {"Generated"}))
        for name in sorted(names):
            path = pathlib.Path(folder) / name
            relative = path.relative_to(root).as_posix()
            if path.suffix in ENDINGS and relative not in LEFT_OUT and not path.is_symlink():
                try:
                    text = path.read_text(encoding="utf-8")
                except (UnicodeDecodeError, OSError):
                    continue
                if NAMES.search(text):
                    yield relative, path, text


def constant(root, path, name):
    """What a source declares as `static let NAME = "…"`, with the text around."""
    text = (root / path).read_text()
    match = re.search(rf'(static let {name} = ")([^"]*)(")', text)
    if not match:
        sys.exit(f"versions.py: error: {path} declares no '{name}'")
    return match, text


def version_of(root):
    return constant(root, PROJECT, "version")[0][2]


def owner_of(root):
    repository = constant(root, PROJECT, "repository")[0][2]
    match = re.fullmatch(r"https://github\.com/([^/]+)/schemagen", repository)
    if not match:
        sys.exit(f"versions.py: error: {PROJECT}: the repository is https://github.com/NAME/schemagen, not {repository}")
    return match[1]


def disagreements(root):
    version, owner = version_of(root), owner_of(root)
    for relative, _, text in files(root):
        # The versions in tests are those of their examples.
        kinds = [(OWNERS, owner, "owner")] + ([] if relative.startswith("Tests/") else [(VERSIONS, version, "version")])
        for number, line in enumerate(text.splitlines(), 1):
            # Most lines name nothing of ours, and all expressions on all lines take seconds.
            if not NAMES.search(line):
                continue
            for expressions, wanted, noun in kinds:
                for expression in expressions:
                    for match in expression.finditer(line):
                        if match[2] != wanted:
                            yield f"{relative}:{number}: the {noun} is {match[2]}, and {wanted} elsewhere: {match[0]}"


def rewrite(root, change):
    for _, path, text in files(root):
        new = change(text)
        if new != text:
            path.write_text(new, encoding="utf-8")


def precedence(version):
    """SemVer's order."""
    numbers, _, names = version.partition("-")
    order = [(0, int(name), "") if name.isdigit() else (1, 0, name) for name in names.split(".")] if names else []
    return [int(number) for number in numbers.split(".")], not names, order


def sections(root):
    """Names of the sections of CHANGELOG.md with their bodies, from the top."""
    text = (root / CHANGELOG).read_text()
    parts = re.split(r"(?m)^## \[([^\]]+)\].*\n", text)
    return dict(zip(parts[1::2], parts[2::2]))


def problems(root, version):
    if not re.fullmatch(SEMVER, version):
        yield f"'{version}' is no version as semver.org has them, without build metadata: write 1.2.3 or 1.2.3-beta.1"
        return
    found = sections(root)
    released = [name for name in found if re.fullmatch(SEMVER, name)]
    if "Unreleased" not in found:
        yield f"{CHANGELOG} has no section '## [Unreleased]': add it above the newest version"
    # Done before: the same again.
    if version in released[:1] and version_of(root) == version:
        if found.get("Unreleased", "").strip():
            yield (f"{CHANGELOG} has a section of {version} and something new under [Unreleased]: "
                   f"take the next version, or move it")
        return
    newest = max(released, key=precedence, default=None)
    if newest and precedence(version) <= precedence(newest):
        yield f"{version} is not newer than {newest}, the newest version in {CHANGELOG}: take a higher one"
    elif precedence(version) < precedence(version_of(root)):
        yield f"{version} is older than {version_of(root)}, the version in {PROJECT}: take that or a higher one"
    if not re.search(r"(?m)^- ", found.get("Unreleased", "")):
        yield f"{CHANGELOG} says nothing under [Unreleased]: write what is new"


def set_version(root, version, day):
    match, text = constant(root, PROJECT, "version")
    (root / PROJECT).write_text(text[:match.start()] + match[1] + version + match[3] + text[match.end():])

    def change(text):
        for expression in VERSIONS:
            text = expression.sub(lambda match: match[1] + version, text)
        return text

    for relative, path, text in files(root):
        new = text if relative.startswith("Tests/") else change(text)
        if new != text:
            path.write_text(new, encoding="utf-8")
    if version not in sections(root):
        path = root / CHANGELOG
        path.write_text(path.read_text().replace(
            "## [Unreleased]\n", f"## [Unreleased]\n\n## [{version}] - {day}\n", 1))


def set_owner(root, name):
    if not re.fullmatch(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})", name):
        sys.exit(f"versions.py: error: '{name}' is no name of an owner on GitHub: letters, digits and hyphens, at most 39")
    before = owner_of(root)
    expression = re.compile(rf"(?<![\w./-]){re.escape(before)}(?=/{REPOSITORIES})|(?<=github\.com/){re.escape(before)}"
                            rf"(?=/{REPOSITORIES})|(?<=githubusercontent\.com/){re.escape(before)}(?=/{REPOSITORIES})")
    rewrite(root, lambda text: expression.sub(name, text))


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1])
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent.parent)
    parser.add_argument("action", choices=["check", "problems", "set", "owner", "notes"])
    parser.add_argument("values", nargs="*")
    options = parser.parse_args()
    root, values = options.root, options.values
    if options.action == "check":
        found = list(disagreements(root))
        print("\n".join(found) or f"every file names {owner_of(root)} and {version_of(root)}")
        sys.exit(bool(found))
    if options.action == "problems":
        print("".join(f"{line}\n" for line in problems(root, *values)), end="")
    elif options.action == "set":
        set_version(root, *values)
    elif options.action == "owner":
        set_owner(root, *values)
    else:
        print(sections(root)[values[0]].strip())


main()
