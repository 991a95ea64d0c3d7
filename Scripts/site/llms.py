#!/usr/bin/env python3
"""Writes docs/llms.txt: the pages of the documentation site for programs that read, in the format of llmstxt.org.

    llms.py [--check]    with --check: exits 1 if it is not what the pages give

The sections and their order are the site's. Each page has its first sentence, and its address is that of its Markdown in
this version. Of rules and facts only their lists are named.
"""

import importlib.util
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs/llms.txt"
# What a reader with little room leaves out: the format has this word for it.
OPTIONAL = "Background"
# Folders with a page that lists the others.
LISTS = ["rules/README.md", "facts/README.md"]


def site():
    # By its path: Python has a module of that name.
    spec = importlib.util.spec_from_file_location("pages_of_the_site", Path(__file__).parent / "site.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def plain(text):
    """Words without links and emphasis; code keeps its marks."""
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", " ".join(text.split()))
    return re.sub(r"\*\*?([^*]+)\*\*?", r"\1", text)


def summary(text):
    """A page's first sentence; of a page that begins with a heading, its headings."""
    text = re.sub(r"(?ms)^```.*?^```$", "", text)
    body = re.sub(r"(?s)<!--.*?-->", "", text.split("# ", 1)[1].split("\n", 1)[1])
    for block in map(str.strip, re.split(r"\n\s*\n", body)):
        if block.startswith("## "):
            break
        if re.match(r"[A-Za-z`*\"\[]", block):
            return re.split(r"(?<=[.?!])\s+(?=[A-Z`*\[])", plain(block))[0].removesuffix(":").removesuffix(".") + "."
    return "; ".join(plain(heading).rstrip(".") for heading in re.findall(r"(?m)^## (.+)", text)) + "."


def text():
    pages = site()
    tool = (ROOT / "Sources/Schema/SchemaModel/Rules/Project.swift").read_text()
    version = re.search(r'version = "([^"]+)"', tool)[1]
    start = pages.repository().replace("//github.com/", "//raw.githubusercontent.com/") + f"/v{version}/"
    readme = (ROOT / "README.md").read_text()
    sources = {called: source for source, called in pages.OUTSIDE.items()}
    about = plain(re.search(r"\*\*(.+?)\*\*\n\n(.+?)\n\n", readme, re.S)[2]).removesuffix(":")
    lines = ["# schemagen", "", "> " + about.removesuffix(".") + ".", ""]
    lines += ["A coding agent runs `schemagen skill` first: it prints what to do, by task, for the version in use.",
              "`schemagen explain RULE` prints a rule's page."]

    def listed(entries):
        for entry in entries:
            if isinstance(entry, str):
                entry = {pages.heading(entry): entry}
            for title, page in entry.items():
                if isinstance(page, list):
                    yield from listed(page[:1] if page[0] in LISTS else page)
                else:
                    source = sources.get(page, f"docs/{page}")
                    yield f"- [{title}]({start}{source}): {summary((ROOT / source).read_text())}"

    for section in pages.navigation():
        for title, entries in section.items():
            lines += ["", f"## {'Optional' if title == OPTIONAL else title}", "", *listed(entries)]
    return "\n".join(lines) + "\n"


def main():
    if "--check" not in sys.argv:
        PAGE.write_text(text())
    elif not PAGE.exists() or PAGE.read_text() != text():
        sys.exit("docs/llms.txt is not what the pages give: run Scripts/site/llms.py")


main()
