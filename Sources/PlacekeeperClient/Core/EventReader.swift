/// Reads a stream of server-sent events (WHATWG HTML section 9.2).
struct EventReader {
    struct Event {
        var name: String
        /// The last line of the event's data.
        var data: String
    }

    private var generation = 0
    private var line: [UInt8] = []
    private var name = ""
    private var data: String?
    private var id: String?
    private var pendingID: String?
    /// The maximum line length, in bytes. A longer line is cut off.
    private static let lineLimit = 16 << 10

    /// Returns the id of the last event, if it belongs to this generation of the account.
    func lastID(of generation: Int) -> String? { generation == self.generation ? id : nil }

    /// Reads a piece of the stream, and returns the events that it completes.
    mutating func read(_ bytes: [UInt8], _ generation: Int) -> [Event] {
        if generation != self.generation { self = EventReader(generation: generation) }
        var events: [Event] = []
        for byte in bytes {
            guard byte == 0x0A else {
                if line.count < Self.lineLimit { line.append(byte) }
                continue
            }
            if line.last == 0x0D { line.removeLast() }
            if let event = endLine() { events.append(event) }
            line.removeAll(keepingCapacity: true)
        }
        return events
    }

    /// Discards the incomplete event of a broken stream.
    mutating func restart() { (line, name, data, pendingID) = ([], "", nil, nil) }

    init() {}

    private init(generation: Int) { self.generation = generation }

    private mutating func endLine() -> Event? {
        guard !line.isEmpty else {
            id = pendingID ?? id
            defer { (name, data, pendingID) = ("", nil, nil) }
            return data.map { Event(name: name.isEmpty ? "message" : name, data: $0) }
        }
        let text = String(decoding: line, as: UTF8.self)
        guard let colon = text.firstIndex(of: ":"), colon != text.startIndex else { return nil }
        let value = text[text.index(after: colon)...].drop { $0 == " " }
        switch text[..<colon] {
        case "event": name = String(value.prefix(64))
        case "id" where value.utf8.count <= 64 && value.allSatisfy(\.isNumber): pendingID = String(value)
        case "data": data = String(value)
        default: break
        }
        return nil
    }
}
