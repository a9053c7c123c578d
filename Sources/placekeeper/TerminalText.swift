// Makes text from outside the program safe to print on a terminal and in log lines.

/// Returns the text in quotation marks, with unsafe characters escaped.
func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
        if scalar.confusesTerminals {
            quoted += "\\u{\(String(scalar.value, radix: 16))}"
        } else {
            quoted.unicodeScalars.append(scalar)
        }
    }
    return quoted + "\""
}

/// Returns a sentence in the style of the command's errors: with a lowercase first letter and without the final
/// period.
func clause(_ sentence: String) -> String {
    let text = sentence.hasSuffix(".") ? sentence.dropLast() : sentence[...]
    return text.prefix(1).lowercased() + text.dropFirst()
}

/// Returns the text unchanged, or quoted if it contains unsafe characters.
func escapedForTerminal(_ text: String) -> String {
    text.unicodeScalars.contains(where: \.confusesTerminals) ? quoted(text) : text
}

/// Returns the text as a single word for a shell.
func shellQuoted(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "-_./:@%+,=".utf8.contains(byte)
        }
    }
    if isPlain, !text.isEmpty { return text }
    return text.inSingleQuotes
}

extension String {
    /// The text in single quotation marks, for POSIX shells and fish.
    var inSingleQuotes: String {
        "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}

extension [String] {
    /// The words as a list of alternatives in a sentence, such as `all or errors`.
    var alternatives: String {
        guard let last, count > 1 else { return first ?? "" }
        return dropLast().joined(separator: ", ") + " or " + last
    }
}

extension Unicode.Scalar {
    /// Whether the character is a C0 or C1 control character or a line separator, or changes the text direction.
    fileprivate var confusesTerminals: Bool {
        switch value {
        case 0..<0x20, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
