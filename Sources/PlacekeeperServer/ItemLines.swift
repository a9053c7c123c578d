import PlacekeeperAPI
import RestorationService

/// Items as lines of JSON, one to a line; empty lines are passed over. They are decoded many at a time.
struct ItemLines {
    private let bytes: [UInt8]
    private let depth: Int
    private var position = 0
    private var line = 0
    /// The number of the first line of those that were last given.
    private(set) var first = 0

    init(_ bytes: [UInt8], depth: Int) {
        self.bytes = bytes
        self.depth = depth
    }

    /// The next items, so many at most; nil at the end.
    mutating func next(_ limit: Int) throws(Problem) -> [Item]? {
        // Each line is checked by itself, so that together they are an array of as many items.
        var array: [UInt8] = [UInt8(ascii: "[")]
        var count = 0
        first = line + 1
        while count < limit, position < bytes.count {
            let end = bytes[position...].firstIndex(of: 0x0A) ?? bytes.count
            let text = bytes[position..<end]
            position = end + 1
            line += 1
            if text.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { continue }
            do {
                try JSONGrammar.check(Array(text), depth: depth)
            } catch {
                var problem = Problem(.malformedJSON, "Line \(line): \(error.message)")
                problem.document.offset = text.startIndex + error.offset
                throw problem
            }
            if count > 0 { array.append(UInt8(ascii: ",")) }
            array.append(contentsOf: text)
            count += 1
        }
        guard count > 0 else { return nil }
        array.append(UInt8(ascii: "]"))
        return try JSONBody.decode([Wire.Item].self, from: array, depth: depth + 1).map { Item($0) }
    }
}
