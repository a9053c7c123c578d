import Testing

@testable import PlacekeeperCryptography

/// Tests of the parts that take libcrypto's place on macOS. On Linux they are also compared with libcrypto.
@Suite struct PortableTests {
    @Test(arguments: CryptographyTests.scryptVectors)
    func derivesThePublishedKeys(password: String, salt: String, cost: Scrypt.Cost, key: String) {
        let derived = PortableScrypt.key(of: Array(password.utf8), salt: Array(salt.utf8), cost: cost, count: 64)
        #expect(derived == Hex.bytes(key))
    }

    /// A key of `hashlib.scrypt` of Python 3.11, of which every shorter key is a prefix.
    @Test(arguments: [1, 31, 32, 33, 100])
    func derivesKeysOfAllCounts(count: Int) {
        let key = Hex.bytes(
            "00b63e88799dd03901b6a12b9362885278c0189d15265e7b8e7d9eab073b634a04579e8e734df4ba85ed6e655875eccfe1e238f6"
                + "4db774ebf75421ddf8cf1fd00a404009c440752677d2f57c335859b595ce29f099dd03445c3f6b8519156f50cbff2b7a")
        let cost = Scrypt.Cost(n: 4, r: 3, p: 2)
        #expect(PortableScrypt.key(of: [1, 2], salt: [3], cost: cost, count: count) == Array(key.prefix(count)))
        #expect(Scrypt.key(of: [1, 2], salt: [3], cost: cost, count: count) == Array(key.prefix(count)))
    }

    /// The table would have 2⁵⁰ bytes.
    @Test func derivesNoKeyWithoutMemory() {
        #expect(PortableScrypt.key(of: [1], salt: [2], cost: .init(n: 1 << 40, r: 8, p: 1), count: 32) == nil)
    }

    /// Two keys, and each of them with one byte changed, removed or added, or without its end. Only a change inside a
    /// number gives another key.
    @Test func readsOnlyWellFormedSubjectPublicKeys() {
        let point = Hex.bytes(Self.p256)
        let info = DER.sequence(Self.p256Algorithm + [0x03, 0x42, 0x00] + point)
        let modulus = SignatureTests.modulus(bits: 2048)
        let numbers = DER.sequence(DER.integer(modulus[...]) + DER.integer([1, 0, 1]))
        let bits: [UInt8] = [0x03, 0x82, UInt8((numbers.count + 1) >> 8), UInt8((numbers.count + 1) & 0xFF), 0x00]
        let rsa = DER.sequence(Self.rsaAlgorithm + bits + numbers)
        #expect(DER.parts(ofSubjectPublicKey: info) == .p256(x: Array(point[1...32]), y: Array(point[33...])))
        #expect(DER.parts(ofSubjectPublicKey: rsa) == .rsa(modulus: modulus, exponent: [1, 0, 1]))
        for (key, numbers) in [(info, Self.point(of:distance:)), (rsa, Self.numbers(of:distance:))] {
            for index in key.indices {
                var (changed, shorter, longer) = (key, key, key)
                changed[index] ^= 0x01
                shorter.remove(at: index)
                longer.insert(0, at: index)
                let parts = DER.parts(ofSubjectPublicKey: changed)
                #expect(parts == numbers(changed, key.count - index), "\(index)")
                // A key that the reader accepts is the same key for the reader of this system, which refuses points
                // that are not on the curve.
                if let parts, SubjectPublicKey.parts(ofDER: changed) != parts {
                    guard case .p256(let x, let y) = parts else {
                        Issue.record("\(index)")
                        continue
                    }
                    #expect(P256PublicKey(x: x, y: y) == nil, "\(index)")
                }
                for bytes in [shorter, longer, Array(key[..<index])] {
                    #expect(DER.parts(ofSubjectPublicKey: bytes) == nil, "\(index)")
                }
            }
        }
    }

    /// Returns the point at the end of a key. Nil if the changed byte is not in the point. The distance of this byte from
    /// the end of the key is `distance`.
    private static func point(of key: [UInt8], distance: Int) -> SubjectPublicKey.Parts? {
        distance <= 64 ? .p256(x: Array(key.suffix(64).prefix(32)), y: Array(key.suffix(32))) : nil
    }

    /// Returns the modulus of 257 bytes, and the exponent of 3 bytes after 2 bytes of its head. Nil if the changed byte is
    /// in neither, or if the exponent begins with a zero. The modulus has a zero in front, which may become 1.
    private static func numbers(of key: [UInt8], distance: Int) -> SubjectPublicKey.Parts? {
        let modulus = Array(key.suffix(262).prefix(257).drop { $0 == 0 })
        guard [1...2, 6...262].contains(where: { $0.contains(distance) }) else { return nil }
        return .rsa(modulus: modulus, exponent: Array(key.suffix(3)))
    }

    private static let rsaAlgorithm: [UInt8] = [
        0x30, 0x0D, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00,
    ]
    private static let p256Algorithm: [UInt8] = [
        0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D,
        0x03, 0x01, 0x07,
    ]
    /// The base point of P-256 (SP 800-186 section 3.2.1.3), uncompressed.
    private static let p256 =
        "04" + "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
        + "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"
}
