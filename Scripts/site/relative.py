#!/usr/bin/env python3
"""Makes the pages of a DocC archive work under any address.

    relative.py ARCHIVE

DocC writes the address of its folder into every page. Each page knows how deep it lies, so the way up will do. Without a
server none of them works: they lead to api.html beside the archive, which says so.
"""

import sys
from pathlib import Path

# A link that works on files names index.html; DocC's program knows pages by their folders.
START = """<script>
if (location.protocol === "file:") location.replace("UP../api.html");
else history.replaceState(null, "", location.href.replace("/index.html", "/"));
</script>"""

root = Path(sys.argv[1])
for page in root.rglob("*.html"):
    up = "../" * (len(page.relative_to(root).parts) - 1) or "./"
    text = page.read_text()
    text = text.replace("<head>", "<head>" + START.replace("UP", up), 1)
    changed = text.replace('var baseUrl = "/"', f'var baseUrl = new URL("{up}", location.href).pathname')
    changed = changed.replace('href="/', f'href="{up}').replace('src="/', f'src="{up}')
    if "new URL" not in changed:
        sys.exit(f"relative.py: '{page}' does not say where it is; has DocC's template changed?")
    page.write_text(changed)
