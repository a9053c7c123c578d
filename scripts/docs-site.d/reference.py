"""The reference of the Swift libraries: a page for each library, and one for each of its types."""

import re
import textwrap

from guides import block
from site_pages import Page, escape, href
from swift_reader import TYPES, Reader

KINDS = {"struct": "Structure", "class": "Class", "enum": "Enumeration", "protocol": "Protocol", "actor": "Actor",
         "extension": "Extension", "func": "Function", "var": "Variable", "let": "Constant", "typealias": "Type alias"}
GROUPS = ("Cases", "Initializers", "Type members", "Properties", "Methods")


def group(declaration):
    if declaration.keyword == "case":
        return "Cases"
    if declaration.keyword == "init":
        return "Initializers"
    if re.search(r"\b(static|class)\b", declaration.text.split(declaration.keyword)[0]):
        return "Type members"
    return "Methods" if declaration.keyword in ("func", "subscript") else "Properties"


def described(comment):
    """A comment with its fields, such as `- Parameter name:`, as a list."""
    comment = re.sub(r"(?m)^- Parameters:\n((?:\s+- .*\n?|\s{4,}.*\n?)*)", lambda match: textwrap.dedent(match[1]), comment)
    comment = re.sub(r"(?m)^- (?:Parameter )?(\w+): ", lambda match: f"- **{match[1]}:** " if match[1] in (
        "Returns", "Throws", "Note", "Important") else f"- `{match[1]}`: ", comment)
    return re.sub(r"(?m)(?<!\n)^(- )", r"\n\1", comment, count=1)


def first_sentence(comment):
    return re.split(r"(?<=[.!?])\s+(?=[A-Z`])", " ".join(comment.split("\n\n")[0].split()), maxsplit=1)[0]


def availability(declaration):
    if declaration.available:
        return declaration.available.removesuffix(", *").replace(", ", " · ")
    frameworks = re.findall(r"canImport\((\w+)\)", declaration.condition)
    return f"with {' or '.join(frameworks)}" if frameworks else ""


class Library:
    def __init__(self, site, name):
        self.site, self.name, self.source = site, name, f"docs/api/{name}.txt"
        self.folder = f"reference/{name}"
        self.catalog = f"Sources/{name}/{name}.docc/{name}.md"
        internal, found = set(), []
        for file in site.files:
            if file.startswith(f"Sources/{name}/") and file.endswith(".swift") and ".docc/" not in file:
                reader = Reader((site.root / file).read_text())
                internal |= reader.internal
                found += reader.declarations
        public = [declaration for declaration in found
                  if not any(declaration.path[:end] in internal for end in range(1, len(declaration.path) + 1))]
        self.types = {declaration.path: declaration for declaration in public if declaration.keyword in TYPES}
        self.declarations = self.without_defaults(public)
        self.conformances = {}
        for line in (site.root / self.source).read_text().splitlines():
            if " : " in line and " | " not in line:
                self.conformances.setdefault(line.split(" : ")[0], []).append(line.split(" : ")[1])
        site.urls[self.source] = site.urls[self.catalog] = f"{self.folder}/index.html"
        self.owners = {}
        for declaration in self.declarations:
            alone = len(declaration.path) == 1 and declaration.keyword not in TYPES | {"typealias"}
            self.owners.setdefault("Globals" if alone else declaration.path[0], []).append(declaration)
        self.name_symbols()

    def without_defaults(self, declarations):
        """Leaves out the default implementations of a protocol's requirements."""
        seen, kept = set(), []
        for declaration in sorted(declarations, key=lambda other: other.keyword not in TYPES):
            owner = self.types.get(declaration.path[:-1])
            key = declaration.name
            if not (owner and owner.keyword == "protocol" and key in seen):
                kept.append(declaration)
            seen.add(key)
        return kept

    def url(self, declaration):
        owner, anchor = declaration.path[0], ".".join(declaration.path[1:])
        if len(declaration.path) == 1 and declaration.keyword not in TYPES | {"typealias"}:
            owner, anchor = "Globals", owner
        return f"{self.folder}/{owner}.html" + (f"#{anchor}" if anchor else "")

    def name_symbols(self):
        """Names the declarations for links. A code span leads to them too, unless the name is one of UIKit's."""
        for declaration in sorted(self.declarations, key=lambda other: (other.path[0],) not in self.types):
            names = {declaration.name}
            if len(declaration.path) > 1 and not declaration.name.endswith(")"):
                names.add(declaration.name.split("(")[0])
            if (declaration.path[0],) not in self.types and declaration.keyword == "func":
                names.add(declaration.path[-1].split("(")[0])
            elif len(declaration.path) > 1:
                names.add(declaration.name.split("(")[0])
            for name in names:
                self.site.links.setdefault(name, self.url(declaration))
                if self.name != "PlacekeeperStandIns":
                    self.site.symbols.setdefault(name, self.url(declaration))

    def pages(self, markdown):
        for owner, declarations in self.owners.items():
            self.page(owner, declarations, markdown)
        self.front(markdown)

    def nested(self, url):
        """The types of the library, for the navigation."""
        links = [f'<li><a href="{href(url, f"{self.folder}/{owner}.html")}"'
                 + (' aria-current="true"' if url == f"{self.folder}/{owner}.html" else "") + f">{escape(owner)}</a></li>"
                 for owner in sorted(self.owners)]
        return f"<ul>{''.join(links)}</ul>"

    def kind(self, owner):
        declaration = self.types.get((owner,))
        return KINDS[declaration.keyword] if declaration else "Functions" if owner == "Globals" else "Extension"

    def front(self, markdown):
        """The page of the library: the article of its catalog, and its types."""
        url, site = f"{self.folder}/index.html", self.site
        article = f"# {self.name}\n\n{site.libraries.get(self.name, '')}\n"
        if self.catalog in site.files:
            article, _, topics = (site.root / self.catalog).read_text().partition("\n## Topics\n")
            article = article.replace("``", "", 2) + "\n"
        text = markdown.render(article, self.catalog, url, ())
        body, headings = text.html, text.headings
        for title in ("Protocol", "Class", "Actor", "Structure", "Enumeration", "Type alias", "Extension", "Functions"):
            owners = sorted(owner for owner in self.owners if self.kind(owner) == title)
            if not owners:
                continue
            plural = {"Class": "Classes", "Type alias": "Type aliases", "Functions": "Functions"}.get(title, f"{title}s")
            rows = "".join(
                f'<dt><a href="{href(url, f"{self.folder}/{owner}.html")}"><code>{escape(owner)}</code></a></dt>'
                f"<dd>{self.summary(owner, markdown, url)}</dd>" for owner in owners)
            anchor = plural.lower().replace(" ", "-")
            headings.append((2, anchor, plural))
            body += f'<h2 id="{anchor}">{plural}</h2><dl class="list">{rows}</dl>'
        site.add(Page(url, self.name, body, self.source, headings=headings, nested=self.nested(url)), text.sections, "Swift")

    def summary(self, owner, markdown, url):
        declaration = self.types.get((owner,)) or next((one for one in self.owners[owner] if len(one.path) == 1), None)
        if declaration and owner != "Globals":
            return markdown.brief(first_sentence(declaration.comment), "", url, declaration.path)
        names = sorted({one.path[-1].split("(")[0] for one in self.owners[owner]})
        return ", ".join(f"<code>{escape(name)}</code>" for name in names[:8]) + (" …" if len(names) > 8 else "")

    def page(self, owner, declarations, markdown):
        """The page of a type, with the types inside it."""
        url, headings, sections = f"{self.folder}/{owner}.html", [], []
        title = owner if owner != "Globals" else f"Functions of {self.name}"
        own = self.types.get((owner,)) or next((one for one in declarations if one.path == (owner,) and owner != "Globals"), None)
        body = f'<p class="kind">{self.name} · {self.kind(owner)}</p><h1>{escape(title)}</h1>'
        nested = {path: one for path, one in self.types.items() if path[0] == owner and len(path) > 1}
        members = {}
        for one in declarations:
            if one is not own and one.path not in nested:
                inner = next((one.path[:end] for end in range(len(one.path) - 1, 1, -1) if one.path[:end] in nested), (owner,))
                members.setdefault(inner, []).append(one)
        if own:
            body += self.head(own, markdown, url)
            sections.append(("", owner, own.comment))
        for path in [(owner,), *sorted(nested)]:
            if path in nested:
                anchor = ".".join(path[1:])
                headings.append((2, anchor, anchor))
                body += f'<h2 id="{anchor}"><code>{escape(".".join(path))}</code></h2>{self.head(nested[path], markdown, url)}'
                sections.append((anchor, ".".join(path), nested[path].comment))
            body += self.members(members.get(path, []), path in nested, markdown, url, headings, sections)
        sections = [(anchor, name, " ".join(comment.replace("`", "").split())) for anchor, name, comment in sections]
        self.site.add(Page(url, title, body, headings=headings, entry=f"{self.folder}/index.html",
                           nested=self.nested(url)), sections, "Swift")

    def head(self, declaration, markdown, url):
        """A type's declaration, its comment and its protocols."""
        protocols = ", ".join(markdown.brief(f"`{name}`", "", url) for name in self.conformances.get(declaration.name, []))
        return (self.declared(declaration, "") + markdown.render(described(declaration.comment), "", url, declaration.path).html
                + (f'<p class="protocols">Conforms to {protocols}</p>' if protocols else ""))

    def declared(self, declaration, anchor):
        note = availability(declaration)
        link = f'<a class="anchor" href="#{escape(anchor)}" aria-label="Link to this declaration">#</a>' if anchor else ""
        return (f'<div class="declaration">{block(declaration.text, "swift")}'
                + (f'<span class="available">{escape(note)}</span>' if note else "") + link + "</div>")

    def members(self, declarations, is_nested, markdown, url, headings, sections):
        body, used = "", {}
        overrides = [one for one in declarations if not one.comment and "override" in one.text]
        for title in GROUPS:
            ones = [one for one in declarations if group(one) == title and one not in overrides]
            if ones and not is_nested:
                headings.append((2, title.lower().replace(" ", "-"), title))
                body += f'<h2 id="{title.lower().replace(" ", "-")}">{title}</h2>'
            for one in ones:
                name = ".".join(one.path[1:]) or one.path[0]
                used[name] = used.get(name, 0) + 1
                anchor = name if used[name] == 1 else f"{name}-{used[name]}"
                if not is_nested:
                    headings.append((3, anchor, one.path[-1]))
                sections.append((anchor, one.name, one.comment))
                text = markdown.render(described(one.comment), "", url, one.path).html
                body += f'<section class="member" id="{escape(anchor)}">{self.declared(one, anchor)}{text}</section>'
        if overrides:
            names = ", ".join(f"<code>{escape(one.path[-1])}</code>" for one in overrides)
            body += f"<p>Overrides {names}.</p>"
        return body
