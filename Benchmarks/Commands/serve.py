"""From a keystroke to the findings of `schemagen serve`, as an editor sends it: types a comment in the newest version, then
the name and the type of a new property; the other versions have shipped."""

import json, os, pathlib, statistics, subprocess, sys, time

command, work, models, versions = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
schemas = work / "Schemas"
schemas.mkdir()
state = [["id: { type: UUID, unique: true }", 'name: String = ""', "note: String?", "size: Int = 0", "day: Date?",
          "amount: Double = 0", "flag: Bool = false"] for _ in range(models)]
for number in range(0, models - 1, 2):
    state[number].append(f'links: {{ relationship: "[M{number + 1}]", inverse: link, deleteRule: cascade }}')
    state[number + 1].append(f"link: {{ relationship: M{number}? }}")
for version in range(1, versions + 1):
    text = f"version: {version}.0.0\nsummary: Version {version}\nmodels:\n"
    for number, properties in enumerate(state):
        if version > 1 and (number + version) % 10 == 0:
            properties.append(f"p{version}: String?")
        text += f"  M{number}:\n    properties:\n" + "".join(f"      {line}\n" for line in properties)
    (schemas / f"V{version}.yaml").write_text(text)
for arguments in (["generate"], ["release", f"V{versions - 1}"]):
    subprocess.run([command, *arguments], cwd=work, check=True, stdout=subprocess.DEVNULL)

server = subprocess.Popen([command, "serve"], cwd=work, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def send(**message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    server.stdin.flush()


def receive():
    length = 0
    while (line := server.stdout.readline()) != b"\r\n":
        if not line:
            sys.exit("the server has ended")
        length = int(line.split(b":")[1])
    return json.loads(server.stdout.read(length))


def findings(version):
    while True:
        message = receive()
        if message.get("method") == "textDocument/publishDiagnostics" and message["params"].get("version") == version:
            return message["params"]["diagnostics"]


def processor():
    fields = pathlib.Path(f"/proc/{server.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")


path = schemas / f"V{versions}.yaml"
uri, text = path.as_uri(), path.read_text()
send(id=1, method="initialize", params={"rootUri": work.as_uri(), "capabilities": {}})
receive()
send(method="initialized", params={})
start = time.perf_counter()
send(method="textDocument/didOpen", params={"textDocument": {"uri": uri, "languageId": "yaml", "version": 1, "text": text}})
if findings(1):
    sys.exit("there are findings before anything was typed")
print(f"{models} models, {versions} versions; opened in {(time.perf_counter() - start) * 1000:.0f} ms\n")
print("| what is typed | median ms | 95 of 100 | longest | ms of the processor |\n|---|---|---|---|---|")
version = 1
lines = text.split("\n")
place = next(index for index, line in enumerate(lines) if line.strip().startswith("note:"))
for name, line, column, words in [
    ("a comment", place, len(lines[place]), " # what the gardener has said of it"),
    ("a property", place + 1, 0, "      colour: { type: String, default: green }\n"),
]:
    times, before = [], processor()
    for letter in words:
        version += 1
        before_it, rest = lines[line][:column], lines[line][column:]
        lines[line:line + 1] = (before_it + letter + rest).split("\n")
        start = time.perf_counter()
        send(method="textDocument/didChange", params={
            "textDocument": {"uri": uri, "version": version},
            "contentChanges": [{"text": "\n".join(lines)}]})
        findings(version)
        times.append((time.perf_counter() - start) * 1000)
        line, column = (line + 1, 0) if letter == "\n" else (line, column + 1)
    used = (processor() - before) / len(words) if os.path.exists("/proc") else float("nan")
    times.sort()
    print(f"| {name} | {statistics.median(times):.0f} | {times[len(times) * 95 // 100]:.0f} | {times[-1]:.0f} | {used:.0f} |")
server.stdin.close()
server.wait()
