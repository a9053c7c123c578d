"""Turns a tutorial of DocC into Markdown: https://www.swift.org/documentation/docc/building-an-interactive-tutorial."""

import re
import textwrap

DIRECTIVE = re.compile(r"\s*@(\w+)(?:\((.*?)\))?\s*(\{)?\s*$")


def arguments(text):
    return {name: value.strip('"') for name, value in re.findall(r'(\w+):\s*("[^"]*"|[^\s,]+)', text or "")}


def markdown(text, code_of):
    """The tutorial as Markdown. `code_of` returns a code file as HTML."""
    parts, paragraph = [], []

    def end_paragraph():
        parts.append(textwrap.dedent("\n".join(paragraph)))
        paragraph.clear()

    for line in text.split("\n"):
        match = DIRECTIVE.match(line)
        if not match and line.strip() != "}":
            paragraph.append(line)
            continue
        end_paragraph()
        if not match:
            continue
        name, given = match[1], arguments(match[2])
        if name == "Intro":
            parts.append(f"# {given['title']}")
        elif name in ("Section", "Chapter"):
            parts.append(f"## {given.get('title') or given.get('name')}")
        elif name == "Code":
            parts.append(code_of(given["file"]))
        elif name == "Image":
            parts.append(f"![{given.get('alt', '')}]({given['source']})")
        elif name == "TutorialReference":
            parts.append(f"<{given['tutorial']}>")
    end_paragraph()
    return "\n\n".join(part for part in parts if part.strip())
