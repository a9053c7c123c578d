/// Text on a terminal, whose characters are one or two columns wide.
enum Text {
    /// The number of columns of a character. Zero for control characters.
    static func columns(of character: Character) -> Int {
        character.unicodeScalars.map(columns).max() ?? 0
    }

    static func columns(of text: String) -> Int { text.reduce(0) { $0 + columns(of: $1) } }

    /// Returns a text of exactly `width` columns: truncated with `…`, or padded. Control characters are left out.
    static func fit(_ text: String, _ width: Int, fill: Character = " ") -> String {
        var (cut, used) = ("", 0)
        let isTooLong = columns(of: text) > width
        let room = isTooLong ? width - 1 : width
        for character in text {
            let next = columns(of: character)
            guard next > 0 else { continue }
            guard used + next <= room else { break }
            cut.append(character)
            used += next
        }
        if isTooLong, width > 0 {
            cut.append("…")
            used += 1
        }
        return cut + String(repeating: fill, count: max(0, width - used))
    }

    /// Returns a text as lines of at most `width` columns, broken between words.
    /// - Parameter indent: The number of spaces before each line but the first.
    static func wrap(_ text: String, _ width: Int, indent: Int = 0) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            let next = line.isEmpty ? String(word) : "\(line) \(word)"
            if columns(of: next) <= width || line.isEmpty {
                line = next
            } else {
                lines.append(line)
                line = String(repeating: " ", count: indent) + word
            }
        }
        return lines + (line.isEmpty ? [] : [line])
    }

    private static func columns(of scalar: Unicode.Scalar) -> Int {
        switch scalar.properties.generalCategory {
        case .control, .format, .nonspacingMark, .enclosingMark, .lineSeparator, .paragraphSeparator: return 0
        default: break
        }
        // Wide characters of East Asian scripts, and emoji (Unicode Standard Annex 11).
        let isWide =
            switch scalar.value {
            case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
                0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
                true
            default: scalar.properties.isEmojiPresentation
            }
        return isWide ? 2 : 1
    }
}

extension String {
    /// The text without the trailing characters for which `isLeftOut` is true.
    func trimmingSuffix(while isLeftOut: (Character) -> Bool) -> String {
        String(self[..<(lastIndex { !isLeftOut($0) }.map(index(after:)) ?? startIndex)])
    }
}
