#!/usr/bin/env bash
# Runs the steps of action.yml and of ci/gitlab.yml that write the comment, against a server on the loopback address
# that answers as GitHub and GitLab do (fake_forge.py).
#
#   comment.sh
#
# SCHEMAGEN   the binary to run; without it the checkout's own debug build
#
# Most of it runs a schemagen that only prints what it is told. Prints a line for each check, then `N passed, M failed`;
# exits 1 when one failed.
set -euo pipefail

# shellcheck disable=SC2046
unset $(git rev-parse --local-env-vars)

. "$(dirname "${BASH_SOURCE[0]}")/../../Scripts/common.sh"
if [[ -z ${SCHEMAGEN:-} ]]; then SCHEMAGEN=$(cd "$root" && swift build --show-bin-path)/schemagen; fi
python=$root/.build/tools/bin/python
for program in "$SCHEMAGEN" "$python"; do
  if [[ ! -x $program ]]; then
    echo "comment.sh: no program at '$program': run 'swift build' and Scripts/install-python-tools.sh" >&2
    exit 2
  fi
done
binary=$(cd "$(dirname "$SCHEMAGEN")" && pwd)/$(basename "$SCHEMAGEN")
scratch=$(mktemp -d)
server=
trap 'if [[ -n $server ]]; then kill "$server"; fi; rm -rf "$scratch"' EXIT
app="$scratch/an app"
status=0

printf '%s\n' '[user]' 'name = Integration test' 'email = test@example.invalid' '[init]' \
  'defaultBranch = main' '[commit]' 'gpgsign = false' >"$scratch/gitconfig"
export GIT_CONFIG_GLOBAL=$scratch/gitconfig GIT_CONFIG_NOSYSTEM=1 NO_COLOR=1 no_proxy=127.0.0.1
# This may itself run in a workflow or a pipeline.
for variable in $(env | sed -nE 's/^((GITHUB|RUNNER|CI|GITLAB|SCHEMAGEN)_?[A-Z_0-9]*)=.*/\1/p'); do unset "$variable"; done

# What a failed check prints besides.
tell() {
  echo "status $status, and said:"
  tail -n 20 "$scratch/output"
  echo "asked:"
  tail -n 20 "$forge/log"
}

says_nowhere() { ! grep -rqF -- "$1" "$scratch/output" "$scratch/summary" "$scratch/runner" "$app"; }

# --- The server ------------------------------------------------------------------------------------

forge=$scratch/forge
mkdir "$forge" "$scratch/runner" "$scratch/programs"
fake() { "$python" "$root/Tests/Integration/fake_forge.py" "$1" "$forge" "${@:2}"; }
fake reset
"$python" "$root/Tests/Integration/fake_forge.py" serve "$forge" &
server=$!
for _ in {1..100}; do
  if [[ -e $forge/ports ]]; then break; fi
  sleep 0.1
done
read -r port other <"$forge/ports"

# asked COUNT PATTERN: that so many requests match.
asked() { (($(grep -cE -- "$2" "$forge/log" || true) == $1)); }
writes() { asked "$1" ' (POST|PATCH|PUT|DELETE) [^ ]*(comments|notes)'; }
comments() { (($(fake list | wc -l) == $1)); }
# body NUMBER MARKER FILE: that a comment is the marker and the file, byte for byte.
body() { cmp <(fake body "$1") <(printf '%s\n' "$2" && cat "$3"); }
body_is() { [[ $(fake body "$1") == "$2" ]]; }
body_begins() { [[ $(fake body "$1") == "$2"* ]]; }
body_has() { [[ $(fake body "$1") == *"$2"* ]]; }
body_has_not() { comments 1 && ! body_has "$@"; }
in_summary() { grep -qF -- "$1" "$scratch/summary"; }

# --- A schemagen that prints what it is told -------------------------------------------------------

standin=$scratch/standin
cat >"$standin" <<END
#!/bin/sh
echo "schemagen \$*"  >>"$scratch/calls"
env >>"$scratch/environment"
case "\$*" in
*'--format markdown') cat "$scratch/text"; exit "\$(cat "$scratch/status")" ;;
*'--format json') cat "$scratch/changes"; exit "\$(cat "$scratch/broken")" ;;
check*) exit "\$(cat "$scratch/gate")" ;;
esac
END
chmod +x "$standin"
unchanged='{
  "findings" : [

  ],
  "folder" : "Schemas",
  "versions" : [

  ]
}'
changed=${unchanged/'"versions" : ['/'"versions" : [ { "version" : "2.0.0" }'}

# prints TEXT [STATUS]
prints() {
  printf '%s' "$1" >"$scratch/text"
  echo "${2:-0}" >"$scratch/status"
}
# anew: no comments, and a schemagen that finds changes.
anew() {
  fake reset
  prints $'## V2: 1 added\n\ntext\n'
  echo 0 >"$scratch/gate"
  echo "$changed" >"$scratch/changes"
  echo 0 >"$scratch/broken"
  : >"$scratch/environment"
  : >"$scratch/calls"
}

mkdir -p "$app"
# github CONTEXT=VALUE…: keeps status and output; the job's summary is in $scratch/summary.
github() {
  status=0
  : >"$scratch/summary"
  (cd "$app" && env GITHUB_ACTIONS=true "GITHUB_STEP_SUMMARY=$scratch/summary" "GITHUB_ACTION_PATH=$root" \
    "RUNNER_TEMP=$scratch/runner" RUNNER_OS=Linux RUNNER_ARCH=X64 GITHUB_REPOSITORY=owner/app \
    "GITHUB_API_URL=${api:-http://127.0.0.1:$port}" "GITHUB_GRAPHQL_URL=http://127.0.0.1:$port/graphql" \
    GITHUB_WORKFLOW=CI "GITHUB_JOB=${job:-gate}" "SCHEMAGEN_COMMENT_SECONDS=${seconds:-30}" \
    "$python" "$root/Tests/Integration/ci_steps.py" github "$root/action.yml" \
    "inputs.schemagen=$standin" inputs.comment=true "github.token=${token-token-of-job}" "$@") \
    >"$scratch/output" 2>&1 || status=$?
}
pull_request() { github github.base_ref=main github.event.pull_request.number=7 "$@"; }
marker='<!-- schemagen: CI/gate/Schemas -->'
bot='github-actions[bot]'

# --- GitHub: one comment ---------------------------------------------------------------------------

echo "--- action.yml"
anew
pull_request
check "a first run: exits with 0" exits 0
check "a first run: one comment" comments 1
check "a first run: the marker and the text" body 0 "$marker" "$scratch/text"
check "a first run: says so" says "schemagen: the comment is written"
check "a first run: nothing in the summary" test ! -s "$scratch/summary"
check "a first run: compared with the base" grep -qx "schemagen diff --against=origin/main --format markdown" "$scratch/calls"
check "a first run: no other program has the token" test -z "$(grep token-of-job "$scratch/environment")"
check "a first run: the token is not printed" says_nowhere token-of-job
pull_request
check "the same text again: no write" writes 1
check "the same text again: says so" says "the comment is up to date"
prints $'## V2: 2 added\n'
pull_request
check "another text: the same comment" comments 1
check "another text: is there" body 0 "$marker" "$scratch/text"
check "another text: one more write" writes 2

anew
prints $'## Broken gate\n' 1
echo 1 >"$scratch/gate"
pull_request
check "the gate is red: exits as the gate does" exits 1
check "the gate is red: a comment all the same" body 0 "$marker" "$scratch/text"
prints $'## A broken manifest\n' 2
echo 0 >"$scratch/gate"
pull_request
check "diff ends with 2: exits as the gate does" exits 0
check "diff ends with 2: its text is there" body 0 "$marker" "$scratch/text"
prints "" 2
pull_request
check "diff prints nothing: the comment does not stay as it was" \
  body_is 0 "$marker"$'\n'"schemagen could not compare the schemas: the job's log says why."

anew
echo "$unchanged" >"$scratch/changes"
prints $'## Nothing changed\n'
pull_request
check "nothing changed: no comment" comments 0
check "nothing changed: says so" says "nothing changed, and there is no comment"
fake add "$bot" "$marker"$'\n'"V2: 1 added"
pull_request
check "nothing changed any more: the comment says so" body 0 "$marker" "$scratch/text"
fake fault '{"on": "PATCH", "do": "forget"}'
prints $'## Nothing changed since\n'
pull_request
check "nothing changed, and the comment is deleted meanwhile: none" comments 0
printf '%s\n%s\n' "$unchanged" "$changed" >"$scratch/changes"
pull_request
check "two folders, and one changed: a comment" comments 1
fake reset
printf '%s\n%s\n' "$unchanged" "$unchanged" >"$scratch/changes"
pull_request
check "two folders, and none changed: no comment" comments 0
echo "${unchanged/'"findings" : ['/'"findings" : [ { "severity" : "note" }'}" >"$scratch/changes"
pull_request
check "nothing but a note: no comment" comments 0
echo "${unchanged/'"findings" : ['/'"findings" : [ { "severity" : "error" }'}" >"$scratch/changes"
pull_request
check "nothing but an error: a comment" comments 1
fake reset
echo "$unchanged" >"$scratch/changes"
echo 2 >"$scratch/broken"
pull_request
check "one folder is unchanged, and the other broken: a comment" comments 1
anew
echo "no JSON" >"$scratch/changes"
pull_request
check "changes that cannot be read: a comment" comments 1

anew
pull_request inputs.schemas=$'App/Schemas\nOther -->\n' inputs.stores="a folder"
check "other folders: in the marker, which they cannot end" \
  body 0 '<!-- schemagen: CI/gate/App/Schemas, Other -%2D%3E -->' "$scratch/text"
check "stores: for the comment" \
  grep -qx "schemagen diff --against=origin/main --schemas=App/Schemas --schemas=Other --> --stores=a folder --format markdown" \
  "$scratch/calls"
pull_request
check "two keys: two comments" comments 2
job=matrix pull_request
check "another job: a comment of its own" comments 3
pull_request $'toJSON(matrix)={\n  "app": "Notes",\n  "swift": 6.1\n}'
check "another job of a matrix: a comment of its own" comments 4
check "another job of a matrix: named as GitHub names it" \
  body 3 '<!-- schemagen: CI/gate %28Notes, 6.1%29/Schemas -->' "$scratch/text"
pull_request
check "another job: the first job's is left alone" writes 4

anew
github github.event.before=0123456789012345678901234567890123456789
check "a push: exits with 0" exits 0
check "a push: the text is in the summary" in_summary "## V2: 1 added"
check "a push: asks nobody" asked 0 .
check "a push: is no warning" says_not "::"
pull_request inputs.against=none
check "compared with nothing: no comment" comments 0
pull_request inputs.comment=false
check "no comment wanted: no comment" asked 0 .
check "no comment wanted: schemagen is not asked for one" test -z "$(tail -n 2 "$scratch/calls" | grep diff)"
pull_request inputs.comment=yes
check "neither true nor false: exits with 2" exits 2
check "neither true nor false: says so" says "::error title=schemagen::the input 'comment' is true or false"

for input in stores token; do
  anew
  pull_request "inputs.$input=\$(touch pwned)\`touch pwned\`\"; touch pwned; \"'; touch pwned; '"
  check "commands in '$input' are not run" test ! -e "$app/pwned" -a ! -e "$scratch/runner/pwned"
done

# --- GitHub: whose comment it is -------------------------------------------------------------------

anew
fake add somebody "$marker"$'\n'"I quote it at the beginning"
fake add nobody "$marker"
fake add "$bot" "> $marker"$'\n'"another tool quotes it"
fake add "$bot" "<!-- schemagen: CI/gate/Schemas2 -->"
pull_request
check "comments of others: left alone" writes 1
check "comments of others: one of its own" body 4 "$marker" "$scratch/text"
check "comments of others: whose token it is, GraphQL says" asked 1 "POST /graphql 200"
fake add "$bot" "$marker"$'\n'"of a run at the same time"
fake add "$bot" "$marker"$'\n'"of a third run"
prints $'## later\n'
pull_request
check "several by race: one stays" comments 5
check "several by race: the first" grep -q "^1004 " <(fake list)
check "several by race: with the text" body 4 "$marker" "$scratch/text"
token=" token-of-bot " pull_request
check "another user's token: a comment of theirs" body 5 "$marker" "$scratch/text"

anew
fake add somebody "a comment" 230
fake add "$bot" "$marker"$'\r\nold\r\n'
fake add somebody "a comment" 150
pull_request
check "on the third of four pages: all are read" asked 4 "GET [^ ]* 200"
check "on the third of four pages: is found" comments 381
check "on the third of four pages: is updated" body 230 "$marker" "$scratch/text"
anew
fake add somebody "a comment" 100
pull_request
check "a full page: no other one is asked for" asked 1 "GET"

anew
fake add "$bot" "$marker"$'\nold'
fake fault '{"on": "PATCH", "do": "forget"}'
pull_request
check "deleted meanwhile: another one is written" body 0 "$marker" "$scratch/text"
anew
fake add "$bot" "$marker"$'\r\n## V2: 1 added\r\n\r\ntext'
pull_request
check "line ends as a browser saves them: no write" writes 0

# --- GitHub: texts ---------------------------------------------------------------------------------

anew
# shellcheck disable=SC2016
printf '%s\n' '::error::not for the runner' '$(touch pwned) `touch pwned` ${{ github.token }}' '--> <!-- schemagen: x -->' \
  "' \" \\ \\n %0A & </details>" $'\u202e right to left, 😀, e\u0301, tab\t.' '/merge' $'\e[31mred\a' ' @everyone' >"$scratch/text"
printf 'not UTF-8: \xff\xfe, CR\r, no line end' >>"$scratch/text"
pull_request
# JSON has no bytes that are not UTF-8.
"$python" -c 'import sys; sys.stdout.buffer.write(sys.stdin.buffer.read().decode(errors="replace").encode())' \
  <"$scratch/text" >"$scratch/text-in-utf-8"
check "a hostile text: byte for byte" body 0 "$marker" "$scratch/text-in-utf-8"
check "a hostile text: nothing of it is in the log" says_not "not for the runner"
pull_request
check "a hostile text: is known again" writes 1
token=token-of-fork pull_request
prints $'::error::not for the runner\n'
token=token-of-fork pull_request
check "a hostile text without rights: in the summary" in_summary "::error::not for the runner"
check "a hostile text without rights: not in the log" says_not "::error::"

long() { "$python" -c 'import sys; n = int(sys.argv[1]); print(("é" * 99 + "\n") * (n // 100) + "x" * (n % 100), end="")' "$1" >"$scratch/text"; }
anew
long $((65536 - ${#marker} - 1))
pull_request
check "as long as GitHub allows: all of it" body 0 "$marker" "$scratch/text"
check "as long as GitHub allows: one write" writes 1
anew
long 65530
pull_request
check "too long: is shortened" body_begins 0 "$marker"$'\n**Shortened: the whole text is in the job\'s summary.**\n\né'
check "too long: ends with a line" test "$(fake body 0 | tail -c 3)" = $'é'
check "too long: the whole text is in the summary" cmp "$scratch/text" "$scratch/summary"
check "too long: one write" writes 1
pull_request
check "too long: is known again" writes 1
anew
long 50000
fake fault '{"on": "POST .*comments", "do": "too-long"}'
pull_request
check "too long for this server: half of it" comments 1
check "too long for this server: is shortened" test "$(fake body 0 | wc -m)" -lt 32768
check "too long for this server: the whole text is in the summary" cmp "$scratch/text" "$scratch/summary"
anew
fake fault '{"on": "POST .*comments", "status": 422, "times": 9, "body": "{\"message\": \"Validation Failed\"}"}'
pull_request
check "refused for another reason: once is enough" writes 1
check "refused for another reason: says so" says '::warning title=schemagen::no comment is written; its text is in the job'"'"'s summary: 422: "Validation Failed"'
anew
long 1200000
github github.event.before=0123456789012345678901234567890123456789
check "more than a summary has room for: is shortened" in_summary "**Shortened: a summary has at most 1 MiB.**"
check "more than a summary has room for: to less" test "$(wc -c <"$scratch/summary")" -lt 1048577

# --- GitHub: no rights -----------------------------------------------------------------------------

anew
token=token-of-fork pull_request
check "a fork: exits with 0" exits 0
check "a fork: the text is in the summary" in_summary "## V2: 1 added"
check "a fork: is a notice" says '::notice title=schemagen::no comment is written; its text is in the job'"'"'s summary: 403: "Resource not accessible by integration". In a pull request from a fork no token may; elsewhere the job needs '"'permissions: pull-requests: write'."
check "a fork: one try" writes 1
anew
fake add "$bot" "$marker"$'\nold'
token=token-of-fork pull_request
check "a fork with a comment: is a notice" says "::notice title=schemagen::no comment is written"
check "a fork with a comment: no second one is tried" asked 0 "POST [^ ]*comments"
fake reset
token=token-of-nobody pull_request
check "a wrong token: is a notice" says '401: "Bad credentials"'
check "a wrong token: is not printed" says_nowhere token-of-nobody
fake reset
token='' pull_request
check "no token: asks nobody" asked 0 .
check "no token: is a notice" says "::notice title=schemagen::no comment is written; its text is in the job's summary: there is no token"
token=$'token\nof-job' pull_request
check "a token of two lines: is not sent" asked 0 .
check "a token of two lines: is not printed" says_nowhere of-job
check "a token of two lines: is a warning" says "::warning title=schemagen::no comment is written; its text is in the job's summary: the token has characters that no token has"
pull_request github.event.pull_request.number=8
check "404: exits with 0" exits 0
check "404: is a notice" says '::notice title=schemagen::no comment is written; its text is in the job'"'"'s summary: 404: "Not Found"'

# --- GitHub: limits, failures, and other hosts -----------------------------------------------------

limit='"body": "{\"message\": \"API rate limit exceeded for installation.\"}"'
secondary='"body": "{\"message\": \"You have exceeded a secondary rate limit.\"}"'
anew
fake fault '{"on": "GET", "status": 403, "headers": {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "NOW+0"}, '"$limit}"
fake fault '{"on": "POST .*comments", "status": 429, "headers": {"Retry-After": "1"}, '"$secondary}"
pull_request
check "both limits for a moment: the comment is written" body 0 "$marker" "$scratch/text"
check "both limits for a moment: looked for it three times" asked 3 GET
anew
fake fault '{"on": "GET", "status": 403, "times": 9, "headers": {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "NOW+3000"}, '"$limit}"
pull_request
check "a limit for an hour: one try" asked 1 GET
check "a limit for an hour: is a warning" says "::warning title=schemagen::no comment is written"
check "a limit for an hour: says for how long" says "tries: 1, and 300"
check "a limit for an hour: the text is in the summary" in_summary "## V2: 1 added"
check "a limit for an hour: exits with 0" exits 0
anew
fake fault '{"on": "POST .*comments", "status": 403, "times": 9, '"$secondary}"
pull_request
check "a limit without a header: a minute is too long here" asked 1 "POST [^ ]*comments"
check "a limit without a header: is not taken for missing rights" says "and 60 s before the next"
anew
fake fault '{"on": "POST /graphql", "status": 200, "times": 9, "body": "{\"errors\": [{\"type\": \"RATE_LIMITED\"}]}"}'
fake add "$bot" "$marker"$'\nold'
pull_request
check "GraphQL's limit: nothing is written on a guess" writes 0
check "GraphQL's limit: is a warning" says "::warning title=schemagen::no comment is written; its text is in the job's summary: the answer does not say whose token this is"

anew
fake fault '{"on": "GET", "status": 502, "body": "<html>Bad Gateway"}'
fake fault '{"on": "GET", "do": "close"}'
pull_request
check "502, and no answer: the third try is good" body 0 "$marker" "$scratch/text"
anew
fake fault '{"on": "GET", "status": 200, "body": "<html>not JSON"}'
pull_request
check "no JSON: the second try is good" body 0 "$marker" "$scratch/text"
anew
fake fault '{"on": "GET", "status": 503, "times": 99, "body": "::error::over\n::error::here token-of-job\u001b[31m"}'
seconds=2 pull_request
check "503 for ever: ends" exits 0
check "503 for ever: is one warning" test "$(grep -c '^::' "$scratch/output")" = 1
check "503 for ever: without the token" says_nowhere token-of-job
check "503 for ever: without control characters" says_not $'\e'
check "503 for ever: the text is in the summary" in_summary "## V2: 1 added"
anew
fake fault '{"on": "POST .*comments", "do": "close-afterwards"}'
pull_request
check "written, and then no answer: one comment" comments 1
check "written, and then no answer: one write" writes 1
anew
fake fault '{"on": "GET", "do": "slow", "seconds": 20}'
seconds=1 pull_request
check "a slow server: is waited for no longer than allowed" says "::warning title=schemagen::no comment is written; its text is in the job's summary: no answer ("
fake reset
fake fault '{"on": "GET", "do": "drip"}'
seconds=1 pull_request
check "a server that sends a byte now and then: likewise" says "::warning title=schemagen::no comment is written; its text is in the job's summary: no answer ("
anew
api=http://127.0.0.1:1 seconds=2 pull_request
check "nobody there: is a warning" says "no answer (ConnectionRefusedError)"
api=http://example.invalid pull_request
check "an address without https: is not asked" says "the address of the API is not https, and the token is not sent there"
anew
fake fault '{"on": "GET", "status": 200, "body": "[{\"id\": 1}]"}'
pull_request
check "an answer of another shape: is a warning" says "::warning title=schemagen::no comment is written; its text is in the job's summary: KeyError"
check "an answer of another shape: no Python in the log" says_not Traceback

for code in 301 302 307 308; do
  anew
  fake fault '{"on": "GET", "status": '$code', "headers": {"Location": "http://127.0.0.1:'"$other"'/elsewhere"}}'
  pull_request
  check "$code to another host: the token does not go there" asked 0 "^$other "
  check "$code to another host: is a warning" says "::warning title=schemagen::no comment is written"
done
anew
fake fault '{"on": "GET", "status": 200, "body": "[]", "headers": {"Link": "<http://127.0.0.1:'"$other"'/repos/owner/app/issues/7/comments?page=2>; rel=\"next\""}}'
pull_request
check "the next page on another host: the token does not go there" asked 0 "^$other "
check "the next page on another host: says so" says "the next page is on another host"

anew
printf '#!/bin/sh\nexit 127\n' >"$scratch/programs/python3"
chmod +x "$scratch/programs/python3"
PATH=$scratch/programs:$PATH pull_request
check "no python3: exits with 0" exits 0
check "no python3: the text is in the summary" in_summary "## V2: 1 added"
check "no python3: is a warning" says "::warning title=schemagen::no comment is written"
rm "$scratch/programs/python3"

# --- GitLab ----------------------------------------------------------------------------------------

echo "--- ci/gitlab.yml"
printf '#!/bin/sh\necho "apt-get $*"\n' >"$scratch/programs/apt-get"
chmod +x "$scratch/programs/apt-get"
# Downloads and builds nothing, and finds the sources in the checkout.
cat >"$scratch/programs/git" <<END
#!/bin/sh
for last; do :; done
mkdir -p "\$last/.build/release"
cp -R "$root/Sources" "$root/Scripts" "$root/ci" "\$last/"
cp "$standin" "\$last/.build/release/schemagen"
cp "$standin" "\$last/.build/release/schemagen-sources"
END
printf '#!/bin/sh\n' >"$scratch/programs/swift"
chmod +x "$scratch"/programs/*
# gitlab VARIABLE=VALUE…
gitlab() {
  status=0
  rm -f "$app/schemagen-comment.md"
  (cd "$app" && env "PATH=$scratch/programs:$PATH" "CI_API_V4_URL=http://127.0.0.1:$port/api/v4" CI_PROJECT_ID=42 \
    "CI_JOB_NAME=schemas" SCHEMAGEN_COMMENT=true "SCHEMAGEN_COMMENT_TOKEN=${token-token-of-bot}" \
    CI_MERGE_REQUEST_DIFF_BASE_SHA=0123456789012345678901234567890123456789 \
    "SCHEMAGEN_COMMENT_SECONDS=${seconds:-30}" SCHEMAGEN_DOWNLOADS=none "$@" \
    "$python" "$root/Tests/Integration/ci_steps.py" gitlab "$root/ci/gitlab.yml" .schemagen) \
    >"$scratch/output" 2>&1 || status=$?
}
merge_request() { gitlab CI_MERGE_REQUEST_IID=7 "$@"; }
marker='<!-- schemagen: schemas/Schemas -->'
bot=project_42_bot
# GitLab keeps no white space at the end.
note() { body_is "$1" "$marker"$'\n'"$(cat "$scratch/text")"; }

anew
merge_request
check "a first run: exits with 0" exits 0
check "a first run: Python is installed" says "git python3 ca-certificates"
check "a first run: the script is kept beside the program" test -f "$app/.schemagen/bin/comment.py"
check "a first run: one note" comments 1
check "a first run: the marker and the text" note 0
check "a first run: the text is an artifact" cmp "$scratch/text" "$app/schemagen-comment.md"
check "a first run: the token is not printed" says_not token-of-bot
merge_request
check "the same text again: no write" writes 1
prints $'## V2: 2 added\n' 1
echo 1 >"$scratch/gate"
merge_request
check "another text, and the gate is red: exits as the gate does" exits 1
check "another text, and the gate is red: the same note" comments 1
check "another text, and the gate is red: is there" note 0
merge_request SCHEMAGEN_SCHEMAS=$'App/Schemas\nOther' SCHEMAGEN_STORES="a folder"
check "two keys: two notes" comments 2
check "two keys: the other marker" body_begins 1 '<!-- schemagen: schemas/App/Schemas, Other -->'
check "stores: for the note" grep -qF -- "--schemas=Other --against=0123456789012345678901234567890123456789 --stores=a folder --format markdown" "$scratch/calls"

anew
fake add somebody "a note" 95
fake add somebody "hidden from the token" 30 hidden
fake add somebody "$marker"
fake add "$bot" "added 1 commit" 90 system
fake add "$bot" "$marker"$'\nold'
fake add "$bot" "$marker"$'\nby race'
merge_request
check "on the third page, behind short ones: all are read" asked 3 "GET [^ ]*notes[^ ]* 200"
check "on the third page, behind short ones: is updated" note 216
check "on the third page, behind short ones: the one by race is gone" comments 217
anew
echo "$unchanged" >"$scratch/changes"
merge_request
check "nothing changed: no note" comments 0

anew
fake add "$bot" "$marker"$'\nold'
fake fault '{"on": "PUT", "do": "forget"}'
merge_request
check "deleted meanwhile: another one is written" note 0

anew
prints $'/merge\n  /close\n\r/approve\na /merge\n\n```\n/close\n```\n'
merge_request
check "quick actions in the text: none is carried out" asked 0 "QUICK ACTION"
check "quick actions in the text: are shown" body_has 0 $'\\/merge\n  \\/close\n\\/approve\na /merge'
merge_request
check "quick actions in the text: the note is known again" writes 1

anew
"$python" -c 'print("text of a line\n" * 70000, end="")' >"$scratch/text"
merge_request
check "too long: is shortened" body_begins 0 "$marker"$'\n**Shortened: the whole text is in the job\'s artifact schemagen-comment.md.**\n\ntext'
check "too long: one write" writes 1
check "too long: the whole text is an artifact" cmp "$scratch/text" "$app/schemagen-comment.md"

anew
token='' merge_request
check "no token: exits with 0" exits 0
check "no token: the text is in the log" says "## V2: 1 added"
check "no token: says what is needed" says "schemagen: notice: no comment is written; its text is in the job's artifact schemagen-comment.md: there is no token. SCHEMAGEN_COMMENT_TOKEN needs the scope 'api'"
check "no token: asks nobody" asked 0 .
token=token-that-reads merge_request
check "no rights: is a notice" says 'schemagen: notice: no comment is written; its text is in the job'"'"'s artifact schemagen-comment.md: 403: "403 Forbidden"'
gitlab CI_COMMIT_BEFORE_SHA=0123456789012345678901234567890123456789
check "a push: the text is in the log" says "## V2: 1 added"
prints $'\e[0Ksection_start:1:x\r\e[0Khidden\n'
gitlab
check "a text in the log: without control characters" says "?[0Ksection_start:1:x??[0Khidden"
merge_request CI_PROJECT_ID=99 CI_MERGE_REQUEST_PROJECT_ID=42
check "a fork's pipeline: the project that the merge request is of" comments 1
anew
gitlab SCHEMAGEN_COMMENT=false CI_MERGE_REQUEST_IID=7
check "no note wanted: no note" asked 0 .
gitlab SCHEMAGEN_COMMENT=yes CI_MERGE_REQUEST_IID=7
check "neither true nor false: exits with 2" exits 2

anew
fake fault '{"on": "POST", "status": 429, "headers": {"Retry-After": "1"}, "body": "Retry later\n"}'
fake fault '{"on": "POST", "status": 500, "body": "{\"message\": \"500 Internal Server Error\"}"}'
merge_request
check "429 and 500: the note is written" note 0
anew
fake fault '{"on": "POST", "status": 429, "times": 9, "body": "{\"message\": {\"error\": \"This endpoint has been requested too many times. Try again later.\"}}"}'
merge_request
check "429 without a header: a minute is too long here" writes 1
check "429 without a header: the text is in the log" says "## V2: 1 added"
check "429 without a header: is a warning" says "schemagen: warning: no comment is written"
anew
fake fault '{"on": "GET", "status": 302, "headers": {"Location": "http://127.0.0.1:'"$other"'/sign_in"}}'
merge_request
check "a redirect to another host: the token does not go there" asked 0 "^$other "

# --- The real one ----------------------------------------------------------------------------------

echo "--- with the schemagen of the checkout"
in_app() { (cd "$app" && "$@") >"$scratch/way" 2>&1 || { cat "$scratch/way" >&2; exit 2; }; }
mkdir "$app/Schemas"
in_app git init --quiet
printf '%s\n' 'version: 1.0.0' models: '  Trip:' '    properties:' '      id: { type: UUID, unique: true }' \
  '      name: String = ""' >"$app/Schemas/V1.yaml"
in_app "$binary" generate
in_app "$binary" release
in_app git add Schemas
in_app git commit --quiet --message "V1"
in_app git update-ref refs/remotes/origin/main HEAD
bot='github-actions[bot]'
marker='<!-- schemagen: CI/gate/Schemas -->'
anew
pull_request "inputs.schemagen=$binary"
check "nothing changed: no comment" comments 0
check "nothing changed: exits with 0" exits 0
sed 's/1\.0\.0/2.0.0/' "$app/Schemas/V1.yaml" >"$app/Schemas/V2.yaml"
echo "      note: String?" >>"$app/Schemas/V2.yaml"
in_app "$binary" generate
pull_request "inputs.schemagen=$binary"
check "a new property: exits with 0" exits 0
check "a new property: one comment" comments 1
check "a new property: names it" body_has 0 Trip.note
echo "      count: Int" >>"$app/Schemas/V2.yaml"
pull_request "inputs.schemagen=$binary"
check "a missing default: exits with 1" exits 1
check "a missing default: the same comment" comments 1
check "a missing default: names it" body_has 0 Trip.count
echo "      broken: [" >>"$app/Schemas/V2.yaml"
pull_request "inputs.schemagen=$binary"
check "a broken manifest: exits with 2" exits 2
check "a broken manifest: the comment does not stay as it was" body_has_not 0 Trip.count

echo
echo "$passed passed, $failed failed"
((failed == 0))
