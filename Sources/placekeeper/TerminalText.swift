// Text from elsewhere, made fit for a terminal and for a line of a log.

/// The text in quotation marks, with what could confuse a terminal made visible.
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

/// A sentence of the service as what the command says of errors: it begins with a small letter and ends in no full stop.
func clause(_ sentence: String) -> String {
    let text = sentence.hasSuffix(".") ? sentence.dropLast() : sentence[...]
    return text.prefix(1).lowercased() + text.dropFirst()
}

/// The text as it is, unless it could confuse a terminal; then quoted.
func harmless(_ text: String) -> String {
    text.unicodeScalars.contains(where: \.confusesTerminals) ? quoted(text) : text
}

extension Unicode.Scalar {
    /// Control characters of C0 and C1, line separators, and those that turn the direction of writing.
    fileprivate var confusesTerminals: Bool {
        switch value {
        case 0..<0x20, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
