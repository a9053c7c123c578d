import PlacekeeperTestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A file of test vectors of Project Wycheproof.
struct Vectors<Test: Decodable & Sendable>: Decodable {
    struct Group: Decodable {
        var tagSize: Int?
        var publicKey: Key?
        /// The key as a `SubjectPublicKeyInfo` in DER.
        var publicKeyDer: Hex?
        var tests: [Test]
    }

    /// A public key: the numbers of an RSA key, or the uncompressed point of a key on a curve.
    struct Key: Decodable {
        var modulus, publicExponent, uncompressed: Hex?
    }

    var testGroups: [Group]

    static func read(_ name: String) throws -> Vectors {
        try JSONDecoder().decode(Vectors.self, from: Data(try Corpora.bytes("crypto/" + name)))
    }
}

/// Bytes that are encoded in hexadecimal digits.
struct Hex: Decodable, Sendable {
    var bytes: [UInt8]

    init(from decoder: any Decoder) throws {
        bytes = Hex.bytes(try decoder.singleValueContainer().decode(String.self))
    }

    static func bytes(_ text: String) -> [UInt8] {
        let digits = text.compactMap { $0.hexDigitValue.map(UInt8.init) }
        return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}
