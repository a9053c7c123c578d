extension ArchiveInspection: CustomStringConvertible {
    /// The text that the inspection tool prints: the objects' paths and restoration classes, the top level, the place,
    /// the model references, and a block for each object. Within a block, dots pad the keys to the length of the
    /// longest key plus three.
    public var description: String {
        var lines: [String] = []
        func append(_ title: String, _ block: [String]) {
            if !lines.isEmpty { lines.append("") }
            lines.append(title)
            lines += block.map { "    " + $0 }
        }
        if !restorationClasses.isEmpty {
            append("Restoration Classes", Self.dotted(restorationClasses.map { ($0.key, $0.value.plainText) }))
        }
        append("Top Level", Self.dotted(topLevel))
        if !place.isEmpty { append("Place", Self.dotted(place)) }
        if !references.isEmpty { append("Model References", Self.dotted(references)) }
        for section in sections { append(section.heading, section.notes + Self.dotted(section.entries)) }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func dotted(_ entries: [Entry]) -> [String] { dotted(entries.map { ($0.key, $0.value.text) }) }

    private static func dotted(_ entries: [(key: String, text: String)]) -> [String] {
        // Cut long keys; a file can contain keys of any length.
        let keys = entries.map { Value.printable($0.key, limit: 120) }
        let width = 3 + (keys.map(\.count).max() ?? 0)
        return zip(keys, entries).map { key, entry in
            key + String(repeating: ".", count: width - key.count) + " " + entry.text
        }
    }
}

extension ArchiveInspection.Section {
    /// The section's heading, such as `[View Controller] Tabs/Albums (Class: AlbumsController)`.
    public var heading: String {
        let name = ArchiveInspection.Value.printable(name, limit: 1000)
        let className = ArchiveInspection.Value.printable(className, limit: 1000)
        return "[\(kind)] \(name) (Class: \(className))" + (isRegistered ? " (Registered)" : "")
    }

    fileprivate var notes: [String] {
        guard let storyboard else { return [] }
        let identifier = storyboardIdentifier.map {
            " (Identifier: \(ArchiveInspection.Value.printable($0, limit: 200)))"
        }
        return ["Storyboard: \(ArchiveInspection.Value.printable(storyboard, limit: 200))\(identifier ?? "")"]
    }
}

extension ArchiveInspection.Value {
    /// The value on one line. Long text and data are cut.
    public var text: String {
        switch self {
        case .null: "nil"
        case .boolean(let value): value ? "true" : "false"
        case .integer(let value): "\(value)"
        case .unsigned(let value): "\(value)"
        case .real(let value): "\(value)"
        case .string(let value): "\"\(Self.printable(value, limit: 200))\""
        case .date(let seconds): CalendarDate(seconds).description
        case .data(let bytes):
            "<\(bytes.count) bytes\(bytes.isEmpty ? "" : ": ")\(bytes.prefix(16).hexadecimal)\(bytes.count > 16 ? "…" : "")>"
        case .array(let elements): "[" + elements.map(\.text).joined(separator: ", ") + "]"
        case .dictionary(let entries):
            "{" + entries.map { "\(Self.printable($0.key, limit: 120)): \($0.value.text)" }.joined(separator: ", ")
                + "}"
        case .object(let path): "Object Identifier Proxy: \(Self.printable(path, limit: 1000))"
        case .reference(let index): "Model Reference: \(index)"
        case .numbered(let index, let className): "#\(index) (\(Self.printable(className, limit: 200)))"
        case .elided: "…"
        }
    }

    /// A string without quotation marks, or the `text` of any other value.
    fileprivate var plainText: String {
        if case .string(let value) = self { return Self.printable(value, limit: 1000) }
        return text
    }

    /// Returns the first `limit` scalars of a text, with an ellipsis if it is longer. Line breaks and characters that
    /// control a terminal are escaped.
    package static func printable(_ text: String, limit: Int) -> String {
        var printable = ""
        for (count, scalar) in text.unicodeScalars.enumerated() {
            guard count < limit else { return printable + "…" }
            guard !(0x20..<0x7F).contains(scalar.value) else {
                printable.unicodeScalars.append(scalar)
                continue
            }
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse, .surrogate:
                printable += "\\u{\(String(scalar.value, radix: 16))}"
            default: printable.unicodeScalars.append(scalar)
            }
        }
        return printable
    }
}

extension Collection<UInt8> {
    var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0xF)]] }, as: UTF8.self)
    }
}
