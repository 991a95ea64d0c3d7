#!/usr/bin/env python3
"""Holds reports of experiments against docs/facts, and turns them into marks.

    marks.py REPORT…            says what the reports change
    marks.py REPORT… --check    exits 1 if they change anything, contradict anything, or leave a row or a fact out
    marks.py REPORT… --write    changes the marks in docs/facts

A fact becomes certain when reports from Apple's systems confirm every experiment that decides it. A fact that is
contradicted there becomes unverified. A report of the portable runtime changes no mark: the runtime is made after the
facts. Several reports count together, as one experiment may need an older system than another.
"""

import argparse
import json
import re
import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parent.parent / "docs"
# Pages of facts about SwiftData and its stores; docs/facts/tooling.md is about other tools.
PAGES = ["identity", "migration", "store-format", "swiftdata"]
FACT = re.compile(r'<a id="([^"]+)"></a>\*\*(certain|likely|unverified)\*\*')
ROW = re.compile(r"^\| `([a-z-]+)` \|", re.M)


class Refusal(Exception):
    """What is wrong with the input, for people."""


def read(path):
    """One report."""
    try:
        report = json.loads(Path(path).read_text())
    except (OSError, ValueError) as error:
        raise Refusal(f"'{path}' cannot be read: {error}") from error
    if not isinstance(report, dict) or report.get("format") != 1:
        raise Refusal(f"'{path}' is no report of experiments")
    return report


def is_apples(report):
    """Whether SwiftData itself was asked."""
    system = report["system"]
    return system["name"] != "Linux" and system["runtime"] == "apple" and isinstance(system.get("framework"), int)


def facts(docs):
    """The mark of each fact, such as `migration#add-model`."""
    marks = {}
    for page in PAGES:
        for anchor, mark in FACT.findall((docs / f"facts/{page}.md").read_text()):
            marks[f"{page}#{anchor}"] = mark
    return marks


def gaps(reports, docs):
    """Rows and facts that no experiment names, and names of none."""
    known = set(facts(docs)), set(ROW.findall((docs / "classification.md").read_text()))
    named = set(), set()
    for experiment in (experiment for report in reports for experiment in report["experiments"]):
        named[0].update(experiment["facts"] + experiment["partly"])
        named[1].update(experiment["rows"])
    for kind, there, tried in zip(("fact", "row"), known, named):
        for name in sorted(there - tried):
            yield f"no experiment names the {kind} '{name}', nor is it listed as not decidable"
        for name in sorted(tried - there):
            yield f"an experiment names the {kind} '{name}', which is not there"


def contradictions(reports):
    """Experiments that came to something else than expected."""
    for report in reports:
        for experiment in report["experiments"]:
            if experiment["verdict"] == "contradicted":
                yield report, experiment


def changes(reports, docs):
    """The facts that the reports of Apple's systems give another mark: name, new mark, and why."""
    reports = [report for report in reports if is_apples(report)]
    deciding, verdicts, systems, contradicted = {}, {}, {}, {}
    for report in reports:
        system = f"{report['system']['name']} {report['system']['version']}"
        for experiment in report["experiments"]:
            key, verdict = experiment["id"], experiment["verdict"]
            verdicts.setdefault(key, set()).add(verdict)
            if verdict == "confirmed":
                systems.setdefault(key, set()).add(system)
            for fact in experiment["facts"]:
                deciding.setdefault(fact, set()).add(key)
            if verdict == "contradicted":
                for fact in experiment["facts"] + experiment["partly"]:
                    contradicted.setdefault(fact, set()).add(f"{key}, {system}")
    for fact, mark in facts(docs).items():
        if fact in contradicted:
            if mark != "unverified":
                yield fact, "unverified", f"contradicted by an experiment ({'; '.join(sorted(contradicted[fact]))})"
        elif fact in deciding and mark != "certain" and all("confirmed" in verdicts[key] for key in deciding[fact]):
            names = sorted(set.union(*(systems[key] for key in deciding[fact])))
            yield fact, "certain", f"experiment ({', '.join(names)})"


def write(changed, docs):
    """Gives facts their new marks, and says beside them what they rest on now."""
    for page in PAGES:
        path = docs / f"facts/{page}.md"
        text = path.read_text()
        for fact, mark, basis in changed:
            if fact.startswith(f"{page}#"):
                text = marked(text, fact.split("#")[1], mark, basis)
        path.write_text(text)


def marked(text, anchor, mark, basis):
    start = text.index(f'<a id="{anchor}"></a>')
    head = re.compile(r"\*\*(certain|likely|unverified)\*\*").search(text, start)
    text = text[: head.start()] + f"**{mark}**" + text[head.end() :]
    line = text.rindex("\n", 0, start) + 1
    if text[line] == "|":
        # In a row of a table, the parentheses after the mark say what a fact rests on.
        end = text.index(" |", start)
    else:
        # An item of a list ends where the next begins; the last parentheses say it.
        end = re.compile(r"\n(?=- |\n|$)|$").search(text, start).start()
    item = text[start:end].rstrip()
    item = item[:-1] + f"; {basis})" if item.endswith(")") else item + f" ({basis})"
    return text[:start] + item + text[end:]


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("reports", nargs="+", metavar="REPORT")
    parser.add_argument("--docs", type=Path, default=DOCS, help=argparse.SUPPRESS)
    way = parser.add_mutually_exclusive_group()
    way.add_argument("--check", action="store_true")
    way.add_argument("--write", action="store_true")
    options = parser.parse_args(arguments)
    try:
        reports = [read(path) for path in options.reports]
        if options.write and not any(is_apples(report) for report in reports):
            raise Refusal("a report of the portable runtime changes no mark: it takes one from Apple's systems")
    except Refusal as refusal:
        print(f"marks.py: error: {refusal}", file=sys.stderr)
        return 2
    problems = list(gaps(reports, options.docs))
    for report, experiment in contradictions(reports):
        system = report["system"]
        problems.append(f"contradicted on {system['name']} {system['version']}: {experiment['id']}: {experiment['claim']}")
    changed = list(changes(reports, options.docs))
    for problem in problems:
        print(problem)
    for fact, mark, basis in changed:
        print(f"{fact}: {mark}, {basis}")
    if options.write:
        write(changed, options.docs)
        print(f"{len(changed)} marks changed: run the tests, which name what rests on them")
        return 0
    count = sum(len(report["experiments"]) for report in reports)
    print(f"{count} experiments, {len(problems)} problems, {len(changed)} marks to change")
    return 1 if options.check and (problems or changed) else 0


if __name__ == "__main__":
    sys.exit(main())
