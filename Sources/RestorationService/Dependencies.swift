// What the domain needs of its surroundings. The command wires in the real ones; tests wire in their own.

/// The server's clock. It never runs back, whatever the system's clock does (design, "Order").
package protocol Clock: Sendable {
    func now() -> Timestamp
}

/// Unpredictable bytes for tokens, keys and codes.
package protocol RandomSource: Sendable {
    func bytes(_ count: Int) -> [UInt8]
}

/// SHA-256: 32 bytes.
package protocol Hashing: Sendable {
    func sha256(_ bytes: UnsafeRawBufferPointer) -> Digest
}

extension Hashing {
    package func sha256(_ bytes: [UInt8]) -> Digest { bytes.withUnsafeBytes { sha256($0) } }
}

/// Lossless compression of stored blobs.
package protocol BlobCompression: Sendable {
    /// The bytes in compressed form, or nil when that saves too little to be worth it.
    func compress(_ bytes: [UInt8]) -> [UInt8]?
    /// The bytes again. `count` is their known number; anything else throws.
    func decompress(_ bytes: [UInt8], count: Int) throws -> [UInt8]
}

/// What identifiers and aliases are looked up by: 64 bits of a hash that is keyed by user, so that what is stored tells
/// nobody what it is of. Texts that are canonically equivalent (Unicode, section 3.11) have the same key.
package protocol LookupHashing: Sendable {
    func keys(of texts: [String], for owner: UserKey) -> [LookupKey]
}

/// Closes texts before they are stored, and opens them again. Sealing makes encryption at rest an insertion.
package protocol Sealing: Sendable {
    func seal(_ text: [UInt8], for owner: UserKey) -> [UInt8]
    func open(_ sealed: [UInt8], for owner: UserKey) throws(StoreError) -> [UInt8]
}

/// Leaves texts as they are.
package struct PlainTexts: Sealing {
    package init() {}
    package func seal(_ text: [UInt8], for owner: UserKey) -> [UInt8] { text }
    package func open(_ sealed: [UInt8], for owner: UserKey) -> [UInt8] { sealed }
}

/// A SHA-256 digest, as four words.
package struct Digest: Sendable, Hashable {
    package var words: (UInt64, UInt64, UInt64, UInt64)

    /// Reads 32 bytes, most significant first; nil for any other number.
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
