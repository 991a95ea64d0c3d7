#!/usr/bin/env python3
"""Holds the JSON Schemas in Schemas/ against the examples beside them, and against documents they must refuse.

    python3 -m venv .venv && .venv/bin/pip install check-jsonschema
    .venv/bin/python Tests/SchemaFiles/validate.py

Every manifest and schemagen.yaml under Schemas/ and good/ must be valid; those in good/ write every key in every form,
and those in written/ are what schemagen itself makes of such manifests.
The same for what GitHub, GitLab and pre-commit read of ours: action.yml, ci/, .github/ and .pre-commit-hooks.yaml.
Each key in the schemas is described, and the skill for coding agents is valid to the reference library of its format.
Every file under bad/ must be refused for the one reason that its first line gives. Exits 1 on any surprise.
"""

import importlib.util
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import ruamel.yaml
import skills_ref
import yaml

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SCHEMAS = ROOT / "Schemas"
MARK = "# refused: "
# By the names of the schemas that check-jsonschema has of others' formats.
HOSTS = {
    "github-actions": ["action.yml"],
    "github-workflows": [
        "ci/github-workflow.yml", "ci/github-cloudkit.yml",
        "ci/github-keep-store.yml",
        ".github/workflows/ci.yml", ".github/workflows/release.yml"],
    "dependabot": [".github/dependabot.yml"],
    "github-issue-config": [".github/ISSUE_TEMPLATE/config.yml"],
    "github-issue-forms": [
        ".github/ISSUE_TEMPLATE/bug_report.yml", ".github/ISSUE_TEMPLATE/feature_request.yml"],
    "gitlab-ci": ["ci/gitlab.yml"],
}

# Parts of our schemas that say how a value is written, not what a key is for.
FORMS = {"identifier", "identifiers", "oneOrMoreIdentifiers", "text", "swiftType", "expression", "conversion", "caseName"}

surprises = 0


def surprise(text):
    global surprises
    surprises += 1
    print(f"  SURPRISE {text}")


def shown(path):
    return Path(path).resolve().relative_to(ROOT)


def check(arguments, files):
    """Runs check-jsonschema; returns its errors by file, each as 'path: message'."""
    run = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", "--output-format", "json", *arguments, *map(str, files)],
        capture_output=True, text=True)
    try:
        report = json.loads(run.stdout)
    except json.JSONDecodeError:
        sys.exit(f"check-jsonschema failed:\n{run.stdout}{run.stderr}")
    errors = {path: [] for path in files}
    for error in report.get("errors", []):
        errors[Path(error["filename"])].append(f"{error['path']}: {error['message']}")
    for error in report.get("parse_errors", []):
        errors[Path(error["filename"])].append(f"not YAML: {error['message']}")
    return errors


def expect_valid(title, arguments, files):
    print(title)
    if not files:
        surprise("there is nothing to check")
        return
    for path, errors in check(arguments, files).items():
        for error in errors:
            surprise(f"{shown(path)}: {error}")
        if not errors:
            print(f"  valid    {shown(path)}")


def expect_refused(title, arguments, files):
    print(title)
    if not files:
        surprise("there is nothing to check")
        return
    for path, errors in check(arguments, files).items():
        first = path.read_text().splitlines()[0]
        if not first.startswith(MARK):
            surprise(f"{shown(path)}: its first line does not say '{MARK.strip()} …'")
            continue
        place, _, reason = first.removeprefix(MARK).partition(": ")
        if not errors:
            surprise(f"{shown(path)}: taken for valid")
        elif len(errors) > 1 or not errors[0].startswith(f"{place}: ") or reason not in errors[0]:
            surprise(f"{shown(path)}: refused for another reason: {'; '.join(errors)}")
        else:
            print(f"  refused  {shown(path)}: {errors[0]}")


def as_real_job(path):
    """A copy in which hidden jobs are real ones: GitLab's schema lets hidden ones say anything."""
    copy = ROOT / ".build" / path.name
    copy.parent.mkdir(exist_ok=True)
    copy.write_text(re.sub(r"(?m)^\.(?=\w+:$)", "", path.read_text()))
    return copy


def expect_alike(title, files):
    """What one reader of YAML makes of our text, all make of it."""
    found = []
    for path in files:
        text = path.read_text()
        try:
            others = [yaml.safe_load(text), ruamel.yaml.YAML(typ="safe").load(text)]
        except (yaml.YAMLError, ruamel.yaml.error.YAMLError) as error:
            found.append((path, str(error).replace("\n", " ")))
            continue
        if others[0] != others[1]:
            found.append((path, "PyYAML and ruamel.yaml read it in two ways"))
    print(f"{title}: {len(files)} files, {len(files) - len(found)} read alike")
    if not files:
        surprise("there are no files")
    for path, reason in found:
        surprise(f"{shown(path)}: {reason}")


def expect_hooks(title, path, is_valid):
    """By pre-commit's own word on a list of hooks."""
    print(title)
    run = subprocess.run(
        [sys.executable, "-m", "pre_commit", "validate-manifest", str(path)], capture_output=True, text=True)
    if is_valid and run.returncode:
        surprise(f"{shown(path)}: {run.stdout}{run.stderr}")
    elif not is_valid:
        reason = path.read_text().splitlines()[0].removeprefix(MARK)
        if not run.returncode:
            surprise(f"{shown(path)}: taken for valid")
        elif reason not in run.stdout + run.stderr:
            surprise(f"{shown(path)}: refused for another reason: {run.stdout}{run.stderr}")
    print(f"  seen     {shown(path)}")


def expect_editor_line(files):
    """Each example names the schema that an editor is to use."""
    print("First lines")
    for path in files:
        schema = "schemagen" if path.name == "schemagen.yaml" else "manifest"
        line = f"# yaml-language-server: $schema=../{schema}.schema.json"
        if path.read_text().splitlines()[0] != line:
            surprise(f"{shown(path)}: does not begin with '{line}'")
    print(f"  seen     {len(files)} files")


def undescribed(schema):
    """The keys that a schema knows and says nothing of, as places in it."""
    def walk(node, place, known=()):
        """`known`: the keys that the schema around it describes, and this one only restricts."""
        if isinstance(node, list):
            for index, inner in enumerate(node):
                yield from walk(inner, f"{place}/{index}")
        if not isinstance(node, dict):
            return
        for name, inner in node.items():
            # These restrict keys that are described elsewhere.
            if name in ("if", "dependentSchemas", "not"):
                continue
            if name in ("properties", "$defs"):
                # Names stand below these two, not keywords.
                for key, value in inner.items():
                    if name == "properties" and key not in known and isinstance(value, dict) and not described(value):
                        yield f"{place}/properties/{key}"
                    yield from walk(value, f"{place}/{name}/{key}")
            elif name in ("then", "else"):
                yield from walk(inner, f"{place}/{name}", node.get("properties", ()))
            else:
                yield from walk(inner, f"{place}/{name}")

    def described(node):
        if str(node.get("description", "")).strip():
            return True
        name = node.get("$ref", "").removeprefix("#/$defs/")
        return bool(name) and name not in FORMS and described(schema["$defs"][name])

    return list(walk(schema, "#"))


def expect_described(files):
    """Editors show what a key is for while it is written: each has a description, its own or that of what it holds."""
    print("Descriptions of keys")
    for path in files:
        schema = json.loads(path.read_text())
        places = undescribed(schema)
        for place in places:
            surprise(f"{shown(path)}: {place} has no description")
        if not places:
            print(f"  all      {shown(path)}")
    # Whether it finds anything.
    if undescribed({"properties": {"a": {"type": "string"}}}) != ["#/properties/a"]:
        surprise("a key without a description is not found")


def expect_skill(path):
    """The skill for coding agents is one to the format's own library, in the folder that it is written to."""
    print("Skill")
    with tempfile.TemporaryDirectory() as folder:
        skill = Path(folder) / "schemagen"
        skill.mkdir()
        (skill / "SKILL.md").write_text(path.read_text())
        for problem in skills_ref.validate(skill):
            surprise(f"{shown(path)}: {problem}")
        (skill / "SKILL.md").write_text(path.read_text().replace("name: schemagen", "name: Other", 1))
        if not skills_ref.validate(skill):
            surprise("a skill that is called otherwise than its folder is taken for valid")
    print(f"  seen     {shown(path)}")


def expect_pinned(files):
    """Actions of others are named by a commit, which nobody can move, and by the version that it is, for readers."""
    print("Actions of others")
    named = [(file, uses) for file in files for uses in re.findall(r"(?m)^ *(?:- )?uses: (.*)$", file.read_text())]
    for file, uses in named:
        if not re.fullmatch(r"[\w-]+/schemagen@v[0-9.]+|[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", uses):
            surprise(f"{shown(file)}: not a commit and its version: {uses}")
    print(f"  seen     {len(named)} in {len(files)} files")


def main():
    if importlib.util.find_spec("check_jsonschema") is None:
        sys.exit("check-jsonschema is missing: pip install check-jsonschema")

    manifests = sorted(SCHEMAS.glob("*/V*.yaml"))
    configurations = sorted(SCHEMAS.glob("*/schemagen.yaml"))
    manifest_schema = ["--schemafile", str(SCHEMAS / "manifest.schema.json")]
    configuration_schema = ["--schemafile", str(SCHEMAS / "schemagen.schema.json")]

    expect_valid("Schemas", ["--check-metaschema"], sorted(SCHEMAS.glob("*.schema.json")))
    expect_described(sorted(SCHEMAS.glob("*.schema.json")))
    expect_valid("Manifests", manifest_schema, manifests + sorted((HERE / "good").glob("V*.yaml"))
                 + sorted((HERE / "written").glob("*.yaml"))
                 # The name 'isDeleted' is for versions alone that have shipped with it, and '…' is what drafts lack.
                 + sorted(path for path in (ROOT / "Tests/Support/Fixtures/Adoption").glob("*/Adopted/**/V*.yaml")
                          if not any(word in path.read_text() for word in ("isDeleted", "…"))))
    expect_valid("Configurations", configuration_schema, configurations + [HERE / "good/schemagen.yaml"])
    expect_editor_line(manifests + configurations)
    expect_refused("Bad manifests", manifest_schema, sorted((HERE / "bad").glob("*.yaml")))
    expect_refused("Bad configurations", configuration_schema, sorted((HERE / "bad/schemagen").glob("*.yaml")))

    for name, paths in HOSTS.items():
        builtin = ["--builtin-schema", f"vendor.{name}"]
        files = [ROOT / path for path in paths]
        expect_valid(f"For {name}", builtin, [as_real_job(file) for file in files] if name == "gitlab-ci" else files)
        expect_refused(f"Bad ones for {name}", builtin, sorted((HERE / "bad" / name).glob("*.yml")))
    expect_alike("What schemagen writes, to other readers", sorted((HERE / "written").glob("*.yaml"))
                 + sorted((ROOT / "Tests/Support/Fixtures/Adoption").glob("*/Adopted/**/*.yaml")))
    expect_pinned([ROOT / path for name in ("github-actions", "github-workflows") for path in HOSTS[name]])
    expect_skill(ROOT / "Sources/Schema/SchemaWorkspace/Skill/SKILL.md")
    expect_hooks("Hooks", ROOT / ".pre-commit-hooks.yaml", True)
    expect_hooks("Bad hooks", HERE / "bad/pre-commit/no-language.yaml", False)

    print(f"{surprises} surprise{'' if surprises == 1 else 's'}")
    return 1 if surprises else 0


if __name__ == "__main__":
    sys.exit(main())
