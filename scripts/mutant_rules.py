"""The rules of scripts/mutants: the changes that each line of a file allows.

The rules work on text, line by line. They match only shapes that they can recognize without a parser. The compiler
rejects the few changes that are wrong. `mutant(¤)` is true if the mutant with the number ¤ is switched on. `§` is an
operator that the mutant's `helper` declares, so that the precedence stays as it is in the source."""

import re

# Storage hints, programming errors and descriptions: a test cannot or should not detect a change here.
LEFT_OUT = re.compile(
    r"\b(reserveCapacity|keepingCapacity|precondition|preconditionFailure|assert|fatalError|description|import|@available"
    r"|_memory|unsafeUninitializedCapacity)\b|^\s*(#|@)|\bfunc ==|\bfunc <")
COMPARED = "public func §<T: {}>(a: T, b: T) -> Bool {{ mutant(¤) ? a {} b : a {} b }}"
NIL = "\npublic func §<T>(a: T?, b: _OptionalNilComparisonType) -> Bool {{ mutant(¤) ? a {} b : a {} b }}"
LOGICAL = ("public func §(a: Bool, b: @autoclosure () throws -> Bool) rethrows -> Bool "
           "{{ try mutant(¤) ? a {} b() : a {} b() }}")
CALCULATED = "public func §<T: {}>(a: T, b: T) -> T {{ mutant(¤) ? a {} b : a {} b }}"
SHIFTED = "public func §<T: FixedWidthInteger, U: BinaryInteger>(a: T, b: U) -> T {{ mutant(¤) ? a {} b : a {} b }}"
CHANGED = "public func §<T: AdditiveArithmetic>(a: inout T, b: T) {{ if mutant(¤) {{ a {} b }} else {{ a {} b }} }}"
HALF_OPEN = ("public func §<T: Strideable>(a: T, b: T) -> Range<T> where T.Stride: SignedInteger "
             "{{ a..<(mutant(¤) ? b.advanced(by: 1) : b) }}")
CLOSED = ("public func §<T: Strideable>(a: T, b: T) -> ClosedRange<T> where T.Stride: SignedInteger "
          "{{ a...(mutant(¤) ? b.advanced(by: -1) : b) }}")
FALLBACK = "\n".join(
    f"public func §<T>(a: T?, b: @autoclosure () throws -> {result}) rethrows -> {result} "
    "{{ try mutant(¤) ? b() : a ?? b() }}" for result in ("T", "T?"))
# The operator, its replacement, its precedence, its function.
OPERATORS = {
    "<": ("<=", "Comparison", COMPARED.replace("{}", "Comparable", 1)),
    "<=": ("<", "Comparison", COMPARED.replace("{}", "Comparable", 1)),
    ">": (">=", "Comparison", COMPARED.replace("{}", "Comparable", 1)),
    ">=": (">", "Comparison", COMPARED.replace("{}", "Comparable", 1)),
    "==": ("!=", "Comparison", COMPARED.replace("{}", "Equatable", 1)),
    "!=": ("==", "Comparison", COMPARED.replace("{}", "Equatable", 1)),
    "&&": ("||", "LogicalConjunction", LOGICAL),
    "||": ("&&", "LogicalDisjunction", LOGICAL),
    "+": ("-", "Addition", CALCULATED.replace("{}", "AdditiveArithmetic", 1)),
    "-": ("+", "Addition", CALCULATED.replace("{}", "AdditiveArithmetic", 1)),
    "&+": ("&-", "Addition", CALCULATED.replace("{}", "FixedWidthInteger", 1)),
    "&-": ("&+", "Addition", CALCULATED.replace("{}", "FixedWidthInteger", 1)),
    "|": ("&", "Addition", CALCULATED.replace("{}", "FixedWidthInteger", 1)),
    "&": ("|", "Multiplication", CALCULATED.replace("{}", "FixedWidthInteger", 1)),
    "<<": (">>", "BitwiseShift", SHIFTED),
    ">>": ("<<", "BitwiseShift", SHIFTED),
    "+=": ("-=", "Assignment", CHANGED),
    "-=": ("+=", "Assignment", CHANGED),
    "??": ("without the left side", "NilCoalescing", FALLBACK),
    "..<": ("one more", "RangeFormation", HALF_OPEN),
    "...": ("one fewer", "RangeFormation", CLOSED),
}
SPACED = re.compile(r"(?<=[\w)\]\"}?!] )([<>=!&|+\-?.]{1,3})(?= [\w(\[\"!.~-])")
UNSPACED = re.compile(r"(?<=[\w)\]])(\.\.<|\.\.\.)(?=[\w(])")
NOT = re.compile(r"(?<![\w)\]!?.])!(?=[\w(])")
EXTREME = re.compile(r"(?<![\w.])(min|max)(?=\()")
NUMBER = re.compile(r"(?<![\w.$#])(0x[\dA-Fa-f_]+|\d[\d_]*)(?![\w]|\.\d)")
TRUTH = re.compile(r"(?<![\w.])(true|false)\b")
CLAUSES = re.compile(r"^(\s*(?:\} else )?(?:if|guard|while) )(.*?)( else \{.*| \{.*| else|)$")
BOUND = re.compile(r"^\s*(let|var|case|#)\b")
CHOICE = re.compile(r"(?:(?<![=!<>])= |return |\()((?:try |await )*)([^?={]+?)(?= \? )")
CALL = re.compile(r"^(?:try |await )*[\w.?!\[\]()]*\w\(.*\)$")
ASSIGNMENT = re.compile(r"^[\w.?!\[\]()]+ (?:=|\+=|-=|\|=|&=) .+$")
KEYWORD = re.compile(
    r"^(return|throw|guard|if|let|var|case|func|init|super|while|for|switch|default|defer|self\.init|subscript"
    r"|mutating|static|private|fileprivate|package|public|internal|nonisolated|enum|struct|typealias|extension)\b")
ON_ONE_LINE = re.compile(r"\{ ([^{};]+) \}$")
SIGNATURE = re.compile(r"(?:\bfunc\b|\bvar \w+:|^\s*\)|\binit\b|\bsubscript\b)")


def masked(text):
    """Returns the text with spaces for comments, and underscores for the content of strings."""
    out, at, end = list(text), 0, len(text)

    def fill(start, stop, mark):
        for index in range(start, min(stop, end)):
            if out[index] != "\n":
                out[index] = mark

    def string_end(at):
        quotes = '"""' if text.startswith('"""', at) else '"'
        at += len(quotes)
        while at < end and not text.startswith(quotes, at):
            if text.startswith("\\(", at):
                depth, at = 1, at + 2
                while at < end and depth:
                    if text[at] == '"':
                        at = string_end(at)
                        continue
                    depth += {"(": 1, ")": -1}.get(text[at], 0)
                    at += 1
            else:
                at += 2 if text[at] == "\\" else 1
        return at + len(quotes)

    while at < end:
        if text.startswith("//", at):
            stop = text.find("\n", at)
            stop = end if stop < 0 else stop
            fill(at, stop, " ")
        elif text.startswith("/*", at):
            stop = text.find("*/", at) + 2
            fill(at, stop, " ")
        elif text[at] == '"':
            stop = string_end(at)
            fill(at + 1, stop - 1, "_")
        else:
            stop = at + 1
        at = stop
    return "".join(out)


INSIDE = re.compile(r"\s*(if|guard|for|while|switch|do|defer|case|default|\}|get \{|repeat)")


def balanced(text):
    depth = 0
    for character in text:
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(character, 0)
        if depth < 0:
            return False
    return depth == 0


def numbered(text, number):
    """Returns a change's text with the mutant's number. The operator's name uses arrows for digits."""
    return text.replace("§", "⊛" + "".join(chr(0x2190 + int(digit)) for digit in str(number))).replace("¤", str(number))


class File:
    """The lines of a file, unchanged and masked, and the bracket depth before each line."""

    def __init__(self, text):
        self.lines, self.masks = text.split("\n"), masked(text).split("\n")
        self.depths, depth = [], 0
        for mask in self.masks:
            self.depths.append(depth)
            depth += sum({"(": 1, "[": 1, ")": -1, "]": -1}.get(character, 0) for character in mask)

    def near(self, at, step):
        """Returns the nearest line with code before or after a line, trimmed."""
        at += step
        while 0 <= at < len(self.masks) and not self.masks[at].strip():
            at += step
        return self.masks[at].strip() if 0 <= at < len(self.masks) else ""

    def is_statement(self, at):
        """Whether the line is a complete statement or several, not a part of one."""
        before, behind = self.near(at, -1), self.near(at, 1)
        starts = not re.search(r"[,(\[=?+\-*/&|<>]$", before) and (
            not before.endswith(":") or before.startswith(("case ", "default")))
        # The only statement of a closure or property after `{ x in` or `{` is its value.
        return self.depths[at] == 0 and starts and not re.match(r"[.?:&|+*/<>]|-\s", behind)

    def opener(self, at):
        """Returns the line that opens the function, property or closure around a line."""
        indent = self.indent(at)
        while at > 0:
            at -= 1
            if not self.masks[at].strip() or self.indent(at) >= indent:
                continue
            indent = self.indent(at)
            if not INSIDE.match(self.masks[at]):
                return at
        return 0

    def indent(self, at):
        return len(self.masks[at]) - len(self.masks[at].lstrip())

    def result(self, at):
        """Returns the result type of the function or property around a line: "Void" for none, "" if it is not clear."""
        return result_type(self.masks[self.opener(at)])

    def is_in_initializer(self, at):
        opener = self.opener(at)
        indent = self.indent(opener)
        while opener > 0 and (self.masks[opener].strip().startswith(")") or self.indent(opener) > indent):
            opener -= 1
        return re.search(r"\binit\b", self.masks[opener])

    def has_statements(self, at):
        """Whether the body that a line opens has several statements, so that its result needs a `return`."""
        indent, statements = self.indent(at), 0
        for mask in self.masks[at + 1:]:
            if mask.startswith(" " * indent + "}"):
                break
            statements += bool(re.match(" {%d}[^\\s.?:)}\\]]" % (indent + 4), mask)) and not mask.strip().startswith("else")
        return statements > 1 and not self.near(at, 1).startswith("switch")

    def is_in_value(self, at):
        """Whether a line is a case of a `switch` expression."""
        while at > 0 and not re.search(r"\bswitch\b", self.masks[at]):
            at -= 1
        before = self.near(at, -1)
        return not self.masks[at].strip().startswith("switch") or before.endswith(("=", "return")) or (
            SIGNATURE.search(before) and result_type(before) != "Void")


def result_type(mask):
    """Returns the type in a line that opens a function or a computed property."""
    if not SIGNATURE.search(mask) or not mask.rstrip().endswith("{"):
        return ""
    if match := re.search(r"-> ([^{]+?) \{$", mask.rstrip()):
        return match[1]
    if match := re.search(r"\bvar \w+: ([^={]+?) \{$", mask.rstrip()):
        return match[1]
    return "Void" if re.search(r"\bfunc\b|^\s*\)", mask) else ""


def hoisted(text):
    """Returns the `try` and `await` before an expression, and the rest."""
    match = re.match(r"((?:try |await )*)(.*)$", text, re.S)
    return match[1], match[2]


def other_values(kind, text):
    """Yields the changes of an expression of a type: the rule, the code, and the plain text of the change."""
    effects, rest = hoisted(text)
    if kind == "Bool" and not TRUTH.fullmatch(text):
        yield "result negated", f"{effects}(mutant(¤) != ({rest}))", f"!({text})"
    elif kind.endswith("?") and text != "nil":
        yield "result dropped", f"{effects}mutant(¤) ? nil : ({rest})", "nil"
    elif kind.startswith("[") and text != "[]":
        yield "result dropped", f"{effects}mutant(¤) ? {'[:]' if ':' in kind else '[]'} : ({rest})", "empty"
    elif kind == "Int" and not NUMBER.fullmatch(text):
        yield "result off by one", f"{effects}({rest}) + (mutant(¤) ? 1 : 0)", f"{text} + 1"


def changes(text):
    """Returns all changes that the rules allow in a file, as dictionaries."""
    file, found = File(text), []
    for at, (line, mask) in enumerate(zip(file.lines, file.masks)):
        if not mask.strip() or LEFT_OUT.search(mask):
            continue

        def add(rule, start, end, coded, plain, helper=""):
            found.append({
                "line": at + 1, "rule": rule, "start": start, "end": end, "coded": coded, "helper": helper,
                "before": line.strip(), "after": (line[:start] + plain + line[end:]).strip()})

        change_words(line, mask, add)
        change_clauses(line, mask, add)
        change_statement(file, at, line, mask, add)
        change_result(file, at, line, mask, add)
    return found


def change_words(line, mask, add):
    """Adds changes of operators and literals."""
    is_pattern = re.match(r"\s*(?:case\b|if case\b|guard case\b)", mask)
    is_constrained = re.search(r"\b(func|extension|struct|class|protocol|init)\b.*\bwhere\b", mask)
    for match in [*SPACED.finditer(mask), *UNSPACED.finditer(mask)]:
        if match[1] not in OPERATORS or is_constrained:
            continue
        plain, precedence, function = OPERATORS[match[1]]
        # `format` ignores its arguments if the function has no placeholder.
        helper = f"infix operator §: {precedence}Precedence\n" + function.format(plain, match[1])
        if match[1] in ("==", "!="):
            helper += NIL.format(plain, match[1])
        shown = plain if plain in OPERATORS else f"{match[1]} /* {plain} */"
        add(f"{match[1]} → {plain}", match.start(1), match.end(1), "§", shown, helper)
    for match in NOT.finditer(mask):
        helper = "prefix operator §\npublic prefix func §(a: Bool) -> Bool { mutant(¤) ? a : !a }"
        add("not dropped", match.start(), match.end(), "§", "", helper)
    for match in EXTREME.finditer(mask):
        other = {"min": "max", "max": "min"}[match[1]]
        helper = f"public func mutant¤<T: Comparable>(_ a: T, _ b: T) -> T {{ mutant(¤) ? {other}(a, b) : {match[1]}(a, b) }}"
        add(f"{match[1]} → {other}", match.start(), match.end(), "mutant¤", other, helper)
    if is_pattern:
        return
    for match in NUMBER.finditer(mask):
        more = hex(int(match[1], 16) + 1) if match[1].startswith("0x") else str(int(match[1].replace("_", "")) + 1)
        add("constant", match.start(), match.end(), f"(mutant(¤) ? {more} : {match[1]})", more)
    for match in TRUTH.finditer(mask):
        other = {"true": "false", "false": "true"}[match[1]]
        add("constant", match.start(), match.end(), f"(mutant(¤) ? {other} : {match[1]})", other)
    for match in CHOICE.finditer(mask):
        start, end = match.span(2)
        start += max((comma.end() for comma in re.finditer(r"[,:] ", match[2])), default=0)
        if balanced(mask[start:end]):
            add("choice swapped", start, end, f"(mutant(¤) != ({line[start:end]}))", f"!({line[start:end]})")


def change_clauses(line, mask, add):
    """Adds changes of each condition of `if`, `guard` and `while`, except conditions that bind a name."""
    match = CLAUSES.match(mask)
    if not match:
        return
    start = match.end(1)
    spans, depth = [], 0
    for index in range(match.start(2), match.end(2)):
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(mask[index], 0)
        if mask[index] == "," and depth == 0:
            spans.append((start, index))
            start = index + 2
    spans.append((start, match.end(2)))
    for start, end in spans:
        clause = mask[start:end]
        if not clause.strip() or BOUND.match(clause) or not balanced(clause):
            continue
        effects, rest = hoisted(line[start:end])
        add("condition negated", start, end, f"{effects}(mutant(¤) != ({rest}))", f"!({line[start:end]})")
        add("condition always true", start, end, f"{effects}(mutant(¤) ? true : ({rest}))", "true")
        add("condition always false", start, end, f"{effects}(mutant(¤) ? false : ({rest}))", "false")


def change_statement(file, at, line, mask, add):
    """Adds the removal of a statement: a jump, or a call or an assignment alone on its line or between braces."""
    code = mask.strip()
    start = len(mask) - len(mask.lstrip())
    end = start + len(code)
    if match := re.match(r"((?:if|defer|func|mutating func|private mutating func|package mutating func|for|else|\} else)"
                         r"\b.*\{ )([^{};]+) \}$", code):
        if "->" in match[1]:
            return
        start, end = start + match.start(2), start + match.end(2)
    elif match := re.match(r"((?:case [^:]*|default): )(\S.*)$", code):
        if file.is_in_value(at):
            return
        start, end = start + match.start(2), start + match.end(2)
    elif not file.is_statement(at):
        return
    statement = mask[start:end]
    if KEYWORD.match(statement) or not balanced(statement):
        return
    # A constant declared without a value needs its assignment, and so do the properties in an initializer.
    if match := re.match(r"(?:self\.)?(\w+) = ", statement):
        declared = re.compile(rf"\blet {match[1]}\b(: [^={{]+)?$")
        if any(declared.search(mask) for mask in file.masks) or file.is_in_initializer(at):
            return
    # An empty branch of a `switch` needs its `break`. The body of a `guard` must exit its scope.
    before = file.near(at, -1)
    is_jump = statement in ("break", "continue") and start == file.indent(at) and (
        before[-1] != ":" and not re.match(r"(?!\}).*\belse \{$", before))
    is_call = CALL.match(statement)
    if is_call or is_jump or ASSIGNMENT.match(statement):
        rule = "call dropped" if is_call else "jump dropped" if is_jump else "assignment dropped"
        add(rule, start, end, f"if !mutant(¤) {{ {line[start:end]} }}", "")


def change_result(file, at, line, mask, add):
    """Adds changes of a function's result: at `return`, in a one-line body, or at the start of the body."""
    code = mask.rstrip()
    if match := re.search(r"\breturn (.+?)( \})?$", code):
        start, end = match.span(1)
        kind = file.result(at) if not match[2] or "{ return" in code else ""
    elif (match := ON_ONE_LINE.search(code)) and SIGNATURE.search(code) and match[1] not in ("get", "get set"):
        start, end = match.span(1)
        kind = result_type(code[:start].rstrip())
    else:
        start = end = 0
        kind = ""
    if kind and balanced(mask[start:end]) and file.is_statement(at) and not BOUND.match(mask[start:end]):
        for rule, coded, plain in other_values(kind, line[start:end]):
            add(rule, start, end, coded, plain)
    if not code.endswith("{") or not re.search(r"\bfunc \w", code) and not re.match(r"\s*\).*->", code):
        return
    kind = result_type(code)
    if kind != "Void" and not file.has_statements(at):
        return
    values = {"Void": [""], "Bool": [" true", " false"], "Int": [" 0"]}.get(
        kind, [" nil"] if kind.endswith("?") else [" []"] if kind.startswith("[") and ":" not in kind else [])
    for value in values:
        add("returns at once", len(code), len(code), f" if mutant(¤) {{ return{value} }}", f" return{value}")
