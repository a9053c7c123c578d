import Testing

@testable import PlacekeeperCryptography

@Suite struct SignatureTests {
    /// A modulus of a size in bits: not the product of two primes, because only the size matters.
    static func modulus(bits: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0xFF, count: (bits + 7) / 8)
        bytes[0] = UInt8(truncatingIfNeeded: 0xFF >> (bytes.count * 8 - bits))
        return bytes
    }

    @Test(arguments: [(2047, false), (2048, true), (4096, true), (8192, true), (8193, false)])
    func acceptsRSAKeysOfTheAllowedSizes(bits: Int, isAccepted: Bool) {
        #expect((RSAPublicKey(modulus: Self.modulus(bits: bits), exponent: [1, 0, 1]) != nil) == isAccepted)
    }

    @Test(arguments: [
        [], [0], [1], [2], [1, 0, 0], [1, 0, 0, 0, 0, 0, 0, 0, 1], [UInt8](repeating: 0xFF, count: 256),
    ])
    func rejectsInvalidExponents(exponent: [UInt8]) {
        #expect(RSAPublicKey(modulus: Self.modulus(bits: 2048), exponent: exponent) == nil)
    }

    @Test func rejectsAnEvenModulus() {
        #expect(RSAPublicKey(modulus: Array(Self.modulus(bits: 2048).dropLast()) + [0xFE], exponent: [3]) == nil)
        #expect(RSAPublicKey(modulus: [], exponent: [3]) == nil)
    }

    @Test func ignoresLeadingZerosOfRSANumbers() throws {
        let modulus = Self.modulus(bits: 2048)
        let key = try #require(RSAPublicKey(modulus: [0, 0] + modulus, exponent: [0, 1, 0, 1]))
        #expect(key.modulus == modulus)
        #expect(key.exponent == [1, 0, 1])
    }

    @Test func rejectsPointsThatAreNotOnTheCurve() {
        let zero = [UInt8](repeating: 0, count: 32)
        let one = Array(zero.dropLast()) + [1]
        let large = [UInt8](repeating: 0xFF, count: 32)
        for (x, y) in [(zero, zero), (one, one), (large, large), ([], []), ([1], [1]), (one + [1], one)] {
            #expect(P256PublicKey(x: x, y: y) == nil)
        }
    }

    @Test func rejectsBytesThatAreNotASubjectPublicKey() {
        for der in [[], [0], [0x30, 0], [0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF], [UInt8](repeating: 0x30, count: 1000)] {
            #expect(SubjectPublicKey(der: der) == nil)
        }
    }
}
