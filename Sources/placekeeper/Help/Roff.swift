/// A manual page in man(7) format.
struct Roff {
    private(set) var text: String

    /// Starts a page with its NAME section. Reproducible: the output depends only on the version.
    init(_ name: String, section: Int, summary: String) {
        text = """
            .\\" Made by placekeeper man.
            .TH \(Self.escaped(name.uppercased())) \(section) \(Version.date) "Placekeeper \(Version.number)" Placekeeper

            """
        self.section("NAME")
        add("\(name) - \(summary)")
    }

    mutating func section(_ title: String) { text += ".SH \(title)\n" }

    mutating func paragraph() { text += ".PP\n" }

    /// Adds lines of text. Lines that start with two spaces keep their layout.
    mutating func add(_ lines: String) {
        var isVerbatim = false
        for line in lines.split(separator: "\n") {
            if line.hasPrefix("  ") != isVerbatim {
                isVerbatim.toggle()
                text += isVerbatim ? ".EX\n" : ".EE\n"
            }
            if isVerbatim { text += Self.line(Self.escaped(String(line))) } else { fill(line) }
        }
        if isVerbatim { text += ".EE\n" }
    }

    /// Adds the words of a line as lines of at most 80 bytes, because longer lines are poor style (mandoc -Tlint).
    private mutating func fill(_ words: Substring) {
        var line = ""
        for word in words.split(separator: " ") {
            let word = Self.escaped(String(word))
            if !line.isEmpty, line.utf8.count + word.utf8.count > 76 {
                text += Self.line(line)
                line = ""
            }
            line += line.isEmpty ? word : " " + word
        }
        text += Self.line(line)
    }

    /// Adds a line that already contains markup.
    mutating func add(markup: String) { text += Self.line(markup) }

    /// Adds an item whose tag already contains markup.
    mutating func item(_ tag: String, _ lines: String) {
        text += ".TP\n" + Self.line(tag)
        add(lines)
    }

    static func bold(_ text: String) -> String { "\\fB\(escaped(text))\\fR" }
    static func italic(_ text: String) -> String { "\\fI\(escaped(text))\\fR" }

    /// Escapes a line that starts with a period, because it would be a macro.
    private static func line(_ text: String) -> String { (text.hasPrefix(".") ? "\\&" : "") + text + "\n" }

    static func escaped(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "\\": "\\e"
            case "-": "\\-"
            case "'": "\\(aq"
            case "`": "\\(ga"
            case "^": "\\(ha"
            case "~": "\\(ti"
            case _ where scalar.isASCII: String(scalar)
            default: "\\[u" + String(repeating: "0", count: scalar.value < 0x1000 ? 1 : 0) + hexadecimal(scalar) + "]"
            }
        }.joined()
    }

    /// Returns the code point of a non-ASCII character in hexadecimal digits.
    private static func hexadecimal(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return digits.count == 2 ? "0" + digits : digits
    }
}
