"""The pages of the site: their addresses, their navigation, the search index, and how they are written."""

import dataclasses
import html
import json
import posixpath
import re
import string
import sys


@dataclasses.dataclass
class Page:
    url: str
    title: str
    body: str
    source: str = ""  # the file that the page shows
    layout: str = "guide"
    headings: list = dataclasses.field(default_factory=list)  # (level, id, text), for the column on the right
    entry: str = ""  # the address that the navigation marks, if the page itself is not in the navigation
    nested: str = ""  # a list below the marked entry


def escape(text):
    return html.escape(text, quote=True)


def href(page_url, url):
    """The relative link from a page to another page, or to an anchor of its own."""
    path, _, anchor = url.partition("#")
    if path == page_url and anchor:
        return f"#{anchor}"
    return posixpath.relpath(path, posixpath.dirname(page_url) or ".") + (f"#{anchor}" if anchor else "")


def entry(page_url, url, title, nested="", current=""):
    """An entry of the navigation."""
    current = f' aria-current="{current}"' if current else ""
    return f'<li><a href="{escape(href(page_url, url))}"{current}>{escape(title)}</a>{nested}</li>'


def subentries(page_url, links):
    """The list below an entry, for the pages that have no entry of their own: (address, title)."""
    return "<ul>" + "".join(
        entry(page_url, url, title, current="true" if url == page_url else "") for url, title in links) + "</ul>"


class Site:
    def __init__(self, root, files, settings):
        self.root, self.files, self.libraries = root, files, settings["libraries"]
        self.folders = {file[:match.start()] for file in files for match in re.finditer("/", file)}
        self.urls = {}  # the address of a file's page, or of what a link such as `doc:GettingStarted` names
        self.titles = {}  # the title of a file in the navigation, or of such a link
        self.symbols = {}  # the address of what a code span names
        self.doc_links = {}  # the address of the declaration that a DocC link names
        self.pages, self.images, self.linked, self.index = {}, set(), [], []
        self.groups = [(group["title"], group["summary"], self.listed(group["pages"])) for group in settings["groups"]]

    def listed(self, items):
        """The files of a group of the navigation. An item is a file, or a file with its title."""
        for item in items:
            self.titles.update(item if isinstance(item, dict) else {})
        return [name for item in items for name in (item if isinstance(item, dict) else [item])]

    def text(self, name):
        return (self.root / name).read_text()

    def heading(self, name):
        """The first heading of a page in Markdown, or the title of a tutorial."""
        match = re.search(r'(?m)^# (.+)|Intro\(title: "(.+?)"', self.text(name))
        return (match[1] or match[2]).replace("`", "")

    def complete_groups(self, names):
        """Adds the pages without a group to the last one. Fails if a listed page does not exist."""
        listed = [name for _, _, group in self.groups for name in group]
        if missing := [name for name in listed if name not in self.urls]:
            sys.exit(f"navigation.yaml lists pages that do not exist: {', '.join(missing)}")
        urls = {self.urls[name] for name in listed}
        self.groups[-1][2].extend(name for name in names if self.urls[name] not in urls)

    def add(self, page, sections=(), kind=""):
        """Adds a page, and its sections to the search: (anchor, heading, text). Their kind is by default the page's
        group."""
        self.pages[page.url] = page
        kind = kind or next((title for title, _, names in self.groups if page.source in names), "")
        for anchor, heading, text in sections:
            self.index.append([page.url + (f"#{anchor}" if anchor else ""), page.title, heading, text, kind])

    def resolve(self, source, link):
        """The address of what a link in a file leads to, or None if nothing is there. A file or folder of the
        repository gets a page when a link leads to it."""
        path, _, anchor = link.partition("#")
        target = posixpath.normpath(posixpath.join(posixpath.dirname(source), path)) if path else source
        if target.endswith((".svg", ".png", ".webp")) and target in self.files:
            self.images.add(target)
            return target
        if target not in self.urls:
            if target not in self.files and target not in self.folders:
                return None
            self.urls[target] = f"{target}/index.html" if target in self.folders else f"{target}.html"
            self.linked.append(target)
        return self.urls[target] + (f"#{anchor}" if anchor else "")

    def title(self, name):
        return self.titles.get(name) or self.pages[self.urls[name]].title

    def navigation(self, page):
        groups = []
        for title, _, names in self.groups:
            entries = ""
            for name in names:
                is_marked = self.urls[name] == (page.entry or page.url)
                entries += entry(page.url, self.urls[name], self.title(name), page.nested if is_marked else "",
                                 "page" if is_marked else "")
            groups.append(f"<details open><summary>{escape(title)}</summary><ul>{entries}</ul></details>")
        return "\n".join(groups)

    def neighbors(self, page):
        """Links to the pages before and after this one in the navigation."""
        order = [(self.urls[name], self.title(name)) for _, _, names in self.groups for name in names]
        place = next((place for place, (url, _) in enumerate(order) if url == page.url), None)
        links = ""
        for step, label in ((-1, "Previous"), (1, "Next")):
            if place is not None and 0 <= place + step < len(order):
                url, title = order[place + step]
                links += (f'<a class="{label.lower()}" href="{href(page.url, url)}"><span>{label}</span>'
                          f"{escape(title)}</a>")
        return links

    def contents(self, page):
        links = "".join(f'<li class="level-{level}"><a href="#{escape(anchor)}">{escape(text)}</a></li>'
                        for level, anchor, text in page.headings if level in (2, 3))
        if not links or page.layout != "guide":
            return ""
        return f'<aside aria-label="On this page"><h2>On this page</h2><ul>{links}</ul></aside>'

    def write(self, output, version, template):
        template = string.Template(template)
        for page in self.pages.values():
            self.write_file(output, page.url, template.substitute(
                title=escape(page.title), version=escape(version), layout=page.layout, body=page.body,
                root="../" * page.url.count("/"), navigation=self.navigation(page), neighbors=self.neighbors(page),
                contents=self.contents(page), source=escape(page.source)).encode())
        # A script and not JSON, because a page that is opened from a disk may not fetch files.
        index = json.dumps(self.index, ensure_ascii=False, separators=(",", ":"))
        self.write_file(output, "search-index.js", f"window.searchIndex = {index};\n".encode())
        for image in self.images:
            self.write_file(output, image, (self.root / image).read_bytes())

    def write_file(self, output, name, content):
        path = output / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
