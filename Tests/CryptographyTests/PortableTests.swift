import Testing

@testable import Cryptography

/// Tests of the parts that take libcrypto's place on macOS, where they are compared with libcrypto.
@Suite struct PortableTests {
    @Test(arguments: CryptographyTests.scryptVectors)
    func derivesThePublishedKeys(password: String, salt: String, cost: Scrypt.Cost, key: String) {
        let derived = PortableScrypt.key(of: Array(password.utf8), salt: Array(salt.utf8), cost: cost, count: 64)
        #expect(derived == Hex.bytes(key))
    }

    @Test func derivesKeysOfAllCountsAsLibcryptoDoes() {
        let cost = Scrypt.Cost(n: 4, r: 3, p: 2)
        for count in [1, 31, 32, 33, 100] {
            let derived = PortableScrypt.key(of: [1, 2], salt: [3], cost: cost, count: count)
            #expect(derived == Scrypt.key(of: [1, 2], salt: [3], cost: cost, count: count))
        }
    }

    /// Keys that libcrypto reads, and each of them with one byte changed, removed or added.
    @Test func readsSubjectPublicKeysAsLibcryptoDoes() {
        let point = Hex.bytes(Self.p256)
        let info = DER.sequence(Self.p256Algorithm + [0x03, 0x42, 0x00] + point)
        let modulus = SignatureTests.modulus(bits: 2048)
        let numbers = DER.sequence(DER.integer(modulus[...]) + DER.integer([1, 0, 1]))
        let bits: [UInt8] = [0x03, 0x82, UInt8((numbers.count + 1) >> 8), UInt8((numbers.count + 1) & 0xFF), 0x00]
        let rsa = DER.sequence(Self.rsaAlgorithm + bits + numbers)
        #expect(DER.parts(ofSubjectPublicKey: info) == .p256(x: Array(point[1...32]), y: Array(point[33...])))
        #expect(DER.parts(ofSubjectPublicKey: rsa) == .rsa(modulus: modulus, exponent: [1, 0, 1]))
        for key in [info, rsa] {
            for index in key.indices {
                var (changed, shorter, longer) = (key, key, key)
                changed[index] ^= 0x01
                shorter.remove(at: index)
                longer.insert(0, at: index)
                for bytes in [changed, shorter, longer, Array(key[..<index])] {
                    // The reader may refuse a key that libcrypto accepts, and never the other way round.
                    guard let parts = DER.parts(ofSubjectPublicKey: bytes) else { continue }
                    if case .p256(let x, let y) = parts, P256PublicKey(x: x, y: y) == nil { continue }
                    #expect(SubjectPublicKey.parts(ofDER: bytes) == parts, "\(index)")
                }
            }
        }
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
