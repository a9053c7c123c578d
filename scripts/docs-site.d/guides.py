"""Renders Markdown as GitHub does, with links to the pages of the site."""

import dataclasses
import re

from markdown_it import MarkdownIt
from markdown_it.token import Token
import pygments
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

from site_pages import escape, href


@dataclasses.dataclass
class Text:
    html: str
    headings: list  # (level, id, text)
    sections: list  # (id, heading, text) for the search


def highlight(code, language):
    """Code as HTML, in spans with the classes of Pygments."""
    try:
        lexer = get_lexer_by_name(language or "text", stripnl=False)
    except ClassNotFound:
        return escape(code)
    return pygments.highlight(code, lexer, HtmlFormatter(nowrap=True))


def block(code, language, new=()):
    """A block of code, in which the new lines are marked."""
    lines = highlight(code, language).rstrip("\n").split("\n")
    text = "\n".join(f"<ins>{line}</ins>" if number in new else line for number, line in enumerate(lines))
    return f'<pre class="code" tabindex="0"><code>{text}</code></pre>'


def slug(text, used):
    """The anchor that GitHub gives to a heading."""
    base = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
    name, count = base, 0
    while name in used:
        count += 1
        name = f"{base}-{count}"
    used.add(name)
    return name


class Markdown:
    def __init__(self, site):
        self.site = site
        self.parser = MarkdownIt("commonmark", {"highlight": lambda code, language, _: block(code, language)})
        self.parser.enable(["table", "strikethrough"])
        self.parser.add_render_rule("table_open", lambda *_: '<div class="wide" tabindex="0"><table>')
        self.parser.add_render_rule("table_close", lambda *_: "</table></div>")

    def render(self, text, source, url, scope=()):
        """Renders the text of a file for the page `url`. `scope` are the names in which DocC's links are looked up."""
        tokens = self.parser.parse(text)
        used, headings, sections = set(), [], [("", "", [])]
        for index, token in enumerate(tokens):
            if token.type == "heading_open":
                inline = tokens[index + 1]
                title = "".join(child.content for child in inline.children)
                anchor, level = slug(title, used), int(token.tag[1])
                token.attrSet("id", anchor)
                headings.append((level, anchor, title))
                sections.append((anchor if level > 1 else "", title, []))
                inline.children.append(html_token(f'<a class="anchor" href="#{anchor}" aria-label="Link to this section">#</a>'))
            elif token.type in ("inline", "fence", "code_block"):
                if token.children is None:
                    sections[-1][2].append(token.content)
                elif tokens[index - 1].type != "heading_open":
                    sections[-1][2].append("".join(
                        " " if child.type in ("softbreak", "hardbreak") else child.content for child in token.children
                        if child.type != "html_inline"))
            if token.children:
                token.children = self.inline(token.children, source, url, scope)
            if token.type == "html_block":
                token.content = self.links_of_html(token.content, source, url)
        html = self.parser.renderer.render(tokens, self.parser.options, {})
        return Text(html, headings, [(anchor, title, " ".join(" ".join(parts).split())) for anchor, title, parts in sections])

    def brief(self, text, source, url, scope=()):
        """Renders one paragraph without its element."""
        return self.render(text, source, url, scope).html.strip().removeprefix("<p>").removesuffix("</p>")

    def inline(self, children, source, url, scope):
        """The parts of a line, with links that work in the site, and code spans that lead to what they name."""
        result, in_link = [], None
        for token in children:
            if token.type == "link_open":
                in_link = token.attrGet("href")
                token.attrSet("href", self.link(in_link, source, url))
            elif token.type == "text" and in_link == token.content and in_link in self.site.titles:
                token.content = self.site.titles[in_link]
            elif token.type == "link_close":
                in_link = None
            elif token.type == "image":
                token.attrSet("src", self.image(token.attrGet("src"), source, url))
            elif token.type == "html_inline":
                token.content = self.links_of_html(token.content, source, url)
            elif token.type == "code_inline" and not in_link:
                target = self.symbol(token.content, scope, token.markup == "``")
                name = token.content.rsplit("/", 1)[-1] if token.markup == "``" else token.content
                code = f"<code>{escape(name)}</code>"
                if target and target != url:
                    code = f'<a class="symbol" href="{escape(href(url, target))}">{code}</a>'
                token = html_token(code)
            result.append(token)
        return result

    def symbol(self, name, scope, is_link):
        """The address of what a code span names. DocC's links (two backticks) may leave out the names around."""
        name = name.replace("/", ".") if is_link else name
        for count in range(len(scope), 0, -1) if is_link else ():
            target = self.site.links.get(".".join([*scope[:count], name]))
            if target:
                return target
        return (self.site.links if is_link else self.site.symbols).get(name)

    def link(self, link, source, url):
        if link.startswith("doc:"):
            return href(url, self.site.urls.get(link, f"missing:{link}"))
        if "://" in link or link.startswith("mailto:"):
            return link
        target = self.site.resolve(source, link)
        return href(url, target) if target else link

    def image(self, name, source, url):
        if "/" not in name and source.count(".docc/"):
            folder = source[:source.index(".docc/") + 6] + "Resources/"
            name = next((file for file in self.site.files if file.startswith((f"{folder}{name}.", folder + name))), name)
            source = ""
        target = self.site.resolve(source, name)
        return href(url, target) if target else name

    def links_of_html(self, html, source, url):
        html = re.sub(r'(?<=src=")[^"]+', lambda match: self.image(match[0], source, url), html)
        return re.sub(r'(?<=href=")[^"]+', lambda match: self.link(match[0], source, url), html)


def html_token(content):
    token = Token("html_inline", "", 0)
    token.content = content
    return token
