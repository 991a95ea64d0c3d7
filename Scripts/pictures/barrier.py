"""A release that a user skips, without and with a barrier stage."""

from canvas import MARGIN, WIDTH, Picture

COLUMNS = (166, 358, 550)
EXTENT, HEIGHT = 142, 46


def cell(picture, column, y, value, fill="panel", stroke="line", colour="ink"):
    x = COLUMNS[column]
    if value is None:
        picture.box(x, y, EXTENT, HEIGHT, "page", "line", dashed=True)
        picture.text(x + EXTENT / 2, y + 28, "no `startDate`", "muted", 13, anchor="middle", width=EXTENT - 8)
        return
    picture.box(x, y, EXTENT, HEIGHT, fill, stroke)
    picture.text(x + EXTENT / 2, y + 20, "startDate", "muted", 13, mono=True, anchor="middle", on=fill)
    picture.text(x + EXTENT / 2, y + 38, value, colour, 13, bold=True, anchor="middle", on=fill)


def step(picture, left, right, y):
    picture.line((COLUMNS[left] + EXTENT + 7, y + HEIGHT / 2), (COLUMNS[right] - 8, y + HEIGHT / 2), colour="muted",
                 arrow=True)


def lane(picture, y, title, note):
    picture.text(MARGIN, y + 20, title, bold=True, width=COLUMNS[0] - MARGIN - 8)
    picture.text(MARGIN, y + 38, note, "muted", 13, width=COLUMNS[0] - MARGIN - 6)


def draw():
    picture = Picture(
        "barrier", "A skipped release and the barrier stage",
        "V1 has startDate, 3 May in a row. V2 has no startDate, and V3 has one again. With lightweight stages alone, a user "
        "who installs V1, V2 and V3 ends with nil; for a user who skips V2 SwiftData infers V1 to V3 at once, and the value "
        "3 May is back. With a barrier stage from V2 to V3 the engine must finish V2 first, and both users end with nil.",
        heading="Skipping a release must not change the data",
        lead="V2 drops `startDate`, V3 has a `startDate` again. Every single step is fine. But SwiftData takes a run of "
             "lightweight stages as one: straight from the version in the store to the last.")
    y = picture.top + 44
    for column, version in enumerate(("V1", "V2", "V3")):
        picture.text(COLUMNS[column] + EXTENT / 2, y, version, bold=True, anchor="middle")
    picture.text(MARGIN, y, "Lightweight stages", "red", bold=True)
    y += 18
    for_all = lambda at: (cell(picture, 0, at, "3 May"), step(picture, 0, 1, at), cell(picture, 1, at, None))
    lane(picture, y, "Every release", "V1, V2, V3")
    for_all(y)
    step(picture, 1, 2, y)
    cell(picture, 2, y, "nil")
    y += 68
    lane(picture, y, "Skips V2", "V1, V3")
    cell(picture, 0, y, "3 May")
    step(picture, 0, 2, y)
    middle = COLUMNS[1] + EXTENT / 2
    picture.box(middle - 62, y + 11, 124, 24, "page", None, radius=0)
    picture.text(middle, y + 28, "one inference", "muted", 13, anchor="middle")
    cell(picture, 2, y, "3 May", "soft-red", "red", "red")
    picture.text(COLUMNS[2] + EXTENT, y + HEIGHT + 20, "V1’s value is back", "red", anchor="end")
    y += 128
    picture.line((MARGIN, y - 38), (WIDTH - MARGIN, y - 38), width=1)
    picture.text(MARGIN, y - 4, "With a barrier stage from V2 to V3", "green", bold=True)
    y += 14
    lane(picture, y, "Both users", "finish V2 first")
    for_all(y)
    step(picture, 1, 2, y)
    cell(picture, 2, y, "nil", "soft-green", "green")
    x = (COLUMNS[1] + EXTENT + COLUMNS[2]) / 2 - 3
    picture.box(x - 4, y - 8, 8, HEIGHT + 16, "green", None, radius=3)
    picture.paragraph(MARGIN, y + HEIGHT + 40, WIDTH - 2 * MARGIN,
                      "The barrier is an empty custom stage. schemagen adds one only where skipping a version would change "
                      "a value, and writes the reason above it.", colour="muted")
    return picture
