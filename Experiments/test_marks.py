#!/usr/bin/env python3
"""Tests marks.py on pages and reports that are made up here."""

import contextlib
import io
import json
import tempfile
import unittest
from pathlib import Path

import marks

PAGE = """# Made up

| mark | change |
|---|---|
| <a id="in-a-table"></a>**likely** (one analysis) | something |
| <a id="certain-already"></a>**certain** | something |

- <a id="in-a-list"></a>**unverified** Something else,
  on two lines. (nobody tried it)
- <a id="without-basis"></a>**likely** Something
"""


def experiment(key, verdict, facts=(), partly=(), rows=("a-row",)):
    return {"id": key, "claim": "made up", "verdict": verdict, "facts": list(facts), "partly": list(partly), "rows": list(rows)}


ALL = [
    experiment("one", "confirmed", ["migration#in-a-table", "migration#certain-already"]),
    experiment("two", "confirmed", ["migration#in-a-list"]),
    experiment("three", "not decidable", ["migration#without-basis"]),
]


class MarksTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.docs = Path(folder.name)
        (self.docs / "facts").mkdir()
        for page in marks.PAGES:
            (self.docs / f"facts/{page}.md").write_text(PAGE if page == "migration" else "")
        (self.docs / "classification.md").write_text("| `a-row` | made up |\n")

    def run_marks(self, experiments, *options, name="macOS", version="26.1.0", runtime="apple", framework=1526):
        """The exit status, and all that is said."""
        reports = []
        for number, listed in enumerate(experiments):
            path = self.docs / f"made-up-{number}.json"
            system = {"name": name, "version": version, "runtime": runtime, "framework": framework}
            path.write_text(json.dumps({"format": 1, "system": system, "experiments": listed}))
            reports.append(str(path))
        said = io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            status = marks.main([*reports, "--docs", str(self.docs), *options])
        return status, said.getvalue()

    def marks(self):
        return marks.facts(self.docs)

    def test_apples_report_makes_facts_certain(self):
        status, said = self.run_marks([ALL], "--write")
        self.assertEqual(status, 0, said)
        self.assertEqual(self.marks()["migration#in-a-table"], "certain")
        self.assertEqual(self.marks()["migration#in-a-list"], "certain")
        page = (self.docs / "facts/migration.md").read_text()
        self.assertIn("**certain** (one analysis; experiment (macOS 26.1.0)) | something |\n", page)
        self.assertIn("  on two lines. (nobody tried it; experiment (macOS 26.1.0))\n- <a", page)

    def test_what_was_not_decided_keeps_its_mark(self):
        self.run_marks([ALL], "--write")
        self.assertEqual(self.marks()["migration#without-basis"], "likely")

    def test_all_deciding_experiments_must_confirm(self):
        more = ALL + [experiment("four", "not decidable", ["migration#in-a-table"])]
        self.run_marks([more], "--write")
        self.assertEqual(self.marks()["migration#in-a-table"], "likely")
        # What one system cannot decide, another can.
        other = ALL + [experiment("four", "confirmed", ["migration#in-a-table"])]
        self.run_marks([more, other], "--write")
        self.assertEqual(self.marks()["migration#in-a-table"], "certain")

    def test_a_part_raises_nothing(self):
        part = [experiment("one", "confirmed", partly=["migration#in-a-table"])]
        self.run_marks([part], "--write")
        self.assertEqual(self.marks()["migration#in-a-table"], "likely")

    def test_a_contradiction_is_flagged(self):
        wrong = ALL + [experiment("four", "contradicted", partly=["migration#certain-already"])]
        status, said = self.run_marks([wrong], "--check")
        self.assertEqual(status, 1)
        self.assertIn("contradicted on macOS 26.1.0: four", said)
        self.run_marks([wrong], "--write")
        self.assertEqual(self.marks()["migration#certain-already"], "unverified")
        page = (self.docs / "facts/migration.md").read_text()
        self.assertIn("**unverified** (contradicted by an experiment (four, macOS 26.1.0)) | something |", page)

    def test_the_portable_runtime_changes_nothing(self):
        for system in (
            {"name": "Linux", "runtime": "portable", "framework": None},
            {"name": "Linux", "runtime": "apple", "framework": 1526},
            {"name": "macOS", "runtime": "portable", "framework": 1526},
            {"name": "macOS", "runtime": "apple", "framework": None},
        ):
            status, said = self.run_marks([ALL], "--write", **system)
            self.assertEqual(status, 2)
            self.assertIn("changes no mark", said)
            self.assertEqual((self.docs / "facts/migration.md").read_text(), PAGE)
            self.assertEqual(self.run_marks([ALL], "--check", **system)[0], 0)

    def test_the_portable_runtime_can_contradict(self):
        wrong = ALL + [experiment("four", "contradicted", ["migration#in-a-table"])]
        self.assertEqual(self.run_marks([wrong], "--check", name="Linux", runtime="portable")[0], 1)

    def test_nothing_is_left_out(self):
        status, said = self.run_marks([ALL[:2]], "--check", name="Linux", runtime="portable")
        self.assertEqual(status, 1)
        self.assertIn("no experiment names the fact 'migration#without-basis'", said)
        strange = ALL + [experiment("four", "confirmed", ["migration#nowhere"], rows=["no-row"])]
        status, said = self.run_marks([strange], "--check", name="Linux", runtime="portable")
        self.assertEqual(status, 1)
        self.assertIn("names the fact 'migration#nowhere', which is not there", said)
        self.assertIn("names the row 'no-row', which is not there", said)

    def test_other_files_are_refused(self):
        for text in ("[]", '{"format": 2}', "no JSON"):
            (self.docs / "other.json").write_text(text)
            with contextlib.redirect_stderr(io.StringIO()):
                self.assertEqual(marks.main([str(self.docs / "other.json")]), 2)

    def test_marks_that_are_right_pass(self):
        self.assertEqual(self.run_marks([ALL], "--check")[0], 1)
        self.run_marks([ALL], "--write")
        self.assertEqual(self.run_marks([ALL], "--check")[0], 0)


if __name__ == "__main__":
    unittest.main()
