"""The files of a schema folder, who writes each, and which target each belongs to."""

from pathlib import Path

from canvas import MARGIN, WIDTH, Picture

RITUALIST = Path(__file__).resolve().parent.parent.parent / "Schemas/Ritualist"
OWNERS = [("yellow", "you write"), ("blue", "schemagen writes, and overwrites"),
          ("green", "schemagen writes once, then yours")]
# Indentation, names, owner, what it is. A folder has its target in the place of an owner.
ROWS = [
    (0, "Schemas/", "in git, in no target", ""),
    (1, "V1.yaml … V9.yaml", "yellow", "a manifest for each version"),
    (1, "schemagen.yaml", "yellow", "names, folders, extras"),
    (1, "schema.lock", "blue", "what each version was, which have shipped"),
    (1, "MIGRATIONS.md", "blue", "the version history, for people"),
    (1, "Generated/", "app target", ""),
    (2, "SchemaV1.swift … SchemaV9.swift", "blue", "the models of every version"),
    (2, "SchemaV8ToV9.swift", "blue", "a bridge"),
    (2, "V8ToV9Rows.swift", "blue", "what happens to rows"),
    (2, "MigrationPlan.swift", "blue", "versions and stages, in order"),
    (2, "ActiveSchema.swift", "blue", "what the app names; the container"),
    (1, "Migrations/", "app target", ""),
    (2, "MigrationLog.swift", "green", "where migrations report to"),
    (2, "V8ToV9.swift", "green", "hooks and functions, if a manifest asks"),
    (1, "Tests/", "test target", ""),
    (2, "MigrationPlanTests.swift", "blue", "with `tests:`; for Apple’s systems"),
]
# Ritualist asks for none.
ON_REQUEST = {"V8ToV9.swift"}
ROW = 29


def draw():
    folder = RITUALIST
    for depth, names, owner, _ in ROWS[1:]:
        if names.endswith("/"):
            folder = RITUALIST / names
        for name in names.split(" … "):
            path = folder if name.endswith("/") else (RITUALIST if depth == 1 else folder) / name
            if name not in ON_REQUEST and not path.exists():
                raise SystemExit(f"files: no '{path}'")
    said = {colour: text for colour, text in OWNERS}
    picture = Picture(
        "files", "The files of a schema folder, and who owns them",
        " ".join(f"{names}: {said.get(owner, owner)}." for _, names, owner, _ in ROWS),
        heading="Which files are yours")
    y, x = picture.top + 32, MARGIN
    for colour, text in OWNERS:
        picture.disc(x + 6, y - 5, 6, colour)
        x = picture.text(x + 20, y, text) + 24
    y += 22
    picture.box(MARGIN, y, WIDTH - 2 * MARGIN, ROW * len(ROWS) + 22, "panel", "line")
    y += 31
    for depth, names, owner, text in ROWS:
        x = MARGIN + 20 + depth * 22
        if names.endswith("/"):
            picture.text(x, y, names, "ink", 13, mono=True, on="panel")
            picture.text(WIDTH - MARGIN - 20, y, owner, "muted", 13, bold=True, anchor="end", on="panel")
        else:
            picture.disc(x + 5, y - 4.5, 5, owner)
            picture.text(x + 20, y, names, "ink", 13, mono=True, on="panel", width=370 - x - 20)
            picture.text(382, y, text, "muted", 13, on="panel", width=WIDTH - MARGIN - 20 - 382)
        y += ROW
    picture.text(MARGIN, y + 24, "Commit everything. A generated file that somebody edited fails `generate --check`.",
                 "muted")
    return picture
