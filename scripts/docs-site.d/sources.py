"""Pages for the files and folders of the repository that other pages link to."""

import pathlib

from guides import highlight
from pages import Page, escape, href

LANGUAGES = {".swift": "swift", ".py": "python", ".js": "js", ".yaml": "yaml", ".yml": "yaml", ".service": "ini",
             ".sh": "sh", "": "sh"}


def listing(site, folder, url):
    rows = "".join(
        f'<li><a href="{href(url, site.resolve("", file))}"><code>{escape(file[len(folder) + 1:])}</code></a></li>'
        for file in site.files if file.startswith(f"{folder}/"))
    return f"<ul>{rows}</ul>"


def numbered(text, language):
    lines = highlight(text, language).rstrip("\n").split("\n")
    code = "\n".join(f'<span class="line" id="L{number}">{line}</span>' for number, line in enumerate(lines, 1))
    return f'<pre class="code numbered" tabindex="0"><code>{code}</code></pre>'


def add_pages(site):
    for target in site.linked:  # which grows while a folder is listed
        url = site.urls[target]
        body = listing(site, target, url) if target in site.folders else numbered(
            site.text(target), LANGUAGES.get(pathlib.PurePath(target).suffix, "text"))
        site.add(Page(url, target, f"<h1><code>{escape(target)}</code></h1>{body}", target, "listing"))
