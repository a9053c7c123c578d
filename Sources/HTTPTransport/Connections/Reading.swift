import HTTPCodec

/// The bytes of one connection in a worker's input, as far as they are read.
///
/// A worker has one and uses it over and over: to make a reader for each batch would cost as much as to read it.
struct Reading {
    private(set) var token = ConnectionToken(index: 0, generation: 0)
    /// The connection that is being read; nil between two.
    private(set) var slot: SlotPointer?
    private(set) var reader: RequestReader
    private let limits: RequestDecoder.Limits
    private var bytes = UnsafeRawBufferPointer(start: nil, count: 0)
    private var offset = 0
    /// Whether `reader` is as if it were new: whole requests were read, and not a byte behind them.
    private var readerIsNew = true
    /// Whether all that can be told from the bytes is told.
    private(set) var isStarved = false
    /// Whether the peer did its part.
    private(set) var hasProgressed = false

    init(limits: RequestDecoder.Limits) {
        self.limits = limits
        reader = RequestReader(limits: limits)
    }

    var rest: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[offset...]) }

    /// Takes up a connection, and what it has of a message.
    mutating func begin(_ bytes: UnsafeRawBufferPointer, _ token: ConnectionToken, _ slot: SlotPointer) {
        self.token = token
        self.slot = slot
        self.bytes = bytes
        offset = 0
        isStarved = false
        hasProgressed = false
        guard let begun = slot.pointee.messageState?.reader.take() else { return }
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
            // Nothing is left to look at: the usual end of a batch.
            isStarved = offset == bytes.count
            readerIsNew = isStarved && head.keepsAlive
        case .refused: break
        }
        return step
    }

    mutating func accept(bodyLimit: Int, at time: Int64?, tick: UInt32) -> Refusal? {
        reader.accept(bodyLimit: bodyLimit, at: time, tick: tick)
    }

    /// Lets go of the connection. What it has of a message, and what is not read, stays with it.
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
        let messageState = slot.makeMessageState()
        messageState.pending = [UInt8](rest)
        messageState.pendingIsUnread = !isStarved && !rest.isEmpty
        messageState.reader = reader
    }
}
