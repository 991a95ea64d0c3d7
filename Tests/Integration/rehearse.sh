#!/usr/bin/env bash
# Rehearses the examples and the fixtures with the real binary.
#
#   rehearse.sh
#
# What is built stays in .build: the first run takes longer than the next ones. Each history has a folder of its own, in
# the same place each time: one that comes after another one in its folder would be compiled in each run.
# Prints a line for each check, then `N passed, M failed`; exits 1 when one failed.
set -euo pipefail

. "$(dirname "${BASH_SOURCE[0]}")/../../Scripts/common.sh"
shared=$root/.build/integration/rehearsal
schemagen=${SCHEMAGEN:-$root/.build/debug/schemagen}
scratch=$root/.build/integration/rehearsed
rm -rf "$scratch"
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$shared" "$scratch"
cd "$root"

if [[ $(uname -s) != Linux ]]; then
  echo "SKIPPED: a rehearsal runs on Linux; here SwiftData itself is the better proof"
  exit 0
fi

rehearse() {
  status=0
  SECONDS=0
  "$schemagen" rehearse --work "$shared" "$@" </dev/null >"$scratch/output" 2>"$scratch/errors" ||
    status=$?
  took=$SECONDS
}

# What a failed check prints besides.
complains() { grep -qF -- "$1" "$scratch/errors"; }
silent() { [[ ! -s $scratch/errors ]]; }

# Every path of every example, with kill tests.
for folder in Ritualist Habitto KeepTrack Travel Recipes; do
  rehearse --schemas "Schemas/$folder" --quiet --report "json=$scratch/$folder.json"
  check "$folder: all paths, $took s" exits 0
  check "$folder: nothing is lost" says "no unexpected data loss"
  [[ $folder != Ritualist ]] || check "Ritualist: 36 paths" says "9 versions, 36 paths, "
done
rehearse --schemas Tests/Support/Fixtures/Everything --quiet
check "Everything: all paths, $took s" exits 0
# It takes a case away, and changes a raw value.
rehearse --schemas Tests/Support/Fixtures/EveryChange --quiet --no-kill
check "EveryChange: a case that is gone: 1" exits 1
check "EveryChange: says which" says "'Mood.lost'"
check "EveryChange: says what to do" says "--without removed-cases"
rehearse --schemas Tests/Support/Fixtures/EveryChange --quiet --without removed-cases
check "EveryChange: all other paths, $took s" exits 0

# Of rows that are alike one stays, with all that hangs on the others.
rehearse --schemas Tests/Support/Fixtures/Duplicates --quiet
check "Duplicates: no row goes but the equal ones, $took s" exits 0
check "Duplicates: there are some" says "51 + 4 merged"

# Values that take a fallback are counted, for every path.
rehearse --schemas Tests/Support/Fixtures/Fallbacks --quiet --no-kill
check "Fallbacks: 0" exits 0
check "Fallbacks: unknown raw values" says "Habit.kind: 12 values became .other"
check "Fallbacks: of an optional" says "Habit.goal: 9 values became 7"
check "Fallbacks: JSON that cannot be read" says "Habit.stepCount: 2 values took the fallback"

# As the README installs it: by its name, in another folder; and by a link to it.
mkdir "$scratch/Elsewhere" "$scratch/links"
cp -R Tests/Support/Fixtures/Fallbacks "$scratch/Elsewhere/Schemas"
ln -s "$schemagen" "$scratch/links/linked-schemagen"
for called in schemagen linked-schemagen; do
  by_name() {
    (cd "$scratch/Elsewhere" && unset SCHEMAGEN_PACKAGE &&
      PATH="$(dirname "$schemagen"):$scratch/links:$PATH" "$called" rehearse --work "$shared" --no-kill --steps-only --quiet)
  }
  check "$called on the PATH, in another folder" by_name
done

# Half of all stages log, and some count under a lock, by what Linux has not. Nor has it Apple's types to store.
mkdir -p "$scratch/Logging/Schemas/Migrations"
echo '{ version: 1.0.0, models: { Trip: { properties: { name: String } } } }' >"$scratch/Logging/Schemas/V1.yaml"
echo '{ version: 2.0.0, hooks: [before], types: { HKKind: { opaque: true } }, models: { Trip: { properties: { name: String, note: String?, kind: HKKind? } } } }' \
  >"$scratch/Logging/Schemas/V2.yaml"
cat >"$scratch/Logging/Schemas/Migrations/V1ToV2.swift" <<'EOF'
import Foundation
import OSLog
import SwiftData
import os.log
import os

public let log = Logger(subsystem: "com.example.trips", category: "migration")
private let old = OSLog(subsystem: "com.example.trips", category: "migration")
private let named = OSAllocatedUnfairLock(initialState: 0)
private let once = OSAllocatedUnfairLock()

nonisolated enum V1ToV2 {
  static func before(_ context: ModelContext) throws {
    let signposter = OSSignposter(logger: log)
    let state = signposter.beginInterval("V1", id: signposter.makeSignpostID())
    defer { signposter.endInterval("V1", state) }
    os_signpost(.begin, log: old, name: "V1")
    for trip in try context.fetch(FetchDescriptor<SchemaV1.Trip>()) where trip.name.isEmpty {
      log.debug("\(trip.name, privacy: .public) of \(1.5, format: .fixed(precision: 1))")
      log.log(level: .error, "no name: \(trip.name.count, privacy: .private(mask: .hash))")
      os_log("%{public}@", log: old, type: .info, trip.name)
      os_log(.fault, log: old, "no name")
      trip.name = "Untitled"
      named.withLock { $0 += 1 }
      once.withLock { log.info("named \(named.withLock { $0 }) in \(URL.documentsDirectory)") }
    }
    try context.save()
  }
}
EOF
rehearse --root "$scratch/Logging" --schemas "$scratch/Logging/Schemas" --quiet --no-kill
check "a stage that logs: 0" exits 0

# An app's own code, and a version that its plan does not compile without.
rehearse --schemas Examples/Consumer/Schemas --quiet \
  --source Examples/Consumer/Sources/TripModels/Length.swift
check "the consumer, with the app's own code" exits 0
mkdir "$scratch/Lacking"
cp -r Examples/Consumer/Schemas "$scratch/Lacking"
sed -i 's/^output: .*/output: Generated/; s/^owned: .*/owned: Migrations/' "$scratch/Lacking/Schemas/schemagen.yaml"
rehearse --root "$scratch/Lacking" --schemas "$scratch/Lacking/Schemas" --quiet
check "without it: 2" exits 2
check "without it: says what is missing" complains "cannot find 'Length' in scope"
check "without it: says where in the manifest" complains "/Schemas/V2.yaml:17:19: error: "
check "without it: says what to do" complains "--source"
printf 'enum Broken { case \377 }\n' >"$scratch/Lacking/Broken.swift"
rehearse --root "$scratch/Lacking" --schemas "$scratch/Lacking/Schemas" --quiet
check "beside a file that is no text: says what is missing" complains "cannot find 'Length' in scope"
check "beside a file that is no text: says so" complains "Broken.swift' cannot be read"
rm "$scratch/Lacking/Broken.swift"
# A file of the app's with models, views and what the conversion needs; nobody names it.
mkdir "$scratch/Lacking/Sources"
{
  printf 'import SwiftUI\n\n@Model class Old { var name = "" }\nstruct Rows: View { var body: some View { Text("") } }\n'
  cat Examples/Consumer/Sources/TripModels/Length.swift
  printf 'extension Length: View { static var color: Color { .red } }\n'
  printf 'extension Length { static func metres(_ quantity: HKQuantity) -> Int { 0 } }\n'
} >"$scratch/Lacking/Sources/Rows.swift"
rehearse --root "$scratch/Lacking" --schemas "$scratch/Lacking/Schemas" --no-kill
check "what an app has elsewhere is found" exits 0
check "what an app has elsewhere: says so" complains "the rehearsal also needs 1 file of the app"
check "what of it is Apple's is left out" complains "leaving out what does not compile here: 1 place in the app's code"
check "... and listed at the end" complains "code left out, since it does not compile here:"
rehearse --root "$scratch/Lacking" --schemas "$scratch/Lacking/Schemas" --quiet --no-kill --source Sources/Rows.swift
check "of a file with views only what is needed is taken" exits 0
# A file that is named lacks a type of the app's: it is looked for as well, and what is named comes first.
sed 's/Int(exactly: metres)/Usual.metres(metres)/' Examples/Consumer/Sources/TripModels/Length.swift >"$scratch/Lacking/Sources/Rows.swift"
printf 'enum Usual { static func metres(_ value: Double) -> Int? { HKQuantity.none } }\n' >"$scratch/Lacking/Sources/A.swift"
mkdir "$scratch/Lacking/Stubs"
printf 'enum Usual { static func metres(_ value: Double) -> Int? { Int(exactly: value) } }\n' >"$scratch/Lacking/Stubs/Stub.swift"
rehearse --root "$scratch/Lacking" --schemas "$scratch/Lacking/Schemas" --no-kill --source Stubs
check "what a stand-in lacks is found in the app" exits 0
check "what a stand-in lacks: says so" complains "the rehearsal also needs 2 files of the app"
check "what a stand-in has is not taken from the app" not complains "HKQuantity"
rehearse --root "$scratch/Lacking" --schemas "$scratch/Lacking/Schemas" --quiet --source Sources/None.swift
check "a source that is not there: 2" exits 2
check "a source that is not there: says so" complains "None.swift': no such file or folder"

# What the app declares and nobody gives is made from the manifests: an adopted app is rehearsed at once.
cp -r Tests/Support/Fixtures/Adoption/added-list/Adopted "$scratch/Adopted"
"$schemagen" release --schemas "$scratch/Adopted/Schemas" >/dev/null 2>&1
rehearse --schemas "$scratch/Adopted/Schemas" --quiet --no-kill
check "an adopted app with enums of its own" exits 0

# Shares of a rehearsal on several machines are one again, with a folder of stores: a good one, one of no version, a
# damaged one and a file that is none. The rehearsals above made the good ones.
fleet=$scratch/fleet
mkdir -p "$fleet/anna" "$fleet/ben"
cp "$shared/Schemas-Travel/stores/from-V1/base-0.store" "$fleet/anna/app.store"
cp "$shared/Schemas-Travel/stores/fresh/V2.store" "$fleet/ben/app.store"
cp "$shared/Schemas-Habitto/stores/fresh/V1.store" "$fleet/other.store"
head -c 5000 "$fleet/anna/app.store" >"$fleet/cut.store"
echo "for support" >"$fleet/notes.txt"
before=$(find "$fleet" -type f -exec sha256sum {} + | sort)
rehearse --schemas Schemas/Travel --stores "$fleet" --report "json=$scratch/whole.json"
cp "$scratch/output" "$scratch/whole.txt"
check "a folder of stores: 1 for one that cannot be rehearsed" exits 1
check "a folder of stores: a row for each" says "anna/app.store       V1      1"
check "a folder of stores: one of no version is told" says "it matches no version of these manifests"
check "a folder of stores: a damaged one is told" says "cut.store: store-refused"
check "a folder of stores: the newest needs nothing" says "'ben/app.store' already has V2"
check "a folder of stores: another file is told" says "'notes.txt' is not a store"
check "a folder of stores: counted" says "4 stores: 2 of 4 stores cannot be rehearsed"
check "a folder of stores: progress" complains "✓ anna/app.store"
check "a folder of stores: none is touched" test "$before" = "$(find "$fleet" -type f -exec sha256sum {} + | sort)"
rehearse --schemas Schemas/Travel --schemas Schemas/Habitto --report "json=$scratch/both.json"
check "one report of two folders is refused" complains "'--report' is for one folder's versions"

# Kept stores are rehearsed without being named, once they are what their list says. One as if an app had written it:
# with the hashes of V1 in place of our mark.
cp -r Schemas/Travel "$scratch/Kept"
python3 - "$fleet/anna/app.store" Schemas/Travel/schema.lock "$scratch/app.store" <<'PY'
import base64, plistlib, re, shutil, sqlite3, sys
store, lock, result = sys.argv[1:]
shutil.copy(store, result)
first = re.split(r"(?m)^  - version:", open(lock).read())[1]
hashes = {name: base64.b64decode(value)
          for name, value in re.findall(r"(?m)^      (\w+): (\S+=)$", first)}
assert hashes
connection = sqlite3.connect(result)
listed = plistlib.loads(connection.execute("SELECT Z_PLIST FROM Z_METADATA").fetchone()[0])
listed = {"NSStoreModelVersionHashes": hashes, "NSStoreModelVersionHashesVersion": 3}
connection.execute("UPDATE Z_METADATA SET Z_PLIST = ?", [plistlib.dumps(listed, fmt=plistlib.FMT_BINARY)])
connection.execute("PRAGMA application_id = 0")
connection.commit()
PY
"$schemagen" release V1 --schemas "$scratch/Kept" >"$scratch/output"
check "kept stores: one is taken in" "$schemagen" stores add --schemas "$scratch/Kept" "$scratch/app.store"
rehearse --schemas "$scratch/Kept" --quiet --no-kill
check "kept stores: rehearsed" exits 0
check "kept stores: a row for each" says "✓ V1.store       V1      1"
"$schemagen" release V2 --schemas "$scratch/Kept" >"$scratch/output"
cp -r "$scratch/Kept" "$scratch/Retired"
"$schemagen" retire --below V2 --schemas "$scratch/Retired" >"$scratch/output"
rehearse --schemas "$scratch/Retired" --no-kill
check "retired versions: no path begins there" complains "1 kept store of retired versions: not rehearsed, since no path begins there"
"$schemagen" retire --undo --schemas "$scratch/Retired" >"$scratch/output"
echo >>"$scratch/Kept/Stores/V1.store"
rehearse --schemas "$scratch/Kept" --quiet --no-kill
check "kept stores: a changed one stops the rehearsal" exits 1
check "kept stores: says so" complains "its SHA-256 differs"
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:%s\nsize 9\n' \
  "$(sed -n 's/.* sha256: \([0-9a-f]*\) .*/\1/p' "$scratch/Kept/Stores/stores.yaml")" >"$scratch/Kept/Stores/V1.store"
rehearse --schemas "$scratch/Kept" --quiet --no-kill
check "kept stores: one that is not fetched stops the rehearsal" exits 1
check "kept stores: says how to fetch it" complains "git lfs pull"

# What people do without bridges loses rows when the app is killed; that is why there are bridges.
rehearse --schemas Tests/Support/Fixtures/Stash --quiet
check "values stashed in memory: 1" exits 1
check "values stashed in memory: undisturbed it works" says "✓ V1 → V2"
check "values stashed in memory: the kill test finds it" says "1 kill test fails"
check "values stashed in memory: says where it was killed" says "killed at checkpoint 3: migrated"
SCHEMAGEN=$schemagen WORK=$shared check "values stashed in memory: a terminal shows what the picture on the rehearsal's page shows" \
  Scripts/pictures/record.sh --check

# What a manifest expects of a step is held for every row: of the step, of longer paths, and of a store that is given.
mkdir -p "$scratch/Expect/Schemas"
cat >"$scratch/Expect/Schemas/V1.yaml" <<'YAML'
version: 1.0.0
models:
  Trip:
    properties:
      id: { type: UUID, unique: true }
      price: Double
      default: String
      note: String?
      kind: Kind
      owner: { relationship: Person?, inverse: trips }
  Tour: { inherits: Trip, properties: { length: Int } }
  Person: { properties: { name: String, trips: { relationship: "[Trip]" } } }
types:
  Kind: { enum: String, cases: [walk, ride] }
YAML
sed -e 's/^version: .*/version: 2.0.0/' -e 's/note: String?/memo: { type: String?, renamedFrom: note }/' \
  "$scratch/Expect/Schemas/V1.yaml" >"$scratch/Expect/Schemas/V2.yaml"
sed -e 's/^version: .*/version: 3.0.0/' -e 's/note: String?/memo: String?/' \
  -e 's/price: Double/cents: { type: Int, from: price, convert: "Int(exactly: ($0 * 100).rounded()) ?? 0", revert: Double($0) \/ 100 }/' \
  "$scratch/Expect/Schemas/V1.yaml" >"$scratch/Expect/Schemas/V3.yaml"
cat >>"$scratch/Expect/Schemas/V2.yaml" <<'YAML'
expect:
  - Trip: new.memo == old.note && new.`default` == old.`default`
  - no Trip without memo
  - no Trip without owner
YAML
cat >>"$scratch/Expect/Schemas/V3.yaml" <<'YAML'
expect:
  - Trip: new.kind == old.kind
  - "Tour: new.length == old.length && new.memo == old.memo"
  - Trip: "new.cents == (Int(exactly: (old.price * 100).rounded()) ?? 0)"
YAML
rehearse --schemas "$scratch/Expect/Schemas" --quiet
check "expectations: they hold" exits 0
check "expectations: on every path" says "expected"
cp -r "$scratch/Expect" "$scratch/Broken"
sed -i 's/(old.price \* 100)/(old.price * 10)/' "$scratch/Broken/Schemas/V3.yaml"
rehearse --schemas "$scratch/Broken/Schemas" --quiet --no-kill --report "json=$scratch/broken.json"
check "an expectation that is broken: 1" exits 1
check "an expectation that is broken: on the step" says "V2 → V3, Trip 'Trip 1'"
check "an expectation that is broken: on the longer path" says "V1 → V3, Trip 'Trip 1'"
check "an expectation that is broken: its kind" says "expectation-broken"
check "an expectation that is broken: its line" \
  says "Trip: new.cents == (Int(exactly: (old.price * 10).rounded()) ?? 0)"
check "an expectation that is broken: no other is" test "$(grep -c '"kind" : "expectation-broken"' "$scratch/broken.json")" \
  = "$(grep -c 'old.price \* 10)' "$scratch/broken.json")"
check "an expectation that is broken: a subclass's rows too" says "V2 → V3, Tour 'Tour 1'"
cp -r "$scratch/Broken" "$scratch/Unbuilt"
sed -i 's/new.kind == old.kind/new.kind == old.length/' "$scratch/Unbuilt/Schemas/V3.yaml"
rehearse --root "$scratch/Unbuilt" --schemas "$scratch/Unbuilt/Schemas" --quiet --no-kill
check "an expectation of a property that is not there: 1" exits 1
sed -i 's/new.kind == old.length/new.kind == old.memo/' "$scratch/Unbuilt/Schemas/V3.yaml"
rehearse --root "$scratch/Unbuilt" --schemas "$scratch/Unbuilt/Schemas" --quiet --no-kill
check "an expectation that does not compile: 2" exits 2
check "an expectation that does not compile: where, and why" complains "/Schemas/V3.yaml:16:11: error: cannot convert value of type 'Kind'"
# Two versions, the older one's names told by the newer one, and what is expected in flow style.
# expecting NAME CONVERSION EXPECTATIONS
expecting() {
  small=$scratch/$1
  mkdir -p "$small/Schemas"
  printf '%s\n' 'version: 1.0.0' 'models: { Trip: { properties: { name: String, euros: Int32 } } }' >"$small/Schemas/V1.yaml"
  printf '%s\n' 'version: 2.0.0' \
    "models: { Trip: { properties: { title: { type: String, renamedFrom: name }, cents: { type: Int, from: euros, convert: $2, revert: 'Int32(clamping: \$0 / 100)' } } } }" \
    "expect: [$3]" >"$small/Schemas/V2.yaml"
  printf '%s\n' 'version: 3.0.0' \
    'models: { Trip: { properties: { title: String, cents: Int, more: Int? } } }' >"$small/Schemas/V3.yaml"
}
expecting Unheard 'Int($0) * 100' 'Trip: new.title == unheard(old.name)'
rehearse --root "$small" --schemas "$small/Schemas" --quiet --no-kill
check "an expectation of an older step that does not compile: 2" exits 2
check "an expectation of an older step that does not compile: says where" complains "/Schemas/V2.yaml:3:"
check "an expectation of an older step that does not compile: says why" complains "cannot find 'unheard' in scope"
expecting Trapping 'Int($0) * 100' 'Trip: new.title.first! == old.name.first!, no Trip without title, Trip: new.title != old.name'
rehearse --root "$small" --schemas "$small/Schemas" --quiet --no-kill --report "json=$scratch/small.json"
check "an expectation that traps: 1" exits 1
check "an expectation that traps: says why" says "Unexpectedly found nil"
check "an expectation that traps: is told by itself" says "expected:  Trip: new.title.first! == old.name.first!"
check "an expectation that traps: the others are held" says "expected:  Trip: new.title != old.name"
check "an expectation that every row breaks: three are told" test "$(grep -c 'Trip: new.title != old.name' "$scratch/small.json")" = 3
check "an expectation that every row breaks: and how many there are" says " more"
# A migration that is wrong.
cp -r Tests/Support/Fixtures/Stash "$scratch/Wrong"
cat >"$scratch/Wrong/V2.yaml" <<'YAML'
version: 2.0.0
models:
  Recipe:
    entity: Recipe
    properties:
      id: { type: UUID, unique: true }
      name: String = ""
      servings: { type: Int, from: servings, convert: Int($0)!, revert: String($0) }
YAML
rm "$scratch/Wrong/Migrations/V1ToV2.swift"
rehearse --schemas "$scratch/Wrong" --quiet --no-kill
check "a conversion that traps: 1" exits 1
check "a conversion that traps: says which path" says "✗ V1 → V2"
check "a conversion that traps: says why" says "Unexpectedly found nil"
# Swift says nothing where arithmetic is inlined.
cp -r "$scratch/Wrong" "$scratch/Overflow"
sed -i.old 's|servings: .*|twice: { type: Int, from: servings, convert: $0 * 2, revert: $0 / 2 }|' "$scratch/Overflow/V2.yaml"
sed -i.old 's/servings: .*/servings: Int = 0/' "$scratch/Overflow/V1.yaml"
rehearse --schemas "$scratch/Overflow" --quiet --no-kill
check "a conversion that overflows: 1" exits 1
check "a conversion that overflows: says what a trap is" says "trapped (signal"
check "a conversion that overflows: says on which value" says "servings (greatest-values): migration-failed"
check "a conversion that overflows: says what is made of it" says "the code that makes 'Recipe.twice' from 'servings' must accept every value"

# A hook that gives other values in every run; and a long history in parts.
mkdir -p "$scratch/Clock/Migrations"
properties='{ id: { type: UUID, unique: true }, seen: { type: Date?, default: nil }'
cat >"$scratch/Clock/V1.yaml" <<YAML
version: 1.0.0
models: { Person: { properties: $properties } } }
YAML
cat >"$scratch/Clock/V2.yaml" <<YAML
version: 2.0.0
hooks: [before]
models: { Person: { properties: $properties, mark: { type: String?, default: nil } } } }
YAML
cat >"$scratch/Clock/V3.yaml" <<YAML
version: 3.0.0
models: { Person: { properties: $properties, mark: { type: String?, default: nil }, note: { type: String?, default: nil } } } }
YAML
# hook FOLDER VALUE: that history in a folder of its own, with a hook that gives this value.
hook() {
  [[ $1 == Clock ]] || cp -r "$scratch/Clock" "$scratch/$1"
  cat >"$scratch/$1/Migrations/V1ToV2.swift" <<SWIFT
import Foundation
import SwiftData
nonisolated enum V1ToV2 {
  static func before(_ context: ModelContext) throws {
    for person in try context.fetch(FetchDescriptor<SchemaV1.Person>()) { person.seen = $2 }
    try context.save()
  }
}
SWIFT
}
hook Clock .now
rehearse --schemas "$scratch/Clock" --quiet
check "a clock in a hook is no difference" exits 0
check "a clock in a hook: all paths" says "3 versions, 3 paths, "
# What is there in one run and not in the next is one, whatever the clock says.
hook Flicker 'person.seen == nil && ProcessInfo.processInfo.environment["SCHEMAGEN_KILL_AT"] == nil ? .now : nil'
rehearse --schemas "$scratch/Flicker" --quiet
check "a value that is there or not: 1" exits 1
check "a value that is there or not: a difference" says "Person.seen"
rehearse --schemas "$scratch/Clock" --quiet --no-kill --from V2
check "from V2: one path" says "3 versions, 1 path: "
check "from V2: says that it is a part" says "only paths from V2 to V3 were rehearsed"
rehearse --schemas "$scratch/Clock" --quiet --no-kill --to V2 --package .
check "to V2: the other one" says "✓ V1 → V2"
rehearse --schemas "$scratch/Clock" --quiet --steps-only
check "steps only: two paths, and kills on each" says "3 versions, 2 paths, "
check "steps only: says that it is a part" says "only single steps from V1 to V3 were rehearsed"
rehearse --schemas "$scratch/Clock" --from V3
check "from the newest: 2" exits 2
check "from the newest: says so" complains "no path begins at V3"
rehearse --schemas "$scratch/Clock" --to V1
check "to the first: says so" complains "no path ends at V1"
rehearse --schemas "$scratch/Clock" --from V9
check "from a version that is not there" complains "has no version V9; it has V1, V2, V3"

# A run that is ended takes all that it has started with it, also if nobody could ask it to.
# The hook says when it is there: the programs that make the stores come and go before it.
children() { pgrep -f -- "$shared/.*Asleep/stores" >/dev/null; }
none() { ! children; }
hook Asleep ".now
      FileManager.default.createFile(atPath: \"$scratch/asleep\", contents: nil)
      while true { sleep(1) }"
for signal in TERM KILL; do
  rm -f "$scratch/asleep"
  "$schemagen" rehearse --work "$shared" --schemas "$scratch/Asleep" >"$scratch/output" 2>"$scratch/errors" &
  pid=$!
  for ((turn = 0; turn < 3000; turn++)); do
    if [[ -e $scratch/asleep ]]; then break; fi
    sleep 0.1
  done
  check "ended by $signal: it was under way" children
  kill -"$signal" "$pid"
  wait "$pid" 2>/dev/null || true
  for ((turn = 0; turn < 50; turn++)); do
    if none; then break; fi
    sleep 0.1
  done
  check "ended by $signal: nothing goes on" none
done

# What only the author's code makes safe is proven by running it: of equal rows one stays, and no row without a value.
cp -r Tests/Support/Fixtures/Adoption/guarding-stage/Adopted "$scratch/Guarding"
rehearse --schemas "$scratch/Guarding/Schemas" --quiet
check "code before a constraint: 0, $took s" exits 0
check "code before a constraint: rows that are alike" says "+ 2 merged"
# guarding NAME PATTERN: without the lines of that code.
guarding() {
  cp -r Tests/Support/Fixtures/Adoption/guarding-stage/Adopted "$scratch/$1"
  sed -i "/$2/d" "$scratch/$1/Sources/Migrations/V1ToV2.swift"
  rehearse --schemas "$scratch/$1/Schemas" --quiet --no-kill
}
guarding Unguarded 'context.delete(customer)'
check "code that leaves equal rows: 1" exits 1
check "code that leaves equal rows: says why" says "UNIQUE constraint failed"
guarding Lacking-Value 'customer.nickname = '
check "code that leaves a required value out: 1" exits 1

# What a step that shipped drops, and nobody has confirmed, is in the verdict.
cp -r Tests/Support/Fixtures/Adoption/suffixes/Adopted "$scratch/Unconfirmed"
rehearse --schemas "$scratch/Unconfirmed/Schemas" --quiet --no-kill
check "a drop that nobody confirmed: 1, and not rehearsed" exits 1
"$schemagen" release --schemas "$scratch/Unconfirmed/Schemas" >/dev/null 2>&1
rehearse --schemas "$scratch/Unconfirmed/Schemas" --quiet --no-kill
check "once it has shipped: 0, $took s" exits 0
check "once it has shipped: the verdict" says " of 1 model dropped, unconfirmed"

# The app's own store.
rehearse --schemas Tests/Support/Fixtures/Stash --quiet --without malformed-json unknown-raw-value
cp "$shared/Tests-Support-Fixtures-Stash/stores/from-V1/base-0.store" "$scratch/app.store"
before=$(sha256sum <"$scratch/app.store")
rehearse --schemas Tests/Support/Fixtures/Stash --quiet --no-kill --store "$scratch/app.store"
check "a store of the app's: 0" exits 0
check "a store of the app's: a path of its own" says "V1 → V2 of app.store"
check "a store of the app's: is not touched" test "$before" = "$(sha256sum <"$scratch/app.store")"
check "a store of the app's: nothing beside it" test ! -e "$scratch/app.store-wal"
rehearse --schemas Schemas/Travel --quiet --no-kill --store "$scratch/app.store"
check "a store of another app: 2" exits 2
check "a store of another app: says so" complains "matches no version of these manifests"
check "a store of another app: says what tells more" complains \
  "schemagen doctor $scratch/app.store --schemas Schemas/Travel"
# What 'doctor' says of them, before anything is compiled.
echo "no store" >"$scratch/text.store"
: >"$scratch/empty.store"
for what in "text:not a SQLite database" "empty:is empty" "none:no such file" "..:folder, not a store"; do
  name=${what%%:*}
  file=$scratch/$name.store
  [[ $name == .. ]] && file=$scratch
  rm -rf "$scratch/unbuilt"
  "$schemagen" rehearse --schemas Schemas/Travel --quiet --work "$scratch/unbuilt" --store "$file" \
    >"$scratch/output" 2>"$scratch/errors" && status=0 || status=$?
  check "a store that is $name: 2" exits 2
  check "a store that is $name: says so" complains "${what#*:}"
  check "a store that is $name: nothing is compiled for it" test ! -e "$scratch/unbuilt"
done

# Reports.
rehearse --schemas Schemas/Travel --quiet --no-kill --format json \
  --report "markdown=$scratch/report.md" --report "text=$scratch/report.txt"
check "JSON on the terminal" python3 -m json.tool "$scratch/output"
check "Markdown in a file" grep -q '^# Conservation report' "$scratch/report.md"
check "text in a file" grep -q 'V1 → V2' "$scratch/report.txt"
check "--quiet: the report and nothing else" silent
cp "$scratch/output" "$scratch/first"
rehearse --schemas Schemas/Travel --no-kill --format json
measured='s/"(seconds|peakMemory)" : .*//'
check "the same in every run, but for times and memory" diff \
  <(sed -E "$measured" "$scratch/first") <(sed -E "$measured" "$scratch/output")
check "how much memory a migration held" grep -q '"peakMemory" : [1-9]' "$scratch/output"
check "progress, unless --quiet" complains "✓ V1 → V2"
check "nothing is written beside the manifests" test -z \
  "$(git status --porcelain Schemas Tests/Support/Fixtures Examples)"

# Wrong usage.
rehearse --schemas Schemas/Travel --report yaml=x
check "a report of no form: 2" exits 2
rehearse --schemas Schemas/Travel --without nothing
check "no such adversarial rows: 2" exits 2
rehearse --schemas "$scratch/nowhere"
check "no such folder: 2" exits 2
rehearse --schemas Schemas/Travel --package "$scratch"
check "a package that is not schemagen's: 2" exits 2
check "a package that is not schemagen's: says which it must be" complains "SCHEMAGEN_PACKAGE"

echo
echo "$passed passed, $failed failed"
((failed == 0))
