#!/usr/bin/env python3
"""Lists words that the glossary has retired and that are still in use.

    Scripts/words.py [--check]

The words are those behind '*Not:*' in docs/glossary.md. Looked at: the prose of the documentation, string
literals and doc comments of Swift sources, and templates. Prints a count for each word, then each use. With --check,
exits 1 if there are any.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
GLOSSARY = ROOT / "docs/glossary.md"
# Words that are plain English in other meanings, by what they look like in the retired one.
MEANINGS = {
    "carry": r"(?:a|the|each|every|its) carr(?:y|ies)|carry(?=[,.;:] )",
    "move": r"(?:a|the|each|every|its) moves?",
    "stop": r"(?:a|the|no|each|every|empty|fewest|where|which) stops?|stops? (?:is|are)",
    "gate": r"(?<!CI )gates?(?!\.md)",
    "owned file": r"owned files?|owned by the app",
    "file of yours": r"(?:files?|functions?) of yours",
    "mend": r"mend(?:s|ed|ing)?",
    "repair": r"repair(?:s|ed|ing)?",
    "relink": r"relink(?:s|ed|ing)?",
    "room": r"rooms?(?![ -](?:for|between))",
}


def patterns():
    words = []
    for listed in re.findall(r"\*Not:\*\s+([^.]+)\.", GLOSSARY.read_text()):
        words += [" ".join(word.split()) for word in listed.split(",")]
    return {word: re.compile(rf"\b(?:{MEANINGS.get(word, re.escape(word) + 's?')})\b", re.I) for word in words}


def prose(path):
    """The lines of a file with only what people read of them."""
    in_text = False
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if path.suffix == ".md":
            # Code and the places that links lead to have names of their own.
            fence = line.startswith("```")
            in_text ^= fence
            yield number, "" if in_text or fence else re.sub(r"`[^`]*`|\]\([^)]*\)|<!--.*?-->", " ", line)
            continue
        if path.suffix != ".swift":
            yield number, line
            continue
        comment = re.match(r"\s*///(.*)", line)
        if comment:
            yield number, comment[1]
            continue
        fences = line.count('"""')
        line = re.sub(r"\\\([^()]*\)", "…", line)
        yield number, line if in_text else " ".join(re.findall(r'"((?:[^"\\]|\\.)*)"', line))
        in_text ^= fences % 2 == 1


def files():
    yield from sorted(ROOT.glob("*.md"))
    yield from sorted(path for path in ROOT.glob("docs/**/*.md") if path != GLOSSARY)
    for folder, suffix in (("Templates", "*"), ("Sources", "*"), ("Plugins", "*.swift"), ("Benchmarks", "*.swift"), ("Experiments", "*")):
        yield from sorted(path for path in (ROOT / folder).rglob(suffix) if path.suffix in (".md", ".mustache", ".swift") and not {".build", "Generated"} & set(path.parts))


def main():
    words = patterns()
    # Most lines have none: one search says so.
    any_word = re.compile("|".join(pattern.pattern for pattern in words.values()), re.I)
    uses = {word: [] for word in words}
    for path in files():
        for number, text in prose(path):
            if not any_word.search(text):
                continue
            for word, pattern in words.items():
                uses[word] += [f"{path.relative_to(ROOT)}:{number}: {word}"] * len(pattern.findall(text))
    for word, places in uses.items():
        print(f"{len(places):5} {word}")
    for places in uses.values():
        print(*places, sep="\n", end="\n" if places else "")
    return 1 if "--check" in sys.argv and any(uses.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
