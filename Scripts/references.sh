#!/usr/bin/env bash
# Generates every folder of manifests in Schemas/: references that tests and reviews look at.
#
#   references.sh
set -euo pipefail

. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
cd "$root"

arguments=()
for folder in Schemas/*/; do arguments+=(--schemas "${folder%/}"); done
swift run schemagen generate "${arguments[@]}"
swift run schemagen generate --root Examples/Consumer
