"""The anchors of headings."""

import re


def github(text, separator):
    """As GitHub makes them, since the pages are read there too."""
    return re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", separator)
