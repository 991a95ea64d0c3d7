"""The way of a change: class, manifest, generated Swift, rehearsal, release, and the next change."""

from canvas import MARGIN, WIDTH, Picture

BOX, HEIGHT, GAP = 182, 104, 59
# Heading, lines below it; a line in backquotes is code.
BOXES = [
    ("Your class", ["`var lastWatered: Date?`", "You edit it in Xcode."]),
    ("Manifest", ["`Schemas/V2.yaml`", "One file per version,", "for you to review."]),
    ("Generated Swift", ["`SchemaV1.swift`", "`MigrationPlan.swift`", "Old models and plan."]),
    ("Rehearsal", ["Old stores are migrated,", "killed partway and", "compared."]),
    ("Release", ["`schema.lock`", "From now on an edit", "of V2 is an error."]),
    ("Your users", ["Their stores migrate at", "the first launch."]),
]


def box(picture, x, y, number, colour):
    title, lines = BOXES[number]
    picture.box(x, y, BOX, HEIGHT, "page", colour)
    picture.text(x + 14, y + 26, f"{number + 1}  {title}", colour, bold=True, width=BOX - 20)
    for index, line in enumerate(lines):
        is_code = line.startswith("`")
        picture.text(x + 14, y + 50 + index * 19, line.strip("`"), "ink" if is_code else "muted", 12 if is_code else 13,
                     mono=is_code, width=BOX - 20)


def draw():
    picture = Picture(
        "loop", "From a changed class to your users, and to the next change",
        "A loop of six steps. 1: you edit your class. schemagen snapshot writes 2, the manifest, and 3, the generated "
        "Swift; it writes nothing while a change would lose values or fail on a device. 4: schemagen rehearse tries the "
        "migration. 5: schemagen release freezes the version. 6: your users' stores migrate. Then the next change begins.")
    columns = [MARGIN + index * (BOX + GAP) for index in range(3)]
    top, bottom = 60, 282

    # What one command writes.
    left = columns[1] - 14
    picture.box(left, top - 34, WIDTH - MARGIN / 2 - left, HEIGHT + 76, "soft-blue", None)
    picture.text(columns[1], top - 13, "`schemagen snapshot` writes", "blue", bold=True, on="soft-blue")
    picture.text(columns[1], top + HEIGHT + 26, "or stops, if a change would lose values or fail on a device", "red",
                 on="soft-blue")

    for number, (x, y, colour) in enumerate((
        (columns[0], top, "yellow"), (columns[1], top, "blue"), (columns[2], top, "blue"),
        (columns[2], bottom, "green"), (columns[1], bottom, "green"), (columns[0], bottom, "yellow"),
    )):
        box(picture, x, y, number, colour)

    middle = top + HEIGHT / 2
    picture.line((columns[0] + BOX + 8, middle), (columns[1] - 8, middle), colour="muted", arrow=True)
    picture.line((columns[1] + BOX + 8, middle), (columns[2] - 8, middle), colour="muted", arrow=True)
    centre = columns[2] + BOX / 2
    picture.line((centre, top + HEIGHT + 48), (centre, bottom - 8), colour="muted", arrow=True)
    picture.text(centre - 12, bottom - 36, "`schemagen rehearse`", "green", anchor="end")
    middle = bottom + HEIGHT / 2
    picture.line((columns[2] - 8, middle), (columns[1] + BOX + 8, middle), colour="muted", arrow=True)
    picture.line((columns[1] - 8, middle), (columns[0] + BOX + 8, middle), colour="muted", arrow=True)
    picture.text(columns[1] + BOX / 2, bottom + HEIGHT + 24, "`schemagen release`", "green", anchor="middle")
    centre = columns[0] + BOX / 2
    picture.line((centre, bottom - 8), (centre, top + HEIGHT + 8), colour="muted", arrow=True)
    picture.text(centre + 12, (top + HEIGHT + bottom) / 2 + 4, "next change", "muted")
    return picture
