"""`schemagen lint` beside `buf breaking` on histories of the same size, and the other commands that read a whole history
beside their targets. Both tools have to find a field that was removed, or nothing is measured."""

import os, pathlib, shutil, statistics, subprocess, sys, time

schemagen, buf, scratch, models, configuration = sys.argv[1:]
schemagen, buf = os.path.abspath(schemagen), os.path.abspath(buf)
scratch = pathlib.Path(scratch)
proto = scratch / "proto"


def run(*arguments):
    return subprocess.run(arguments, cwd=scratch, capture_output=True, text=True)


def expect(what, done, statuses, *words):
    if done.returncode not in statuses or not all(word in done.stdout for word in words):
        sys.exit(f"{what}: exit status {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")


def breaking(version):
    return (buf, "breaking", f"proto/v{version}", "--against", f"proto/v{version - 1}")


# A removal that nobody says is meant: V18 drops a property of every model that changes with it.
bad = scratch / "bad"
shutil.copytree(scratch / "schemas", bad)
text = (bad / "V18.yaml").read_text()
(bad / "V18.yaml").write_text(text[: text.index("drops:")])
expect("lint of a removed property", run(schemagen, "lint", "--schemas", "bad"), [1],
       "unacknowledged-drop", "property1")
expect("buf breaking of a removed field", run(*breaking(18)), [100],
       'Previously present field "2" with name "property1"')
expect("lint of the history", run(schemagen, "lint", "--schemas", "schemas"), [0])

lint = (schemagen, "lint", "--schemas", "schemas")
tasks = [
    ("`schemagen lint`, all 20 versions", [lint]),
    ("`buf breaking`, 19 pairs", [breaking(version) for version in range(2, 21)]),
    ("`buf breaking`, one pair", [breaking(20)]),
    ("`buf lint`, one version", [(buf, "lint", "proto/v20")]),
]
if "--against" in run(schemagen, "lint", "--help").stdout:
    base = scratch / "base"
    shutil.copytree(scratch / "schemas", base)
    (base / "V20.yaml").unlink()
    tasks.insert(1, ("`schemagen lint --against`, all 20 versions and the 19 before",
                     [lint + ("--against", str(base))]))

# The commands that have a target in seconds, on two cores, for 200 models; none for what has no target.
history = scratch / "history"
shutil.copytree(scratch / "schemas", history)


def unwritten():
    for path in history.iterdir():
        if path.suffix != ".yaml":
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def command(*arguments):
    return (schemagen, *arguments, "--schemas", "history")


targets = [
    ("`schemagen generate`, nothing written before", command("generate"), 0.7, unwritten),
    ("`schemagen generate`, all written before", command("generate"), None, None),
    ("`schemagen generate --check`, nothing changed", command("generate", "--check"), 0.5, None),
    ("`schemagen lint`", command("lint"), 0.5, None),
    ("`schemagen diff`", command("diff"), None, None),
    ("`schemagen report`", command("report", "--output", "report.html"), 2.0, None),
    ("`schemagen export`", command("export"), 1.0, None),
]
taken = {name: [] for name, *_ in targets}
# The first round is there to warm up.
for turn in range(6):
    for name, arguments, _, prepare in targets:
        if prepare:
            prepare()
        start = time.perf_counter()
        expect(name, run(*arguments), [0])
        if turn:
            taken[name].append(time.perf_counter() - start)

times = {name: [] for name, _ in tasks}
for _ in range(5):
    for name, commands in tasks:
        start = time.perf_counter()
        for command in commands:
            done = run(*command)
            if done.returncode not in (0, 100):
                sys.exit(f"{command}: exit status {done.returncode}\n{done.stderr[-2000:]}")
        times[name].append(time.perf_counter() - start)

medians = {name: statistics.median(taken) for name, taken in times.items()}
first = medians[tasks[0][0]]
sizes = [sum(path.stat().st_size for path in folder.rglob(kind)) / 2**20
         for folder, kind in ((scratch / "schemas", "*.yaml"), (proto, "*.proto"))]
versions = [run(tool, "--version").stdout.strip() for tool in (schemagen, buf)]
print(f"schemagen {versions[0]} ({configuration}), buf {versions[1]}; {models} models or messages with 20 "
      f"properties or fields, 20 versions: {sizes[0]:.1f} MiB of YAML, {sizes[1]:.1f} MiB of .proto; "
      "median of 5\n")
print("| command | seconds | × `schemagen lint` |\n|---|---|---|")
for name, _ in tasks:
    print(f"| {name} | {medians[name]:.2f} | {medians[name] / first:.2f} |")
print("\n| command | seconds | target |\n|---|---|---|")
for name, _, target, _ in targets:
    print(f"| {name} | {statistics.median(taken[name]):.3f} | {f'≤ {target}' if target else '–'} |")
