"""What becomes of five properties in nine versions: read from what is generated for Schemas/Ritualist."""

import re
from pathlib import Path

from canvas import MARGIN, WIDTH, Picture

RITUALIST = Path(__file__).resolve().parent.parent.parent / "Schemas/Ritualist"
VERSIONS = range(1, 10)
# The names that a property has had, and what MIGRATIONS.md must call the change that the text is about.
LIVES = [
    ("UserProfileModel", ["notificationsEnabled"], "defaulted-attribute-added",
     "**Added in V{version}.** Old rows get the default, `true`."),
    ("HabitModel", ["dailyTarget"], "attribute-made-optional",
     "**Made optional in V{version}.** Every old value is still a value."),
    ("HabitModel", ["unitLabel", "unit"], "attribute-renamed",
     "**Renamed in V{version}.** Its `originalName` leads the engine to the old column."),
    ("UserProfileModel", ["homeTimezone", "homeTimezoneIdentifier"], "attribute-converted",
     "**Converted in V{version}** into `homeTimezoneIdentifier`; nil becomes the device’s time zone."),
    ("UserProfileModel", ["subscriptionPlan"], "attribute-removed",
     "**Dropped in V{version}.** The manifest says why: {reason}."),
]
COLUMN = (WIDTH - 2 * MARGIN) / len(VERSIONS)


def types(model, names):
    """For each version the name and type that the property has in it, or nothing."""
    found = []
    for version in VERSIONS:
        code = (RITUALIST / f"Generated/SchemaV{version}.swift").read_text()
        body = re.search(rf"final class {model} \{{(.*?)\n  \}}", code, re.S)[1]
        there = [(name, match[1]) for name in names if (match := re.search(rf" var {name}: ([^ \n]+)", body))]
        assert len(there) < 2, (version, there)
        found.append(there[0] if there else None)
    return found


def change(model, name, kind):
    """The version whose step has the change, and the reason that is given for it."""
    for step in re.split(r"(?m)^## ", (RITUALIST / "MIGRATIONS.md").read_text()):
        for line in step.splitlines():
            if f"| `{model}.{name}` |" in line and f"[{kind}" in line:
                reason = re.search(r"<br>acknowledged: (.*?)(?:<br>| \|$)", line)
                return int(re.match(r"V\d+ → V(\d+)", step)[1]), reason[1] if reason else ""
    raise SystemExit(f"life: MIGRATIONS.md has no {kind} of {model}.{name}")


def draw():
    picture = Picture(
        "life", "Five properties through nine versions",
        "The versions V1 to V9 of the example Ritualist, and five of its properties. " + " ".join(
            re.sub(r"[*`]", "", f"{model}.{names[0]}: " + text.format(
                version=change(model, names[-1], kind)[0], reason=change(model, names[-1], kind)[1]))
            for model, names, kind, text in LIVES),
        heading="Five properties, nine versions",
        lead="From the example Ritualist. A store of any of these versions migrates to V9.")
    y = picture.top + 40
    for version in VERSIONS:
        picture.text(MARGIN + (version - 0.5) * COLUMN, y, f"V{version}", "muted", bold=True, anchor="middle")
    y += 14
    picture.line((MARGIN, y), (WIDTH - MARGIN, y), width=1)
    for model, names, kind, text in LIVES:
        version, reason = change(model, names[-1], kind)
        picture.text(MARGIN, y + 32, text.format(version=version, reason=reason), width=WIDTH - 2 * MARGIN)
        y += 46
        life = types(model, names)
        start = 0
        while start < len(life):
            end = start
            while end < len(life) and life[end] == life[start]:
                end += 1
            left, extent = MARGIN + start * COLUMN, (end - start) * COLUMN
            changed = 0 < start == version - 1
            if life[start]:
                fill = "soft-blue" if changed else "panel"
                picture.box(left + 2, y, extent - 4, 34, fill, "line", radius=6)
                label = f"{life[start][0]}: {life[start][1]}"
                if len(label) * 7.83 > extent - 20:
                    label = life[start][1]
                picture.text(left + 12, y + 22, label, "blue" if changed else "ink", 13, mono=True, on=fill,
                             width=extent - 20)
            else:
                picture.box(left + 2, y, extent - 4, 34, "page", "line", radius=6, dashed=True)
            if not life[start] and changed:
                x = left + 20
                for one, other in (((x - 5, y + 12), (x + 5, y + 22)), ((x - 5, y + 22), (x + 5, y + 12))):
                    picture.line(one, other, colour="red", width=2)
            start = end
        y += 44
    return picture
