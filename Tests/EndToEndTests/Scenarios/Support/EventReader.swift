import PlacekeeperAPI
import Synchronization
import Testing

/// A client of server-sent events (HTML standard, section 9.2.6).
final class EventReader: Sendable {
    struct Event: Sendable, Hashable {
        var id: String
        var name: String
        var data: String
    }

    private struct State: Sendable {
        var text = ""
        var lastEventID = ""
        var comments = 0
    }

    private let line: Line
    private let state = Mutex(State())

    init(port: UInt16, fields: [(String, String)]) async throws {
        line = try Line(port: port)
        let lines = fields.map { "\($0.0): \($0.1)\r\n" }.joined()
        let head = try await line.run { connection in
            try connection.send(Array("GET /v1/events HTTP/1.1\r\nHost: h\r\n\(lines)\r\n".utf8))
            return try connection.head()
        }
        try #require(head.first == "HTTP/1.1 200 OK")
        #expect(head.contains("Content-Type: text/event-stream"))
    }

    /// The event id that a client would resume after.
    var lastEventID: String { state.withLock { $0.lastEventID } }

    /// Returns the next event, or nil at the end of the stream.
    func next() async throws -> Event? {
        repeat {
            while let block = takeBlock() {
                if let event = read(block) { return event }
            }
        } while try await receive()
        return nil
    }

    /// Reads until the stream sends its first id.
    func begin() async throws { try await read { !$0.lastEventID.isEmpty } }

    /// Reads until a comment arrives.
    func comment() async throws { try await read { $0.comments > 0 } }

    /// Reads the next `count` events, and returns their changes.
    func changes(_ count: Int) async throws -> [Wire.Change] {
        var changes: [Wire.Change] = []
        while changes.count < count {
            let event = try #require(try await next(), "the stream ended early")
            let change = try Reply(status: 200, fields: [], body: Array(event.data.utf8)).json(Wire.Change.self)
            #expect(event.id == "\(change.revision)")
            #expect(event.name == change.kind.rawValue)
            changes.append(change)
        }
        return changes
    }

    private func read(until condition: (State) -> Bool) async throws {
        while !state.withLock({ condition($0) }) {
            if let block = takeBlock() {
                #expect(read(block) == nil, "an event came first")
            } else {
                try #require(try await receive(), "the stream ended early")
            }
        }
    }

    /// Receives a chunk. Returns false at the end of the stream.
    private func receive() async throws -> Bool {
        guard let chunk = try await line.run({ try $0.chunk() }) else { return false }
        state.withLock { $0.text += String(decoding: chunk, as: UTF8.self) }
        return true
    }

    /// Removes and returns the received text up to the next empty line. Returns nil if no empty line was received.
    private func takeBlock() -> String? {
        state.withLock { state in
            let text = state.text.utf8
            var previous: UInt8?
            for index in text.indices {
                if text[index] == 0x0A, previous == 0x0A {
                    defer { state.text = String(state.text[text.index(after: index)...]) }
                    return String(state.text[..<index])
                }
                previous = text[index]
            }
            return nil
        }
    }

    private func read(_ block: String) -> Event? {
        state.withLock { state in
            var (name, data) = ("message", [String]())
            for line in block.split(separator: "\n") {
                let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                let value = parts.count > 1 ? String(parts[1].trimmingPrefix(" ")) : ""
                switch parts[0] {
                case "": state.comments += 1
                case "id": state.lastEventID = value
                case "event": name = value
                case "data": data.append(value)
                default: break
                }
            }
            return data.isEmpty ? nil : Event(id: state.lastEventID, name: name, data: data.joined(separator: "\n"))
        }
    }
}
