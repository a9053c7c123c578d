extension LinkCode {
    package static let lifetime = Duration.seconds(600)

    /// The latest expiry of a code that is valid at `now`. Anything later comes from a clock that was ahead.
    package static func latestExpiry(at now: Timestamp) -> Timestamp { now + lifetime + Timestamp.longestCorrection }

    /// Crockford's base 32, which omits I, L, O and U. When a code is read, I and L count as 1, and O as 0.
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    /// Returns a new code: eight characters, with 40 random bits.
    package static func text(from random: any RandomSource) -> String {
        String(decoding: random.bytes(8).map { alphabet[Int($0 & 31)] }, as: UTF8.self)
    }

    /// Returns the digest under which a code is stored. Nil if the text isn't a code. Case, spaces and hyphens are
    /// ignored. The digest includes the app, so a code works within one app only.
    package static func digest(of text: String, app: AppID, hashing: any Hashing) -> Digest? {
        var code: [UInt8] = []
        for byte in text.utf8 where byte != 0x20 && byte != 0x2D {
            guard code.count < 8, let symbol = symbol(byte) else { return nil }
            code.append(symbol)
        }
        guard code.count == 8 else { return nil }
        return hashing.sha256(Array(app.description.utf8) + code)
    }

    private static func symbol(_ byte: UInt8) -> UInt8? {
        let upper = (0x61...0x7A).contains(byte) ? byte - 0x20 : byte
        switch upper {
        case UInt8(ascii: "O"): return UInt8(ascii: "0")
        case UInt8(ascii: "I"), UInt8(ascii: "L"): return UInt8(ascii: "1")
        default: return alphabet.contains(upper) ? upper : nil
        }
    }
}
