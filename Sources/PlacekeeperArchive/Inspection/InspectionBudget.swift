/// Limits the size of an inspection. A shared object is stored once in the file and in memory, but is displayed at each
/// reference to the object. The budget, 64 KiB plus eight times the file's size, limits the amount of displayed text.
struct InspectionBudget {
    private var remaining: Int
    private var meter = WorkMeter()

    /// The costs of a value and of a further text, in addition to their length.
    private static let (valueCost, textCost) = (16, 8)

    init(byteCount: Int) { remaining = 65_536 + 8 * byteCount }

    var isSpent: Bool { remaining <= 0 }

    /// Spends the cost of a value with a text of `length` bytes. Returns false if the budget is exhausted.
    mutating func consume(_ length: Int = 0) -> Bool {
        consume(Self.valueCost, length)
    }

    private mutating func consume(_ cost: Int, _ length: Int) -> Bool {
        meter.consume(1)
        remaining -= cost + length
        return remaining >= 0
    }

    /// Returns the text, or an ellipsis if the budget is exhausted. A control character is displayed as an escape
    /// sequence of six characters, so it costs as much.
    mutating func text(_ text: String) -> String {
        let length = text.utf8.count
        guard length <= remaining else {
            remaining = min(remaining, 0)
            return "…"
        }
        meter.consume(bytes: length)
        return consume(Self.textCost, Self.jsonLength(of: text)) ? text : "…"
    }

    /// The number of bytes of a text in JSON, where a control character has six.
    static func jsonLength(of text: String) -> Int {
        var text = text
        return text.withUTF8 { $0.reduce($0.count) { $0 + ($1 < 0x20 || $1 == 0x7F ? 5 : 0) } }
    }

    /// Sorts in the order of the keys' bytes.
    mutating func sorted<Element>(_ elements: [Element], by key: (Element) -> String) -> [Element] {
        // Swift compares ASCII texts by their bytes, and faster than `ByteText` does.
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
