"""What enters the checksum by which SwiftData recognises a version."""

from canvas import MARGIN, WIDTH, Picture, measure

# What enters stands between ‹ and ›.
SOURCE = """\
static let versionIdentifier = Schema.Version(4, 0, 0)

@Model final class ‹Recipe› {
  #Index<Recipe>([\\.cooked])
  @Attribute(‹.unique›) var ‹id›: ‹UUID›
  @Attribute(originalName: "title") var ‹name›: ‹String› = ""
  var ‹rating›: ‹Int?›
  var ‹kind›: Kind = Kind.main             // enum Kind: ‹String›
  @Attribute(‹hashModifier: "V4"›) var ‹cooked›: ‹Date›
  @Attribute(‹.externalStorage›) var ‹photo›: ‹Data?›
  @Relationship(deleteRule: .cascade, ‹inverse: \\Step.recipe›)
  var ‹steps›: ‹[Step]›
  @Transient var draft = false
}"""
LINE, SIZE = 25, 13


def draw():
    entering = [part.split("›")[0] for part in SOURCE.split("‹")[1:]]
    picture = Picture(
        "checksum", "What enters a checksum",
        "The source of a model. These parts enter the checksum of its version: " + ", ".join(entering) + ". The rest does "
        "not: the version number, the index, the original name, defaults, the delete rule, the transient property, and "
        "of an enum with raw values its name and its cases. The checksum is a SHA-256 of the hashes of all models.",
        heading="What SwiftData recognises a version by",
        lead="The blue parts enter the checksum. Two versions that differ in grey parts alone are one version to "
             "SwiftData.")
    y = picture.top + 32
    lines = SOURCE.splitlines()
    picture.box(MARGIN, y, WIDTH - 2 * MARGIN, len(lines) * LINE + 30, "panel", "line")
    y += 32
    for line in lines:
        x = MARGIN + 22
        for index, part in enumerate(line.replace("›", "‹").split("‹")):
            enters = index % 2 == 1
            if enters:
                picture.box(x - 3, y - 14, measure(part, SIZE, mono=True) + 6, 20, "soft-blue", None, radius=4)
            x = picture.code(x, y, part, SIZE, colour="blue" if enters else "muted",
                             on="soft-blue" if enters else "panel")
        y += LINE
    y += 30
    extent = (WIDTH - 2 * MARGIN - 2 * 30) / 3
    for index, (title, text) in enumerate((
        ("Each property", "its name, whether it is optional, its type or its other end, its modifier"),
        ("Each model", "its name, its superclass, its properties by name, its unique constraints"),
        ("The version", "its models by name: one text in the store’s metadata"),
    )):
        x = MARGIN + index * (extent + 30)
        picture.text(x, y, title, bold=True)
        picture.paragraph(x, y + 21, extent, text, colour="muted")
        if index:
            picture.line((x - 24, y - 5), (x - 8, y - 5), colour="muted", arrow=True)
    y += 21 + 3 * 19 + 20
    picture.box(MARGIN, y, WIDTH - 2 * MARGIN, 66, "soft-red", None)
    picture.paragraph(MARGIN + 18, y + 28, WIDTH - 2 * MARGIN - 36,
                      "A plan with two versions of one checksum ends the app at the first launch that migrates a store. So "
                      "schemagen adds a hash modifier where two would be alike.", on="soft-red")
    return picture
