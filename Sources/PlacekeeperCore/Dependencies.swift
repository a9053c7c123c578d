// What the domain depends on. The command injects the real implementations; tests inject their own.

/// The machine's clocks.
package protocol Clock: Sendable {
    /// The system's time. A user or a program may set this clock forward or back at any moment.
    func now() -> Timestamp
    /// The time since some moment before the process started. Nobody can set this clock, and it never runs backward.
    /// Use it for intervals, such as those of rate limits.
    func uptime() -> Duration
}

/// A source of unpredictable bytes for tokens, keys and codes.
package protocol RandomSource: Sendable {
    func bytes(_ count: Int) -> [UInt8]
}

/// Computes SHA-256 digests of 32 bytes each.
package protocol Hashing: Sendable {
    func sha256(_ bytes: UnsafeRawBufferPointer) -> Digest
    /// Begins the digest of bytes that arrive in pieces.
    func running() -> any RunningHash
}

/// Computes the SHA-256 digest of bytes that arrive in pieces. Only one task at a time may use it.
package protocol RunningHash: AnyObject, Sendable {
    func update(_ bytes: UnsafeRawBufferPointer)
    /// Returns the digest of all pieces. Call it once, after the last piece.
    func finish() -> Digest
}

extension Hashing {
    package func sha256(_ bytes: [UInt8]) -> Digest { bytes.withUnsafeBytes { sha256($0) } }
}

extension RunningHash {
    package func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { update($0) } }
}

/// A SHA-256 digest, as four words.
package struct Digest: Sendable, Hashable {
    package var words: (UInt64, UInt64, UInt64, UInt64)

    /// Reads 32 bytes, the most significant first. Nil for any other length.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 32 else { return nil }
        var words = [UInt64](repeating: 0, count: 4)
        for (index, byte) in bytes.enumerated() { words[index / 8] = words[index / 8] << 8 | UInt64(byte) }
        self.words = (words[0], words[1], words[2], words[3])
    }

    package init(_ first: UInt64, _ second: UInt64, _ third: UInt64, _ fourth: UInt64) {
        words = (first, second, third, fourth)
    }

    package var bytes: [UInt8] {
        [words.0, words.1, words.2, words.3].flatMap { word in
            (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) }
        }
    }

    package static func == (left: Digest, right: Digest) -> Bool {
        (left.words.0 ^ right.words.0) | (left.words.1 ^ right.words.1) | (left.words.2 ^ right.words.2)
            | (left.words.3 ^ right.words.3) == 0
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(words.0) }
}
