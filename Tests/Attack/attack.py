#!/usr/bin/env python3
"""Attacks the library for migrations at launch: power failures, kills, failing system calls, mutated stores.

    attack.py [--power N] [--kills N] [--faults N] [--mutations N] [--seed S] [CASE…]

N is how many of each are tried; -1 is without an end, and of the states that a power failure can leave all. Without any
option, so many as end within a minute. Ctrl-C ends it, with the figures so far. A CASE, as a failure prints it, is
tried alone, and its folder is kept. The same seed gives the same cases; only at which moment a process is killed that
is killed by the clock depends on the machine.

A driver, Tests/Support/BackupStandIn, does what an app does, and a shim (shim.c, compiled here) watches its system calls.

- power: the calls of a run are recorded. For the moment after each call it is computed what a disk could have after a
  power failure, and the next launch gets that:
    strict   nothing that was not synchronised: no byte of a file before its fsync, no name before its folder's
    journal  names as they were at the last fsync of anything, like ext4; bytes as in strict
    names    all names, but no byte before its file's fsync
    mixed    of each folder the names up to some change, of each file some of its writes, by the seed
    lazy     as strict, and a WAL is only synchronised when it is brought into the database, as with SQLite's
             "synchronous = NORMAL" (the driver's own store layer has FULL)
  It assumes that fsync tells the truth, that a rename within a folder is one change, that a write changes no bytes
  beside its own, and that SQLite makes "-shm" files anew.
- kills: before a call, in the middle of a write, or by the clock; up to three in a row, the later ones in the next
  launches.
- faults: a call, or all from there on, fails with EIO, ENOSPC or EACCES, or writes too little.
- mutations: bytes, pages, lengths, logs, schemas and rows of stores, and the library's own files; looked at, salvaged
  and migrated.

First it is seen that what must not happen is told. Each time no process may crash, take more than 60 seconds or 512 MB;
what is there afterwards has to be a right store, or a store and a backup that is right; and after the next launches the
store has every row and file. Prints a line for each failure with the command that tries it again, and how many there
were of each kind; exits 1 if there was a failure.

SCHEMAGEN         a binary beside which the driver is; without it that of the checkout's own debug build
SCHEMAGEN_STORES  a folder of stores to mutate; without it, the folder shared/stores beside the checkout, if it is there
"""

import argparse
import collections
import errno
import hashlib
import itertools
import json
import os
import random
import re
import resource
import select
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PATIENCE, MEMORY = 60, 512 << 20
STORE = "default.store"
EXTERNAL = ".default_SUPPORT/_EXTERNAL_DATA"
# Where it is moved to.
MOVED, MOVED_EXTERNAL = "Group/new.store", "Group/.new_SUPPORT/_EXTERNAL_DATA"


class Failure(Exception):
    """What must not happen."""


def require(holds, what):
    if not holds:
        raise Failure(what)


# MARK: - The driver


def limit():
    # So that a bug takes no machine down; what is allowed is asked of the process itself.
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))


class Driver:
    """One process that does one thing after another, and is started anew after a crash."""

    def __init__(self, path):
        self.path, self.process, self.runs = path, None, 0

    def start(self):
        self.process = subprocess.Popen(
            [self.path, "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            preexec_fn=limit, bufsize=0)

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.wait()
        self.process = None

    def do(self, command, store, **options):
        """The exit status of a command, and what it printed."""
        if self.process is None:
            self.start()
        self.runs += 1
        words = [f"{name}={value}" for name, value in options.items()] + [command, str(store)]
        self.process.stdin.write((" ".join(words) + "\n").encode())
        printed, end = b"", time.monotonic() + PATIENCE
        while True:
            if not select.select([self.process.stdout], [], [], max(0, end - time.monotonic()))[0]:
                self.stop()
                raise Failure(f"'{command}' takes more than {PATIENCE} s")
            piece = os.read(self.process.stdout.fileno(), 1 << 16)
            if not piece:
                status = self.process.wait()
                self.process = None
                raise Failure(f"'{command}' crashes with {status}")
            printed += piece
            if found := re.search(rb"(?:^|\n)== (\d+)\n\Z", printed):
                self.bound(command)
                return int(found[1]), printed[: found.start()].decode(errors="replace")

    def bound(self, command):
        peak = re.search(r"VmHWM:\s*(\d+)", Path(f"/proc/{self.process.pid}/status").read_text())
        if peak and int(peak[1]) << 10 > MEMORY:
            self.stop()
            raise Failure(f"'{command}' takes {int(peak[1]) >> 10} MB")


# MARK: - What is there


def rows(store):
    """All rows of the sample schema, whatever version they are of; None where they cannot be read. Writes nothing."""
    with tempfile.TemporaryDirectory(dir=WORK) as copy:
        copy_store(store, f"{copy}/x")
        if not os.path.exists(f"{copy}/x"):
            return None
        try:
            database = sqlite3.connect(f"{copy}/x")
            # Mutated text may be none.
            database.text_factory = lambda text: text.decode(errors="backslashreplace")
            columns = [row[1] for row in database.execute("PRAGMA table_info(ZNOTE)")]
            worth = "ZSTARS" if "ZSTARS" in columns else "CAST(ZSCORE AS INTEGER)"
            # By rowid, which the key is: where mutated bytes of the schema make the key a column of its own, it reads as
            # NULL until a migration writes the table anew.
            columns = f"rowid, ZTEXT, {worth}, ZFOLDER, ZDATE, ZDATA"
            found = database.execute(f"SELECT {columns} FROM ZNOTE ORDER BY 1").fetchall()
            for table in ("ZFOLDER", "ZTAG"):
                found += database.execute(f"SELECT rowid, ZNAME FROM {table} ORDER BY 1").fetchall()
            found += sorted(database.execute("SELECT * FROM Z_2TAGS").fetchall(), key=repr)
            database.close()
            return found
        except (sqlite3.Error, ValueError):
            return None


def copy_store(store, copy):
    """The database with its log, from a moment at which nobody wrote: the driver may just be closing it."""
    files = [(f"{store}{suffix}", f"{copy}{suffix}") for suffix in ("", "-wal", "-journal")]

    def state():
        found = [os.stat(path) for path, _ in files if os.path.exists(path)]
        return [(status.st_ino, status.st_size, status.st_mtime_ns) for status in found]

    while True:
        try:
            before = state()
            for path, place in files:
                Path(place).unlink(missing_ok=True)
                if os.path.exists(path):
                    shutil.copyfile(path, place)
            if state() == before:
                return
        except FileNotFoundError:
            pass


def external(folder, name=EXTERNAL):
    """The external files of a store, with what they hold."""
    path = Path(folder, name)
    return {file.name: file.read_bytes() for file in path.iterdir()} if path.is_dir() else {}


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def backups(folder):
    """The rows and external files of all backups that count as complete; each has to be what its sidecar says."""
    found = []
    for sidecar in sorted(Path(folder, "Backups").glob("default.store_backup_*Z.json")):
        try:
            said = json.loads(sidecar.read_bytes())
        except ValueError:
            continue
        database = sidecar.with_suffix(".sqlite")
        if not database.exists() or database.stat().st_size != said["size"]:
            continue
        require(digest(database) == said["sha256"], f"{database.name} is not what it was")
        support = Path(str(database)[: -len(".sqlite")] + "_SUPPORT")
        for file in said["externalFiles"]:
            data = support / file["path"]
            require(data.exists() and digest(data) == file["sha256"],
                    f"'{file['path']}' of {database.name} is not what it was")
        found.append((rows(database), external(support, "_EXTERNAL_DATA")))
    return found


def contents(folder):
    return rows(f"{folder}/{STORE}"), external(folder)


# MARK: - A disk that forgets


class Node:
    """A file or a folder: what it is now, what a power failure leaves of it, and what has changed since it was
    synchronised."""

    def __init__(self, is_folder, now, modified=0):
        self.is_folder, self.now, self.modified = is_folder, now, modified
        self.kept, self.committed, self.pending, self.kept_modified = type(now)(), type(now)(), [], modified

    def synchronize(self):
        self.kept, self.pending, self.kept_modified = type(self.now)(self.now), [], self.modified

    def changed(self, body):
        """Changes it, and remembers how."""
        body(self.now)
        self.pending.append(body)


def written(offset, data):
    def body(content):
        if len(content) < offset:
            content.extend(bytes(offset - len(content)))
        content[offset : offset + len(data)] = data
    return body


def cut(length):
    def body(content):
        del content[length:]
        content.extend(bytes(length - len(content)))
    return body


def named(*changes):
    def body(entries):
        for name, node in changes:
            entries.pop(name, None)
            if node:
                entries[name] = node
    return body


Call = collections.namedtuple("Call", "kind file path other offset modified data")


def read_log(path, folder):
    """What the shim has written down; paths are relative to the folder."""
    log, place, head = Path(path).read_bytes(), 0, struct.Struct("<IIiIIqq")
    while place < len(log):
        kind, length, file, first, second, offset, modified = head.unpack_from(log, place)
        place += head.size
        texts = []
        for size in (first, second):
            texts.append(os.path.relpath(log[place : place + size].decode(), folder) if size else None)
            place += size
        data = log[place : place + length]
        place += length
        yield Call(chr(kind), file, *texts, offset, modified, data)


class Disk:
    """The folder of a store, as it is and as it could be after a power failure."""

    def __init__(self, folder):
        self.files, self.folders, known = {}, [], {}

        def scan(path):
            status = os.lstat(path)
            if os.path.isdir(path):
                names = [name for name in sorted(os.listdir(path)) if not name.endswith("-shm")]
                node = Node(True, {name: scan(f"{path}/{name}") for name in names})
                self.folders.append(node)
            else:
                node = known.get(status.st_ino) or Node(False, bytearray(Path(path).read_bytes()), status.st_mtime_ns)
                known[status.st_ino] = node
            node.synchronize()
            node.committed = node.kept
            return node

        self.root = scan(folder)

    def find(self, path):
        node = self.root
        for name in Path(path).parts:
            node = node.now[name]
        return node

    def apply(self, call, forgets=lambda call, node: False):
        """Does what a call did. `forgets` says of what is synchronised whether it is not."""
        def place(path):
            return self.find(os.path.dirname(path)), os.path.basename(path)

        if call.kind in "oOr":
            folder, name = place(call.path) if call.path != "." else (None, None)
            if folder and name not in folder.now:
                node = Node(False, bytearray(), call.modified)
                folder.changed(named((name, node)))
            self.files[call.file] = node = self.find(call.path)
            if call.kind == "O":
                node.changed(cut(0))
        elif call.kind in "wt":
            node = self.files[call.file]
            node.changed(written(call.offset, call.data) if call.kind == "w" else cut(call.offset))
            node.modified = call.modified
        elif call.kind == "s":
            node = self.files[call.file]
            if not forgets(call, node):
                node.synchronize()
                for folder in self.folders:
                    folder.committed = dict(folder.now)
        elif call.kind in "ud":
            folder, name = place(call.path)
            folder.changed(named((name, None)))
        elif call.kind == "m":
            folder, name = place(call.path)
            made = Node(True, {})
            self.folders.append(made)
            folder.changed(named((name, made)))
        else:
            (folder, name), (target, new) = place(call.path), place(call.other)
            node = folder.now[name]
            if call.kind == "l":
                target.changed(named((new, node)))
            elif folder is target:
                folder.changed(named((name, None), (new, node)))
            else:
                target.changed(named((new, node)))
                folder.changed(named((name, None)))

    def tree(self, way, chance=None):
        """What there is, by paths: files with their node's number, date and bytes, folders with nothing."""
        found, numbers = {}, {}

        def entries(node):
            if way == "now" or way == "names":
                return node.now
            if way == "journal":
                return node.committed
            kept = dict(node.kept)
            if way == "mixed":
                for change in node.pending[: chance.randint(0, len(node.pending))]:
                    change(kept)
            return kept

        def content(node):
            if way == "now":
                return bytes(node.now)
            if way != "mixed" or not node.pending:
                return bytes(node.kept)
            kept = bytearray(node.kept)
            for change in node.pending:
                if chance.random() < 0.5:
                    change(kept)
            return bytes(kept)

        def visit(node, path):
            for name, inner in sorted(entries(node).items()):
                place = f"{path}/{name}" if path else name
                if inner.is_folder:
                    found[place] = None
                    visit(inner, place)
                elif inner not in numbers:
                    numbers[inner] = len(numbers)
                    date = inner.modified if way == "now" else inner.kept_modified
                    found[place] = numbers[inner], date if way != "now" else 0, content(inner)
                else:
                    found[place] = numbers[inner], 0, b""

        visit(self.root, "")
        return found


def lay_out(tree, folder):
    """Makes files of what a disk has."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    known = {}
    for path, found in tree.items():
        place = f"{folder}/{path}"
        if found is None:
            os.mkdir(place)
        elif found[0] in known:
            os.link(known[found[0]], place)
        else:
            known[found[0]] = place
            with open(place, "wb") as file:
                file.write(found[2])
            os.utime(place, ns=(found[1], found[1]))


# MARK: - Scenarios


class Scenario:
    """What an app does, from which state, and what has to be there whenever it is ended."""

    def __init__(self, name, command, check, step=None, **options):
        self.name, self.command, self.check, self.step, self.options = name, command, check, step, options
        self.start = f"{WORK}/start-{name}"
        self.calls = None

    def run(self, folder, after=None, command=None, environment={}, **shim):
        """Does it in another process with the shim, for so many seconds at most. A variable that is None is unset."""
        shim = {f"SHIM_{name.upper()}": str(value) for name, value in shim.items() if value is not None}
        shim |= {"LD_PRELOAD": SHIM, "SHIM_ROOT": folder}
        process = subprocess.Popen(
            [DRIVER.path, command or self.command, f"{folder}/{STORE}"],
            env={name: value for name, value in {**os.environ, **self.options, **environment, **shim}.items() if value},
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, preexec_fn=limit)
        try:
            printed, _ = process.communicate(timeout=PATIENCE if after is None else after)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            if after is None:
                raise Failure(f"'{self.command}' takes more than {PATIENCE} s") from None
            return -signal.SIGKILL, ""
        if process.returncode < 0 and process.returncode != -signal.SIGKILL:
            raise Failure(f"'{self.command}' crashes with {process.returncode}")
        return process.returncode, printed.decode(errors="replace")

    def record(self):
        """The calls of one run, and how many of them change and look."""
        if self.calls is None:
            folder, log = f"{WORK}/recorded", f"{WORK}/log-{self.name}"
            clone(self.start, folder)
            disk = Disk(folder)
            began = time.monotonic()
            status, printed = self.run(folder, log=log)
            self.duration = time.monotonic() - began
            # What is half replaced is put back first, and the launch after that one migrates it.
            fails = {"FAIL", "LOSE"} & set(self.options) or self.step == "replaced the database"
            require(status == (1 if fails else 0), f"{self.name}: {status} {printed}")
            self.calls = list(read_log(log, folder))
            os.remove(log)
            self.changes = sum(call.kind != "r" for call in self.calls)
            # The model has to have seen everything.
            for call in self.calls:
                disk.apply(call)
            require(disk.tree("now") == Disk(folder).tree("now"), f"{self.name}: a call was not recorded")
        return self.calls


def clone(folder, copy):
    shutil.rmtree(copy, ignore_errors=True)
    subprocess.run(["cp", "-a", folder, copy], check=True)


def settle(folder, scenario):
    """The next launches, until one succeeds, or says that it was tried often enough."""
    kept = {name: value for name, value in scenario.options.items() if name in ("STASH", "CORE")}
    for _ in range(5):
        status, printed = DRIVER.do("migrate", f"{folder}/{STORE}", **kept)
        if status == 0 or "will not be tried again" in printed:
            return
    raise Failure(f"no launch succeeds: {printed}")


def check_migration(folder, scenario, is_done):
    right = ORIGINAL
    found = backups(folder)
    if contents(folder) != right:
        require(right in found, "neither a right store nor a right backup")
    settle(folder, scenario)
    require(rows(f"{folder}/{STORE}") == right[0], "rows are missing after the next launches")
    require(external(folder) == right[1], "external files are missing after the next launches")
    backups(folder)


def check_restore(folder, scenario, is_done):
    old, new = OLD, ORIGINAL
    backups(folder)

    def which():
        found, files = contents(folder)
        for rows_, needed in (old, new):
            if found == rows_ and needed.items() <= files.items():
                return rows_ == old[0]
        raise Failure("the store is neither the old one nor the backup")

    # Also for somebody who never calls `recover()`.
    is_restored = which()
    require(is_restored or not is_done or scenario.command != "restore", "the restore is undone")
    status, printed = DRIVER.do("recover", f"{folder}/{STORE}")
    require(status == 0, f"recover: {printed}")
    require(which() == is_restored, "recover has taken the other store")
    kept = [path for path in Path(folder).glob("default_replaced_*.store")]
    if is_restored:
        files = f".{kept[0].stem}_SUPPORT/_EXTERNAL_DATA" if kept else ""
        require(any(rows(path) == new[0] for path in kept) and external(folder, files) == new[1],
                "the replaced store is not whole")
    require(old in backups(folder), "the backup is gone")


def check_move(folder, scenario, is_done):
    require(contents(folder) == ORIGINAL, "the store at the old place is not what it was")
    group = Path(folder, "Group")

    def moved():
        return rows(f"{folder}/{MOVED}"), external(folder, MOVED_EXTERNAL)

    def is_there():
        found = moved()
        if found[0] in (None, EMPTY if scenario.options else None):
            return False
        require(found == ORIGINAL, "the store at the new place is not whole")
        return True

    was_there = is_there()
    require(was_there or not is_done, "the store is not at the new place any more")
    status, printed = DRIVER.do("move", f"{folder}/{STORE}", **scenario.options)
    require(status == 0, f"move: {printed}")
    require(("unchanged" in printed) == was_there, f"it was {'' if was_there else 'not '}there, and now: {printed}")
    require(moved() == ORIGINAL, "the store at the new place is not the one that was moved")
    require(contents(folder) == ORIGINAL, "the store at the old place has changed")
    aside = [rows(path) for path in group.glob("new_aside_*.store")]
    require(aside == ([EMPTY] if scenario.options else []), f"put aside: {aside}")
    left = [path.name for path in group.iterdir() if "restor" in path.name or "partial" in path.name]
    require(not left, f"left behind: {left}")


def check_backups(count):
    def check(folder, scenario, is_done):
        require(contents(folder) == ORIGINAL, "the store is not what it was")
        found = backups(folder)
        require(len(found) >= count + (is_done and scenario.command == "create"), f"{len(found)} complete backups")
        require(all(backup[0] == ORIGINAL[0] for backup in found), "a backup lacks rows")
        status, printed = DRIVER.do("create", f"{folder}/{STORE}")
        require(status == 0, f"create: {printed}")
        require(ORIGINAL in backups(folder), "a new backup is not right")

    return check


def prepare():
    """The folders that scenarios begin with."""
    global ORIGINAL, OLD, EMPTY
    base, old = f"{WORK}/base", f"{WORK}/old"
    for folder, text in ((base, "new"), (old, "old")):
        os.makedirs(f"{folder}/{EXTERNAL}")
        for name in (f"{text} only", "same"):
            Path(folder, EXTERNAL, name).write_text(name * 600)
        subprocess.run([DRIVER.path, "make", f"{folder}/{STORE}"], check=True)
    database = sqlite3.connect(f"{base}/{STORE}")
    database.execute("UPDATE ZNOTE SET ZTEXT = 'new' WHERE Z_PK % 7 = 0")
    database.commit()
    database.close()
    # Leaves a row in the WAL, and is killed.
    subprocess.run([DRIVER.path, "note", f"{base}/{STORE}"], stderr=subprocess.DEVNULL, check=False)
    ORIGINAL, OLD = contents(base), contents(old)
    require(len(ORIGINAL[0]) == len(OLD[0]) + 1 and ORIGINAL[0] != OLD[0], "the sample store has no WAL")

    # The same rows, in a store of an older version of a Core Data model.
    core = f"{WORK}/core"
    shutil.copytree(f"{base}/.default_SUPPORT", f"{core}/.default_SUPPORT")
    subprocess.run([DRIVER.path, "make", f"{core}/{STORE}"], env={**os.environ, "CORE": "inPlace"}, check=True)
    database = sqlite3.connect(f"{core}/{STORE}")
    database.execute("UPDATE ZNOTE SET ZTEXT = 'new' WHERE Z_PK % 7 = 0")
    database.commit()
    database.close()
    subprocess.run([DRIVER.path, "note", f"{core}/{STORE}"], stderr=subprocess.DEVNULL, check=False)
    require(contents(core) == ORIGINAL, "the Core Data store has other rows")

    empty = f"{WORK}/empty/Group"
    os.makedirs(empty)
    subprocess.run([DRIVER.path, "make", f"{WORK}/empty/{MOVED}"], check=True)
    database = sqlite3.connect(f"{WORK}/empty/{MOVED}")
    for table in ("ZNOTE", "ZFOLDER", "ZTAG", "Z_2TAGS"):
        database.execute(f"DELETE FROM {table}")
    database.commit()
    database.close()
    EMPTY = rows(f"{WORK}/empty/{MOVED}")

    scenarios = [
        Scenario("first", "migrate", check_migration),
        Scenario("stashing", "migrate", check_migration, STASH="1"),
        Scenario("failing", "migrate", check_migration, FAIL="1"),
        Scenario("losing", "migrate", check_migration, LOSE="1"),
        Scenario("again", "migrate", check_migration, "carried rows"),
        Scenario("stashing-again", "migrate", check_migration, "dropped the column", STASH="1"),
        Scenario("core", "migrate", check_migration, CORE="inPlace"),
        Scenario("core-copy", "migrate", check_migration, CORE="asCopy"),
        Scenario("core-steps", "migrate", check_migration, CORE="inSteps"),
        Scenario("core-losing", "migrate", check_migration, CORE="inPlace", LOSE="1"),
        Scenario("core-again", "migrate", check_migration, "replaced the database", CORE="asCopy"),
        Scenario("create", "create", check_backups(0)),
        Scenario("prune", "prune", check_backups(3)),
        Scenario("restore", "restore", check_restore),
        Scenario("undo", "recover", check_restore, "before replacing"),
        Scenario("finish", "recover", check_restore, "replaced the store"),
        Scenario("move", "move", check_move),
        Scenario("move-again", "move", check_move, "before replacing"),
        Scenario("move-on", "move", check_move, "replaced the store"),
        Scenario("aside", "move", check_move, ASIDE="1"),
    ]
    for scenario in scenarios:
        folder = scenario.start
        if scenario.check is check_restore:
            # An older backup, and then another store.
            shutil.copytree(old, folder)
            do("create", folder)
            for path in (*Path(folder).glob(f"{STORE}*"), *Path(folder, EXTERNAL).iterdir()):
                path.unlink()
        os.makedirs(folder, exist_ok=True)
        subprocess.run(["cp", "-a", f"{core if 'CORE' in scenario.options else base}/.", folder], check=True)
        if scenario.name == "aside":
            subprocess.run(["cp", "-a", f"{WORK}/empty/.", folder], check=True)
        if scenario.name == "prune":
            for number in range(1, 6):
                make_old_backup(folder, number)
            Path(folder, "Backups/default.store_shipped.json").write_text('{"versions": ["9.0.0"]}')
        if scenario.step:
            command = "restore" if scenario.command == "recover" else scenario.command
            status, _ = scenario.run(folder, command=command, environment={"KILL_AT": scenario.step})
            require(status == -signal.SIGKILL, f"{scenario.name} is not killed")
    return {scenario.name: scenario for scenario in scenarios}


def do(command, folder):
    status, printed = DRIVER.do(command, f"{folder}/{STORE}")
    require(status == 0, f"{command}: {printed}")


def make_old_backup(folder, number):
    """A backup of January 2020, from a version of that number."""
    do("create", folder)
    made, moment = Path(folder, "Backups"), f"_backup_2020010{number}T000000000Z"
    for path in made.glob("default.store_backup_*"):
        if "_backup_2020" not in path.name:
            path.rename(made / re.sub(r"_backup_\d+T\d+Z", moment, path.name))
    sidecar = made / f"default.store{moment}.json"
    said = json.loads(sidecar.read_text())
    sidecar.write_text(json.dumps({**said, "from": f"{number}.0.0", "to": f"{number + 1}.0.0"}))


# MARK: - Power failures

WAYS = ("strict", "journal", "names", "mixed", "lazy")


def states(scenario, way, seed):
    """What the disk could have after each call of a run, each once, with the call's number. The way "none" is "strict"
    without any synchronisation."""
    calls, seen = scenario.record(), set()
    disk = Disk(scenario.start)

    def forgets(number, node):
        # Only what comes before writing to the database is a checkpoint's.
        is_log = node is disk.root.now.get(f"{STORE}-wal")
        follows = next((call for call in calls[number + 1 :] if call.kind == "w"), None)
        writes = follows and disk.files.get(follows.file) is disk.root.now.get(STORE)
        return way == "none" or way == "lazy" and is_log and not writes

    for number in range(len(calls) + 1):
        if number:
            disk.apply(calls[number - 1], lambda call, node: forgets(number - 1, node))
        chance = random.Random(f"{seed}:{scenario.name}:{number}")
        tree = disk.tree("strict" if way in ("lazy", "none") else way, chance)
        is_done = number == len(calls)
        state = hashlib.sha256(repr(is_done).encode())
        for path, found in tree.items():
            state.update(f"\0{path}\0{found and found[0]}\0".encode())
            state.update(found[2] if found else b"")
        if state.digest() not in seen:
            seen.add(state.digest())
            yield number, tree, is_done


def power(arguments, report):
    cases = [(scenario, way, number) for scenario in SCENARIOS.values() for way in WAYS
             for number, _, _ in states(scenario, way, arguments.seed)]
    if arguments.power >= 0:
        cases = random.Random(arguments.seed).sample(cases, min(arguments.power, len(cases)))
    wanted = collections.defaultdict(set)
    for scenario, way, number in cases:
        wanted[scenario, way].add(number)
    for (scenario, way), numbers in wanted.items():
        for number, tree, is_done in states(scenario, way, arguments.seed):
            if number in numbers:
                report.attempt(f"power:{way}:{scenario.name}:{arguments.seed}:{number}", f"power {way}",
                               lambda folder: try_power(scenario, tree, is_done, folder))


def try_power(scenario, tree, is_done, folder):
    lay_out(tree, folder)
    scenario.check(folder, scenario, is_done)


# MARK: - Kills and faults


def try_kill(seed, number, folder):
    chance = random.Random(f"kill:{seed}:{number}")
    scenario = chance.choice(list(SCENARIOS.values()))
    scenario.record()
    clone(scenario.start, folder)
    kinds = []
    for place in range(chance.choice((1, 1, 1, 2, 3))):
        kind = chance.choice(("kill", "kill", "half", "clock"))
        later = {"command": "recover"} if place and scenario.check is check_restore else {}
        # Who fails or loses rows again is not let down again.
        if place and {"FAIL", "LOSE"} & set(scenario.options):
            later["environment"] = {"FAIL": None, "LOSE": None}
        at = chance.randint(1, scenario.changes)
        if kind == "clock":
            status, _ = scenario.run(folder, after=chance.uniform(0.02, scenario.duration), **later)
        else:
            status, _ = scenario.run(folder, at=at, do=kind, **later)
        kinds.append(kind if status == -signal.SIGKILL else "ended")
        require(status in (-signal.SIGKILL, 0, 1), f"status {status}")
    scenario.check(folder, scenario, False)
    return kinds


FAULTS = {"EIO": errno.EIO, "ENOSPC": errno.ENOSPC, "EACCES": errno.EACCES, "short": "short"}


def try_fault(seed, number, folder):
    chance = random.Random(f"fault:{seed}:{number}")
    scenario = chance.choice(list(SCENARIOS.values()))
    scenario.record()
    clone(scenario.start, folder)
    name, fault = chance.choice(list(FAULTS.items()))
    looks = fault != "short" and chance.random() < 0.3
    at, lasts = chance.randint(1, scenario.changes), chance.choice(("", "", "+"))
    status, printed = scenario.run(folder, at=at, do=f"{fault}{lasts}", look=1 if looks else None)
    # 3: the app's own statement has failed. 4: no backup can be read.
    require(status in (0, 1, 3, 4), f"status {status}: {printed}")
    claims = "is unchanged" in printed and not scenario.step
    require(not claims or contents(folder) == ORIGINAL, f"this is not true: {printed}")
    scenario.check(folder, scenario, status == 0)
    return [f"{name}{' on looking' if looks else ''}, {'failed' if status else 'succeeded'}"]


# MARK: - Mutations


def bytes_(chance, path):
    data = bytearray(path.read_bytes())
    for _ in range(chance.randint(1, 40)):
        place = chance.randrange(min(len(data), chance.choice((100, 4096, 1 << 30))))
        data[place] = chance.choice((0, 255, chance.randrange(256)))
    path.write_bytes(data)


def page(chance, path):
    data = bytearray(path.read_bytes())
    size = 4096
    place, other = (chance.randrange(max(1, len(data) // size)) * size for _ in range(2))
    data[place : place + size] = chance.choice((bytes(size), chance.randbytes(size), data[other : other + size]))
    path.write_bytes(data)


def length(chance, path):
    data = path.read_bytes()
    place = chance.randrange(len(data))
    size = chance.choice((0, 1, 100, place, place // 4096 * 4096, len(data) + 4096))
    path.write_bytes(data[:size] + bytes(max(0, size - len(data))))


VALUES = (None, "", "text", b"", b"\0\xff" * 50, 0, -1, 1 << 62, 1e308)


def edit(path, body):
    """Changes a store by SQL; what SQLite refuses is not done."""
    database = sqlite3.connect(path)
    try:
        found = database.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'Z%'")
        tables = [row[0] for row in found]
        body(database, sorted(tables) or ["ZNOTE"])
        database.commit()
    except (sqlite3.Error, TypeError, ValueError):
        pass
    database.close()


def columns_of(database, table):
    return [row[1] for row in database.execute(f"PRAGMA table_info('{table}')")] or ["Z_PK"]


def columns(chance, path):
    def body(database, tables):
        table = chance.choice(tables)
        column = chance.choice(columns_of(database, table))
        database.execute(chance.choice((
            f"ALTER TABLE {table} RENAME COLUMN {column} TO ZOTHER", f"ALTER TABLE {table} DROP COLUMN {column}",
            f"ALTER TABLE {table} ADD COLUMN ZMORE INTEGER", f"ALTER TABLE {table} RENAME TO ZOTHERTABLE",
            f"DROP TABLE {table}",
            f"CREATE TRIGGER T AFTER UPDATE ON {table} BEGIN DELETE FROM {table}; END")))
    edit(path, body)


def schema(chance, path):
    def body(database, tables):
        database.execute("PRAGMA writable_schema = ON")
        table = chance.choice(tables)
        sql, = database.execute("SELECT sql FROM sqlite_master WHERE name = ?", [table]).fetchone()
        words = re.findall(r"\w+|\W", sql)
        words[chance.randrange(len(words))] = chance.choice(("", "x", "Z_PK", "VARCHAR", "(", ",", "--", "AS (1)", "'"))
        what = chance.choice(("sql = :sql", "rootpage = :page", "name = 'x'", "type = 'view'", "tbl_name = 'x'"))
        database.execute(f"UPDATE sqlite_master SET {what} WHERE name = :table",
                         {"sql": "".join(words), "page": chance.randrange(30), "table": table})
    edit(path, body)


def values(chance, path):
    def body(database, tables):
        table = chance.choice(tables + ["Z_METADATA", "Z_PRIMARYKEY"])
        column = chance.choice(columns_of(database, table))
        database.execute(f"UPDATE {table} SET {column} = ? WHERE random() % 2", [chance.choice(VALUES)])
    edit(path, body)


def listing(folder):
    """Every file of a folder; an empty WAL and "-shm" files are left by every reader."""
    return {path: path.read_bytes() for path in sorted(Path(folder).rglob("*")) if path.is_file()
            and not path.name.endswith("-shm") and (path.stat().st_size or not path.name.endswith("-wal"))}


def require_same(before, folder, what):
    after = listing(folder)
    names = [path.name for path in sorted(before.keys() | after.keys()) if before.get(path) != after.get(path)]
    require(not names, f"{what}: {', '.join(names)}")


def mutable_stores():
    """The stores to mutate: the sample one with and without a WAL, the example's, and Apple's where they are."""
    shared = Path(os.environ.get("SCHEMAGEN_STORES") or ROOT / "../shared/stores")
    stores = sorted(path for path in shared.glob("*") if path.suffix in (".store", ".sqlite"))
    if not stores:
        print("SKIPPED: no stores that Apple wrote; put them beside the checkout or name them in SCHEMAGEN_STORES")
    return [None, None, None, ROOT / "Examples/Plants/Stores/plants.store", *stores]


def try_mutation(seed, number, folder):
    chance = random.Random(f"mutation:{seed}:{number}")
    if chance.random() < 0.15:
        return try_own_files(chance, folder)
    original = chance.choice(STORES)
    options, store = {}, Path(folder, STORE)
    if original is None:
        clone(f"{WORK}/base", folder)
        if chance.random() < 0.5:
            sqlite3.connect(store).execute("PRAGMA journal_mode = DELETE")
    else:
        os.makedirs(folder)
        shutil.copyfile(original, store)
        options["PLAN_OF"] = original
    kinds = []
    for _ in range(chance.choice((1, 1, 2, 3))):
        mutate = chance.choice((bytes_, bytes_, page, length, columns, columns, schema, values))
        path = store
        if mutate in (bytes_, length) and os.path.exists(f"{store}-wal") and chance.random() < 0.4:
            path = Path(f"{store}-wal")
        if path.stat().st_size:
            mutate(chance, path)
            kinds.append(mutate.__name__.strip("_") + (" of the WAL" if path != store else ""))
    Path(f"{store}-shm").unlink(missing_ok=True)

    before, found = listing(folder), rows(store)
    status, printed = DRIVER.do("look", store, **options)
    require(status == 0, f"look: {printed}")
    require_same(before, folder, f"a look has written something ({', '.join(kinds)}: {printed})")
    status, printed = DRIVER.do("salvage", store, **options)
    require(status in (0, 1), f"salvage: {printed}")
    Path(f"{store}.json").unlink(missing_ok=True)
    require_same(before, folder, "a salvage has written something else")
    if original is None:
        status, printed = DRIVER.do("migrate", store)
        require(status in (0, 1), f"migrate: {printed}")
        kinds.append("migrated" if status == 0 else "refused")
        if found:
            require(rows(store) == found, f"rows are not what they were: {printed}")
        if status and "is unchanged" in printed:
            require(store.read_bytes() == before[store], f"the store is not as it was: {printed}")
        backups(folder)
    return kinds


def try_own_files(chance, folder):
    """The library's own files, when a migration was killed: whatever they say, the store keeps its rows."""
    clone(SCENARIOS["again"].start, folder)
    files = sorted(Path(folder, "Backups").rglob("*"))
    path = chance.choice([path for path in files if path.is_file() and path.stat().st_size])
    chance.choice((bytes_, length, lambda chance, path: path.unlink()))(chance, path)
    for _ in range(3):
        status, printed = DRIVER.do("migrate", f"{folder}/{STORE}")
        require(status in (0, 1), f"migrate: {printed}")
        require(rows(f"{folder}/{STORE}") == ORIGINAL[0], f"rows are missing: {printed}")
    return ["the library's own file", "migrated" if status == 0 else "refused"]


# MARK: - All of it


class Report:
    def __init__(self, keeps):
        self.counts, self.failures, self.keeps, self.most = collections.Counter(), 0, keeps, 0

    def attempt(self, case, kind, body):
        folder = f"{WORK}/{re.sub('[^a-z0-9]+', '-', case)}"
        try:
            for more in body(folder) or []:
                self.counts[f"{kind.split()[0]}: {more}"] += 1
        except Failure as failure:
            self.failures += 1
            print(f"FAIL  {case}: {failure}\n      try it again: {sys.argv[0]} {case}", flush=True)
        self.counts[f"{kind}"] += 1
        if self.keeps:
            print(f"its folder: {folder}")
        else:
            shutil.rmtree(folder, ignore_errors=True)


def planted():
    """That what must not happen would be told."""
    global ORIGINAL, PATIENCE, MEMORY
    kept = ORIGINAL, PATIENCE, MEMORY
    folder, scenario = f"{WORK}/planted", SCENARIOS["create"]
    end = next(tree for _, tree, is_done in states(scenario, "none", 1) if is_done)

    def with_settings(command="look", **settings):
        globals().update(settings)
        clone(scenario.start, folder)
        DRIVER.do(command, f"{folder}/{STORE}")
        scenario.check(folder, scenario, False)

    for name, body in {
        "a synchronisation that is missing": lambda: try_power(scenario, end, True, folder),
        "a row that is missing": lambda: with_settings(ORIGINAL=(kept[0][0] + [()], kept[0][1])),
        "a process that ends": lambda: with_settings("note"),
        "a process that hangs": lambda: with_settings(PATIENCE=0),
        "a process that takes memory": lambda: with_settings(MEMORY=1),
    }.items():
        try:
            body()
        except Failure:
            continue
        finally:
            ORIGINAL, PATIENCE, MEMORY = kept
            shutil.rmtree(folder, ignore_errors=True)
        raise Failure(f"{name} is not told")


def attempt(case, report):
    """One case, as it was printed."""
    kind, *parts = case.split(":")
    if kind == "power":
        way, name, seed, number = parts
        for found, tree, is_done in states(SCENARIOS[name], way, int(seed)):
            if found == int(number):
                report.attempt(case, f"power {way}", lambda folder: try_power(SCENARIOS[name], tree, is_done, folder))
        return
    body = {"kill": try_kill, "fault": try_fault, "mutation": try_mutation}[kind]
    report.attempt(case, kind, lambda folder: body(int(parts[0]), int(parts[1]), folder))


def main():
    global WORK, SHIM, DRIVER, SCENARIOS, STORES, ORIGINAL
    parser = argparse.ArgumentParser(description="see the head of this file")
    parser.add_argument("cases", nargs="*")
    parser.add_argument("--seed", type=int, default=1)
    for name, count in (("power", 200), ("kills", 60), ("faults", 60), ("mutations", 150)):
        parser.add_argument(f"--{name}", type=int, default=count)
    arguments = parser.parse_args()
    # Where a shell has started it beside others, it is switched off.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if sys.platform != "linux":
        print("SKIPPED  attack.py: LD_PRELOAD, with which calls are watched and failed, is Linux's")
        return 0
    if os.environ.get("SCHEMAGEN"):
        folder = Path(os.environ["SCHEMAGEN"]).resolve().parent
    else:
        command = ["swift", "build", "--show-bin-path"]
        folder = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()
    DRIVER = Driver(str(Path(folder, "backup-stand-in")))
    require(os.path.exists(DRIVER.path), f"there is no driver at {DRIVER.path}: run 'swift build --build-tests'")
    # In memory, where that is to be had: nothing here needs a real disk.
    WORK = tempfile.mkdtemp(prefix="attack", dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
    report = Report(bool(arguments.cases))
    try:
        SHIM = f"{WORK}/shim.so"
        compiler = shutil.which("cc") or "clang"
        source = str(Path(__file__).parent / "shim.c")
        subprocess.run([compiler, "-O1", "-shared", "-fPIC", "-o", SHIM, source, "-ldl"], check=True)
        SCENARIOS, STORES = prepare(), mutable_stores()
        for case in arguments.cases:
            attempt(case, report)
        if not arguments.cases:
            planted()
            power(arguments, report)
            counts = {"kill": arguments.kills, "fault": arguments.faults, "mutation": arguments.mutations}
            for number in itertools.count():
                kinds = [kind for kind, count in counts.items() if count < 0 or number < count]
                if not kinds:
                    break
                for kind in kinds:
                    attempt(f"{kind}:{arguments.seed}:{number}", report)
    except KeyboardInterrupt:
        print("interrupted")
    finally:
        DRIVER.stop()
        if not report.keeps:
            shutil.rmtree(WORK)
    for kind, count in sorted(report.counts.items()):
        print(f"{count:7}  {kind}")
    print(f"{report.failures} failed")
    return 1 if report.failures else 0


if __name__ == "__main__":
    sys.exit(main())
