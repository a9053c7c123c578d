import HTTPCodec
import RestorationService

/// What is sent in coded form, and under which entity tag.
enum ContentCoding {
    /// Bytes below which coding saves no packet.
    static let threshold = 1024

    /// A strong entity tag over the content: the coded form is another representation, with a tag of its own
    /// (RFC 9110 section 8.8.3.3).
    static func entityTag(of bytes: [UInt8], _ hashing: any Hashing, coded: Bool) -> [UInt8] {
        entityTag(of: hashing.sha256(bytes), coded: coded)
    }

    static func entityTag(of digest: Digest, coded: Bool = false) -> [UInt8] {
        var tag: [UInt8] = [0x22]
        tag.reserveCapacity(40)
        for word in [digest.words.0, digest.words.1] { tag.append(hexadecimal: word) }
        if coded { tag.append(contentsOf: "-gzip".utf8) }
        tag.append(0x22)
        return tag
    }
}

extension [UInt8] {
    /// Appends sixteen digits.
    mutating func append(hexadecimal word: UInt64) {
        for position in 0..<16 {
            let digit = UInt8(truncatingIfNeeded: word >> (60 - UInt64(position) * 4)) & 0xF
            append(digit < 10 ? 0x30 + digit : 0x57 + digit)
        }
    }
}
