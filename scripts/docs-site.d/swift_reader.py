"""Reads the public declarations of a Swift file, with their comments.

The reader relies on the layout that `swift format` enforces: a declaration begins a line, after the lines with its
comment and its attributes. `.ci/docs` compares the result with docs/api, which comes from the compiler."""

import dataclasses
import re

# Comments and strings hide braces, parentheses and keywords.
HIDDEN = re.compile(r'//[^\n]*|#"[^\n]*?"#|"""(?:\\.|[^\\])*?"""|"(?:\\.|[^"\\\n])*"', re.DOTALL)
ATTRIBUTE = r"@\w+(?:\([^()]*(?:\([^()]*\))?[^()]*\))?"
MODIFIER = rf"(?:{ATTRIBUTE}|\w+\(\w+\)|(?!case\b)[a-z]+)\s+"
KEYWORD = r"struct|class|enum|protocol|actor|extension|func|var|let|init|deinit|subscript|case|typealias|associatedtype"
DECLARATION = re.compile(rf"\s*((?:{MODIFIER})*?)({KEYWORD})\b(?!\s+(?:func|var|let|class|init)\b)")
TYPES = {"struct", "class", "enum", "protocol", "actor"}


@dataclasses.dataclass
class Declaration:
    path: tuple  # the types around it and its own name: ("KeptScene", "dismiss(_:)")
    keyword: str
    text: str
    comment: str
    condition: str  # of the `#if` around it
    available: str  # the arguments of `@available`
    in_extension: bool

    @property
    def name(self):
        return ".".join(self.path)


@dataclasses.dataclass
class Scope:
    path: tuple = ()
    keyword: str = ""
    is_public: bool = False
    available: str = ""


def split(code):
    """The parts of a list between the commas outside of brackets."""
    parts, level = [""], 0
    for index, letter in enumerate(code):
        before, after = code[max(index - 1, 0)], code[min(index + 1, len(code) - 1)]
        level += letter in "([{" or letter == "<" and not before.isspace() and not after.isspace()
        level -= letter in ")]}" or letter == ">" and not before.isspace() and before != "-"
        if letter == "," and level == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts if part.strip()]


def closing(code, start):
    """The index of the bracket that closes the one at `start`."""
    level = 0
    for match in re.compile(r"[(\[{]|[)\]}]").finditer(code, start):
        level += 1 if match[0] in "([{" else -1
        if level == 0:
            return match.start()
    return len(code)


def labels(code, unlabeled=False):
    """The labels of the parameters that follow a name, as `(_:in:)`. Subscripts and operators have none by default."""
    start = code.find("(")
    found = []
    for parameter in split(code[start + 1:closing(code, start)]):
        words = re.match(rf"(?:{ATTRIBUTE}\s+)*`?(\w+)`?(?:\s+`?(\w+)`?)?\s*:", parameter)
        found.append(words[1] if words and (words[2] or not unlabeled) else "_")
    return "(" + "".join(f"{label}:" for label in found) + ")"


def names(rest, keyword):
    """The names that a declaration gives by the text after its keyword. One `case` may have several."""
    rest = rest.strip()
    if keyword == "case":
        return [re.match(r"`?(\w+)", case)[1] + (labels(case) if "(" in case else "") for case in split(rest)]
    if keyword in ("init", "subscript"):
        return [keyword + labels(rest, keyword == "subscript")]
    if keyword == "func":
        name = re.match(r"`?(\w+)`?|[^\s(]+", rest)
        return [(name[1] or name[0]) + labels(rest[name.end():], not name[1])]
    if keyword == "extension" and rest.startswith("["):
        return ["Dictionary" if ":" in rest[:closing(rest, 0)] else "Array"]
    return re.findall(r"^`?([\w.]+)", rest)


class Reader:
    def __init__(self, text):
        self.text = text
        self.code = HIDDEN.sub(lambda match: re.sub(r"[^\n]", " " if match[0][0] == "/" else "_", match[0]), text)
        self.declarations, self.conditions = [], []
        self.internal = set()  # the paths of types that are not public
        self.read(0, len(text), Scope())

    def read(self, index, end, scope):
        """Reads the declarations of one scope, without the bodies of its functions."""
        comment, attributes = [], []
        while index < end:
            stop = self.code.find("\n", index, end)
            stop = end if stop < 0 else stop
            line, code = self.text[index:stop].strip(), self.code[index:stop].strip()
            match = DECLARATION.match(self.code, index, end)
            if line.startswith("///"):
                comment.append(line[3:].removeprefix(" "))
            elif code.startswith("#"):
                self.condition(code)
            elif match and match.end() <= stop:
                stop = self.declaration(match, end, scope, "\n".join(comment), attributes)
                comment, attributes = [], []
            elif code.startswith("@"):
                attributes.append(line)
            elif not line.startswith("//"):
                comment, attributes = [], []
            index = stop + 1

    def condition(self, line):
        directive, _, condition = line.partition(" ")
        if directive == "#if":
            self.conditions.append(condition)
        elif directive == "#endif":
            self.conditions.pop()
        elif directive in ("#else", "#elseif"):
            self.conditions[-1] = condition or f"!({self.conditions[-1]})"

    def head(self, start, end, keyword):
        """Where the head of a declaration ends, and where its body begins."""
        level, value = 0, None
        for index in range(start, end):
            letter = self.code[index]
            level += (letter in "([") - (letter in ")]")
            if level or letter not in "{=\n":
                continue
            if letter == "{":
                return value or index, index
            if letter == "=" and keyword in ("var", "let"):
                value = value or index
            elif letter == "\n":
                goes_on = re.compile(r"\s*(where|->|throws|async|\{|=)").match(self.code, index, end)
                if not goes_on and not re.search(r"[,:=&(]\s*$", self.code[start:index]):
                    return value or index, None
        return value or end, None

    def declaration(self, match, end, scope, comment, attributes):
        """Reads one declaration, and returns the index of its last character."""
        start, keyword = match.start(1), match[2]
        head, body = self.head(start, end, keyword)
        last = closing(self.code, body) if body else head
        available = re.findall(r"@available\(([^)]*)\)", " ".join(attributes))
        inner = Scope(scope.path, keyword, available=available[0] if available else scope.available)
        inner.is_public = bool(re.search(r"\b(public|open)\b(?!\()", match[1])) or (
            keyword == "case" or scope.keyword == "protocol") and scope.is_public
        for name in names(self.code[match.end():head], keyword):
            inner.path = scope.path + tuple(name.split("."))
            if keyword in TYPES and not inner.is_public:
                self.internal.add(inner.path)
            if inner.is_public:
                text = self.shown(start, head, body, attributes)
                self.declarations.append(Declaration(
                    inner.path, keyword, text, comment, " && ".join(self.conditions), inner.available,
                    scope.keyword == "extension"))
        if body and keyword in TYPES | {"extension"}:
            self.read(body + 1, last, inner)
        return last

    def shown(self, start, head, body, attributes):
        """The text of a declaration as users of the library need it."""
        text = re.sub(r"\bpublic (?!\()", "", self.text[start:head].rstrip(), count=1)
        column = start - self.code.rfind("\n", 0, start) - 1
        text = re.sub(rf"\n {{0,{column}}}", "\n", text)
        accessors = re.compile(r"\{ get[a-z ]*\}").match(self.code, body) if body else None
        kept = [line for line in attributes if not line.startswith("@available")]
        return "\n".join([*kept, text + (f" {accessors[0]}" if accessors else "")])
