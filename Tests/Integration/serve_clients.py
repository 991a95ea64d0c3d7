#!/usr/bin/env python3
"""`schemagen serve` as clients have it: every message held against the Language Server Protocol's own types (lsprotocol,
which is generated from the protocol's metamodel), and a session of the official SDK of the Model Context Protocol.

    serve_clients.py SCHEMAGEN FOLDER lsp|mcp|broken|meanwhile

FOLDER is an app with manifests in Schemas/, which is edited. Prints what it found wrong, and exits 1 then.
"""

import asyncio
import json
import os
import pathlib
import subprocess
import sys
import time

schemagen, folder, what = sys.argv[1:]
folder = pathlib.Path(folder).resolve()


def frame(message):
    body = json.dumps(message, ensure_ascii=False).encode()
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


class Editor:
    """A client that takes nothing that the protocol's types do not have."""

    def __init__(self):
        from lsprotocol import converters, types

        self.types, self.converter = types, converters.get_converter()
        self.process = subprocess.Popen(
            [schemagen, "serve"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.count, self.notes = 0, []

    def send(self, **message):
        self.process.stdin.write(frame({"jsonrpc": "2.0", **message}))
        self.process.stdin.flush()

    def receive(self):
        length = None
        while (line := self.process.stdout.readline()) != b"\r\n":
            if not line:
                sys.exit("the server has ended")
            name, value = line.split(b":")
            if name == b"Content-Length":
                length = int(value)
        return json.loads(self.process.stdout.read(length))

    def typed(self, message, kind):
        value = self.converter.structure(message, kind)
        # What the types do not have would be gone.
        back = self.converter.unstructure(value, unstructure_as=kind)
        if back != message:
            sys.exit(f"not {kind.__name__}:\n{json.dumps(message)}\n{json.dumps(back)}")
        return value

    def take(self):
        message = self.receive()
        if "method" in message:
            self.notes.append(self.typed(message, self.types.METHOD_TO_TYPES[message["method"]][0]))
            return None
        return message

    def request(self, method, **parameters):
        self.count += 1
        self.send(id=self.count, method=method, params=parameters)
        while (message := self.take()) is None:
            pass
        assert message["id"] == self.count, message
        if "error" in message:
            self.typed(message, self.types.ResponseErrorMessage)
            return message["error"]
        self.typed(message, self.types.METHOD_TO_TYPES[method][1])
        return message["result"]

    def note(self, method, **parameters):
        self.send(method=method, params=parameters)

    def findings(self, uri, version):
        """The rules of what is published for a version of a document."""
        while True:
            for note in self.notes:
                if note.method == "textDocument/publishDiagnostics" and note.params.uri == uri \
                        and note.params.version == version:
                    return {finding.code for finding in note.params.diagnostics}
            self.take()


def lsp():
    editor = Editor()
    path = folder / "Schemas/V2.yaml"
    uri, text = path.as_uri(), path.read_text()
    root = editor.request(
        "initialize", processId=None, rootUri=folder.as_uri(),
        capabilities={
            "workspace": {
                "workspaceEdit": {"documentChanges": True, "resourceOperations": ["rename"]},
                "didChangeWatchedFiles": {"dynamicRegistration": True},
            },
        })
    assert root["capabilities"]["textDocumentSync"]["change"] == 1, root
    editor.note("initialized")
    editor.note("textDocument/didOpen", textDocument={"uri": uri, "languageId": "yaml", "version": 1, "text": text})
    assert "unacknowledged-drop" in editor.findings(uri, 1)
    assert any(note.method == "client/registerCapability" for note in editor.notes)
    editor.send(id="schemagen-watch", result=None)

    def place(words, offset=1):
        before = text[:text.index(words)]
        column = len(before.rsplit("\n", 1)[-1].encode("utf-16-le")) // 2
        return {"textDocument": {"uri": uri}, "position": {"line": before.count("\n"), "character": column + offset}}

    assert "defaulted" in editor.request("textDocument/hover", **place("remark"))["contents"]["value"]
    assert editor.request("textDocument/definition", **place("garden: {"))["code"] == -32601
    spot = place("remark")
    actions = editor.request(
        "textDocument/codeAction", textDocument={"uri": uri}, context={"diagnostics": []},
        range={"start": spot["position"], "end": spot["position"]})
    edit = actions[0]["edit"]["changes"][uri][0]
    start, end = (edit["range"][key] for key in ("start", "end"))
    assert start["line"] == end["line"] == spot["position"]["line"], edit
    lines = text.split("\n")
    line = lines[start["line"]]
    lines[start["line"]] = line[:start["character"]] + edit["newText"] + line[end["character"]:]
    editor.note(
        "textDocument/didChange", textDocument={"uri": uri, "version": 2},
        contentChanges=[{"text": "\n".join(lines)}])
    assert "unacknowledged-drop" not in editor.findings(uri, 2), "the answer did not answer"
    labels = editor.request("textDocument/completion", **place("inverse: garden", 9))
    assert [item["label"] for item in labels] == ["garden"], labels
    # What the disk says of other files counts at once.
    other = folder / "Schemas/V1.yaml"
    kept = other.read_text()
    other.write_text(kept + "what: { is: this }\n")
    editor.note("workspace/didChangeWatchedFiles", changes=[{"uri": other.as_uri(), "type": 2}])
    editor.note("textDocument/didChange", textDocument={"uri": uri, "version": 3}, contentChanges=[{"text": text}])
    editor.findings(uri, 3)
    assert any(
        note.method == "textDocument/publishDiagnostics" and note.params.uri == other.as_uri()
        and note.params.diagnostics for note in editor.notes), "V1 has no finding"
    other.write_text(kept)
    swift = folder / "App.swift"
    editor.note("textDocument/didOpen", textDocument={
        "uri": swift.as_uri(), "languageId": "swift", "version": 1, "text": swift.read_text()})
    assert "fatal-container" in editor.findings(swift.as_uri(), 1)
    # A request that is taken back before it is read has no other answer.
    editor.process.stdin.write(
        frame({"jsonrpc": "2.0", "id": 99, "method": "textDocument/hover", "params": place("remark")})
        + frame({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 99}}))
    editor.process.stdin.flush()
    while (message := editor.take()) is None:
        pass
    assert message["id"] == 99 and message.get("error", {}).get("code", -32800) == -32800, message
    assert editor.request("shutdown") is None
    editor.note("exit")
    assert editor.process.wait(10) == 0


def mcp():
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    async def talk():
        parameters = StdioServerParameters(command=schemagen, args=["serve"], cwd=str(folder))
        async with stdio_client(parameters) as (reader, writer):
            async with ClientSession(reader, writer) as session:
                await session.initialize()
                await session.send_ping()
                names = {tool.name for tool in (await session.list_tools()).tools}
                assert names == {"what_changed", "what_becomes_of_the_data", "check", "rehearse",
                                 "diagnose_store", "explain"}, names

                async def call(tool, **arguments):
                    result = (await session.call_tool(tool, arguments)).model_dump(by_alias=True)
                    return result["structuredContent"], result["isError"], result["content"][0]["text"]

                def command(*arguments):
                    done = subprocess.run([schemagen, *arguments], cwd=folder, capture_output=True, text=True)
                    return json.loads(done.stdout)

                value, is_error, _ = await call("what_changed")
                assert (value, is_error) == (command("diff", "--format", "json"), False), value
                value, is_error, _ = await call("check", schemas=["Schemas"])
                assert (value, is_error) == (command("check", "--format", "json"), False), value
                value, is_error, _ = await call("check", paths=["App.swift"])
                assert {finding["rule"] for finding in value["findings"]} >= {"fatal-container"}, value
                assert "ambiguous-rename" in (await call("explain", rule="ambiguous-rename"))[2]
                for tool, arguments in [("explain", {"rule": "no-such"}), ("check", {"schemas": ["/etc"]}),
                                        ("check", {"schemas": ["../.."]}), ("diagnose_store", {"store": "no.store"})]:
                    assert (await call(tool, **arguments))[1], tool

    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    asyncio.run(talk())
    after = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert before == after, sorted(set(before) ^ set(after))


def broken():
    """Whatever comes in, it ends by itself, soon, without a crash."""
    start = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}
    body = json.dumps(start).encode()
    deep = b"[" * 200_000
    cases = [
        (b"", 0, b""),
        (b"Content-Length: 99999999999\r\n\r\n", 1, b"-32700"),
        (b"Content-" + b"x" * 20_000, 1, b"-32700"),
        (b"Content-Length: 3\r\n\r\n{]}", 0, b"-32700"),
        (b"Content-Length: %d\r\n\r\n" % len(deep) + deep, 0, b"-32700"),
        (frame([start]), 1, b"-32600"),
        (frame({"jsonrpc": "2.0", "id": 7, "method": "textDocument/hover"}), 1, b"-32002"),
        (frame(start)[:-5], 0, b""),
        (frame(start), 1, b"capabilities"),
        (frame(start) + frame({"jsonrpc": "2.0", "method": "exit"}), 1, b"capabilities"),
        (body + b"\n", 0, b"protocolVersion"),
        (b"{\n" + body + b"\n", 0, b"protocolVersion"),
        (deep + b"\n" + body + b"\n", 0, b"protocolVersion"),
        (b"\xef\xbb\xbf\x00\xff\n" + body + b"\n", 0, b"protocolVersion"),
        (b"hello\n" + body + b"\n", 0, b"-32700"),
        (b"hello\n" + body + b"\n", 0, b"protocolVersion"),
        (body, 0, b""),
    ]
    for given, status, words in cases:
        done = subprocess.run([schemagen, "serve"], cwd=folder, input=given, capture_output=True, timeout=60)
        if done.returncode != status or words not in done.stdout:
            sys.exit(f"{given[:60]!r}: exit status {done.returncode}, not {status}\n{done.stdout[:500]!r}{done.stderr[:500]!r}")


def meanwhile():
    """While a tool is at work a call can be taken back, a ping is answered, and with the input the work ends."""
    import tempfile
    bin_folder = pathlib.Path(tempfile.mkdtemp())
    for name in ["schemagen", "schemagen-sources"]:
        real = pathlib.Path(schemagen).resolve().parent / name
        (bin_folder / name).write_bytes(real.read_bytes())
        (bin_folder / name).chmod(0o755)
    # In place of the command that takes minutes: one that leaves its process id and sleeps.
    slow = bin_folder / "schemagen"
    slow.write_text("#!/bin/sh\necho $$ >'%s/pid'\nexec sleep 60\n" % bin_folder)

    def message(**members):
        return json.dumps({"jsonrpc": "2.0", **members}).encode() + b"\n"

    def started():
        server = subprocess.Popen([str(bin_folder / "schemagen-sources"), "serve"], cwd=folder,
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        server.stdin.write(message(id=1, method="initialize", params={"protocolVersion": "2025-06-18"}))
        server.stdin.flush()
        assert json.loads(server.stdout.readline())["id"] == 1
        (bin_folder / "pid").unlink(missing_ok=True)
        server.stdin.write(message(id=2, method="tools/call", params={
            "name": "rehearse", "arguments": {}, "_meta": {"progressToken": "a"}}))
        server.stdin.flush()
        for _ in range(200):
            if (bin_folder / "pid").exists() and (bin_folder / "pid").read_text():
                return server, int((bin_folder / "pid").read_text())
            time.sleep(0.05)
        sys.exit("the tool was not started")

    def is_there(process):
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return False
        with open(f"/proc/{process}/stat") if pathlib.Path("/proc/self/stat").exists() else open(os.devnull) as status:
            return ") Z " not in status.read()

    def ends(process):
        for _ in range(100):
            if not is_there(process):
                return True
            time.sleep(0.05)
        return False

    def answer(server):
        """The next answer; what is told of a call meanwhile is none."""
        while "method" in (found := json.loads(server.stdout.readline())):
            pass
        return found

    server, process = started()
    server.stdin.write(message(id=3, method="ping"))
    server.stdin.flush()
    assert answer(server) == {"jsonrpc": "2.0", "id": 3, "result": {}}
    server.stdin.write(message(id=6, method="tools/list"))
    server.stdin.flush()
    assert answer(server)["id"] == 6, "the list of tools waits for a call"
    progress = json.loads(server.stdout.readline())
    assert progress["method"] == "notifications/progress", progress
    assert progress["params"]["progressToken"] == "a" and progress["params"]["progress"] > 0, progress
    assert is_there(process)
    server.stdin.write(message(method="notifications/cancelled", params={"requestId": 2}) + message(id=4, method="ping"))
    server.stdin.flush()
    assert answer(server)["id"] == 4
    assert ends(process), "a call that was taken back goes on"
    server.stdin.write(message(id=5, method="tools/list"))
    server.stdin.flush()
    assert answer(server)["id"] == 5, "a call that was taken back was answered"
    # Taken back in the same breath, before its process begins.
    (bin_folder / "pid").unlink()
    server.stdin.write(
        message(id=7, method="tools/call", params={"name": "rehearse", "arguments": {}})
        + message(method="notifications/cancelled", params={"requestId": 7}))
    server.stdin.flush()
    time.sleep(2)
    if (bin_folder / "pid").exists():
        assert ends(int((bin_folder / "pid").read_text())), "a call that was taken back at once goes on"
    server.stdin.close()
    assert server.wait(timeout=10) == 0

    server, process = started()
    server.stdin.close()
    assert ends(process), "the work goes on when nobody waits for it"
    assert server.wait(timeout=10) == 0


start = time.monotonic()
{"meanwhile": meanwhile, "lsp": lsp, "mcp": mcp, "broken": broken}[what]()
print(f"{what}: {time.monotonic() - start:.1f} s", file=sys.stderr)
