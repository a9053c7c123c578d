/// A number of bytes as text: `10GB` (decimal), `10GiB` (binary), or a plain number.
enum ByteCount {
    /// The units by name, in lowercase, ordered by size.
    private static let units: [(name: String, bytes: Int)] = [
        ("B", 1), ("kB", 1000), ("KiB", 1 << 10), ("MB", 1_000_000), ("MiB", 1 << 20), ("GB", 1_000_000_000),
        ("GiB", 1 << 30), ("TB", 1_000_000_000_000), ("TiB", 1 << 40),
    ]

    /// The accepted forms, for errors.
    static let advice = "a size like 10GB (decimal), 10GiB (binary) or a number of bytes"

    /// Parses a number of bytes. Case doesn't matter, and a space may precede the unit. Nil if the text is not a whole
    /// number with one of the units, or if it is too large for an `Int`.
    static func parse(_ text: String) -> Int? {
        let digits = text.utf8.prefix { (0x30...0x39).contains($0) }
        guard let number = Int(Substring(digits)) else { return nil }
        let name = String(Substring(text.utf8.dropFirst(digits.count).drop { $0 == UInt8(ascii: " ") }))
        if name.isEmpty { return digits.count == text.utf8.count ? number : nil }
        guard name.utf8.count <= 3, let unit = units.first(where: { $0.name.lowercased() == name.lowercased() }) else {
            return nil
        }
        let (bytes, overflow) = number.multipliedReportingOverflow(by: unit.bytes)
        return overflow ? nil : bytes
    }

    /// Formats a number of bytes in the unit that makes the shortest text, such as `512MiB`.
    static func text(_ bytes: Int) -> String {
        let texts = units.reversed().filter { bytes > 0 && bytes.isMultiple(of: $0.bytes) && $0.bytes > 1 }
            .map { "\(bytes / $0.bytes)\($0.name)" }
        return (texts + [String(bytes)]).min { $0.utf8.count < $1.utf8.count } ?? ""
    }
}
