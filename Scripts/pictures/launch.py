"""A migration at launch: what is on disk at each kill, and what the next launch does."""

from canvas import MARGIN, WIDTH, Picture

# The parts of a launch and where each ends. The bars below begin where the names do.
LEFT = 116
PARTS = [("check", LEFT, 190), ("back up", 190, 300), ("open: stages run", 300, 464), ("count rows", 464, 576),
         ("app runs", 576, WIDTH - MARGIN)]
# Tests/Integration/pictures.py looks for the test that each row names.
KILLS = [
    (152, "the store as it was", "starts over",
     "MigrationFaultTests/killedAtEveryStep"),
    (245, "the store as it was; a backup without its sidecar", "makes a new backup, and never restores that one",
     "FaultTests/creationKilledAtEveryStep"),
    (382, "a store of V8, a bridge or V9; backup; journal",
     "goes on with the same backup; if a stage is not repeatable, it restores the backup first",
     "MigrationFaultTests/aStageThatCannotBeRepeatedKilledAtEveryStep"),
    (520, "a store of V9; backup; journal", "opens it, counts again, removes the journal",
     "JournalTests/anAttemptAfterTheStagesCounts"),
    (634, "a store of V9; backup", "checks and opens it", "MigrationTests/aCurrentStoreIsOnlyOpened"),
]
ROW = 44


def draw():
    picture = Picture(
        "launch", "A launch that migrates, and what is on disk when it is killed",
        "The launch checks the store, backs it up, writes a journal, lets the app open the store so that its stages run, "
        "counts rows, removes the journal and returns the container. " + " ".join(
            f"Killed at {index}: on disk is {state}; the next launch {then}."
            for index, (_, state, then, _) in enumerate(KILLS, 1)),
        heading="A launch from V8 to V9, and five ways to be killed",
        lead="While a journal exists, no container has been returned since the backup. So putting the backup back never "
             "discards anybody’s work.")
    top = picture.top + 50
    bars = [
        ("store", [("V8", PARTS[0][1], 300, "panel", "ink"), ("V8, bridge, V9", 300, 464, "soft-blue", "ink"),
                   ("V9", 464, WIDTH - MARGIN, "soft-blue", "ink")]),
        ("backup", [("writing", 190, 300, None, "muted"), ("complete", 300, WIDTH - MARGIN, "soft-green", "ink")]),
        ("journal", [("a migration has begun", 300, 576, "panel", "ink")]),
        ("container", [("returned", 576, WIDTH - MARGIN, "soft-green", "ink")]),
    ]
    bottom = top + 16 + ROW * len(bars)
    for _, start, _ in PARTS:
        picture.line((start, top - 20), (start, bottom - 8), width=1)
    for name, start, end in PARTS:
        picture.text((start + end) / 2, top - 4, name, bold=True, size=13, anchor="middle", width=end - start - 4)
    y = top + 16
    for name, pieces in bars:
        picture.text(MARGIN, y + 20, name, "muted", width=LEFT - MARGIN - 8)
        for text, start, end, fill, colour in pieces:
            picture.box(start + 2, y, end - start - 4, 30, fill or "page", "line", radius=6, dashed=fill is None)
            picture.text((start + end) / 2, y + 20, text, colour, 13, anchor="middle", on=fill or "page",
                         width=end - start - 14)
        y += ROW
    picture.line((LEFT, bottom + 12), (WIDTH - MARGIN, bottom + 12), colour="muted", arrow=True)
    for index, (x, *_) in enumerate(KILLS, 1):
        picture.kill(x, bottom + 12, str(index))
    picture.text(MARGIN, bottom + 17, "killed at", "red")
    y = bottom + 62
    picture.text(MARGIN + 30, y, "On disk", "muted", 13)
    picture.text(340, y, "The next launch", "muted", 13)
    y += 12
    for index, (_, state, then, _) in enumerate(KILLS, 1):
        picture.line((MARGIN, y), (WIDTH - MARGIN, y), width=1)
        picture.kill(MARGIN + 10, y + 22, str(index))
        ends = [picture.paragraph(MARGIN + 30, y + 27, 266, state),
                picture.paragraph(340, y + 27, WIDTH - MARGIN - 340, then)]
        y = max(ends) + 16
    picture.line((MARGIN, y), (WIDTH - MARGIN, y), width=1)
    picture.paragraph(MARGIN, y + 30, WIDTH - 2 * MARGIN,
                      "After two kills the library puts the backup back and stops trying, until the user asks for it or the "
                      "app has another build.", colour="muted")
    return picture
