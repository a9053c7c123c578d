import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperJSON
import PlacekeeperMatching
import PlacekeeperService

/// Decodes items from JSON lines, and groups them into deltas within the limits of a delta. Ignores empty lines. The
/// memory for inflated and decoded lines is bounded, whatever the content.
struct ItemLines {
    private var content: ContentPieces
    private let reservation: Reservation?
    private let depth: Int
    private let values: Int
    /// The part of the decompressed content in memory.
    private var bytes: [UInt8] = []
    /// The number of content bytes before `bytes`.
    private var passed = 0
    private var isWhole = false
    private var position = 0
    private var number = 0
    /// The decoded items that haven't been returned yet.
    private var items: ArraySlice<Item> = []
    /// The line numbers of `items`.
    private var ahead: ArraySlice<Int> = []
    /// The line numbers of the items that were returned last, or that couldn't be decoded.
    private var lines: ArraySlice<Int> = []
    /// The number of the first line of the last delta.
    private var first = 1
    /// The maximum number of items in a delta.
    private var most = Limits.deltaItems
    /// The values of `items` and `ahead` before the last delta was returned.
    private var before: (items: ArraySlice<Item>, ahead: ArraySlice<Int>) = ([], [])

    /// - Parameters:
    ///   - reservation: counts the memory for the lines.
    ///   - values: the approximate maximum number of JSON values to decode at a time.
    init(_ content: ContentPieces, _ reservation: Reservation? = nil, depth: Int, values: Int) {
        self.content = content
        self.reservation = reservation
        self.depth = depth
        self.values = values
    }

    /// Returns the items of the next delta, or nil at the end. Returns an empty array after very many empty lines, so
    /// the caller can yield.
    mutating func next() throws(Problem) -> [Item]? {
        if let line = ahead.first {
            first = line
        } else {
            guard let decoded = try decodedItems() else { return nil }
            items = decoded[...]
            ahead = lines
        }
        var aliases = 0
        // A single item with too many aliases is returned on its own; the service rejects it.
        let count =
            items.prefix(most).enumerated().first { offset, item in
                aliases += item.aliases.count
                return offset > 0 && aliases > Limits.deltaAliases
            }?.offset ?? min(items.count, most)
        before = (items, ahead)
        items = items.dropFirst(count)
        ahead = ahead.dropFirst(count)
        lines = before.ahead.prefix(count)
        return Array(before.items.prefix(count))
    }

    /// Takes the last delta back, and halves the size of all further deltas. Returns false if the last delta has only
    /// one item.
    mutating func halve() -> Bool {
        guard lines.count > 1 else { return false }
        (items, ahead) = before
        most = lines.count / 2
        return true
    }

    /// Decodes the items of at most one delta, or fewer if they are large or there are many empty lines. Returns nil at
    /// the end.
    private mutating func decodedItems() throws(Problem) -> [Item]? {
        var items: [Item] = []
        lines = []
        first = number + 1
        var (count, size) = (0, 0)
        let last = number + 10 * Limits.deltaItems
        while items.count < Limits.deltaItems, count < values, size < Limits.itemsBody, number < last {
            guard let line = try nextLine() else {
                if items.isEmpty { return nil }
                break
            }
            let text = bytes[line]
            if text.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { continue }
            let (item, valueCount) = try item(on: text)
            items.append(item)
            lines.append(number)
            count += valueCount
            size += text.count
            // Charge twice the size of the text: decoded items take about as much memory as their text, and the items
            // that wait to be stored take the same amount again.
            try reservation?.hold(2 * size + (content.isCoded ? bytes.count : 0))
        }
        return items
    }

    /// Decodes the item of a line.
    private func item(on text: ArraySlice<UInt8>) throws(Problem) -> (Item, valueCount: Int) {
        let document: JSONDocument
        do {
            document = try JSONDocument(Array(text), depth: depth, values: values)
        } catch {
            var problem = Problem(error)
            problem.document.offset = passed + text.startIndex + error.offset
            throw locatingLine(problem)
        }
        do {
            return (Item(try JSONBody.decode(Wire.Item.self, from: document)), document.valueCount)
        } catch {
            throw locatingLine(error)
        }
    }

    /// Returns the range of the next line in `bytes`, without the line feed. Returns nil at the end.
    private mutating func nextLine() throws(Problem) -> Range<Int>? {
        var searched = position
        while true {
            if isWhole, position >= bytes.count { return nil }
            let end = bytes[searched...].firstIndex(of: 0x0A) ?? (isWhole ? bytes.count : nil)
            if let end, end - position <= Limits.itemLine {
                number += 1
                defer { position = end + 1 }
                return position..<end
            }
            guard bytes.count - position <= Limits.itemLine else {
                number += 1
                throw locatingLine(Problem(.contentTooLarge, "The line exceeds the limit of \(Limits.itemLine) bytes."))
            }
            let piece = try content.next()
            isWhole = piece.isEmpty
            bytes.removeFirst(min(position, bytes.count))
            passed += position
            position = 0
            searched = bytes.count
            if bytes.isEmpty { bytes = piece } else { bytes += piece }
        }
    }

    private func locatingLine(_ problem: Problem) -> Problem {
        var problem = problem
        problem.document.details = ["line": "\(number)"]
        return problem
    }

    /// Adds line numbers to a problem with the last delta: the line of the item that caused it, and the first line
    /// whose item wasn't stored.
    func locating(_ problem: Problem) -> Problem {
        var problem = problem
        var details = problem.document.details ?? [:]
        details["firstLine"] = "\(first)"
        let path = problem.document.pointer?.split(separator: "/", maxSplits: 2) ?? []
        if path.count == 3, path[0] == "upserts", let index = Int(path[1]), index < lines.count {
            details["line"] = "\(lines[lines.startIndex + index])"
            problem.document.pointer = "/" + path[2]
        }
        problem.document.details = details
        return problem
    }
}
