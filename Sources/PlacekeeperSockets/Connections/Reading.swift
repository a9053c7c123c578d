import PlacekeeperHTTP

/// The progress of a worker through the received bytes of one connection.
///
/// A worker reuses one `Reading` for all connections, because creating a reader for each batch would cost as much as
/// reading the batch.
struct Reading {
    private(set) var token = ConnectionID(index: 0, generation: 0)
    /// The connection that is being read. Nil between two connections.
    private(set) var slot: SlotPointer?
    private(set) var reader: RequestReader
    private let limits: RequestDecoder.Limits
    private var bytes = UnsafeRawBufferPointer(start: nil, count: 0)
    private var offset = 0
    /// Whether `reader` can be reused as it is: it has read only complete requests.
    private var readerIsNew = true
    /// Whether the reader needs more bytes for its next step.
    private(set) var isStarved = false
    /// Whether the peer made progress, which restarts its deadline.
    private(set) var hasProgressed = false

    init(limits: RequestDecoder.Limits) {
        self.limits = limits
        reader = RequestReader(limits: limits)
    }

    var rest: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[offset...]) }

    /// Starts reading a connection. If it has an incomplete message, continues with that message's reader.
    mutating func begin(_ bytes: UnsafeRawBufferPointer, _ token: ConnectionID, _ slot: SlotPointer) {
        self.token = token
        self.slot = slot
        self.bytes = bytes
        offset = 0
        isStarved = false
        hasProgressed = false
        guard let begun = slot.pointee.framingContext?.reader.take() else { return }
        reader = begun
        readerIsNew = false
    }

    mutating func next() -> RequestReader.Step {
        let step = reader.next(bytes, &offset)
        readerIsNew = false
        switch step {
        case .needsMore: isStarved = true
        case .announced, .collected: hasProgressed = true
        case .request(let head, _, _):
            hasProgressed = true
            // The received bytes usually end with a complete request, so this check saves a call of the reader.
            isStarved = offset == bytes.count
            readerIsNew = isStarved && head.keepsAlive
        case .refused: break
        }
        return step
    }

    mutating func accept(bodyLimit: Int, note: (any Sendable)?, tick: UInt32) -> Refusal? {
        reader.accept(bodyLimit: bodyLimit, note: note, tick: tick)
    }

    /// Stops reading the connection, which keeps its incomplete message and its unread bytes.
    mutating func end() {
        defer {
            slot = nil
            if !readerIsNew { reader = RequestReader(limits: limits) }
            readerIsNew = true
        }
        guard let slot, !rest.isEmpty || reader.isInsideMessage else { return }
        switch slot.pointee.connection.phase {
        case .ending, .lingering, .closed: return
        case .idle, .head, .body, .handling, .streaming: break
        }
        let framingContext = slot.makeMessageState()
        framingContext.pending = [UInt8](rest)
        framingContext.pendingIsUnread = !isStarved && !rest.isEmpty
        framingContext.reader = reader
    }
}
