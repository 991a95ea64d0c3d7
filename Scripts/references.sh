#!/usr/bin/env bash
# Generates every folder of manifests that is checked in with what follows from it, what the code knows of the rules'
# pages, what the documentation says of the modules, and its pictures.
# Tests and reviews look at that. Other fixtures are generated where they are rehearsed.
#
#   references.sh
set -euo pipefail

. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
cd "$root"

# First: the command is made of it.
Scripts/rules.py
arguments=()
for folder in Schemas/*/ Tests/Support/Fixtures/Everything/ Tests/Support/*/Schemas/ Benchmarks/Sources/*/Schemas/; do
  arguments+=(--schemas "${folder%/}")
done
swift run schemagen generate "${arguments[@]}"
swift run schemagen generate --root Examples/Consumer
Scripts/architecture.py
python3 Scripts/pictures
Scripts/site/llms.py
