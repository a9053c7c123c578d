import HTTPCodec

/// What a connection holds while a message or its answer is in parts. An idle connection has none.
final class MessageState {
    /// What of a message has been read; nil between messages.
    var reader: RequestReader?
    /// Received and not used up.
    var pending: [UInt8] = []
    /// Bytes of `pending` that are accounted for.
    var pendingCharge = 0
    /// Whether `pending` was put aside before the reader saw it, because an answer has to come first.
    var pendingIsUnread = false
    /// Content that was collected and is accounted for.
    var charge = 0
    /// Accounted for as well, to the byte.
    var unsent = UnsentBytes()
    /// The tick since which there were always some, and how many the peer took since.
    var unsentSince: UInt32 = 0
    var taken = 0
    /// The handler, when it waits.
    var task: Task<Void, Never>?
    /// The stream's writers, when they wait for the peer.
    var writers: [CheckedContinuation<Void, any Error>] = []

    var isNeeded: Bool {
        !pending.isEmpty || !unsent.isEmpty || task != nil || charge > 0 || reader != nil
    }
}

/// Bytes that the peer was too slow to take.
struct UnsentBytes {
    private var bytes: [UInt8] = []
    private var start = 0

    var count: Int { bytes.count - start }
    var isEmpty: Bool { count == 0 }

    /// Puts `more` without its first `skipped` bytes behind what waits; without a copy when nothing does.
    mutating func append(_ more: [UInt8], skipping skipped: Int) {
        if isEmpty {
            bytes = more
            start = skipped
        } else {
            bytes.append(contentsOf: more[skipped...])
        }
    }

    mutating func append(_ more: UnsafeRawBufferPointer) {
        // What was sent makes room once it is the greater part: each byte is moved at most once for each sent.
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
