#!/usr/bin/env python3
"""Runs the shell steps of action.yml as GitHub would, or a job of ci/gitlab.yml as GitLab would.

    ci_steps.py github ACTION [KEY=VALUE…]   KEY: inputs.schemas, github.base_ref, runner.temp, …
    ci_steps.py gitlab FILE JOB

Works in the current folder, with the environment as it is. Of GitHub's expressions it knows look-ups, and in conditions
also ==, !=, && and !cancelled(): another one is an error, so that a test does not pass by misunderstanding. Steps that
use other actions are skipped. Prints the action's outputs as `output NAME=VALUE`. Exits with the status of the first
step that fails.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml

LOOKUP = re.compile(r"\b(?:inputs|github|runner|steps)(?:\.[A-Za-z0-9_-]+)+|toJSON\(matrix\)")


class Contexts:
    def __init__(self, values):
        self.values = values

    def look_up(self, name):
        # Outside of a matrix there is none.
        return self.values.get(name, "null" if name == "toJSON(matrix)" else "")

    def fill(self, text):
        """A text with its ${{ look-ups }} replaced."""
        def value(match):
            expression = match.group(1).strip()
            if not LOOKUP.fullmatch(expression):
                sys.exit(f"ci_steps.py: not a look-up: {expression}")
            return self.look_up(expression)
        return re.sub(r"\$\{\{(.*?)\}\}", value, str(text))

    def holds(self, condition, has_failed):
        if condition is None:
            return not has_failed
        knows_failure = "!cancelled()" in condition
        text = condition.replace("!cancelled()", "True").replace("&&", " and ")
        text = LOOKUP.sub(lambda match: repr(self.look_up(match.group(0))), text)
        if not re.fullmatch(r"(True|and|==|!=|'[^']*'|\s)+", text):
            sys.exit(f"ci_steps.py: a condition that is not understood: {condition}")
        return bool(eval(text)) and (knows_failure or not has_failed)


def read_outputs(path):
    lines = Path(path).read_text().splitlines()
    return dict(line.split("=", 1) for line in lines)


def github(path, settings):
    action = yaml.safe_load(Path(path).read_text())
    values = {f"inputs.{name}": str(entry.get("default", "")) for name, entry in action["inputs"].items()}
    values.update(setting.split("=", 1) for setting in settings)
    contexts = Contexts(values)
    # A default may be a look-up itself.
    values.update((name, contexts.fill(value)) for name, value in values.items() if name.startswith("inputs."))
    status = 0
    for number, step in enumerate(action["runs"]["steps"]):
        name = step.get("id", f"step{number}")
        outcome = f"steps.{name}.outcome"
        if "run" not in step or not contexts.holds(step.get("if"), status != 0):
            values[outcome] = "skipped"
            continue
        if "${{" in step["run"]:
            sys.exit(f"ci_steps.py: '{step['name']}' has an expression in its script: anybody could write commands")
        with tempfile.NamedTemporaryFile("w", suffix=".sh") as script, tempfile.NamedTemporaryFile() as outputs:
            script.write(step["run"])
            script.flush()
            variables = {key: contexts.fill(value) for key, value in step.get("env", {}).items()}
            print(f"step {step['name']}", flush=True)
            done = subprocess.run(
                ["bash", "--noprofile", "--norc", "-eo", "pipefail", script.name],
                env={**os.environ, **variables, "GITHUB_OUTPUT": outputs.name}, stdin=subprocess.DEVNULL)
            for key, value in read_outputs(outputs.name).items():
                values[f"steps.{name}.outputs.{key}"] = value
        values[outcome] = "success" if done.returncode == 0 else "failure"
        status = status or done.returncode
    for name, entry in action["outputs"].items():
        print(f"output {name}={contexts.fill(entry['value'])}")
    return status


def gitlab(path, job):
    entry = yaml.safe_load(Path(path).read_text())[job]
    variables = {name: str(value) for name, value in entry["variables"].items()}
    script = "\n".join(entry["before_script"] + entry["script"])
    # What a project sets goes before what the job sets.
    done = subprocess.run(
        ["bash", "-eo", "pipefail", "-c", script], env={**variables, **os.environ}, stdin=subprocess.DEVNULL)
    return done.returncode


if __name__ == "__main__":
    kind, file, *rest = sys.argv[1:]
    sys.exit(github(file, rest) if kind == "github" else gitlab(file, *rest))
