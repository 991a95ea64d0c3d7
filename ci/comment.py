#!/usr/bin/env python3
"""Writes what 'schemagen diff --format markdown' printed as one comment of a pull request or a merge request.

    comment.py github|gitlab TEXT CHANGES

TEXT is the file with that comment. CHANGES is what 'schemagen diff --format json' printed: where it has no changes, a
comment that is there is updated, and none is created. action.yml and ci/gitlab.yml run this; it needs Python 3.9.

The comment begins with a hidden marker that names the workflow, the job, of a matrix with its values, and the folders.
Only comments that begin so, by the user whose token this is, are changed. If none can be written, the text goes to the
job's summary, or on GitLab to the log, and the exit status is 0 all the same. SCHEMAGEN_COMMENT_SECONDS says how long
all of it may take.
"""

import http.client
import json
import os
import re
import signal
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

ENV = os.environ
PATIENCE = int(ENV.get("SCHEMAGEN_COMMENT_SECONDS") or 120)
DEADLINE = time.monotonic() + PATIENCE
TRIES = 4


class Problem(Exception):
    """Another try may end better after `wait` seconds, 0 where nobody says how many; None: it would not."""

    def __init__(self, reason, status=None, wait=None):
        super().__init__(reason)
        self.status, self.wait = status, wait


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """urllib follows redirects with every header: another host would get the token."""

    def redirect_request(self, *_):
        return None


class Forge:
    opener = urllib.request.build_opener(NoRedirect)

    def __init__(self, key, token, headers):
        # Quoted, so that no name of a folder ends the marker.
        self.marker = f"<!-- schemagen: {urllib.parse.quote(key, safe='/ ,').replace('--', '-%2D')} -->"
        self.token = token
        self.headers = {"User-Agent": "schemagen", "Content-Type": "application/json", **headers}

    def send(self, method, url, body):
        """Status, headers and content of an answer."""
        if not re.fullmatch("[!-~]+", self.token):
            # The library's own error would name the token.
            raise Problem("the token has characters that no token has" if self.token else "there is no token")
        parts = urllib.parse.urlsplit(url)
        if parts.scheme != "https" and parts.hostname not in ("127.0.0.1", "::1", "localhost"):
            raise Problem("the address of the API is not https, and the token is not sent there")
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(url, data, self.headers, method=method)
        try:
            try:
                answer = self.opener.open(request, timeout=max(1, min(20, DEADLINE - time.monotonic())))
            except urllib.error.HTTPError as error:
                answer = error
            with answer:
                return answer.code, answer.headers, answer.read()
        except (OSError, http.client.HTTPException) as error:
            raise Problem(f"no answer ({type(getattr(error, 'reason', error)).__name__})", wait=0) from None

    def request(self, method, url, body=None):
        """Headers and content of a good answer."""
        status, headers, content = self.send(method, url, body)
        if 200 <= status < 300:
            return headers, content
        reason = f"{status}: {self.shown(content)}"
        # GitHub's "Rate limits for the REST API": 403 is also for who asks too often, and may say so in words alone.
        if status == 429 or status == 403 and ("Retry-After" in headers or "rate limit" in reason.lower()
                                               or headers.get("X-RateLimit-Remaining") == "0"):
            raise Problem(reason, status, pause(headers))
        raise Problem(reason, status, 0 if status >= 500 or status == 408 else None)

    def read(self, method, url, body=None):
        headers, content = self.request(method, url, body)
        try:
            return headers, json.loads(content)
        except ValueError:
            raise Problem("the answer is not JSON", wait=0) from None

    def shown(self, content):
        """A server's words for a log: one short line without the token."""
        text = content.decode(errors="replace")
        try:
            text = json.dumps(json.loads(text)["message"], ensure_ascii=False)
        except (ValueError, KeyError, TypeError):
            pass
        return "".join(one if one.isprintable() else " " for one in text).replace(self.token, "***")[:200]

    def all(self):
        url = self.listing
        while url:
            headers, page = self.read("GET", url)
            if not isinstance(page, list):
                raise Problem("the answer is no list of comments", wait=0)
            yield from page
            # A short page need not be the last: GitLab leaves out what the token may not read (lib/api/notes.rb).
            link = re.search(r'<([^<>]*)>[^<>]*;\s*rel="?next\b', headers.get("Link") or "")
            if headers.get("X-Next-Page"):
                url = f"{self.listing}&page={int(headers['X-Next-Page'])}"
            elif link and urllib.parse.urlsplit(link.group(1))[:2] != urllib.parse.urlsplit(url)[:2]:
                raise Problem("the next page is on another host, and the token is not sent there")
            else:
                url = link and link.group(1)

    def write(self, text, is_news):
        """Leaves one comment, and says how."""
        body = f"{self.marker}\n{text}"
        if len(body) > self.limit:
            notice = f"{self.marker}\n**Shortened: the whole text is {self.whole}.**\n\n"
            part = text[:self.limit - len(notice)]
            body = notice + part[:part.rfind("\n") + 1 or None]
        ours = [comment for comment in self.all() if (comment["body"] or "").startswith(self.marker)]
        if ours:
            me = self.me()
            ours = sorted((one for one in ours if self.author(one) == me), key=lambda one: one["id"])
        # Of two jobs at once, both may have found none.
        for surplus in ours[1:]:
            try:
                self.request("DELETE", self.address(surplus))
            except Problem:
                pass
        if ours:
            # GitLab keeps no \r, and no white space at the end.
            if ours[0]["body"].replace("\r", "").rstrip() == body.replace("\r", "").rstrip():
                return "the comment is up to date"
            try:
                self.request(self.update, self.address(ours[0]), {"body": body})
                return "the comment is updated"
            except Problem as problem:
                # Deleted meanwhile.
                if problem.status != 404:
                    raise
        if not is_news:
            return "nothing changed, and there is no comment to say so"
        self.request("POST", self.comments, {"body": body})
        return "the comment is written"

    def write_patiently(self, text, is_news):
        """Every try looks for the comment again: one that failed may have written it nevertheless."""
        for tries in range(1, TRIES + 1):
            try:
                return self.write(text, is_news)
            except Problem as problem:
                # Perhaps too long after all.
                if problem.status in (400, 413, 422) and tries < TRIES and len(text) > self.limit // 2:
                    self.limit //= 2
                    continue
                if problem.wait is None:
                    raise
                wait = problem.wait or 2 ** (tries - 1)
                if tries == TRIES or time.monotonic() + wait > DEADLINE:
                    raise Problem(f"{problem}; tries: {tries}, and {wait} s before the next") from None
                time.sleep(wait)


class GitHub(Forge):
    # "body is too long (maximum is 65536 characters)"
    limit = 65_536
    update = "PATCH"
    whole = "in the job's summary"
    rights = "In a pull request from a fork no token may; elsewhere the job needs 'permissions: pull-requests: write'."

    def __init__(self, folders):
        token = ENV.get("TOKEN", "").strip()
        # As GitHub names the jobs of a matrix, and GitLab in CI_JOB_NAME.
        values = json.loads(ENV.get("MATRIX") or "null") or {}
        matrix = " (" + ", ".join(map(str, values.values())) + ")" if values else ""
        super().__init__(f"{ENV['GITHUB_WORKFLOW']}/{ENV['GITHUB_JOB']}{matrix}/{folders}", token, {
            "Authorization": f"Bearer {token}", "Accept": "application/vnd.github+json",
            "X-GitHub-Api-Version": "2022-11-28"})
        self.number = ENV.get("PULL_REQUEST")
        self.issues = f"{ENV['GITHUB_API_URL']}/repos/{ENV['GITHUB_REPOSITORY']}/issues"
        self.comments = f"{self.issues}/{self.number}/comments"
        self.listing = f"{self.comments}?per_page=100"

    def me(self):
        # REST refuses GET /user to the tokens of jobs and of apps.
        _, answer = self.read("POST", ENV["GITHUB_GRAPHQL_URL"], {"query": "{viewer{login}}"})
        try:
            return answer["data"]["viewer"]["login"]
        except (KeyError, TypeError):
            # GraphQL says with 200 what is wrong, the rate limit among others.
            raise Problem("the answer does not say whose token this is", wait=60) from None

    def author(self, comment):
        return (comment["user"] or {}).get("login")

    def address(self, comment):
        return f"{self.issues}/comments/{int(comment['id'])}"

    def show(self, text):
        data = text.encode()
        # Of a summary of more than 1 MiB, GitHub shows nothing.
        if len(data) > 2**20:
            data = b"**Shortened: a summary has at most 1 MiB.**\n\n" + data[:2**20 - 100]
        with open(ENV["GITHUB_STEP_SUMMARY"], "ab") as summary:
            summary.write(data)

    def say(self, level, message):
        message = message.replace("%", "%25")
        print(f"::{level} title=schemagen::{message}" if level else f"schemagen: {message}")


class GitLab(Forge):
    # "Limited to 1,000,000 characters" (Notes API)
    limit = 1_000_000
    update = "PUT"
    whole = "in the job's artifact schemagen-comment.md"
    rights = "SCHEMAGEN_COMMENT_TOKEN needs the scope 'api'; pipelines of forks do not get it."

    def __init__(self, folders):
        token = ENV.get("SCHEMAGEN_COMMENT_TOKEN", "").strip()
        super().__init__(f"{ENV['CI_JOB_NAME']}/{folders}", token, {"PRIVATE-TOKEN": token})
        self.number = ENV.get("CI_MERGE_REQUEST_IID")
        # In a pipeline of a fork, CI_PROJECT_ID is the fork.
        project = ENV.get("CI_MERGE_REQUEST_PROJECT_ID") or ENV.get("CI_PROJECT_ID")
        self.comments = f"{ENV['CI_API_V4_URL']}/projects/{project}/merge_requests/{self.number}/notes"
        self.listing = f"{self.comments}?per_page=100&sort=asc"

    def write(self, text, is_news):
        # GitLab obeys a line such as '/merge' in a note, in the name of the token's user.
        return super().write(re.sub(r"(?m)^([^\S\n]*)/", r"\1\\/", text), is_news)

    def me(self):
        return self.read("GET", f"{ENV['CI_API_V4_URL']}/user")[1]["id"]

    def author(self, comment):
        return comment["author"]["id"]

    def address(self, comment):
        return f"{self.comments}/{int(comment['id'])}"

    def show(self, text):
        # A job's log has a limit too, and obeys control characters.
        print("".join(one if one.isprintable() or one in "\n\t" else "?" for one in text[:200_000]))

    def say(self, level, message):
        print(f"schemagen: {level}: {message}" if level else f"schemagen: {message}")


def pause(headers):
    """The seconds for which a server wants to be left alone."""
    if (headers.get("Retry-After") or "").isdecimal():
        return int(headers["Retry-After"])
    for name in ("X-RateLimit", "RateLimit"):  # GitHub's headers, and GitLab's
        if headers.get(f"{name}-Remaining") == "0" and (headers.get(f"{name}-Reset") or "").isdecimal():
            return max(1, int(headers[f"{name}-Reset"]) - int(time.time()) + 1)
    return 60  # GitHub: "wait for at least one minute"


def has_changes(path):
    """Whether a document in the file, one for each folder, has changes or errors; true if that cannot be read."""
    try:
        with open(path, encoding="utf-8") as file:
            documents = json.loads("[" + re.sub(r"(?m)^\}\n\{", "},{", file.read()) + "]")
        return not documents or any(
            one["versions"] or any(finding["severity"] == "error" for finding in one["findings"]) for one in documents)
    except (OSError, ValueError, KeyError, TypeError):
        return True


def out_of_time(*_):
    raise TimeoutError(f"longer than {PATIENCE} s")  # Python 3.9 fails on one without a text.


def main(kind, text_path, changes_path):
    sys.stdout.reconfigure(encoding="utf-8")
    folders = (ENV.get("SCHEMAS") or ENV.get("SCHEMAGEN_SCHEMAS") or "").splitlines()
    forge = {"github": GitHub, "gitlab": GitLab}[kind](", ".join(filter(None, folders)) or "Schemas")
    with open(text_path, "rb") as file:
        text = file.read().decode(errors="replace")
    if not text.strip():
        text = "schemagen could not compare the schemas: the job's log says why.\n"
    # A server that sends a byte now and then stays within every timeout of a socket.
    signal.signal(signal.SIGALRM, out_of_time)
    signal.alarm(PATIENCE)
    level, problem = None, "" if forge.number else "this is no pull request or merge request"
    try:
        if forge.number:
            forge.say(None, forge.write_patiently(text, has_changes(changes_path)))
    except Problem as error:
        lacks_rights = error.status in (401, 403, 404) or not forge.token
        level, problem = "notice" if lacks_rights else "warning", f"{error}. {forge.rights if lacks_rights else ''}"
    except Exception as error:  # Without its words, which may have the token.
        level, problem = "warning", f"{type(error).__name__} in line {error.__traceback__.tb_lineno} of comment.py"
    signal.alarm(0)
    if problem or len(text) + len(forge.marker) >= forge.limit:
        forge.show(text)
    if problem:
        forge.say(level, f"no comment is written; its text is {forge.whole}: {problem}")


if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[1] not in ("github", "gitlab"):
        sys.exit(__doc__)
    main(*sys.argv[1:])
