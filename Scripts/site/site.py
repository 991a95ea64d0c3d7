"""What the documentation site has in it, and in which order: hooks of MkDocs.

The pages are those of docs/, which are read on GitHub too, and some that stand beside it. No page has to be listed.
"""

import html
import json
import posixpath
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
# Files outside docs/ that are pages, and what they are called in the site.
OUTSIDE = {"README.md": "index.md", "CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md"}
# A section's pages in their order; a folder stands for all its pages, and REST for those that no section names.
REST = "*"
SECTIONS = [
    ("Start", ["index.md", "tutorial.md", "adoption.md", "faq.md"]),
    ("Cookbook", ["cookbook/"]),
    ("Guides", ["bridges.md", "rehearsal.md", "gate.md", "ci.md", "launch.md", "backups.md", REST]),
    ("Reference", ["manifest.md", "generated.md", "extras.md", "cloud-mappers.md", "json-import.md", "lock.md",
                   "classification.md", "rules/", "launch-reference.md", "api.md", "glossary.md"]),
    ("Background", ["architecture.md", "comparison.md", "limits.md", "decisions.md", "facts/", "changelog.md",
                    "contributing.md"]),
]


def repository():
    source = (ROOT / "Sources/Schema/SchemaModel/Rules/Project.swift").read_text()
    return re.search(r'repository = "([^"]+)"', source)[1]


def heading(page):
    """What a page is called: its first heading, without marks."""
    source = next((name for name, called in OUTSIDE.items() if called == page), f"docs/{page}")
    match = re.search(r"(?m)^# (.+)", (ROOT / source).read_text())
    return re.sub(r"[`*]", "", match[1])


def pages_in(folder):
    """The pages of a folder, its own page first, each with the words of its heading; folders in it are sections."""
    found = sorted((ROOT / "docs" / folder).glob("*.md"), key=lambda path: (path.name != "README.md", path.name))
    pages = []
    for path in found:
        page = folder + path.name
        # MkDocs names the section after the entry, and shows its README as the section's own page.
        pages.append(page if path.name == "README.md" else {heading(page): page})
    return pages


def interface():
    """What the libraries offer, as DocC has it: a heading for each type, which the search finds, with its members."""
    data = ROOT / ".build/interface/api/data/documentation"

    def symbols(folder):
        """Its symbols by place: what they are, the way to them, a sentence."""
        for path in sorted(folder.glob("*.json")):
            page = json.loads(path.read_text())
            text = "".join(part.get("text", part.get("code", "")) for part in page.get("abstract", []))
            # Members that the compiler writes are everybody's.
            if page["kind"] != "symbol" or page["metadata"]["role"] != "symbol" or text.startswith("Inherited from"):
                continue
            link = f"api/documentation/{path.relative_to(data).with_suffix('')}/index.html"
            # An underscore would be emphasis.
            title = html.escape(page["metadata"]["title"]).replace("_", "&#95;")
            yield path.with_suffix(""), page["metadata"]["symbolKind"], \
                f'<a href="{html.escape(link)}"><code>{title}</code></a>', html.escape(text, quote=False)

    def listed(folder, is_module):
        lines, inner = [], []
        for place, kind, name, text in symbols(folder):
            is_type = kind in ("actor", "class", "enum", "macro", "protocol", "struct")
            if is_type or is_module:
                inner += [f"### {name}", "", text, ""] + listed(place, False)
            else:
                lines.append(f"- {name} {text}")
        return lines + [""] + inner

    lines = []
    for module in sorted(path.stem for path in (ROOT / "Sources").glob("*/*/*.docc")):
        lines += [f'## <a href="api/documentation/{module.lower()}/index.html">{module}</a>', ""]
        lines += listed(data / module.lower(), True)
    return "\n".join(lines)


def flowchart(lines):
    """A Mermaid flowchart as a table: to draw it, a page would have to load a program from another host."""
    names = dict(re.findall(r'(\w+)\["([^"]+)"\]', "\n".join(lines)))
    arrows = re.findall(r'(?m)^ *(\w+) -->(?:\|"([^"]+)"\|)? (\w+)', "\n".join(lines))
    if any(by for _, by, _ in arrows):
        return ["| from | by | to |", "|---|---|---|"] + [f"| {names[a]} | {by} | {names[b]} |" for a, by, b in arrows]
    # In the order of the picture.
    return ["| from | to |", "|---|---|"] + [
        f"| {names[a]} | {', '.join(names[b] for start, _, b in arrows if start == a)} |"
        for a in names if any(start == a for start, _, _ in arrows)]


def navigation():
    """The sections in their order, each with its pages: titles and places, lists of them where a folder has several."""
    there = sorted(path.name for path in (ROOT / "docs").glob("*.md")) + list(OUTSIDE.values())
    folders = sorted(path.parent.name + "/" for path in (ROOT / "docs").glob("*/*.md"))
    folders = list(dict.fromkeys(folders))
    named = {page for _, pages in SECTIONS for page in pages}
    nav = []
    for section, pages in SECTIONS:
        if REST in pages:
            rest = [page for page in there + folders if page not in named]
            pages = [page for one in pages for page in (rest if one == REST else [one])]
        entries = []
        for page in pages:
            if page.endswith("/") and page in folders:
                inside = pages_in(page)
                title = heading(page + "README.md") if inside and isinstance(inside[0], str) else None
                if title is None or len(pages) == 1:
                    entries += inside
                else:
                    entries.append({title: inside})
            elif page in there:
                entries.append({heading(page): page})
        if entries:
            nav.append({section: entries})
    return nav


def on_config(config):
    config["nav"] = navigation()
    config["extra"]["repository"] = repository()
    return config


def on_files(files, config):
    # Here, so that llms.py needs no MkDocs.
    from mkdocs.structure.files import File

    for source, page in OUTSIDE.items():
        files.append(File.generated(config, page, content=(ROOT / source).read_text()))
    return files


def on_page_markdown(markdown, page, config, files):
    """Links as they are in the site, where a page may stand elsewhere and what is no page is not at all."""
    source = next((name for name, called in OUTSIDE.items() if called == page.file.src_uri), None)
    place = posixpath.dirname(source or "docs/" + page.file.src_uri)
    here = posixpath.dirname(page.file.src_uri)

    def moved(match):
        target, _, anchor = match[2].partition("#")
        if not target or re.match(r"[a-z]+:", target):
            return match[0]
        path = posixpath.normpath(posixpath.join(place, target))
        if (ROOT / path).is_dir() and (ROOT / path / "README.md").exists():
            path = posixpath.join(path, "README.md")
        if path in OUTSIDE:
            path = "docs/" + OUTSIDE[path]
        elif not path.startswith("docs/") or files.get_file_from_path(path[5:]) is None:
            if not (ROOT / path).exists():
                return match[0]
            kind = "tree" if (ROOT / path).is_dir() else "blob"
            path = f"{repository()}/{kind}/main/{path}"
            return f"{match[1]}({path}{'#' + anchor if anchor else ''})"
        relative = posixpath.relpath(path[5:], here or ".")
        return f"{match[1]}({relative}{'#' + anchor if anchor else ''})"

    lines, in_code, chart = [], False, None
    for line in markdown.splitlines():
        if line == "```mermaid":
            chart = []
            continue
        if chart is not None:
            if line == "```":
                lines += flowchart(chart)
                chart = None
            else:
                chart.append(line)
            continue
        if line.lstrip().startswith("```"):
            in_code = not in_code
        elif not in_code:
            # Marks for the test of the pages, and one for us.
            if line == "<!-- interface -->":
                line = interface()
            if re.fullmatch(r"<!-- .* -->", line):
                continue
            line = re.sub(r"(\])\(([^()\s]+)\)", moved, line)
        lines.append(line)
    return "\n".join(lines)
