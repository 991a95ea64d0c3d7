"""What all pictures share: colours, fonts, boxes, text that is measured.

A text that leaves its box, runs into another one, or has too little contrast ends the script: nobody has to look for it.
"""

import html
import re

WIDTH = 720
MARGIN = 28
SANS = '-apple-system,BlinkMacSystemFont,"Segoe UI",Helvetica,Arial,sans-serif'
MONO = 'ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono","DejaVu Sans Mono",monospace'
# Least ratio of the contrast between text and what it stands on (WCAG 2, level AA).
CONTRAST = 4.5

# Each colour in light and in dark. `soft` ones are for areas, the others for text and lines.
COLOURS = {
    "page": ("#ffffff", "#0d1117"),
    "panel": ("#f4f6f8", "#161c24"),
    "line": ("#cfd6de", "#3a424d"),
    "ink": ("#1f2328", "#e6edf3"),
    "muted": ("#57606a", "#9aa4af"),
    "blue": ("#0757ba", "#6cb2ff"),
    "soft-blue": ("#dcecff", "#12304f"),
    "red": ("#b42318", "#ff8a80"),
    "soft-red": ("#fde8e6", "#421b1c"),
    "green": ("#17692f", "#56d06f"),
    "soft-green": ("#dff5e5", "#12331c"),
    "yellow": ("#7a5200", "#e3b341"),
}

# Advances in thousandths of the font size, of DejaVu Sans: wider than every font of the stack, so what fits here fits.
REGULAR = dict(zip(map(chr, range(32, 127)), [
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, 636, 636, 636, 636, 636, 636, 636,
    636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863,
    748, 787, 603, 787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635,
    615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636,
    337, 636, 838]))
REGULAR |= {"–": 500, "…": 1000, "→": 838, "·": 318, "’": 318, "“": 518, "”": 518}
BOLD = 1.13  # How much wider its bold is.
CODE = 602   # Every character of a monospaced font.


def luminance(colour):
    parts = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    parts = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(one, other, theme):
    lights = sorted((luminance(COLOURS[name][theme]) for name in (one, other)), reverse=True)
    return (lights[0] + 0.05) / (lights[1] + 0.05)


def number(value):
    return f"{value:.1f}".rstrip("0").rstrip(".")


def spans(text):
    """`code` and **bold** of a text as (text, is code, is bold)."""
    for part in re.findall(r"`[^`]*`|\*\*.*?\*\*|(?:(?!`|\*\*).)+", text):
        if part.startswith("`"):
            yield part[1:-1], True, False
        elif part.startswith("**"):
            yield part[2:-2], False, True
        else:
            yield part, False, False


def measure(text, size, mono=False, bold=False):
    """The width of a text with marks, at the most."""
    width = 0
    for part, is_code, is_bold in spans(text):
        if mono or is_code:
            width += len(part) * CODE * (1 if mono else 0.94)
        else:
            width += sum(REGULAR[c] for c in part) * (BOLD if bold or is_bold else 1)
    return width * size / 1000


def wrapped(text, width, size, bold=False):
    lines, line = [], ""
    # Code keeps together.
    for word in re.findall(r"(?:`[^`]*`|\*\*.*?\*\*|[^\s`*])+", text):
        longer = f"{line} {word}".strip()
        if line and measure(longer, size, bold=bold) > width:
            lines.append(line)
            line = word
        else:
            line = longer
    return lines + [line]


class Picture:
    """One SVG. Coordinates are in pixels at its natural size; `y` of a text is its baseline."""

    def __init__(self, name, title, description, heading=None, lead=None):
        self.name, self.title, self.description = name, title, description
        self.parts, self.texts, self.colours = [], [], {"page"}
        self.height = 0
        self.top = 0
        if heading:
            self.text(MARGIN, 42, heading, size=17, bold=True)
            self.top = 42
        if lead:
            self.top = self.paragraph(MARGIN, 66, WIDTH - 2 * MARGIN, lead, colour="muted")

    # Areas and lines.

    def add(self, part, bottom=0):
        self.parts.append(part)
        self.height = max(self.height, bottom)

    def css(self, kind, colour):
        self.colours.add(colour)
        return f"{kind}-{colour}"

    def box(self, x, y, width, height, fill="panel", stroke=None, radius=8, dashed=False):
        classes = [self.css("f", fill) if fill else "none"]
        if stroke:
            classes.append(self.css("s", stroke))
        dash = ' stroke-dasharray="4 4"' if dashed else ""
        self.add(f'<rect class="{" ".join(classes)}" x="{number(x)}" y="{number(y)}" width="{number(width)}" '
                 f'height="{number(height)}" rx="{radius}"{dash}/>', y + height)

    def line(self, *points, colour="line", width=1.5, dashed=False, arrow=False):
        points = [(float(x), float(y)) for x, y in points]
        path = "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points)
        dash = ' stroke-dasharray="4 4"' if dashed else ""
        self.add(f'<path class="none {self.css("s", colour)}" d="{path}" stroke-width="{number(width)}"{dash}/>')
        if arrow:
            (x0, y0), (x, y) = points[-2:]
            length = ((x - x0) ** 2 + (y - y0) ** 2) ** 0.5
            u, v = (x - x0) / length, (y - y0) / length
            corners = [(x - 7 * u - 4.5 * v, y - 7 * v + 4.5 * u), (x, y), (x - 7 * u + 4.5 * v, y - 7 * v - 4.5 * u)]
            path = "M" + "L".join(f"{number(a)} {number(b)}" for a, b in corners)
            self.add(f'<path class="none {self.css("s", colour)}" d="{path}" stroke-width="{number(width)}"/>')

    def kill(self, x, y, label):
        """The mark of a kill: a red disc with a number or a letter."""
        self.add(f'<circle class="{self.css("f", "red")}" cx="{number(x)}" cy="{number(y)}" r="10"/>')
        self.text(x, y + 4.5, label, colour="page", size=13, bold=True, anchor="middle", on="red")

    def disc(self, x, y, radius, colour):
        self.add(f'<circle class="{self.css("f", colour)}" cx="{number(x)}" cy="{number(y)}" r="{number(radius)}"/>')

    # Text.

    def text(self, x, y, text, colour="ink", size=13.5, bold=False, mono=False, anchor="start", on="page", width=None):
        """A line of text. `on` is the colour behind it, `width` the room that it has."""
        extent = measure(text, size, mono, bold)
        left = {"start": x, "middle": x - extent / 2, "end": x - extent}[anchor]
        if width is not None and extent > width:
            raise SystemExit(f"{self.name}: {extent:.0f} px in a box of {width:.0f}: {text}")
        if left < 6 or left + extent > WIDTH - 6:
            raise SystemExit(f"{self.name}: leaves the picture, {left:.0f} to {left + extent:.0f}: {text}")
        for theme, word in enumerate(["light", "dark"]):
            if contrast(colour, on, theme) < CONTRAST:
                raise SystemExit(f"{self.name}: contrast {contrast(colour, on, theme):.1f} in {word}: {text}")
        area = (left, y - 0.76 * size, left + extent, y + 0.24 * size)
        for other, theirs in self.texts:
            if area[0] < theirs[2] and theirs[0] < area[2] and area[1] < theirs[3] and theirs[1] < area[3]:
                raise SystemExit(f"{self.name}: '{text}' runs into '{other}'")
        self.texts.append((text, area))
        classes = [self.css("f", colour)] + ["b"] * bold + ["m"] * mono
        body = ""
        for part, is_code, is_bold in spans(text) if not mono else [(text, False, False)]:
            escaped = html.escape(part, quote=False)
            css = "c" if is_code else "b" if is_bold else ""
            body += f'<tspan class="{css}">{escaped}</tspan>' if css else escaped
        where = "" if anchor == "start" else f' text-anchor="{anchor}"'
        # Letters of another monospaced font stand in the same columns.
        length = f' textLength="{number(len(text) * CODE * size / 1000)}"' if mono and len(text) > 1 else ""
        sized = "" if size == 13.5 else f' font-size="{number(size)}"'
        self.add(f'<text class="{" ".join(classes)}" x="{number(x)}" y="{number(y)}"{sized}{where}{length}>{body}</text>',
                 y + 0.3 * size)
        return left + extent

    def code(self, x, y, text, size=13, **style):
        """A line of monospaced text in its columns: not every reader of SVG keeps spaces in a row."""
        for words in re.finditer(r"\S+(?: \S+)*", text):
            self.text(x + words.start() * CODE * size / 1000, y, words[0], size=size, mono=True, **style)
        return x + len(text) * CODE * size / 1000

    def paragraph(self, x, y, width, text, leading=19, **style):
        """Lines of text, broken where they must be; the baseline of the last."""
        size, bold = style.get("size", 13.5), style.get("bold", False)
        lines = wrapped(text, width, size, bold)
        for index, line in enumerate(lines):
            self.text(x, y + index * leading, line, width=width, **style)
        return y + (len(lines) - 1) * leading

    # The file.

    def svg(self):
        height = round(self.height + MARGIN)

        def rules(theme):
            for name in sorted(self.colours):
                value = COLOURS[name][theme]
                yield f".f-{name}{{fill:{value}}}.s-{name}{{stroke:{value}}}"

        style = "".join([
            f"text{{font:13.5px {SANS}}}.b{{font-weight:600}}",
            f".m{{font-family:{MONO}}}.c{{font-family:{MONO};font-size:.94em}}.none{{fill:none}}",
            *rules(0), "@media(prefers-color-scheme:dark){", *rules(1), "}",
        ])
        # A size of its own outweighs the rule's only as a style.
        body = "\n".join(re.sub(r' font-size="([^"]+)"', r' style="font-size:\1px"', part) for part in self.parts)
        return f"""<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" \
role="img" aria-labelledby="title desc">
<!-- Drawn by Scripts/pictures. Do not edit. -->
<title id="title">{html.escape(self.title, quote=False)}</title>
<desc id="desc">{html.escape(self.description, quote=False)}</desc>
<style>{style}</style>
<rect class="f-page s-line" x=".5" y=".5" width="{WIDTH - 1}" height="{height - 1}" rx="12"/>
{body}
</svg>
"""
