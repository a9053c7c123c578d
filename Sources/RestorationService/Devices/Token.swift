/// Secrets and keys as text: a prefix that says what it is, and random bits in base64url (RFC 4648 section 5).
enum Token {
    /// 256 random bits: a device's bearer token.
    static func device(from random: any RandomSource) -> String { "pkd_" + base64url(random.bytes(32)) }
    /// 128 random bits: names an app where no token can.
    static func publishableKey(from random: any RandomSource) -> String { "pk_" + base64url(random.bytes(16)) }

    /// Whether text could be a device's token, so that nothing else need be hashed and looked up.
    static func couldBeDevice(_ text: ArraySlice<UInt8>) -> Bool {
        text.count == 47 && text.starts(with: "pkd_".utf8)
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// Without padding.
    static func base64url(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            count += 8
            while count >= 6 {
                count -= 6
                text.append(alphabet[Int(bits >> UInt32(count) & 0x3F)])
            }
        }
        if count > 0 { text.append(alphabet[Int(bits << UInt32(6 - count) & 0x3F)]) }
        return String(decoding: text, as: UTF8.self)
    }
}
