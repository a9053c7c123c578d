import PlacekeeperCore

/// Creates secrets and keys as text: a prefix for the kind, followed by random bits in base64url (RFC 4648 section 5).
enum Token {
    /// Returns a new device token: 256 random bits.
    static func device(from random: any RandomSource) -> String { "pkd_" + base64url(random.bytes(32)) }
    /// Returns a new publishable key for an app: 128 random bits.
    static func publishableKey(from random: any RandomSource) -> String { "pk_" + base64url(random.bytes(16)) }

    /// Returns a new token for the admin API: 256 random bits.
    static func api(from random: any RandomSource) -> String { "pka_" + base64url(random.bytes(32)) }
    /// Returns a secret for a new administrator session: 256 random bits.
    static func session(from random: any RandomSource) -> String { "pks_" + base64url(random.bytes(32)) }

    static func couldBeAPIToken(_ text: ArraySlice<UInt8>) -> Bool {
        text.count == 47 && text.starts(with: "pka_".utf8)
    }
    static func couldBeSession(_ text: ArraySlice<UInt8>) -> Bool {
        text.count == 47 && text.starts(with: "pks_".utf8)
    }

    /// Returns whether a text is formatted like a device token. Other texts need no hashing or lookup.
    static func couldBeDevice(_ text: ArraySlice<UInt8>) -> Bool {
        text.count == 47 && text.starts(with: "pkd_".utf8)
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// Encodes bytes without padding.
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
