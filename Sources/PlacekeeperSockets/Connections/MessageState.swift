import PlacekeeperHTTP

/// The state of a connection while a message or its response is incomplete. An idle connection has none.
final class MessageState {
    /// The reader of an incomplete message. Nil between messages.
    var reader: RequestReader?
    /// The received bytes that haven't been consumed.
    var pending: [UInt8] = []
    /// The number of bytes of `pending` that are charged to the byte budget.
    var pendingCharge = 0
    /// Whether the reader hasn't read `pending` yet, because a response must be sent first.
    var pendingIsUnread = false
    /// The number of bytes of collected content that are charged to the byte budget.
    var charge = 0
    /// The bytes that wait for the peer. All of them are charged to the byte budget.
    var unsent = UnsentBytes()
    /// The tick at which the first byte was added to `unsent`.
    var unsentSince: UInt32 = 0
    /// The number of bytes that the peer has received since `unsentSince`.
    var taken = 0
    /// The task of a detached handler.
    var task: Task<Void, Never>?
    /// The suspended writers of a stream, waiting until the peer can receive more.
    var writers: [CheckedContinuation<Void, any Error>] = []

    var isNeeded: Bool {
        !pending.isEmpty || !unsent.isEmpty || task != nil || charge > 0 || reader != nil
    }
}

/// Bytes that wait for a slow peer.
struct UnsentBytes {
    private var bytes: [UInt8] = []
    private var start = 0

    var count: Int { bytes.count - start }
    var isEmpty: Bool { count == 0 }

    /// Appends `more` without its first `skipped` bytes. Doesn't copy `more` if nothing else is waiting.
    mutating func append(_ more: [UInt8], skipping skipped: Int) {
        if isEmpty {
            bytes = more
            start = skipped
        } else {
            bytes.append(contentsOf: more[skipped...])
        }
    }

    mutating func append(_ more: UnsafeRawBufferPointer) {
        // Remove sent bytes once they fill more than half of the array. So at most one byte is moved per sent byte.
        if start > bytes.count / 2 {
            bytes.removeFirst(start)
            start = 0
        }
        bytes.append(contentsOf: more)
    }

    mutating func drop(_ count: Int) {
        start += count
        if isEmpty { self = UnsentBytes() }
    }

    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[start...])) }
    }
}
