"""The reference of the Swift libraries: a page for each library, and one for each of its types."""

import re
import textwrap

from guides import block
from pages import Page, escape, href, subentries
from swift_reader import TYPES, Reader, closing, split

KINDS = {"protocol": "Protocols", "class": "Classes", "actor": "Actors", "struct": "Structures", "enum": "Enumerations",
         "typealias": "Type aliases", "extension": "Extensions", "func": "Functions"}
GROUPS = ("Cases", "Initializers", "Type members", "Properties", "Methods")
# The page of the declarations outside of types.
GLOBALS = "Functions"
# The library whose types have the names of UIKit's.
STAND_INS = "PlacekeeperStandIns"


def group(declaration):
    if declaration.keyword in ("case", "init"):
        return "Cases" if declaration.keyword == "case" else "Initializers"
    if re.search(r"\b(static|class)\b", declaration.text.split(declaration.keyword)[0]):
        return "Type members"
    return "Methods" if declaration.keyword in ("func", "subscript") else "Properties"


def described(comment):
    """A comment in Markdown, in which the fields of DocC, such as `- Parameter name:`, are items of a list."""
    comment = re.sub(r"(?m)^- Parameters:\n((?:\s+.*\n?)*)", lambda match: textwrap.dedent(match[1]), comment)
    comment = re.sub(r"(?m)^- (Returns|Throws|Note|Important): ", r"- **\1:** ", comment)
    comment = re.sub(r"(?m)^- (?:Parameter )?(\w+): ", r"- `\1`: ", comment)
    return re.sub(r"(?m)(?<!\n)^- ", "\n- ", comment, count=1)


def summary(comment):
    """The first sentence of a comment."""
    paragraph = " ".join(comment.split("\n\n")[0].split())
    return re.split(r"(?<=[.!?]) (?=[A-Z`])", paragraph, maxsplit=1)[0]


def laid_out(declaration):
    """The text of a declaration, with a line for each parameter if it is long."""
    text = declaration.text
    start = text.find("(", text.find(f"{declaration.keyword} ") if declaration.keyword != "init" else text.find("init"))
    first = text.rfind("\n", 0, start) + 1
    if declaration.keyword not in ("func", "init") or len(" ".join(text[first:].split())) < 80:
        return text
    end = closing(text, start)
    parameters = ",\n".join("    " + " ".join(parameter.split()) for parameter in split(text[start + 1:end]))
    return f"{text[:start + 1]}\n{parameters}\n{' '.join(text[end:].split())}"


def availability(declaration):
    if declaration.available:
        return declaration.available.removesuffix(", *").replace(", ", " · ")
    frameworks = re.findall(r"canImport\((\w+)\)", declaration.condition)
    return f"with {' or '.join(frameworks)}" if frameworks else ""


class Library:
    def __init__(self, site, name):
        self.site, self.name, self.source = site, name, f"docs/api/{name}.txt"
        self.catalog = f"Sources/{name}/{name}.docc/{name}.md"
        readers = [Reader(site.text(file)) for file in site.files
                   if re.fullmatch(rf"Sources/{name}/(?!.*\.docc/).*\.swift", file)]
        internal = {path for reader in readers for path in reader.internal}
        public = [declaration for reader in readers for declaration in reader.declarations
                  if not any(declaration.path[:end] in internal for end in range(1, len(declaration.path) + 1))]
        self.types = {declaration.path: declaration for declaration in public if declaration.keyword in TYPES}
        self.declarations = self.without_defaults(public)
        self.owners = {}  # the declarations of each page
        for declaration in self.declarations:
            self.owners.setdefault(self.owner(declaration), []).append(declaration)
        self.protocols = {}  # by the names of types
        for line in site.text(self.source).splitlines():
            if match := re.fullmatch(r"(\S+) : (.+)", line):
                self.protocols.setdefault(match[1], []).append(match[2])
        for file in (self.source, self.catalog, f"doc:{name}"):
            site.urls[file] = self.url("index")

    def without_defaults(self, declarations):
        """Leaves out the default implementations of a protocol's requirements."""
        protocols = {path for path, declaration in self.types.items() if declaration.keyword == "protocol"}
        seen, kept = set(), []
        for declaration in sorted(declarations, key=lambda one: one.in_extension):
            is_default = declaration.in_extension and declaration.path[:-1] in protocols and declaration.path in seen
            if not is_default:
                kept.append(declaration)
                seen.add(declaration.path)
        return kept

    def owner(self, declaration):
        """The name of the page of a declaration."""
        is_alone = len(declaration.path) == 1 and declaration.keyword not in TYPES | {"typealias"}
        return GLOBALS if is_alone else declaration.path[0]

    def url(self, owner, anchor=""):
        return f"reference/{self.name}/{owner}.html" + (f"#{anchor}" if anchor else "")

    def anchor(self, declaration):
        return ".".join(declaration.path[self.owner(declaration) != GLOBALS:])

    def name_symbols(self, libraries):
        """Names the declarations, for links to them. A code span such as `View` does not mean a stand-in."""
        own = {path for library in libraries if library.name != STAND_INS for path in library.types}
        for declaration in sorted(self.declarations, key=lambda one: one.in_extension):
            names, modifier = {declaration.name}, declaration.path[-1].split("(")[0]
            if len(declaration.path) > 1:
                names.add(declaration.name.split("(")[0])
            if declaration.path[:1] not in own and re.search("[a-z][A-Z]", modifier):
                names.add(modifier)  # such as `keepsPlace`, which extends a view of SwiftUI
            for name in names:
                url = self.url(self.owner(declaration), self.anchor(declaration))
                self.site.doc_links.setdefault(name, url)
                if self.name != STAND_INS:
                    self.site.symbols.setdefault(name, url)

    def add_pages(self, markdown):
        self.markdown = markdown
        for owner, declarations in self.owners.items():
            self.add_page(owner, declarations)
        self.add_front_page()

    def kind(self, owner):
        declaration = self.types.get((owner,)) or self.alias(owner)
        return KINDS[declaration.keyword] if declaration else "Functions" if owner == GLOBALS else "Extensions"

    def alias(self, owner):
        return next((one for one in self.owners[owner] if one.path == (owner,) and one.keyword == "typealias"), None)

    def nested(self, url):
        return subentries(url, [(self.url(owner), owner) for owner in sorted(self.owners)])

    def add_front_page(self):
        """The page of the library: the article of its DocC catalog without the topics, and all types."""
        url, article = self.url("index"), f"# {self.name}\n\n{self.site.libraries.get(self.name, '')}"
        if self.catalog in self.site.files:
            article = self.site.text(self.catalog).split("\n## Topics\n")[0].replace("``", "", 2)
        text = self.markdown.render(article, self.catalog, url)
        body = text.html
        for title in KINDS.values():
            owners = [owner for owner in sorted(self.owners) if self.kind(owner) == title]
            rows = "".join(f'<dt><a href="{href(url, self.url(owner))}"><code>{escape(owner)}</code></a></dt>'
                           f"<dd>{self.summary(owner, url)}</dd>" for owner in owners)
            if rows:
                anchor = title.lower().replace(" ", "-")
                text.headings.append((2, anchor, title))
                body += f'<h2 id="{anchor}">{title}</h2><dl class="list">{rows}</dl>'
        self.site.add(Page(url, self.name, body, self.source, headings=text.headings, nested=self.nested(url)),
                      text.sections, "Swift")

    def summary(self, owner, url):
        if declaration := self.types.get((owner,)) or self.alias(owner):
            return self.markdown.brief(summary(declaration.comment), "", url, declaration.path)
        names = sorted({one.path[-1].split("(")[0] for one in self.owners[owner]})
        return ", ".join(f"<code>{escape(name)}</code>" for name in names[:8]) + (" …" if len(names) > 8 else "")

    def add_page(self, owner, declarations):
        """The page of a type, with the types inside it."""
        page = Page(self.url(owner), owner, "", entry=self.url("index"), nested=self.nested(self.url(owner)))
        page.title = f"{owner} of {self.name}" if owner == GLOBALS else owner
        declaration = self.types.get((owner,)) or self.alias(owner)
        kind = declaration.keyword if declaration else "functions" if owner == GLOBALS else "extension"
        page.body = (f'<p class="kind"><a href="{href(page.url, page.entry)}">{self.name}</a> · {kind}</p>'
                     f"<h1>{escape(page.title)}</h1>")
        inner = {path: one for path, one in self.types.items() if path[0] == owner}
        members = {path: [] for path in [(owner,), *sorted(inner)]}
        for one in declarations:
            if one.path not in inner:
                around = [one.path[:end] for end in range(len(one.path) - 1, 1, -1)]
                members[next((path for path in around if path in inner), (owner,))].append(one)
        sections = []
        for path, ones in members.items():
            anchor = ".".join(path[1:])
            if anchor:
                page.headings.append((2, anchor, anchor))
                page.body += f'<h2 id="{anchor}"><code>{escape(".".join(path))}</code></h2>'
            if path in inner:
                page.body += self.head(inner[path], page.url)
                sections.append((anchor, inner[path]))
            page.body += self.members(ones, bool(anchor), page, sections)
        self.site.add(page, [
            (anchor, one.name, " ".join(one.comment.replace("`", "").split())) for anchor, one in sections], "Swift")

    def head(self, declaration, url):
        """The declaration of a type, its comment, and the protocols that the declaration does not name."""
        protocols = ", ".join(
            self.markdown.brief(f"`{name}`", "", url) for name in self.protocols.get(declaration.name, [])
            if not re.search(rf"\b{re.escape(name)}\b", declaration.text))
        text = self.markdown.render(described(declaration.comment), "", url, declaration.path)
        return (self.declared(declaration) + text.html
                + (f'<p class="protocols">Also conforms to {protocols}</p>' if protocols else ""))

    def declared(self, declaration, anchor=""):
        note = availability(declaration)
        link = f'<a class="anchor" href="#{escape(anchor)}" aria-label="Link to this declaration">#</a>'
        link = link if anchor else ""
        note = f'<p class="available">{escape(note)}</p>' if note else ""
        return f'<div class="declaration">{link}{block(laid_out(declaration), "swift")}{note}</div>'

    def members(self, declarations, is_nested, page, sections):
        """The members of a type, by their groups."""
        body, used = "", set()
        overrides = [one for one in declarations if not one.comment and re.search(r"\boverride\b", one.text)]
        for title in GROUPS:
            ones = [one for one in declarations if group(one) == title and one not in overrides]
            if ones and not is_nested:
                page.headings.append((2, title.lower().replace(" ", "-"), title))
                body += f'<h2 id="{title.lower().replace(" ", "-")}">{title}</h2>'
            for one in ones:
                name = self.anchor(one)
                anchor = next(text for count in range(1, len(ones) + 2)
                              if (text := f"{name}-{count}" if count > 1 else name) not in used)
                used.add(anchor)
                if not is_nested:
                    page.headings.append((3, anchor, one.path[-1]))
                sections.append((anchor, one))
                text = self.markdown.render(described(one.comment), "", page.url, one.path).html
                body += f'<section class="member" id="{escape(anchor)}">{self.declared(one, anchor)}{text}</section>'
        names = dict.fromkeys(name for one in overrides if (name := self.anchor(one)) not in used)
        links = ", ".join(f'<code id="{escape(name)}">{escape(name)}</code>' for name in names)
        return body + (f"<p>Overrides {links}.</p>" if names else "")
