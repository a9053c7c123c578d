/// Reads requests from a connection's bytes, knowing no socket (RFC 9112).
///
/// Feed it the bytes that are there, drop what it consumed, feed it again. The same bytes give the same events whole,
/// byte by byte, and with the next request behind them. After `.refused` it reads nothing further.
package struct RequestDecoder: Sendable {
    package enum Event: Sendable {
        /// Nothing more can be said before more bytes are there. What was not consumed must be fed again.
        case needsMore
        case head(RequestHead)
        /// A piece of content, at this range of the bytes that were fed (before dropping what was consumed).
        case body(Range<Int>)
        /// The message is whole. The next call reads the next request.
        case end
        case refused(Refusal)
    }

    /// What a message may measure.
    package struct Limits: Sendable, Hashable {
        package var requestLine = 8 * 1024
        package var head = 32 * 1024
        package var fieldCount = 100
        package init() {}
    }

    package let limits: Limits

    package init(limits: Limits = Limits()) { self.limits = limits }

    /// Whether a message has begun and is not whole: what a deadline, and a peer that closes, go by.
    package var isInsideMessage: Bool { false }

    /// The next event in `bytes`, and how many of them it used up.
    package mutating func next(_ bytes: UnsafeRawBufferPointer) -> (event: Event, consumed: Int) { (.needsMore, 0) }
}
