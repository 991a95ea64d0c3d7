#!/usr/bin/env bash
# Lets rehearsals in a folder of their own use the runtime that Tests/Integration/rehearse.sh has built: several tests
# that rehearse the same package at once need a folder each, and building the runtime takes longer than most rehearsals.
#
#   share-runtime.sh FOLDER
#
# Where nothing is built yet, the first rehearsal in the folder builds it.
set -euo pipefail

. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
(($# == 1)) || fail "usage: share-runtime.sh FOLDER"
mkdir -p "$1"
# A link whose runtime is gone would be in the way of another one.
for link in "$1"/runtime-*; do
  if [[ -L $link && ! -e $link ]]; then rm "$link"; fi
done
for built in "$root"/.build/integration/rehearsal/runtime-*; do
  if [[ -d $built && ! -e $1/${built##*/} ]]; then ln -s "$built" "$1/"; fi
done
