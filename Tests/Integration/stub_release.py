#!/usr/bin/env python3
"""Archives of a release for tests: laid out as Scripts/release/build.sh makes them, with shell scripts as programs.

    stub_release.py archives FOLDER VERSION [STATUS]    writes them; with STATUS, programs that do not run
    stub_release.py checksums CHECKOUT FOLDER           pins what is in FOLDER in that checkout
    stub_release.py serve FOLDER PORT LOG               serves FOLDER on the loopback, writes its port into the file PORT
                                                        and each request into LOG

The server answers by the first part of the path: good/ is FOLDER; half/ breaks off in the middle; cut/ ends there as if
that were all; page/ is a web page. Anything else is 404.
"""

import gzip
import hashlib
import http.server
import io
import pathlib
import re
import subprocess
import sys
import tarfile

TRIPLES = ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu", "arm64-apple-macosx", "x86_64-apple-macosx"]
PROGRAM = """#!/bin/sh
if [ "$1" = --version ]; then echo {version}; exit {status}; fi
echo "downloaded {name} {version}: $*"
"""
OTHERS = {
    "share/schemagen/Package.swift": "// swift-tools-version: 6.1\n",
    "share/man/man1/schemagen.1": ".Dd 2026-01-01\n",
    "share/bash-completion/completions/schemagen": "complete -F _schemagen schemagen\n",
    "share/zsh/site-functions/_schemagen": "#compdef schemagen\n",
    "share/fish/vendor_completions.d/schemagen.fish": "complete -c schemagen\n",
    "share/doc/schemagen/LICENSE": "MIT\n",
    "share/doc/schemagen/built-of.txt": "libyaml 0.2.5-1 pkg:deb/ubuntu/libyaml-dev@0.2.5-1?arch=amd64&distro=jammy\n",
}


def archives(folder, version, status=""):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for triple in TRIPLES:
        top = f"schemagen-{version}-{triple}"
        files = {f"bin/{name}": PROGRAM.format(name=name, version=version, status=status)
                 for name in ("schemagen", "schemagen-sources")}
        with open(folder / f"{top}.tar.gz", "wb") as file, gzip.GzipFile("", "wb", 9, file, 0) as packed:
            with tarfile.open(fileobj=packed, mode="w") as archive:
                for name, text in sorted({**files, **OTHERS}.items()):
                    # Not alike on all platforms, so that no checksum fits another's.
                    data = (text if name.endswith("built-of.txt") else f"{text}# {triple}\n").encode()
                    member = tarfile.TarInfo(f"{top}/{name}")
                    member.size, member.mode = len(data), 0o755 if name.startswith("bin/") else 0o644
                    archive.addfile(member, io.BytesIO(data))


def checksums(checkout, folder):
    checkout = pathlib.Path(checkout)
    lines = []
    for path in sorted(pathlib.Path(folder).glob("schemagen-*.tar.gz")):
        version, triple = re.fullmatch(r"schemagen-([0-9.]+)-(.*)\.tar\.gz", path.name).groups()
        lines.append(f"{version} {triple} {hashlib.sha256(path.read_bytes()).hexdigest()}\n")
    sources = subprocess.run([checkout / "Scripts/release/download.sh", "--sources"], check=True, capture_output=True,
                             text=True).stdout
    (checkout / "Scripts/release/checksums").write_text("# Stubs.\n" + "".join(lines) + f"{version} sources {sources}")


def serve(folder, port, log):
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            _, kind, name = (self.path.split("/", 2) + ["", ""])[:3]
            file = pathlib.Path(folder) / pathlib.PurePath(name).name
            with open(log, "a") as lines:
                lines.write(f"{self.path}\n")
            if kind == "page":
                data = b"<!DOCTYPE html><html><body>Please log in.</body></html>"
            elif kind in ("good", "half", "cut") and file.is_file():
                data = file.read_bytes()
            else:
                return self.send_error(404)
            part = data if kind in ("good", "page") else data[:len(data) // 2]
            self.send_response(200)
            self.send_header("Content-Length", str(len(part if kind == "cut" else data)))
            self.end_headers()
            self.wfile.write(part)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    pathlib.Path(port).write_text(str(server.server_port))
    server.serve_forever()


if __name__ == "__main__":
    {"archives": archives, "checksums": checksums, "serve": serve}[sys.argv[1]](*sys.argv[2:])
