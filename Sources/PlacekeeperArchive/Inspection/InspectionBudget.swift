/// Limits the size of an inspection. A shared object is stored once in the file and in memory, but shown at every
/// reference to it. So the amount of text is limited to 64 KiB plus eight times the file's size.
struct InspectionBudget {
    private var remaining: Int
    private var meter = WorkMeter()

    /// The costs of a value and of an additional text, besides their length.
    private static let (valueCost, textCost) = (16, 8)

    init(byteCount: Int) { remaining = 65_536 + 8 * byteCount }

    var isSpent: Bool { remaining <= 0 }

    /// Consumes the cost of a value with a text of `length` bytes. Returns false if the budget is used up.
    mutating func consume(_ length: Int = 0) -> Bool {
        consume(Self.valueCost, length)
    }

    private mutating func consume(_ cost: Int, _ length: Int) -> Bool {
        meter.consume(1)
        remaining -= cost + length
        return remaining >= 0
    }

    /// Returns the text, or an ellipsis if the budget is used up. A control character counts as six characters, the
    /// length of its escape sequence.
    mutating func text(_ text: String) -> String {
        let length = text.utf8.count
        guard length <= remaining else {
            remaining = min(remaining, 0)
            return "…"
        }
        meter.consume(bytes: length)
        return consume(Self.textCost, Self.jsonLength(of: text)) ? text : "…"
    }

    /// The length of a text in JSON, in bytes. A control character takes six.
    static func jsonLength(of text: String) -> Int {
        var text = text
        return text.withUTF8 { $0.reduce($0.count) { $0 + ($1 < 0x20 || $1 == 0x7F ? 5 : 0) } }
    }

    /// Sorts by the bytes of the keys.
    mutating func sorted<Element>(_ elements: [Element], by key: (Element) -> String) -> [Element] {
        // Swift also compares ASCII texts by their bytes, and faster than `ByteText` does.
        let areASCII = elements.allSatisfy { key($0).utf8.count == key($0).utf16.count }
        var meter = meter
        defer { self.meter = meter }
        return elements.sorted {
            let (left, right) = (key($0), key($1))
            meter.consume(1)
            meter.consume(bytes: min(left.utf8.count, right.utf8.count))
            return areASCII ? left < right : ByteText(left) < ByteText(right)
        }
    }
}
