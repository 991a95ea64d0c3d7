"""The picture on the rehearsal's page: a rehearsal finds a migration that loses values when the app is killed.

The text is a recording, which `record.sh` makes; Tests/Integration/rehearse.sh holds it against the command.
"""

import re
from pathlib import Path

from canvas import CODE, WIDTH, Picture

RECORDING = Path(__file__).resolve().parent / "rehearsal.ansi"
LEFT, SIZE, LINE = 17, 13, 21
# The command, the failure of two rows, and the summary. `…` stands for lines that are left out.
SHOWN = [r"\$ ", "…"] + [
    line for key in (1, 2) for line in (rf"V1 → V2, Recipe 'key {key}'", r"  expected", r"  found", r"  note")] + ["…", r"\d+ versions"]
STRIKING = (r"  expected", r"  found")


def coloured(line):
    """A recorded line as (text, colour, is bold)."""
    style = ""
    for part in re.split(r"(\x1b\[[0-9;]*m)", line):
        if part.startswith("\x1b"):
            style = part[2:-1]
        elif part:
            codes = style.split(";")
            colour = {"31": "red", "32": "green", "2": "muted"}.get(codes[-1], "ink")
            yield part, colour, "1" in codes


def plain(line):
    return re.sub(r"\x1b\[[0-9;]*m", "", line)


def folded(line, columns):
    """A line as a terminal shows it that has so many columns and breaks between words, below what follows the label."""
    parts = list(coloured(line))
    if len(plain(line)) <= columns:
        return [parts]
    indent = len(re.match(r"\s*\S+\s*", plain(line))[0])
    *first, (text, colour, bold) = parts
    lines, room = [first], columns - sum(len(part[0]) for part in first)
    while len(text) > room:
        cut = text.rindex(" ", 0, room)
        lines[-1].append((text[:cut], colour, bold))
        text, room = text[cut + 1:], columns - indent
        lines.append([(" " * indent, colour, bold)])
    lines[-1].append((text, colour, bold))
    return lines


def draw():
    recorded = RECORDING.read_text().splitlines()
    lines, place = [], 0
    for pattern in SHOWN:
        if pattern == "…":
            lines.append((pattern, [[("…", "muted", False)]]))
            continue
        while not re.match(pattern, plain(recorded[place])):
            place += 1
        lines.append((pattern, folded(recorded[place], int((WIDTH - 2 * LEFT) / (CODE * SIZE / 1000)))))
        place += 1
    picture = Picture(
        "rehearsal", "A rehearsal finds a migration that loses data",
        "A terminal: " + " ".join(
            " ".join(part[0] for part in row).strip() for _, rows in lines for row in rows))
    picture.box(1, 1, WIDTH - 2, 38, "panel", None, radius=11)
    picture.box(1, 26, WIDTH - 2, 13, "panel", None, radius=0)
    picture.line((1, 39), (WIDTH - 1, 39), width=1)
    for index in range(3):
        picture.disc(LEFT + 9 + index * 19, 20, 5.5, "line")
    picture.text(WIDTH / 2, 24.5, "A stage keeps old values in memory; then the app is killed", "muted", 13, anchor="middle",
                 on="panel")
    y = 72
    for pattern, rows in lines:
        is_striking = pattern in STRIKING
        if is_striking:
            picture.box(1, y - 15, WIDTH - 2, LINE + 0.5, "soft-red", None, radius=0)
        elif pattern.startswith("V"):
            y += 8
        for row in rows:
            x = LEFT
            for text, colour, bold in row:
                x = picture.code(x, y, text, SIZE, colour="red" if is_striking else colour,
                                 bold=bold or is_striking, on="soft-red" if is_striking else "page")
            y += LINE
    return picture
