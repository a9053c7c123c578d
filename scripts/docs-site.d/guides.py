"""The guides and records, in Markdown as GitHub renders it, with links to the pages of the site."""

import dataclasses
import re

import pygments
from markdown_it import MarkdownIt
from markdown_it.token import Token
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

import tutorial
from pages import Page, escape, href, subentries

DECISIONS = "docs/decisions/README.md"


@dataclasses.dataclass
class Text:
    html: str
    headings: list  # (level, id, text)
    sections: list  # (id, heading, text), for the search


def highlight(code, language):
    """Code as HTML, in spans with the classes of Pygments."""
    try:
        lexer = get_lexer_by_name(language or "text", stripnl=False)
    except ClassNotFound:
        return escape(code)
    return pygments.highlight(code, lexer, HtmlFormatter(nowrap=True))


def block(code, language, new=()):
    """A block of code, in which the lines with the numbers `new` are marked."""
    lines = highlight(code, language).rstrip("\n").split("\n")
    text = "\n".join(f"<ins>{line}</ins>" if number in new else line for number, line in enumerate(lines))
    return f'<pre class="code" tabindex="0"><code>{text}</code></pre>'


def anchor_of(heading, used):
    """The anchor that GitHub gives to a heading."""
    base = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
    name = next(name for count in range(len(used) + 1) if (name := f"{base}-{count}" if count else base) not in used)
    used.add(name)
    return name


def html_token(content):
    return Token("html_inline", "", 0, content=content)


class Markdown:
    def __init__(self, site):
        self.site = site
        self.parser = MarkdownIt("commonmark", {"highlight": lambda code, language, _: block(code, language)})
        self.parser.enable(["table", "strikethrough"])
        self.parser.add_render_rule("code_block", lambda _, tokens, index, *__: block(tokens[index].content, "text"))
        self.parser.add_render_rule("table_open", lambda *_: '<div class="wide" tabindex="0"><table>')
        self.parser.add_render_rule("table_close", lambda *_: "</table></div>")

    def render(self, text, source, url, scope=()):
        """Renders the text of a file for the page `url`. `scope` is where DocC looks for the names of its links."""
        tokens, used = self.parser.parse(text), set()
        headings, sections = [], [("", "", [])]
        for index, token in enumerate(tokens):
            if token.type == "heading_open":
                heading = tokens[index + 1]
                title = "".join(child.content for child in heading.children)
                level, anchor = int(token.tag[1]), anchor_of(title, used)
                token.attrSet("id", anchor)
                headings.append((level, anchor, title))
                sections.append((anchor if level > 1 else "", title, []))
                heading.children.append(
                    html_token(f'<a class="anchor" href="#{anchor}" aria-label="Link to this section">#</a>'))
            elif token.type in ("fence", "code_block"):
                sections[-1][2].append(token.content)
            elif token.type == "inline" and tokens[index - 1].type != "heading_open":
                sections[-1][2].append(" ".join(
                    child.content for child in token.children if child.type in ("text", "code_inline")))
            if token.children:
                token.children = self.inline(token.children, source, url, scope)
            elif token.type == "html_block":
                token.content = self.html(token.content, source, url)
        html = self.parser.renderer.render(tokens, self.parser.options, {}).replace("<th></th>", "<td></td>")
        return Text(
            html, headings,
            [(anchor, title, " ".join(" ".join(parts).split())) for anchor, title, parts in sections if title or parts])

    def brief(self, text, source, url, scope=()):
        """Renders one paragraph without its element."""
        return self.render(text, source, url, scope).html.strip().removeprefix("<p>").removesuffix("</p>")

    def inline(self, children, source, url, scope):
        """The parts of a line, with links that work in the site, and code spans that lead to what they name."""
        result, link = [], None
        for token in children:
            if token.type == "link_open":
                link = token.attrGet("href")
                token.attrSet("href", self.link(link, source, url))
            elif token.type == "link_close":
                link = None
            elif token.type == "text" and link == token.content:
                token.content = self.site.titles.get(link, link)
            elif token.type == "image":
                token.attrSet("src", self.image(token.attrGet("src"), source, url))
            elif token.type == "html_inline":
                token.content = self.html(token.content, source, url)
            elif token.type == "code_inline" and not link:
                token = self.code_span(token, url, scope)
            result.append(token)
        return result

    def code_span(self, token, url, scope):
        """A code span that leads to what it names. Two backticks are a link of DocC, such as ``Offer/place``, which may
        leave out the names of the types around it."""
        name, target = token.content, self.site.symbols.get(token.content)
        if token.markup == "``":
            dotted, name = name.replace("/", "."), name.split("/")[-1]
            around = [".".join([*scope[:count], dotted]) for count in range(len(scope), -1, -1)]
            target = next((self.site.doc_links[full] for full in around if full in self.site.doc_links), None)
        code = f"<code>{escape(name)}</code>"
        if target and target != url:
            code = f'<a class="symbol" href="{escape(href(url, target))}">{code}</a>'
        return html_token(code)

    def link(self, link, source, url):
        if re.match(r"https?:|mailto:", link):
            return link
        target = self.site.urls.get(link) if link.startswith("doc:") else self.site.resolve(source, link)
        return href(url, target) if target else link

    def image(self, name, source, url):
        """The address of an image. DocC leaves out the folder and the extension."""
        if ".docc/" in source:
            folder = source[:source.index(".docc/")] + ".docc/Resources/"
            names = [f"{folder}{name}{extension}" for extension in ("", ".svg", ".png")]
            source, name = "", next((file for file in names if file in self.site.files), name)
        target = self.site.resolve(source, name)
        return href(url, target) if target else name

    def html(self, text, source, url):
        text = re.sub(r'(?<=src=")[^"]+', lambda match: self.image(match[0], source, url), text)
        return re.sub(r'(?<=href=")[^"]+', lambda match: self.link(match[0], source, url), text)


def is_record(name):
    return name.startswith("docs/decisions/") and name != DECISIONS


class Guides:
    """All pages in Markdown, and the tutorials."""

    def __init__(self, site, markdown):
        self.site, self.markdown = site, markdown
        self.names = [file for file in site.files if re.fullmatch(
            r"(?:docs/(?:decisions/)?)?[^/]+\.md|Sources/.*\.docc/.*\.(?:md|tutorial)", file)]
        for name in self.names:
            site.urls[name] = "index.html" if name == "README.md" else re.sub(r"\.\w+$", ".html", name)
            if ".docc/" in name:
                link = "doc:" + re.sub(r".*/|\.\w+$", "", name)
                site.urls[link], site.titles[link] = site.urls[name], site.heading(name)

    def in_navigation(self):
        """The pages that belong into the navigation: the records and the tables of contents of tutorials do not."""
        return [name for name in self.names if not is_record(name) and not name.endswith("/Tutorials.tutorial")]

    def add_pages(self, libraries):
        for name in self.names:
            if name not in libraries:
                self.add_page(name)

    def add_page(self, name):
        url = self.site.urls[name]
        source = self.site.text(name)
        if name.endswith(".tutorial"):
            source = tutorial.markdown(source, self.tutorial_code(name[:name.index(".docc/")] + ".docc/Resources/"))
        text = self.markdown.render(source, name, url)
        page = Page(url, self.site.heading(name), text.html, name, headings=text.headings)
        if is_record(name) or name == DECISIONS:
            page.entry = self.site.urls[DECISIONS]
            page.nested = subentries(url, [
                (self.site.urls[record], self.site.heading(record)) for record in self.names if is_record(record)])
        if name == "README.md":
            page.body = page.body.replace("<h2", self.cards(url) + "<h2", 1)
        kind = "Decision" if is_record(name) else "Changelog" if name == "CHANGELOG.md" else ""
        self.site.add(page, text.sections, kind)

    def cards(self, url):
        """Links to the groups of the navigation, for the first page."""
        cards = ""
        for title, summary, names in self.site.groups:
            first = next(self.site.urls[name] for name in names if self.site.urls[name] != url)
            cards += f'<a class="card" href="{first}"><b>{escape(title)}</b><span>{escape(summary)}</span></a>'
        return f'<div class="cards">{cards}</div>'

    def tutorial_code(self, folder):
        """Returns a function that shows a file of a tutorial, with marks at the lines that the file before it lacks."""
        before = []

        def show(name):
            lines = self.site.text(folder + name).rstrip().split("\n")
            new = [number for number, line in enumerate(lines) if before and line not in before]
            before[:] = lines
            return block("\n".join(lines), "swift", new)

        return show
