package import PlacekeeperCore

/// An administrator's second factor: one-time passwords of an authenticator app (RFC 6238 with SHA-1, six digits and 30
/// seconds, which every app supports), and recovery codes.
package struct SecondFactor: Sendable, Hashable {
    /// The key that the authenticator app knows.
    package var secret: [UInt8]
    /// The time step of the last accepted code. A code of this step or an earlier one is refused, so nobody can use a
    /// code that they saw (RFC 6238 section 5.2).
    package var lastStep: UInt64
    /// The digests of the unused recovery codes.
    package var recoveryCodes: [Digest]

    package init(secret: [UInt8], lastStep: UInt64 = 0, recoveryCodes: [Digest]) {
        (self.secret, self.lastStep, self.recoveryCodes) = (secret, lastStep, recoveryCodes)
    }

    /// The length of a secret in bytes, which RFC 4226 section 4 recommends.
    package static let secretLength = 20
    static let recoveryCodeCount = 10
    static let seconds: UInt64 = 30
    /// Codes of the steps beside the current one are accepted, because clocks differ and typing takes time.
    static let tolerance: UInt64 = 1

    /// Returns what to store after a code was used. Nil if the code is wrong or was used before.
    func using(
        _ code: String, at now: Timestamp, _ passwords: any PasswordHashing, _ hashing: any Hashing
    ) -> SecondFactor? {
        var next = self
        let code = Self.normalized(code)
        let digest = Self.digest(ofRecoveryCode: code, hashing)
        if let index = recoveryCodes.firstIndex(of: digest) {
            next.recoveryCodes.remove(at: index)
            return next
        }
        guard code.utf8.count == 6 else { return nil }
        let step = Self.step(at: now)
        for step in (step - min(step, Self.tolerance))...(step + Self.tolerance) where step > lastStep {
            guard let expected = Self.code(of: secret, step: step, passwords) else { continue }
            // Comparing digests takes constant time.
            if hashing.sha256(Array(expected.utf8)) == hashing.sha256(Array(code.utf8)) {
                next.lastStep = step
                return next
            }
        }
        return nil
    }

    static func step(at now: Timestamp) -> UInt64 { UInt64(max(0, now.milliseconds) / 1000) / seconds }

    /// Returns the six digits of a time step (RFC 4226 section 5.3).
    package static func code(of secret: [UInt8], step: UInt64, _ passwords: any PasswordHashing) -> String? {
        let message = (0..<8).map { UInt8(truncatingIfNeeded: step >> (56 - 8 * $0)) }
        guard let code = passwords.code(of: message, key: secret), code.count == 20 else { return nil }
        let offset = Int(code[19] & 0xF)
        let word = code[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
        let digits = String(word % 1_000_000)
        return String(repeating: "0", count: 6 - digits.count) + digits
    }

    /// Returns a code as it is compared: people may type spaces, hyphens and capital letters.
    private static func normalized(_ code: String) -> String {
        guard code.utf8.count <= 64 else { return "" }
        return String(decoding: code.utf8.filter { $0 != 0x20 && $0 != 0x2D }, as: UTF8.self).lowercased()
    }

    /// Makes new recovery codes, such as `k3vq-7dmx-p2fa-wz6h`, each with 80 random bits.
    static func makeRecoveryCodes(from random: any RandomSource) -> [String] {
        (0..<recoveryCodeCount).map { _ in
            let text = Array(Base32.encode(random.bytes(10)).lowercased())
            return stride(from: 0, to: text.count, by: 4).map { String(text[$0..<$0 + 4]) }.joined(separator: "-")
        }
    }

    static func digest(ofRecoveryCode code: String, _ hashing: any Hashing) -> Digest {
        hashing.sha256(Array("placekeeper recovery ".utf8) + normalized(code).utf8)
    }
}

extension SecondFactor {
    /// The stored form: the secret, the last step, and the digests.
    package var bytes: [UInt8] {
        secret + (0..<8).map { UInt8(truncatingIfNeeded: lastStep >> (56 - 8 * $0)) } + recoveryCodes.flatMap(\.bytes)
    }

    /// Reads the stored form. Nil for other bytes.
    package init?(bytes: [UInt8]) {
        let first = Self.secretLength + 8
        guard bytes.count >= first, (bytes.count - first) % 32 == 0 else { return nil }
        let digests = stride(from: first, to: bytes.count, by: 32).compactMap {
            Digest(bytes: Array(bytes[$0..<$0 + 32]))
        }
        self.init(
            secret: Array(bytes[..<Self.secretLength]),
            lastStep: bytes[Self.secretLength..<first].reduce(0) { $0 << 8 | UInt64($1) }, recoveryCodes: digests)
    }
}

/// Base 32 without padding (RFC 4648 section 6), as authenticator apps show keys.
package enum Base32 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    package static func encode(_ bytes: [UInt8]) -> String {
        var (text, word, bits): ([UInt8], UInt16, UInt16) = ([], 0, 0)
        for byte in bytes {
            (word, bits) = (word << 8 | UInt16(byte), bits + 8)
            while bits >= 5 {
                bits -= 5
                text.append(alphabet[Int(word >> bits & 31)])
            }
            word &= 0xFF
        }
        if bits > 0 { text.append(alphabet[Int(word << (5 - bits) & 31)]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns nil for other characters. Ignores the bits beyond the last whole byte.
    package static func decode(_ text: String) -> [UInt8]? {
        var (bytes, word, bits): ([UInt8], UInt16, UInt16) = ([], 0, 0)
        for character in text.utf8 {
            guard let value = alphabet.firstIndex(of: character) else { return nil }
            (word, bits) = (word << 5 | UInt16(value), bits + 5)
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: word >> bits))
            }
            word &= 0xFF
        }
        return bytes
    }
}
