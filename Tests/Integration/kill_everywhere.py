#!/usr/bin/env python3
"""Ends a command at each of its writes, and holds what that leaves of its folder against the folder before and after.

    kill_everywhere.py [--threads] [--calls CALL,…] NAME LOOK COMMAND…

In the working folder: `start`, in a copy of which each run is. First KILL ends it, and LOOK, a command too, looks at the
folder afterwards; then INT, where nobody looks, and the command says whether it has written anything. Prints a line for
each of the two; the exit status is how many failed.

--threads   the calls of all threads, each one's counted by themselves; without it the first thread's only
--calls     the system calls that write; without it all that schemagen uses
"""

import argparse
import collections
import hashlib
import itertools
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys

STOPPED = {
    "before": rb"(?m)^schemagen[a-z-]*: stopped: nothing was written$",
    "after": rb"(?m)^schemagen[a-z-]*: stopped; number of files completely written or removed before: [1-9]",
}


def tree(folder):
    """Files and their contents, without git's own. Folders without a file are nothing to git either."""
    found = {}
    for path, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != ".git"]
        for name in names:
            file = pathlib.Path(path, name)
            found[file.relative_to(folder).as_posix()] = file.read_bytes()
    return found


def fingerprint(folder):
    """All that a command may see of a folder, empty folders and git's own files too."""
    digest = hashlib.sha256()
    for path in sorted(pathlib.Path(folder).rglob("*")):
        contents = b"" if path.is_dir() else path.read_bytes()
        digest.update(f"{path.relative_to(folder)} {path.stat().st_mode} {len(contents)}\n".encode())
        digest.update(contents)
    return digest.digest()


def differences(first, second):
    return [f"{name}: in {'one only' if name not in first or name not in second else 'both, and not the same'}"
            for name in sorted(first.keys() | second.keys()) if first.get(name) != second.get(name)]


def copy(folder):
    """A copy of `start`, and an empty folder for temporary files."""
    for old in [folder, "temporary"]:
        shutil.rmtree(old, ignore_errors=True)
    shutil.copytree("start", folder, symlinks=True)
    os.mkdir("temporary")


def run(command, folder, output):
    """The exit status, as a shell has it."""
    with open(output, "wb") as file:
        status = subprocess.run(command, cwd=folder, stdout=file, stderr=subprocess.STDOUT, check=False,
                                env={**os.environ, "TMPDIR": os.path.abspath("temporary")}).returncode
    return status if status >= 0 else 128 - status


class Trial:
    def __init__(self, options):
        self.follow = ["-f"] if options.threads else []
        self.calls, self.look, self.command = options.calls.split(","), shlex.split(options.look), options.command
        self.looked = {}
        copy("whole")
        self.start = tree("start")
        trace = os.path.abspath("trace")
        run(self.strace("-o", trace, "-e", f"trace={options.calls}"), "whole", "output")
        self.whole = tree("whole")
        # How often each call comes, of the thread that has most.
        counts = collections.Counter(re.findall(r"(?m)^(\d*) *(\w+)\(", pathlib.Path(trace).read_text(errors="replace")))
        self.counts = {call: max((number for (_, name), number in counts.items() if name == call), default=0)
                       for call in self.calls}

    def strace(self, *options):
        # Not with --seccomp-bpf: where that stops a process, Linux injects no signal.
        return ["strace", *self.follow, "-qq", *options, *self.command]

    def problem(self, name, kind):
        """What is wrong, as lines; none where it is as it should be. Sets `kills`."""
        self.kills, seen, ended = 0, set(), 128 + getattr(signal, f"SIG{kind}")
        if self.start == self.whole:
            return [f"{name}: a whole run changes nothing", *said("output")]
        for call in self.calls:
            for number in itertools.count(1):
                # A thread may write to another one, and not as often in each run: until there is no more.
                if call != "write" and number > self.counts[call]:
                    break
                copy("killed")
                status = run(
                    self.strace("-o", "/dev/null", "-e", f"trace={call}", "-e", f"inject={call}:signal={kind}:when={number}"),
                    "killed", "output")
                place = f"{name} at {call} {number}"
                if status != ended:
                    if call == "write":
                        break
                    return [f"{place}: status {status}", *said("output")]
                self.kills += 1
                found = self.after_a_look() if kind == "KILL" else tree("killed")
                if found not in (self.start, self.whole):
                    return [f"{place}: neither as before nor as after", *said("looked" if kind == "KILL" else "output"),
                            "before:", *differences(found, self.start), "after:", *differences(found, self.whole)]
                state = "before" if found == self.start else "after"
                seen.add(state)
                if kind == "INT":
                    if not re.search(STOPPED[state], pathlib.Path("output").read_bytes()):
                        return [f"{place}: it is as {state}, and that is not what is said", *said("output")]
                    if left := os.listdir("temporary"):
                        return [f"{place}: leaves temporary files", *left]
        # Both have to be seen, or the kills hit nothing. What is stopped while it writes is always as after.
        if "after" not in seen or (kind == "KILL" and "before" not in seen):
            return [f"{name}: after {self.kills} kills: {sorted(seen)}", *said("output")]
        return []

    def after_a_look(self):
        """What is found once another command has looked. Of folders that are the same one is looked at."""
        left = fingerprint("killed")
        if left not in self.looked:
            run(self.look, "killed", "looked")
            self.looked[left] = tree("killed")
        return self.looked[left]


def said(output):
    return pathlib.Path(output).read_text(errors="replace").splitlines()[-20:]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", action="store_true")
    parser.add_argument("--calls", default="ftruncate,write,rename,unlink,mkdir,fchmod")
    parser.add_argument("name")
    parser.add_argument("look")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    # A shell in the background has its programs ignore it, and so would the command.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    trial = Trial(options)
    failed = 0
    for kind, name in [("KILL", options.name), ("INT", f"{options.name}, stopped")]:
        if problem := trial.problem(name, kind):
            failed += 1
            print(f"FAIL  {problem[0]}", *(f"      {line}" for line in problem[1:40]), sep="\n", flush=True)
        else:
            print(f"PASS  {name}: {kind} at {trial.kills} calls", flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
