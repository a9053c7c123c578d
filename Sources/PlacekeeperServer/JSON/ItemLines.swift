import PlacekeeperAPI
import RestorationService

/// Items as lines of JSON, one to a line; empty lines are passed over. They are decoded many at a time, and given as
/// many at a time as one delta may have. The memory for lines that are inflated and decoded at a time is bounded,
/// whatever the lines hold.
struct ItemLines {
    private struct Line {
        var number: Int
        /// In the array that is decoded.
        var text: Range<Int>
    }

    private var content: ContentPieces
    private let reservation: Reservation?
    private let depth: Int
    private let values: Int
    /// The content from the line at hand on, as far as it was given; and how many bytes came before it.
    private var bytes: [UInt8] = []
    private var passed = 0
    private var isWhole = false
    private var position = 0
    private var number = 0
    /// Items that were decoded and not given yet, and where they stand.
    private var items: ArraySlice<Item> = []
    private var ahead: ArraySlice<Line> = []
    /// Where the items stand that were last given or could not be, and the number of the first line that was looked at
    /// for them.
    private var lines: ArraySlice<Line> = []
    private var first = 1
    /// How many are given at a time.
    private var most = Limits.deltaItems
    /// What there was before some were given last.
    private var before: (items: ArraySlice<Item>, ahead: ArraySlice<Line>) = ([], [])

    /// - Parameters:
    ///   - reservation: counts the memory that the lines take.
    ///   - values: about how many values are decoded at a time.
    init(_ content: ContentPieces, _ reservation: Reservation? = nil, depth: Int, values: Int) {
        self.content = content
        self.reservation = reservation
        self.depth = depth
        self.values = values
    }

    /// The items of the next delta; none where very many lines in a row are empty, so that others may have their turn; nil
    /// at the end.
    mutating func next() throws(Problem) -> [Item]? {
        if let line = ahead.first {
            first = line.number
        } else {
            guard let decoded = try decodedItems() else { return nil }
            items = decoded[...]
            ahead = lines
        }
        var aliases = 0
        // An item that has too many by itself is given, to be refused.
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

    /// Takes back what was last given, to give half as many at a time from then on; false for a single item.
    mutating func halve() -> Bool {
        guard lines.count > 1 else { return false }
        (items, ahead) = before
        most = lines.count / 2
        return true
    }

    /// As many items as a delta names at most, or fewer where they are large or stand far apart; nil at the end.
    private mutating func decodedItems() throws(Problem) -> [Item]? {
        // Each line is checked by itself, so that together they are an array of as many items.
        var array: [UInt8] = [UInt8(ascii: "[")]
        lines = []
        first = number + 1
        var count = 0
        let last = number + 10 * Limits.deltaItems
        while lines.count < Limits.deltaItems, count < values, array.count < Limits.itemsBody, number < last {
            guard let line = try nextLine() else {
                if lines.isEmpty { return nil }
                break
            }
            let text = bytes[line]
            if text.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { continue }
            count += try valueCount(of: text)
            if !lines.isEmpty { array.append(UInt8(ascii: ",")) }
            lines.append(Line(number: number, text: array.count..<array.count + text.count))
            array.append(contentsOf: text)
        }
        guard !lines.isEmpty else { return [] }
        array.append(UInt8(ascii: "]"))
        // The items take about as much as their text, and so does the form in which they wait to be stored.
        try reservation?.hold(2 * array.count + (content.isCoded ? bytes.count : 0))
        do {
            return try JSONBody.decode([Wire.Item].self, from: array, depth: depth + 1).map { Item($0) }
        } catch {
            throw fault(in: array) ?? error
        }
    }

    /// Where the next line stands in `bytes`, without its line feed; nil at the end.
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
                throw locatingLine(Problem(.contentTooLarge, "A line has at most \(Limits.itemLine) bytes."))
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

    /// How many values there are on a line of JSON.
    private func valueCount(of text: ArraySlice<UInt8>) throws(Problem) -> Int {
        do {
            return try JSONGrammar.check(Array(text), depth: depth, values: values)
        } catch {
            var problem = Problem(error)
            problem.document.offset = passed + text.startIndex + error.offset
            throw locatingLine(problem)
        }
    }

    private func locatingLine(_ problem: Problem) -> Problem {
        var problem = problem
        problem.document.details = ["line": "\(number)"]
        return problem
    }

    /// What is wrong with the first line that is wrong by itself: of all together, it is not always told where it is.
    private func fault(in array: [UInt8]) -> Problem? {
        for line in lines {
            do {
                _ = try JSONBody.decode(Wire.Item.self, from: Array(array[line.text]), depth: depth)
            } catch {
                var problem = error
                problem.document.details = ["line": "\(line.number)"]
                return problem
            }
        }
        return nil
    }

    /// Says of a problem with the items that were last given on which line it is, and from which line on nothing is
    /// kept.
    func locating(_ problem: Problem) -> Problem {
        var problem = problem
        var details = problem.document.details ?? [:]
        details["firstLine"] = "\(first)"
        let path = problem.document.pointer?.split(separator: "/", maxSplits: 2) ?? []
        if path.count == 3, path[0] == "upserts", let index = Int(path[1]), index < lines.count {
            details["line"] = "\(lines[lines.startIndex + index].number)"
            problem.document.pointer = "/" + path[2]
        }
        problem.document.details = details
        return problem
    }
}
