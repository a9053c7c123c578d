import PlacekeeperCore
import PlacekeeperService

extension ServedVersion {
    /// The strong entity tag of the version (RFC 9110 section 8.8.3), with quotes. It consists of the revision, the
    /// first word of the digest, and a hash of the other values, and is the same in every process.
    var entityTag: String {
        var mix = EntityTagMix()
        mix.combine(EntityTagMix.rewriterVersion)
        mix.combine(rewritten?.words.0 ?? 0)
        mix.combine(UInt64(fidelity.rawValue))
        if isOnlyOffered { mix.combine(1) }
        mix.combine(UInt64(bitPattern: superseded?.head.rawValue ?? -1))
        mix.combine(UInt64(bitPattern: superseded?.by.wholeMilliseconds ?? -1))
        mix.combine(UInt64(bitPattern: Int64(asked.idiom.rawValue)))
        mix.combine(UInt64(asked.layout.map { $0.rawValue + 1 } ?? 0))
        mix.combine(asked.bundleVersion)
        mix.combine(asked.systemVersion)
        mix.combine(asked.stateVersion == nil ? 0 : 1)
        mix.combine(UInt64(bitPattern: asked.stateVersion ?? 0))
        return EntityTagMix.text(UInt64(bitPattern: revision.rawValue), digest.words.0, mix.state)
    }
}

/// The hash function of entity tags.
private struct EntityTagMix {
    /// The version of the rewriter. Increase it when the rewriter starts to produce different bytes from the same
    /// archive, so that the entity tag changes too.
    static let rewriterVersion: UInt64 = 1
    private(set) var state: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func combine(_ word: UInt64) {
        state = (state ^ word) &* 0x9E37_79B9_7F4A_7C15
        state ^= state >> 29
    }

    mutating func combine(_ text: String?) {
        guard let text else { return combine(UInt64.max) }
        combine(UInt64(text.utf8.count))
        for byte in text.utf8 { combine(UInt64(byte)) }
    }

    /// Returns three words in hexadecimal, such as `"1f-…-…"`, with the quotes.
    static func text(_ words: UInt64...) -> String {
        String(unsafeUninitializedCapacity: 52) { buffer in
            buffer[0] = UInt8(ascii: "\"")
            var count = 1
            for (index, word) in words.enumerated() {
                if index > 0 {
                    buffer[count] = UInt8(ascii: "-")
                    count += 1
                }
                let digits = max(1, (64 - word.leadingZeroBitCount + 3) / 4)
                for digit in (0..<digits).reversed() {
                    let value = UInt8(truncatingIfNeeded: word >> UInt64(digit * 4)) & 0xF
                    buffer[count] = value < 10 ? 0x30 + value : 0x57 + value
                    count += 1
                }
            }
            buffer[count] = UInt8(ascii: "\"")
            return count + 1
        }
    }
}
