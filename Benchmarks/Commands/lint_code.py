"""`schemagen-sources lint-code` beside ripgrep and ast-grep doing the nearest job, in a tree where no file names a version
and in one where one in fifty does. ripgrep looks for the names as text, ast-grep for identifiers that are spelled so:
neither knows which is whose. Each has to find what there is, or nothing is measured."""

import pathlib, statistics, subprocess, sys, time

tools, scratch, files, *commands = sys.argv[1:]
scratch, files = pathlib.Path(scratch), int(files)
models = "UserProfileModel|HabitModel|HabitLogModel|CategoryModel|TripModel|NoteModel"
names = f"(SchemaV[0-9]+(ToV[0-9]+)?|({models})V[0-9]+)"
rule = "\n".join([
    "id: hardcoded-version", "language: swift", "rule:", "  any:",
    f"    - {{ kind: simple_identifier, regex: '^{names}$' }}",
    f"    - {{ kind: type_identifier, regex: '^{names}$' }}"])

tasks = [(f"`schemagen-sources lint-code`, {command.split('=')[0]}",
          [command.split("=")[1], "lint-code"]) for command in commands]
ripgrep = [f"{tools}/rg", "--line-number", "--glob", "*.swift", f"\\b{names}\\b", "."]
tasks += [("ripgrep", ripgrep),
          ("ast-grep", [f"{tools}/ast-grep", "scan", "--inline-rules", rule, "--json=stream"])]


def run(command, tree):
    done = subprocess.run(command, cwd=scratch / tree, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"{command[0]}: exit status {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


# Two names in one file of fifty; in one of a thousand, a comment has one.
there = 2 * len(range(0, files, 50))
comments = len(range(0, files, 1000))
for name, command in tasks:
    report = ["--format", "json"] if "lint-code" in command else []
    found = {tree: run(command + report, tree) for tree in ("clean", "found")}
    if command is ripgrep:
        counts = {tree: len(text.splitlines()) - comments for tree, text in found.items()}
    elif "ast-grep" in name:
        counts = {tree: len(text.splitlines()) for tree, text in found.items()}
    else:
        counts = {tree: text.count('"hardcoded-version"') for tree, text in found.items()}
    # The rule's id stands in a report once more where rules are described.
    if counts["clean"] not in (0, 1) or not there <= counts["found"] <= there + 1:
        sys.exit(f"{name}: {counts}, where there are {there}")

times = {}
for _ in range(5):
    for tree in ("clean", "found"):
        for name, command in tasks:
            start = time.perf_counter()
            run(command, tree)
            times.setdefault((name, tree), []).append(time.perf_counter() - start)

median = {key: statistics.median(taken) for key, taken in times.items()}
size = sum(path.stat().st_size for path in (scratch / "clean").rglob("*.swift")) / 2**20
versions = [subprocess.run([command[0], "--version"], capture_output=True, text=True).stdout.split("\n")[0]
            for _, command in tasks[-2:]]
print(f"{files} Swift files, {size:.1f} MiB, {len(models.split('|'))} models in 9 versions; {', '.join(versions)}; "
      "median of 5\n")
print("| command | nothing found, s | × ripgrep | one file in fifty, s | × ripgrep |\n|---|---|---|---|---|")
targets = ["", " (target: 1.5)", " (target: 0.4)", ""]
for name, _ in tasks:
    cells = []
    for tree in ("clean", "found"):
        cells += [f"{median[name, tree]:.3f}", f"{median[name, tree] / median['ripgrep', tree]:.1f}"]
    if name.endswith(", release"):
        cells = [cell + target for cell, target in zip(cells, targets)]
    print(f"| {name} | {' | '.join(cells)} |")
