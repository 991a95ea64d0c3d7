#!/usr/bin/env python3
"""The part of GitHub's and GitLab's interfaces that ci/comment.py uses, on the loopback address.

    fake_forge.py serve FOLDER             serves until it is ended; its two ports are in FOLDER/ports
    fake_forge.py reset FOLDER             no comments, no faults, no log
    fake_forge.py add FOLDER AUTHOR BODY [COUNT] [system|hidden]
    fake_forge.py fault FOLDER JSON        see Fault
    fake_forge.py list FOLDER              a line for each comment: ID AUTHOR BODY-WITH-ESCAPES
    fake_forge.py body FOLDER NUMBER       the body of the comment in that place, 0 for the first

FOLDER/log has a line for each request: PORT METHOD PATH STATUS TOKEN; TOKEN is '-' where none was sent. It behaves as
the documentation of the real ones says: "REST API endpoints for issue comments", "Rate limits for the REST API" and
"Using pagination in the REST API" of GitHub; "Notes API", "REST API: pagination" and "Quick actions" of GitLab. The
texts of errors are what people quote from the real ones. Where it differs from them, it is wrong.
"""

import json
import re
import socket
import sys
import threading
import time
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

if sys.argv[1:2] == ["serve"]:
    from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
else:
    # Takes longer than all that the other commands do, and a test calls those hundreds of times.
    BaseHTTPRequestHandler = object

# Whose a token is, what their number on GitLab is, and whether they may write.
TOKENS = {
    "token-of-job": ("github-actions[bot]", 11, True),
    "token-of-fork": ("github-actions[bot]", 11, False),
    "token-of-bot": ("project_42_bot", 11, True),
    "token-that-reads": ("project_42_bot", 11, False),
}
GITHUB = re.compile(r"/(?:repos/owner/app|repositories/1)/issues(?:/7)?/comments(?:/(\d+))?")
GITLAB = re.compile(r"/api/v4/projects/42/merge_requests/7/notes(?:/(\d+))?")
QUICK_ACTION = re.compile(r"(?mi)^/(merge|approve|close|assign)\b.*\n?")
lock = threading.Lock()


class State:
    """What is in the folder: tests change it between requests."""

    def __init__(self, folder):
        self.folder = Path(folder)

    def read(self, name):
        path = self.folder / name
        return json.loads(path.read_text()) if path.exists() else []

    def write(self, name, value):
        (self.folder / name).write_text(json.dumps(value))

    def log(self, line):
        with open(self.folder / "log", "a") as file:
            file.write(line + "\n")

    def add(self, author, body, **more):
        comments = self.read("comments")
        number = 1000 + len(comments) + len(self.read("gone"))
        comment = {"id": number, "author": author, "body": body, **more}
        self.write("comments", comments + [comment])
        return comment

    def fault(self, request):
        """The first fault for this request, used up by one. A fault is {"on": a regular expression for METHOD PATH,
        "times": how often, "after": how many requests pass before} and either an answer, {"status", "headers", "body"},
        or {"do": close | close-afterwards | slow (with "seconds") | drip | forget | too-long}."""
        faults = self.read("faults")
        for fault in faults:
            if re.search(fault["on"], request) and fault.get("times", 1) > 0:
                if fault.get("after", 0) > 0:
                    fault["after"] -= 1
                    self.write("faults", faults)
                    continue
                fault["times"] = fault.get("times", 1) - 1
                self.write("faults", faults)
                return fault
        return {}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do(self):
        token = self.headers.get("PRIVATE-TOKEN") or (self.headers.get("Authorization") or "-").removeprefix("Bearer ")
        self.token = token
        self.content = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        port = self.server.server_address[1]
        with lock:
            fault = self.server.state.fault(f"{self.command} {self.path}")
        kind = fault.get("do")
        if kind == "close":
            status, headers, body = 0, {}, ""
        elif "status" in fault:
            status, headers, body = fault["status"], fault.get("headers", {}), fault.get("body", "")
            headers = {name: str(int(time.time()) + int(value[4:])) if value.startswith("NOW+") else value
                       for name, value in headers.items()}
        else:
            with lock:
                status, headers, body = self.route(kind)
        self.server.state.log(f"{port} {self.command} {self.path} {status} {token}")
        # Not before: whoever asked waits no longer, and the line would be in the log of a later check.
        if kind == "slow":
            time.sleep(fault["seconds"])
        if kind in ("close", "close-afterwards"):
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        data = (body if isinstance(body, str) else json.dumps(body)).encode()
        if status == 204:
            data = b""
        try:
            self.send_response(status)
            for name, value in {"Content-Type": "application/json", **headers}.items():
                self.send_header(name, value)
            if kind == "drip":
                self.end_headers()
                for _ in range(600):
                    self.wfile.write(b" ")
                    self.wfile.flush()
                    time.sleep(0.1)
                return
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)
        except OSError:
            # Whoever asked has gone.
            self.close_connection = True

    do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = do

    def route(self, kind):
        path = urlsplit(self.path).path
        who = TOKENS.get(self.token)
        on_gitlab = path.startswith("/api/v4/")
        if who is None:
            return 401, {}, {"message": "401 Unauthorized" if on_gitlab else "Bad credentials"}
        if path == "/graphql":
            return 200, {}, {"data": {"viewer": {"login": who[0]}}}
        if path == "/user":
            return 403, {}, {"message": "Resource not accessible by integration"}
        if path == "/api/v4/user":
            return 200, {}, {"id": who[1], "username": who[0]}
        match = (GITLAB if on_gitlab else GITHUB).fullmatch(path)
        if not match:
            return 404, {}, {"message": "404 Not Found" if on_gitlab else "Not Found"}
        if self.command == "GET":
            return self.page(on_gitlab)
        if not who[2]:
            return 403, {}, {"message": "403 Forbidden" if on_gitlab else "Resource not accessible by integration"}
        state = self.server.state
        comments = state.read("comments")
        found = next((one for one in comments if match.group(1) and one["id"] == int(match.group(1))), None)
        if found and kind == "forget":
            state.write("gone", state.read("gone") + [found])
            state.write("comments", [one for one in comments if one is not found])
            found = None
        if match.group(1) and found is None:
            return 404, {}, {"message": "404 Note Not Found" if on_gitlab else "Not Found"}
        if self.command == "DELETE":
            state.write("gone", state.read("gone") + [found])
            state.write("comments", [one for one in comments if one is not found])
            return 204, {}, ""
        if self.command != ("POST" if not found else "PUT" if on_gitlab else "PATCH"):
            return 405, {}, {"message": "405 Not Allowed"}
        body = json.loads(self.content)["body"]
        limit = 1_000_000 if on_gitlab else 65_536
        if len(body) > limit or kind == "too-long":
            return (400, {}, {"message": {"note": [f"is too long (maximum is {limit} characters)"]}}) if on_gitlab else (
                422, {}, {"message": "Validation Failed", "errors": [
                    {"resource": "IssueComment", "code": "unprocessable", "field": "data",
                     "message": f"Body is too long (maximum is {limit} characters)"}]})
        if on_gitlab:
            body = body.replace("\r", "")
            for action in QUICK_ACTION.finditer(body):
                state.log(f"QUICK ACTION {action.group(1)}")
            body = QUICK_ACTION.sub("", body).rstrip()
        if found:
            found["body"] = body
            state.write("comments", comments)
            return 200, {}, self.shown(found, on_gitlab)
        return 201, {}, self.shown(state.add(who[0], body), on_gitlab)

    def shown(self, comment, on_gitlab):
        numbers = {name: number for name, number, _ in TOKENS.values()}
        author = comment["author"]
        if on_gitlab:
            return {"id": comment["id"], "body": comment["body"], "system": comment.get("kind") == "system",
                    "author": {"id": numbers.get(author, 99), "username": author}}
        # Who wrote it may have deleted their account.
        user = None if author == "nobody" else {"login": author}
        return {"id": comment["id"], "body": comment["body"], "user": user}

    def page(self, on_gitlab):
        query = {name: values[0] for name, values in parse_qs(urlsplit(self.path).query).items()}
        size = min(100, int(query.get("per_page", 20 if on_gitlab else 30)))
        number = int(query.get("page", 1))
        comments = self.server.state.read("comments")
        if on_gitlab and query.get("sort") != "asc":
            comments.reverse()
        pages = max(1, -(-len(comments) // size))
        headers = {}
        host = self.headers["Host"]
        path = urlsplit(self.path).path if on_gitlab else "/repositories/1/issues/7/comments"
        links = {"prev": number - 1, "next": number + 1, "first": 1, "last": pages}
        headers["Link"] = ", ".join(
            f'<http://{host}{path}?per_page={size}&page={page}>; rel="{name}"' for name, page in links.items()
            if 1 <= page <= pages and not (pages == 1))
        if on_gitlab:
            headers["X-Next-Page"] = str(number + 1) if number < pages else ""
            headers["X-Page"] = str(number)
        part = comments[(number - 1) * size:number * size]
        # GitLab leaves out of a page what the token may not read.
        return 200, headers, [self.shown(one, on_gitlab) for one in part if one.get("kind") != "hidden"]


def serve(folder):
    servers = [ThreadingHTTPServer(("127.0.0.1", 0), Handler) for _ in range(2)]
    for server in servers:
        server.daemon_threads = True
        server.state = State(folder)
        threading.Thread(target=server.serve_forever, daemon=True).start()
    ports = Path(folder, "ports.new")
    ports.write_text(" ".join(str(server.server_address[1]) for server in servers) + "\n")
    ports.rename(Path(folder, "ports"))
    threading.Event().wait()


def main(command, folder, *rest):
    state = State(folder)
    if command == "serve":
        serve(folder)
    elif command == "reset":
        for name in ("comments", "faults", "gone", "log"):
            Path(folder, name).unlink(missing_ok=True)
        Path(folder, "log").touch()
    elif command == "add":
        author, body, count, kind = (*rest, *["1", ""][len(rest) - 2:])
        for _ in range(int(count)):
            state.add(author, body, kind=kind)
    elif command == "fault":
        state.write("faults", state.read("faults") + [json.loads(rest[0])])
    elif command == "list":
        for comment in state.read("comments"):
            print(comment["id"], comment["author"], json.dumps(comment["body"]))
    elif command == "body":
        sys.stdout.buffer.write(state.read("comments")[int(rest[0])]["body"].encode())
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(*sys.argv[1:])
