"""The pages of the site: their addresses, their navigation, the search index, and the template."""

import dataclasses
import html
import json
import posixpath
import re
import string
import sys

IMAGES = (".svg", ".png")


@dataclasses.dataclass
class Page:
    url: str
    title: str
    body: str
    source: str = ""  # the file that the page shows
    layout: str = "guide"
    headings: list = dataclasses.field(default_factory=list)  # (level, id, text) for the right column
    entry: str = ""  # the entry of the navigation that is marked, if it is not the page itself
    nested: str = ""  # HTML below this entry


def escape(text):
    return html.escape(text, quote=True)


def href(page_url, url):
    """The relative link from one page to another, or to its own anchor."""
    path, _, anchor = url.partition("#")
    if path == page_url and anchor:
        return f"#{anchor}"
    return posixpath.relpath(path, posixpath.dirname(page_url) or ".") + (f"#{anchor}" if anchor else "")


class Site:
    def __init__(self, root, files, settings, version):
        self.root, self.files, self.version = root, files, version
        self.folders = {posixpath.dirname(file[:index + 1]) for file in files
                        for index, letter in enumerate(file) if letter == "/"}
        self.urls = {}  # the address of a file's page
        self.titles = {}  # the title of an entry of the navigation
        self.symbols = {}  # the address of the declaration or problem code that a code span names
        self.links = {}  # the address of the declaration that a link of DocC names
        self.libraries = settings["libraries"]
        self.pages, self.images, self.linked, self.index = {}, set(), [], []
        self.groups = [(group["title"], group["summary"], self.entries(group["pages"])) for group in settings["groups"]]

    def entries(self, items):
        """The files of a group. An item is a file, or a file with its title in the navigation."""
        for item in items:
            if isinstance(item, dict):
                self.titles.update(item)
        return [name for item in items for name in (item if isinstance(item, dict) else [item])]

    def first_heading(self, name):
        """The title of a page in Markdown or of a tutorial."""
        text = (self.root / name).read_text()
        return re.search(r"(?m)^# (.+)|Intro\(title: \"(.+?)\"", text).expand(r"\1\2").replace("`", "")

    def name_page(self, name, url):
        """Gives a page its address, also as the target of DocC's links by name."""
        self.urls[name] = url
        if ".docc/" in name:
            link = "doc:" + posixpath.splitext(posixpath.basename(name))[0]
            self.urls[link], self.titles[link] = url, self.first_heading(name)

    def complete_groups(self, names):
        """Adds the pages without a group to the last one. Fails if a listed page does not exist."""
        listed = [name for _, _, entries in self.groups for name in entries]
        missing = [name for name in listed if name not in self.urls]
        if missing:
            sys.exit(f"navigation.yaml lists pages that do not exist: {', '.join(missing)}")
        urls = {self.urls[name] for name in listed}
        self.groups[-1][2].extend(
            name for name in names
            if self.urls[name] not in urls and not name.startswith("docs/decisions/") and ".docc/Tutorials/" not in name)

    def add(self, page, sections=(), kind="Guide"):
        """Adds a page, and its sections to the search index: (anchor, heading, text)."""
        self.pages[page.url] = page
        for anchor, heading, text in sections:
            self.index.append([page.url + (f"#{anchor}" if anchor else ""), page.title, heading, text, kind])

    def resolve(self, source, link):
        """The address of what a link in a file leads to. A linked file without a page gets one. None: nothing is there."""
        path, _, anchor = link.partition("#")
        target = posixpath.normpath(posixpath.join(posixpath.dirname(source), path)) if path else source
        anchor = f"#{anchor}" if anchor else ""
        if target.endswith(IMAGES) and target in self.files:
            self.images.add(target)
            return target
        if target not in self.urls:
            if target not in self.files and target not in self.folders:
                return None
            self.urls[target] = f"{target}/index.html" if target in self.folders else f"{target}.html"
            self.linked.append(target)
        return self.urls[target] + anchor

    def title(self, name):
        return self.titles.get(name) or self.pages[self.urls[name]].title

    def navigation(self, page):
        groups = []
        for title, _, names in self.groups:
            items = []
            for name in names:
                url = self.urls[name]
                current = ' aria-current="page"' if url == (page.entry or page.url) else ""
                nested = page.nested if current else ""
                items.append(f'<li><a href="{href(page.url, url)}"{current}>{escape(self.title(name))}</a>{nested}</li>')
            groups.append(f"<details open><summary>{escape(title)}</summary><ul>{''.join(items)}</ul></details>")
        return "\n".join(groups)

    def neighbors(self, page):
        """Links to the pages before and after this one."""
        order = [self.urls[name] for _, _, names in self.groups for name in names]
        if page.url not in order:
            return ""
        place, links = order.index(page.url), []
        names = {self.urls[name]: name for _, _, names in self.groups for name in names}
        for step, label in ((-1, "Previous"), (1, "Next")):
            if 0 <= place + step < len(order):
                url = order[place + step]
                links.append(f'<a class="{label.lower()}" href="{href(page.url, url)}"><span>{label}</span>'
                             f"{escape(self.title(names[url]))}</a>")
        return "".join(links)

    def write(self, output, template):
        template = string.Template(template)
        for page in self.pages.values():
            contents = "".join(f'<li class="level-{level}"><a href="#{anchor}">{escape(text)}</a></li>'
                               for level, anchor, text in page.headings if level in (2, 3))
            text = template.substitute(
                title=escape(page.title), version=escape(self.version), layout=page.layout, body=page.body,
                root="../" * page.url.count("/"), navigation=self.navigation(page), neighbors=self.neighbors(page),
                source=escape(page.source),
                contents=f'<aside aria-label="On this page"><h2>On this page</h2><ul>{contents}</ul></aside>'
                if contents and page.layout == "guide" else "")
            self.file(output, page.url, text)
        # A script and not JSON, because a page that is opened from a disk may not fetch files.
        self.file(output, "search-index.js", "window.searchIndex = "
                  + json.dumps(self.index, ensure_ascii=False, separators=(",", ":")) + ";\n")
        for image in self.images:
            self.file(output, image, (self.root / image).read_bytes())

    def file(self, output, name, content):
        path = output / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
