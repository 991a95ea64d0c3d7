#!/usr/bin/env python3
"""Reads comments as GitHub does: by GitHub's own Markdown parser.

    markdown.py COMMENT.md…

Prints a line for each comment; exits 1 when one is not sound.
"""

import argparse
import html.parser
import pathlib
import re
import sys

import cmarkgfm
from cmarkgfm.cmark import Options

LIMIT = 65_536
EXTENSIONS = ["table", "autolink", "strikethrough", "tagfilter", "tasklist"]
# What GitHub looks for in the text that Markdown has become: all but code and links.
REFERENCE = re.compile(r"(?<![\w`])@[A-Za-z0-9]|(?<!&)#\d|\bGH-\d|\w+/\w+#\d|!\d", re.IGNORECASE)
TAGS = {
    "h2", "h3", "p", "em", "strong", "code", "pre", "ul", "li", "table", "thead", "tbody", "tr", "th", "td", "a",
    "blockquote", "details", "summary", "sub",
}
VOID = {"br", "hr", "img", "input"}


class Page(html.parser.HTMLParser):
    """What stands in a comment once it is HTML."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.wrong, self.links, self.rows = [], [], [], []
        self.folds = 0

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag not in TAGS:
            self.wrong.append(f"<{tag}>")
        allowed = {"a": {"href"}, "pre": {"lang"}, "code": {"class"}}.get(tag, set())
        if set(attributes) - allowed - {"align"}:
            self.wrong.append(f"<{tag} {attributes}>")
        if tag == "a":
            self.links.append(attributes.get("href", ""))
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
        if tag == "details":
            self.folds += 1
        if tag not in VOID:
            self.open.append((tag, attributes))

    def handle_endtag(self, tag):
        if not self.open or self.open[-1][0] != tag:
            self.wrong.append(f"</{tag}> closes {self.open[-1:]}")
        else:
            self.open.pop()

    def handle_comment(self, text):
        self.wrong.append(f"<!--{text}-->")

    def handle_data(self, text):
        tags = [tag for tag, _ in self.open]
        if "td" in tags or "th" in tags:
            self.rows[-1][-1] += text
        if "pre" not in tags and "code" not in tags and "a" not in tags:
            found = REFERENCE.search(text)
            if found:
                self.wrong.append(f"a reference: {text[max(0, found.start() - 20):found.end() + 20]!r}")


def check(path):
    text = path.read_text(encoding="utf-8")
    page = Page()
    page.feed(cmarkgfm.markdown_to_html_with_extensions(text, options=Options.CMARK_OPT_UNSAFE, extensions=EXTENSIONS))
    wrong = page.wrong + [f"<{tag}> is left open" for tag, _ in page.open]
    for size in (len(text.encode()), len(text.encode("utf-16-le")) // 2):
        if size > LIMIT - 200:
            wrong.append(f"it has {size} characters")
    foreign = [link for link in page.links if not re.fullmatch(r"https://github\.com/[\w.-]+/schemagen/blob/main/docs/.*", link)]
    if foreign:
        wrong.append(f"links that lead elsewhere: {foreign}")
    for row in page.rows:
        if not all(cell.strip() for cell in row):
            wrong.append(f"an empty cell: {row}")
    if text.count("\n|---") != sum(1 for row in page.rows if row and row[0] in ("Data", "Store", "Version", "Folder")):
        wrong.append("a table that is none")
    if text.count("<details>") != page.folds:
        wrong.append("a fold that is none")
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("comments", nargs="+", type=pathlib.Path)
    failed = 0
    for path in parser.parse_args().comments:
        wrong = check(path)
        print(f"{'FAIL' if wrong else 'PASS'}  {path.name}: {len(path.read_bytes())} bytes")
        for line in wrong[:10]:
            print(f"      | {line[:300]}")
        failed += bool(wrong)
    return 1 if failed else 0


sys.exit(main())
