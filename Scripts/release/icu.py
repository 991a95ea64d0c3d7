#!/usr/bin/env python3
"""Writes an object file with the part of ICU's data that schemagen can come to need.

    icu.py TOOLCHAIN OBJECT     prints the symbol that it stands for

A program that is linked with Foundation statically has 34 MB of ICU's data in it: all languages, calendars, sort orders
and character sets. schemagen's output depends on no language, so the root locale and English are left. The linker takes the
object for every reference to the toolchain's own, with `--wrap=SYMBOL`, and leaves that out, with `--gc-sections`. The format is that of ICU's `.dat` files (udata.h, ucmndata.h): a header,
a table of names and places in the order of names, the items. ICU's own tool for this, icupkg, ends at a fixed number of
names that Foundation's data exceeds.
"""

import pathlib
import re
import struct
import subprocess
import sys
import tempfile

# In folders of languages, what is there for all of them.
COMMON = {"root.res", "pool.res", "res_index.res", "supplementalData.res", "tzdbNames.res"}
BREAKS = {"char.brk", "line.brk", "sent.brk", "title.brk", "word.brk"}
ENGLISH = {"en.res", "en_001.res", "en_US.res", "en_US_POSIX.res"}
# Sort orders, transliteration, numbers as words, character sets, profiles of IDNA and XMPP, names of characters, lookalikes.
UNUSED = re.compile(r"(coll|translit|rbnf)/|.*\.(cnv|spp|cfu)$|(unames|cnvalias)\.icu$")


def is_kept(path: str) -> bool:
    folder, _, name = path.rpartition("/")
    if UNUSED.match(path):
        return False
    if folder:
        return name in COMMON or name in ENGLISH or name in BREAKS
    is_language = re.fullmatch(r"[a-z]{2,3}(_.*)?\.res", name) is not None
    return not is_language or name in ENGLISH


def reduced(data: bytes) -> bytes:
    """A `.dat` file with the items that are kept."""
    (header,) = struct.unpack_from("<H", data)
    if data[2:4] != b"\xda\x27" or data[12:16] != b"CmnD":
        sys.exit("icu.py: error: the toolchain's ICU data is not in the format that is known here")
    (count,) = struct.unpack_from("<I", data, header)
    table = [struct.unpack_from("<II", data, header + 4 + 8 * index) for index in range(count)]
    ends = [place for _, place in table[1:]] + [len(data) - header]
    items = []
    for (name, place), end in zip(table, ends):
        text = data[header + name:data.index(b"\0", header + name)]
        if is_kept(text.decode().split("/", 1)[1]):
            items.append((text, data[header + place:header + end]))
    first = 4 + 8 * len(items)
    names = b""
    places = []
    for text, _ in items:
        places.append(first + len(names))
        names += text + b"\0"
    start = first + len(names)
    gap = -(header + start) % 16
    body = b""
    entries = b""
    for (_, item), place in zip(items, places):
        entries += struct.pack("<II", place, start + gap + len(body))
        body += item + bytes(-len(item) % 16)
    return data[:header] + struct.pack("<I", len(items)) + entries + names + bytes(gap) + body


def main() -> None:
    toolchain, target = map(pathlib.Path, sys.argv[1:])
    target = target.resolve()
    tools = toolchain / "bin"
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        member = "icu_packaged_data.cpp.o"
        archive = toolchain / "lib/swift_static/linux/lib_FoundationICU.a"
        subprocess.run([tools / "llvm-ar", "x", archive, member], cwd=folder, check=True)
        listed = subprocess.run(
            [tools / "llvm-nm", "--defined-only", "--format=just-symbols", member],
            cwd=folder, check=True, stdout=subprocess.PIPE, text=True)
        (symbol,) = listed.stdout.split()
        name = f"__wrap_{symbol}"
        subprocess.run(
            [tools / "llvm-objcopy", "-O", "binary", "--only-section=.rodata", member, "all.dat"],
            cwd=folder, check=True)
        (folder / "some.dat").write_bytes(reduced((folder / "all.dat").read_bytes()))
        (folder / "data.S").write_text(
            f".section .rodata\n.balign 16\n.globl {name}\n.type {name},%object\n{name}:\n"
            f'.incbin "some.dat"\n.size {name}, .-{name}\n.section .note.GNU-stack,"",%progbits\n')
        subprocess.run([tools / "clang", "-c", "data.S", "-o", target], cwd=folder, check=True)
        print(symbol)


main()
