#!/usr/bin/env bash
# Adopts every form of the corpus as a user would, generates, takes the old declarations out, by hand where a file has
# others, and compiles what is left with what was generated, against SwiftData's interface. Then the ways in which it goes
# wrong.
#
#   adopt.sh
#
# SCHEMAGEN   the binary; without it the checkout's own debug build
#
# Prints a line for each check, then `N passed, M failed`; exits 1 when one failed.
set -euo pipefail

. "$(dirname "${BASH_SOURCE[0]}")/../../Scripts/common.sh"
if [[ -z ${SCHEMAGEN:-} ]]; then SCHEMAGEN=$(cd "$root" && swift build --show-bin-path)/schemagen; fi
if [[ ! -x $SCHEMAGEN || ! -x $SCHEMAGEN-sources ]]; then
  echo "adopt.sh: no programs at '$SCHEMAGEN' and '$SCHEMAGEN-sources': run 'swift build'" >&2
  exit 2
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

# status N COMMAND…: whether the command ends with that status.
status() {
  local expected=$1 found=0
  shift
  "$@" || found=$?
  [[ $found == "$expected" ]] || { echo "status $found instead of $expected"; return 1; }
}

# run FOLDER COMMAND…: there; what it says is kept for the checks that follow.
run() { (cd "$1" && shift && "$@") >"$scratch/output" 2>&1; }

# What is the app's own and no file of the corpus declares.
stub() {
  case $1 in
  properties) echo 'struct Color: Codable { var red = 0.0 }' ;;
  array-elements) echo 'final class Tint: Codable { var name = "" }' ;;
  inferred) echo 'struct InferredSub: Codable { var x = 0 }' ;;
  value-types)
    echo 'import Foundation'
    echo 'struct Money: Codable { var cents = 0 }'
    ;;
  esac
}

# commit FOLDER: what is in it, for git to keep.
commit() {
  (cd "$1" && { [[ -d .git ]] || git init -q; } && git add -A \
    && git -c user.name=A -c user.email=a@example.org commit -qm app --allow-empty)
}

# finish FOLDER ARGUMENT…: removes what is generated now, and by hand what is listed.
finish() {
  commit "$1" && run "$1" "$SCHEMAGEN" adopt Sources --finish "${@:2}" \
    && (cd "$1" && "$root/Tests/Integration/remove_listed.py" <"$scratch/output")
}

# Found once: reading all of its sources takes as long as compiling a small form.
checker=$root/Tests/Support/SwiftDataInterface/check.sh
interface=$("$checker" --cache "$root/.build/integration/interface" --built)

compile() {
  local files=()
  while IFS= read -r -d '' file; do files+=("$file"); done < <(
    find "$1" -name '*.swift' ! -name App.swift -print0 | sort -z)
  "$checker" --against "$interface" -module-name Shop "${files[@]}"
}

# The folders of sources that are a module each.
modules() {
  case $1 in
  two-stores) printf '%s\n' Sources/Covers Sources/Notes ;;
  *) echo Sources ;;
  esac
}

# The folders of manifests.
schemas() {
  case $1 in
  two-stores) (cd "$1" && printf '%s\n' Schemas/*/) ;;
  *) echo Schemas ;;
  esac
}

# What members need in their extensions, and the initialisers that the report names.
by_hand() {
  case $1 in
  initializers)
    cat >"$1/Sources/Initializers.swift" <<'EOF'
import Foundation

extension Ingredient {
  convenience init(name: String, amount: Double = 1) {
    self.init(id: UUID(), name: name, amount: amount, addedAt: .now)
  }
}

extension Meal {
  convenience init?(of recipe: Recipe, on date: Date, tags: [String] = []) {
    guard !recipe.name.isEmpty else { return nil }
    self.init(title: recipe.name, day: date, week: 1, tags: tags)
    mark("big")
  }
}

extension Badge {
  convenience init(kind: Int, label: String = "new", isLoud: Bool = false) {
    self.init(kindText: "\(kind)", label: isLoud ? label.uppercased() : label)
  }
}
EOF
    ;;
  live-classes)
    cat >"$1/Sources/Initializers.swift" <<'EOF'
extension Dog {
  convenience init(age: Int = 1, name: String = "Rex") { self.init(name: name, age: age) }
}

extension Walk {
  convenience init(_ length: Double, with dog: Dog) { self.init(length: length, dog: dog) }
}
EOF
    ;;
  stages)
    cat >>"$1/Sources/Migrations/V5ToV6.swift" <<'EOF'
extension StageSchemaV5.Item {
  fileprivate convenience init(of fifth: Int) { self.init(field5: fifth) }
}
EOF
    ;;
  live-beside) sed -i.bak 's/-> Dog/-> ActiveDog/' "$1/Sources/Dog+Members.swift" ;;
  members) sed -i.bak 's/fileprivate //; s/private //' "$1"/Sources/Store/*.swift ;;
  public-class)
    echo 'extension ExpenseStatus { var title: String { rawValue.capitalized } }' >"$1/Sources/Status.swift"
    ;;
  esac
}

# form NAME STATUS [FILE…]: adopts one form, all the way to the compiler; where there are questions, as history that is
# behind an app. FILEs are taken out by hand: what they declare was not adopted.
form() {
  local name=$1 expected=$2
  shift 2
  mkdir "$name"
  cp -R "$root/Tests/Support/Fixtures/Adoption/$name/Sources" "$name/Sources"
  check "$name: adopted with status $expected" \
    status "$expected" run "$name" "$SCHEMAGEN" adopt Sources --move-models
  [[ $expected != 2 ]] || return 0
  if [[ $expected == 1 ]]; then
    check "$name: nothing is generated before there is an answer" \
      status 1 run "$name" "$SCHEMAGEN" generate
    check "$name: what has shipped is recorded as it was" run "$name" "$SCHEMAGEN" release
    check "... and it is said what" says "has shipped with this change: "
  fi
  check "$name: generated" run "$name" "$SCHEMAGEN" generate
  stub "$name" >"$name/Stub.swift"
  local folder
  for folder in $(schemas "$name"); do
    check "$name: what is generated is taken out of ${folder#*/}" \
      finish "$name" --schemas "$folder"
  done
  for file in "$@"; do rm -f "$name/$file"; done
  by_hand "$name"
  mv "$name/Stub.swift" "$name/Sources/Stub.swift"
  local module
  for module in $(modules "$name"); do
    check "$name: compiles${module#Sources}" compile "$name/$module"
  done
  check "$name: nothing is detected" run "$name" "$SCHEMAGEN" detect Sources
  check "$name: the gate has no errors" run "$name" "$SCHEMAGEN" lint
}

for folder in "$root"/Tests/Support/Fixtures/Adoption/*/; do
  name=$(basename "$folder")
  case $name in
  deciding-lists | left-over-files | mixed-enums | mixed-order | refused | two-containers) form "$name" 2 ;;
  # The report says that its user file does not compile yet, and why.
  captured-variables) continue ;;
  # Nothing comes of it before its author has written what is missing.
  drafts) continue ;;
  added-list | comments | nested | renames | shared-models | suffixes) form "$name" 1 ;;
  # Its author moves the class to the top level, as the report says.
  array-elements) form "$name" 1 Sources/Store.swift ;;
  appended-list) form "$name" 0 Sources/Store.swift ;;
  # The class beside the version has to go first.
  live-beside) form "$name" 0 Sources/Models.swift Sources/Audit.swift ;;
  live-classes) form "$name" 0 Sources/Models.swift ;;
  # Its author removes the plans that share versions with the adopted one, as the report says.
  shared-versions) form "$name" 0 Sources/Fallback.swift ;;
  # A version that is in no plan.
  numbers) form "$name" 0 Sources/Plan+App.swift ;;
  *) form "$name" 0 ;;
  esac
done

# kept NAME: adopts one form whose newest classes stay where they are; no file with one of them changes.
kept() {
  local name=$1 folder=kept-$1
  mkdir "$folder"
  cp -R "$root/Tests/Support/Fixtures/Adoption/$name/Sources" "$folder/Sources"
  case $name in
  added-list) check "$name: adopted" status 1 run "$folder" "$SCHEMAGEN" adopt Sources ;;
  *) check "$name: adopted" run "$folder" "$SCHEMAGEN" adopt Sources ;;
  esac
  check "$name: ... with its classes" grep -qx 'classes: ../Sources' "$folder/Schemas/schemagen.yaml"
  find "$folder/Schemas" -name '*.yaml' -printf '%f\n' | sort >"$folder.before"
  check "$name: what has shipped is recorded" run "$folder" "$SCHEMAGEN" release
  check "$name: generated" run "$folder" "$SCHEMAGEN" generate
  check "$name: no version is added" \
    diff "$folder.before" <(find "$folder/Schemas" -name '*.yaml' -printf '%f\n' | sort)
  check "$name: what is generated is taken out" finish "$folder"
  if ! grep -qr VersionedSchema "$root/Tests/Support/Fixtures/Adoption/$name/Sources"; then
    check "$name: no file of the app changes" \
      diff -r -x Generated -x Migrations "$root/Tests/Support/Fixtures/Adoption/$name/Sources" "$folder/Sources"
  fi
  check "$name: compiles" compile "$folder/Sources"
  check "$name: a snapshot changes nothing" run "$folder" "$SCHEMAGEN" snapshot --check
  check "$name: nothing is detected" run "$folder" "$SCHEMAGEN" detect Sources
}

# back NAME: from there to manifests first, and to code first again. The lock notices any other hash.
back() {
  local name=$1 folder=kept-$1
  sed -i.bak '/^classes:/d; /^notStored:/d' "$folder/Schemas/schemagen.yaml"
  check "$name: models are generated without 'classes:'" run "$folder" "$SCHEMAGEN" generate
  check "$name: ... and the classes go" finish "$folder"
  check "$name: ... which compiles" compile "$folder/Sources"
  check "$name: ... as the versions that have shipped" run "$folder" "$SCHEMAGEN" lint
  check "$name: the classes come back" \
    run "$folder" "$SCHEMAGEN" snapshot --begin Sources/Classes
  check "$name: ... which compiles as well" compile "$folder/Sources"
  check "$name: ... as the same version" run "$folder" "$SCHEMAGEN" snapshot --check
  check "$name: ... and as those that have shipped" run "$folder" "$SCHEMAGEN" lint
}

for name in added-list appended-list containers defaults field-names frozen-types initializers \
  live-classes transients unversioned; do
  kept "$name"
done
for name in added-list appended-list defaults transients unversioned; do back "$name"; done
# A field of a stored struct under another name, with the conversion that the question offers; a class and its property
# renamed at once: only a compiler knows whether what is generated for them is Swift.
mkdir -p renamed/Sources
cat >renamed/Sources/Models.swift <<'EOF'
import SwiftData

@Model
final class Shelf {
  var lid: Lid
  var vases: [Vase] = []

  init(lid: Lid) { self.lid = lid }
}

struct Lid: Codable {
  var width: Double
  var note: String?
}

@Model
final class Vase {
  var tint: String = ""
  var shelf: Shelf?

  init() {}
}
EOF
for command in "adopt Sources" "release V1" generate; do
  check "renamed: $command" run renamed "$SCHEMAGEN" $command
done
sed -i.bak 's/note: String/remark: String/; s/class Vase/class Urn/; s/Vase\]/Urn]/; s/var tint/var colour/' \
  renamed/Sources/Models.swift
check "renamed: asks" status 1 run renamed "$SCHEMAGEN" snapshot
check "... and offers the conversion" says "to keep the values, rename 'lid' to 'newLid', and write above 'newLid' in the class: // schemagen:from lid, and below it // schemagen:convert Lid(width: \$0.width, remark: \$0.note)"
sed -i.bak -e 's|^final class Urn|// schemagen:renamedFrom Vase\n&|' \
  -e 's|  var colour|  @Attribute(originalName: "tint") var colour|' \
  -e 's|  var vases|  @Relationship(originalName: "vasesV2") var vases|' \
  -e 's|  var lid: Lid|  // schemagen:from lid\n  // schemagen:convert Lid(width: $0.width, remark: $0.note)\n  var newLid: Lid|' \
  -e 's|self.lid = lid|newLid = lid|' renamed/Sources/Models.swift
check "renamed: answered" run renamed "$SCHEMAGEN" snapshot
check "renamed: compiles" compile renamed/Sources

mkdir twice
cp -R kept-unversioned/. twice
check "classes that are kept are not begun again" \
  status 2 run twice "$SCHEMAGEN" snapshot --begin Sources/More
check "... and it is said what to do" says "schemagen snapshot"

# What nobody has confirmed is in every report, until somebody has.
for command in generate lint; do
  check "$command: a loss of all rows is never silent" run suffixes "$SCHEMAGEN" "$command"
  check "... and it is said what goes" says "V2 has shipped with this change: it drops every row of V1 without confirmation"
done
check "diff shows what nobody has confirmed" run suffixes "$SCHEMAGEN" diff
check "... in the change" says "unconfirmed removal"
check "MIGRATIONS.md shows it as well" grep -qF '**unconfirmed removal**' suffixes/Schemas/MIGRATIONS.md
sed -i.bak 's/TripV1: unconfirmed/TripV1: trips were in no release/' suffixes/Schemas/V2.yaml
check "a reason settles it, also after the release" run suffixes "$SCHEMAGEN" generate
check "... and nothing is left to say" sh -c '! grep -qE "warning|error" output'
# What cannot be told of one property is a draft, and the rest is there.
mkdir draft
cp -R "$root/Tests/Support/Fixtures/Adoption/drafts/Sources" draft/Sources
check "a dry run tells of a draft" status 1 run draft "$SCHEMAGEN" adopt Sources --dry-run
check "... and promises no more" says "2 versions would be adopted as a draft, 7 errors to correct"
check "a draft is adopted" status 1 run draft "$SCHEMAGEN" adopt Sources
check "... as one" says "2 versions adopted as a draft, 7 errors to correct"
check "... with the code of its stage" \
  grep -rq 'trip.code = trip.name' draft/Sources/Migrations/V1ToV2.swift
for command in generate release "adopt --finish Sources"; do
  check "${command%% *}: nothing is made of a draft" status 2 run draft "$SCHEMAGEN" $command
done
check "... and nothing was generated" test ! -e draft/Sources/Generated
# A version that has not shipped is judged as ever.
mkdir open
cp -R "$root/Tests/Support/Fixtures/Adoption/renames/Sources" open/Sources
check "an adoption says what to do next" status 1 run open "$SCHEMAGEN" adopt Sources
check "... mark what has shipped" says "schemagen release V4"
check "what comes later does not hold it up" run open "$SCHEMAGEN" release V3
check "... and is asked as ever" status 1 run open "$SCHEMAGEN" generate
check "... about that version only" says "1 error, 2 warnings"

# Nothing is overwritten, and nothing is written where something is wrong.
mkdir again
cp -R "$root/Tests/Support/Fixtures/Adoption/nested/Sources" again/Sources
check "a dry run shows the manifests" status 1 run again "$SCHEMAGEN" adopt Sources --dry-run
check "... and writes nothing" test ! -e again/Schemas
check "the first adoption writes" status 1 run again "$SCHEMAGEN" adopt Sources
cp -R again/Schemas before
check "the second is refused" status 2 run again "$SCHEMAGEN" adopt Sources
check "... because of what is there" says "it exists already"
check "... and changes nothing" diff -r before again/Schemas
check "a dry run promises no more" status 2 run again "$SCHEMAGEN" adopt Sources --dry-run
check "... for the same reason" says "it exists already"
# Several plans are several stores: all of them, or one at a time.
mkdir plans
cp -R "$root/Tests/Support/Fixtures/Adoption/two-stores/Sources" plans/Sources
check "one of two plans" run plans "$SCHEMAGEN" adopt Sources --plan CoversMigrationPlan
check "... says that the other is another store's" says "'NotesMigrationPlan' is the plan of another store"
check "... and nothing of its versions" bash -c '! grep -qF "in no plan" output'
check "the other beside it" \
  run plans "$SCHEMAGEN" adopt Sources --plan NotesMigrationPlan --schemas Schemas/Notes
check "... in the folder that both together would get" \
  diff -r plans/Schemas/Notes "$root/Tests/Support/Fixtures/Adoption/two-stores/Adopted/Schemas/Notes"
check "a user file in the way is told" \
  status 2 run plans "$SCHEMAGEN" adopt Sources --plan CoversMigrationPlan --schemas Schemas/Again
check "... with the option that helps" says "--output"
check "... which does" run plans "$SCHEMAGEN" adopt Sources --plan CoversMigrationPlan \
  --schemas Schemas/Again --output Elsewhere
rm -rf plans/Schemas
sed -i.bak '/PersistentModel/s/\[/[Unheard.self, /2' plans/Sources/Notes/Notes.swift
rm -rf plans/Sources/Covers/Migrations
mkdir -p cut/Schemas
notes=$root/Tests/Support/Fixtures/Adoption/two-stores/Adopted/Schemas/Notes/V1.yaml
printf '{"changes":[{"path":"Notes/V1.yaml","new":"%s"}]}' "$(base64 <"$notes" | tr -d '\n')" \
  >cut/Schemas/.schemagen-journal
check "what a killed adoption of several stores had begun is finished" \
  run cut "$SCHEMAGEN" generate
check "... before the folders are looked for" test -e cut/Schemas/Notes/schema.lock
check "all stores or none" status 2 run plans "$SCHEMAGEN" adopt Sources
check "... and nothing is written" test ! -e plans/Schemas
# User files belong to the sources, wherever the manifests are.
mkdir -p beside/app beside/elsewhere
cp -R "$root/Tests/Support/Fixtures/Adoption/stages/Sources" beside/app/Sources
check "manifests may lie elsewhere" \
  run beside/app "$SCHEMAGEN" adopt Sources --schemas ../elsewhere/Schemas
check "... and user files are beside the sources" test -e beside/app/Sources/Migrations/V2ToV3.swift
check "... and so are generated files" \
  run beside/app "$SCHEMAGEN" generate --schemas ../elsewhere/Schemas
check "... in the same folder" test -e beside/app/Sources/Generated/ActiveSchema.swift
# What watches the sources afterwards, on a tree that is as it should be.
for command in "schemagen detect" "schemagen lint-code" "schemagen affected"; do
  name=${command#schemagen }
  check "$name: no findings after an adoption" run suffixes "$SCHEMAGEN" "$name" Sources
done
check "detect, in a report for a platform" run suffixes "$SCHEMAGEN" detect Sources --format github

mkdir empty
check "an empty folder has nothing to adopt" status 2 run empty "$SCHEMAGEN" adopt
check "... and it is said what to name" says "schemagen adopt Sources"
check "a folder that is not there is told" status 2 run empty "$SCHEMAGEN" adopt Nowhere
check "... with its name" says "Nowhere"
check "a plan that is not there is told" status 2 run again "$SCHEMAGEN" adopt Sources --plan Other
if ((EUID != 0)); then
  mkdir -p locked/Sources
  cp -R "$root/Tests/Support/Fixtures/Adoption/nested/Sources/." locked/Sources
  chmod 0 locked/Sources/SchemaV9.swift
  check "a file that cannot be read is not a reason to guess" status 2 run locked "$SCHEMAGEN" adopt Sources
fi
printf '\xff\xfe@Model final class A { var b: String }' >empty/Broken.swift
check "a file that is not text is told" status 2 run empty "$SCHEMAGEN" adopt

echo "$passed passed, $failed failed"
((failed == 0))
