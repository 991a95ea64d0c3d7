"""A bridge between two versions, with a kill in each part of the step."""

from canvas import MARGIN, Picture

ROWS = [("Pie", "4", "4"), ("Soup", "6 bowls", "6"), ("Bread", "19", "19")]
ROW, HEAD = 30, 34


def table(picture, x, y, name, columns, rows):
    """Columns are (name, width, is new)."""
    width = sum(column[1] for column in columns)
    height = HEAD + ROW * len(rows)
    picture.text(x, y - 12, name, bold=True)
    picture.box(x, y, width, height, "page", None)
    left = x
    for index, (column, extent, is_new) in enumerate(columns):
        fill = "soft-blue" if is_new else "panel"
        picture.box(left, y, extent, height, fill, None, radius=0)
        picture.text(left + 11, y + 22, column, "blue" if is_new else "muted", 13, mono=True, on=fill, width=extent - 12)
        for line, row in enumerate(rows):
            value = row[index]
            picture.text(left + 11, y + HEAD + line * ROW + 19, value, "muted" if value in ("nil",) else "ink", 13,
                         mono=True, on=fill, width=extent - 12)
        left += extent
    for line in range(len(rows)):
        picture.line((x, y + HEAD + line * ROW), (x + width, y + HEAD + line * ROW), width=1)
    picture.box(x, y, width, height, None, "line", radius=2)
    return x + width


def draw():
    picture = Picture(
        "bridge", "A bridge between two versions",
        "Three tables side by side. V1 of Recipe has the column servings, a text. The bridge SchemaV1ToV2 has servings and "
        "beside it people, a number, filled in two of three rows. V2 has people alone. A kill before the bridge leaves "
        "V1, and the next launch starts again. A kill while values are copied leaves the bridge with all old values, and "
        "the next launch copies again. A kill afterwards leaves V2 with all values.",
        heading="Old and new values are on disk together",
        lead="V2 makes a number of the text in `servings`. No closure of a stage sees both columns, so schemagen puts a "
             "version between the two that has both.")
    y = picture.top + 62
    name, servings, people = ("name", 66, False), ("servings", 92, False), ("people", 72, True)
    first = table(picture, MARGIN, y, "V1", [name, servings], [row[:2] for row in ROWS])
    copied = [(row[0], row[1], row[2] if index < 2 else "nil") for index, row in enumerate(ROWS)]
    x = first + 69
    second = table(picture, x, y, "Bridge: SchemaV1ToV2", [name, servings, people], copied)
    last = second + 69
    end = table(picture, last, y, "V2", [name, ("people", 72, True)], [(row[0], row[2]) for row in ROWS])
    assert end <= 720 - MARGIN + 1, end
    middle = y + HEAD + ROW * 1.5
    for left, right in ((first, x), (second, last)):
        picture.line((left + 8, middle), (right - 9, middle), colour="muted", arrow=True)

    # The stages under their arrows, then the kills on one line of time below the tables.
    y += HEAD + ROW * 3 + 36
    for centre, title, lines in (
        ((first + x) / 2, "Stage 1, lightweight", ["adds the column `people`", "and drops nothing"]),
        ((second + last) / 2, "Stage 2, custom", ["copies in batches and saves each,", "then drops `servings`"]),
    ):
        picture.text(centre, y, title, bold=True, anchor="middle")
        for index, line in enumerate(lines, 1):
            picture.text(centre, y + index * 20, line, colour="muted", anchor="middle")
    y += 82
    picture.line((MARGIN, y), (720 - MARGIN, y), colour="muted", arrow=True)
    picture.text(MARGIN, y - 14, "Killed here:", colour="red")
    for left, label, mark, state, then in (
        (MARGIN, "1", (first + x) / 2, "The store is still V1.", "The next launch starts again."),
        (256, "2", (x + second) / 2, "The store is at the bridge, with all old values.",
         "The next launch copies them again."),
        (484, "3", last + 69, "The store is V2, with all new values.", "Nothing is left to do."),
    ):
        picture.kill(mark, y, label)
        picture.kill(left + 10, y + 42, label)
        bottom = picture.paragraph(left + 30, y + 47, 184, state)
        picture.paragraph(left + 30, bottom + 21, 184, then, colour="muted")
    return picture
