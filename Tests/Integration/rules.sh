#!/usr/bin/env bash
# Breaks rules' pages in a copy, one way at a time, and looks at what Scripts/rules.py says of each.
#
#   rules.sh
#
# Prints a line for each check, then `N passed, M failed`; exits 1 when one failed.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
. "$root/Scripts/common.sh"
cd "$root"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
copy=$scratch/copy

# rules [OPTION]: in the copy.
rules() {
  status=0
  "$copy/Scripts/rules.py" "$@" >"$scratch/output" 2>&1 || status=$?
}

# fresh: the copy is as the checkout.
fresh() {
  rm -rf "$copy"
  mkdir -p "$copy/Scripts" "$copy/docs"
  cp Scripts/rules.py "$copy/Scripts/"
  cp -R docs/rules "$copy/docs/"
  cp -R Sources "$copy/"
}

# refuses NAME EDIT FILE MESSAGE: after an edit by sed the script ends with the message, and writes nothing.
refuses() {
  fresh
  sed -i.before "$2" "$copy/$3"
  check "$1: is an edit" not cmp -s "$copy/$3" "$copy/$3.before"
  rm "$copy/$3.before"
  cp -R "$copy" "$scratch/before"
  rules
  check "$1: is refused" exits 1
  check "$1: says where and what" says "$4"
  check "$1: nothing is written" diff -r "$scratch/before" "$copy"
  rm -rf "$scratch/before"
}

fresh
rules --check
check "the checkout is current" exits 0

page=docs/rules/null-trap.md
refuses "another heading" '1s/null/nil/' "$page" "$page:1: the heading is '# null-trap'"
refuses "a title that is no sentence" '3s/\.$//' "$page" "$page:3: what the rule finds is one sentence"
refuses "a head that is none" '5s/Severity/Gravity/' "$page" "$page:5: the head is: Severity: "
refuses "an unknown category" '5s/(migration)/(moving)/' "$page" "$page:5: no category is called 'moving': one of data-loss"
refuses "an unknown scope" '5s/Looks at [^.]*/Looks at stores/' "$page" "$page:5: no scope is called 'stores'"
refuses "an unknown page of facts" '5s/facts\/migration/facts\/moves/' "$page" "$page:5: what is '[migration: add required enum]"
refuses "a fact without its mark" '5s/ (likely)//' "$page" "$page:5: what is '[migration: add required enum]"
refuses "words that are not the link's" '5s/add required enum/add an enum/' "$page" "$page:5: what is '[migration: add an enum]"
refuses "no reason" '7,/^## Bad/{/^## Bad/!d;}' "$page" "$page:7: say why it matters"
refuses "no good example" '/^## Good/,$d' "$page" "there is no '## Good'"
refuses "a number left out" 's/^## Good 2/## Good 4/' "$page" "the heading is '## Good 2'"
refuses "nothing said of what is found" '/^```text$/,/^```$/d' "$page" "what is found stands below a bad example"
refuses "a fence without a name" '/^`V1\.yaml`$/d' "$page" "above a fence stands the file's name"
refuses "a name without a fence" '/^```yaml$/d' "$page" "below a file's name stand an empty line and its fence"
refuses "a fence without an end" '$d' "$page" "the fence has no end"
refuses "words between files" 's/^`V1.yaml` as above\.$/`V1.yaml` as before./' "$page" "words stand below the example's heading"
refuses "a comment that means nothing" 's/^<!-- today:/<!-- day:/' docs/rules/expired-acceptance.md \
  "docs/rules/expired-acceptance.md:11: words stand"
refuses "a hidden character" $'7s/S/\xe2\x80\x8bS/' "$page" "$page:7: a character that nobody sees: write \\u{200B}"
refuses "a rule about Swift code that nobody could accept" '/^`\/\/ schemagen:accept/d' docs/rules/fatal-container.md \
  "above the examples of a rule about Swift code stands:"
refuses "a fix that is nowhere" '5s/$/ `--fix` corrects it./' docs/rules/missing-default.md \
  "docs/rules/missing-default.md:5: the head says that '--fix' corrects it, and there is no RuleFix"
refuses "a fix that nobody is told of" '5s/ `--fix` corrects it\.//' "$page" "$page:5: there is a RuleFix"
check=Sources/Schema/SchemaLint/Rules/DataLoss/AfterHook.swift
refuses "a check of another name" 's/^struct AfterHook/struct BehindHook/' "$check" "$check:1: a file has one rule: struct AfterHook"
refuses "a check in another folder" '5s/(data-loss)/(migration)/' docs/rules/after-hook.md \
  "$check:1: 'after-hook' is of the category migration"
declared=Sources/Schema/SchemaModel/Rules/Rule.swift
refuses "a rule declared beside its page" '$a\
let second = Rule("null-trap", "Declared twice", basis: .manifest)' "$declared" "'null-trap' has a page, which declares it"

fresh
rm "$copy/docs/rules/after-hook.md"
rules
check "a check without a page: is refused" says "$check:1: no page of docs/rules is called after 'AfterHook'"

fresh
sed -i.before '7s/SwiftData/SwiftData 1/' "$copy/$page"
rm "$copy/$page.before"
rules --check
check "an edited page: the code is stale" exits 1
check "... which is said" says "Sources/Schema/SchemaLint/Generated/RulePages.swift is stale: run Scripts/rules.py"
check "... and of that alone" says_not "Rule+Pages"
rules
check "... and is written" exits 0
check "... with the edit" grep -q '^SwiftData 1 stores a Codable enum' "$copy/Sources/Schema/SchemaLint/Generated/RulePages.swift"
rules --check
check "... once" exits 0

echo
echo "$passed passed, $failed failed"
((failed == 0))
