#!/usr/bin/env python3
"""Reads comments as GitHub does: by GitHub's own Markdown parser, and draws their diagrams with Mermaid itself.

    markdown.py [--browser PROGRAM] COMMENT.md…

Prints a line for each comment; exits 1 when one is not sound. Without a browser the diagrams are only counted.
"""

import argparse
import base64
import html.parser
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import cmarkgfm
from cmarkgfm.cmark import Options

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MERMAID = ROOT / ".build/tools/mermaid.js"
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
        self.open, self.wrong, self.links, self.rows, self.diagrams = [], [], [], [], []
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
        if tag == "code" and self.open and self.open[-1][0] == "pre":
            self.diagrams.append([attributes.get("class", ""), ""])
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
        if "pre" in tags:
            self.diagrams[-1][1] += text
        elif "code" not in tags and "a" not in tags:
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
    diagrams = [content for language, content in page.diagrams if language == "language-mermaid"]
    return wrong, diagrams


def draw(diagrams, browser):
    """What Mermaid says of each; None for those that it draws."""
    if not diagrams:
        return []
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder) / "page.html"
        page.write_text(
            f"""<meta charset="utf-8"><title>none</title><body><script src="{MERMAID.as_uri()}"></script><script>
const diagrams = {json.dumps(diagrams).replace("<", chr(92) + "u003c")};
// What GitHub sets beside it are colours.
mermaid.initialize({{ startOnLoad: false, securityLevel: "strict" }});
(async () => {{
  const said = [];
  for (const [index, text] of diagrams.entries()) {{
    try {{
      await mermaid.parse(text);
      const {{ svg }} = await mermaid.render("d" + index, text);
      const drawing = document.createElement("div");
      drawing.innerHTML = svg;
      const odd = [...drawing.querySelectorAll("*")].find((element) => ["script", "img", "iframe", "a"].includes(
        element.localName) || element.getAttributeNames().some((name) => name.startsWith("on")));
      const isError = svg.includes('aria-roledescription="error"');
      said.push(isError ? "drawn as an error" : odd ? "it has " + odd.outerHTML : null);
    }} catch (error) {{ said.push(String(error)); }}
  }}
  document.title = "said " + btoa(unescape(encodeURIComponent(JSON.stringify(said))));
}})();
</script>""", encoding="utf-8")
        run = subprocess.run(
            [browser, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/browser",
             "--virtual-time-budget=60000", "--dump-dom", page.as_uri()], capture_output=True, text=True, check=True)
    found = re.search(r"<title>said ([^<]*)</title>", run.stdout)
    if not found:
        return ["the browser has not finished"] * len(diagrams)
    return json.loads(base64.b64decode(found[1]))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--browser")
    parser.add_argument("comments", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    failed = 0
    for path in arguments.comments:
        wrong, diagrams = check(path)
        if arguments.browser:
            wrong += [f"a diagram: {said}" for said in draw(diagrams, arguments.browser) if said]
        drawn = "drawn" if arguments.browser else "not drawn"
        print(f"{'FAIL' if wrong else 'PASS'}  {path.name}: {len(path.read_bytes())} bytes, {len(diagrams)} diagrams {drawn}")
        for line in wrong[:10]:
            print(f"      | {line[:300]}")
        failed += bool(wrong)
    return 1 if failed else 0


sys.exit(main())
