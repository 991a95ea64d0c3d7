#!/usr/bin/env bash
# Builds the documentation site in .build/site: pages, search, and the interface of the libraries.
#
#   docs.sh
set -euo pipefail

. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
cd "$root"

Scripts/install-python-tools.sh --with-docs
PYTHONPATH=Scripts/site .build/tools/bin/mkdocs build --strict --clean --config-file Scripts/site/mkdocs.yml
