#!/usr/bin/env python3
"""Packs a folder so that the same files give the same bytes: in order, without times and owners.

    archive.py FILE.tar.gz PARENT NAME     the folder NAME in PARENT
"""

import gzip
import pathlib
import sys
import tarfile


def anonymous(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.uid = member.gid = member.mtime = 0
    member.uname = member.gname = ""
    member.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
    return member


target, parent, name = sys.argv[1:]
with open(target, "wb") as file, gzip.GzipFile("", "wb", 9, file, 0) as packed:
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        root = pathlib.Path(parent)
        for path in sorted([root / name, *(root / name).rglob("*")]):
            archive.add(path, str(path.relative_to(root)), recursive=False, filter=anonymous)
