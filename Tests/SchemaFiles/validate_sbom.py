#!/usr/bin/env python3
"""Holds an SBOM against CycloneDX's JSON Schema, from the wheel of cyclonedx-python-lib on PyPI.

    Scripts/install-python-tools.sh
    .build/tools/bin/python Tests/SchemaFiles/validate_sbom.py FILE

Exits 1 with the reasons where it is not valid.
"""

import json
import sys
from pathlib import Path

import jsonschema
import referencing

SCHEMAS = Path(__file__).resolve().parents[2] / ".build/tools/schemas"

schemas = {path.name: json.loads(path.read_text()) for path in SCHEMAS.glob("*.SNAPSHOT.schema.json")}
# They name each other by files beside their addresses; none is fetched.
registry = referencing.Registry().with_resources(
    (f"http://cyclonedx.org/schema/{name}", referencing.Resource.from_contents(schema))
    for name, schema in schemas.items())
validator = jsonschema.Draft7Validator(
    schemas["bom-1.6.SNAPSHOT.schema.json"], registry=registry, format_checker=jsonschema.FormatChecker())
document = json.loads(Path(sys.argv[1]).read_text())
errors = [f"{error.json_path}: {error.message[:300]}" for error in validator.iter_errors(document)]
references = {document["metadata"]["component"]["bom-ref"], *(one["bom-ref"] for one in document["components"])}
for entry in document["dependencies"]:
    errors += [f"'{name}' is no component" for name in [entry["ref"], *entry["dependsOn"]] if name not in references]
print("\n".join(errors) or "valid")
sys.exit(bool(errors))
