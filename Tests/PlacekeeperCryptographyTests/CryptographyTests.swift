import Testing

@testable import PlacekeeperCryptography

@Suite struct CryptographyTests {
    /// The examples of FIPS 180-4, and the empty message.
    static let digests = [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            String(repeating: "a", count: 1_000_000),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        ),
    ]

    /// RFC 2202 section 3, and the first eight digits of RFC 6238 appendix B in their HMAC.
    @Test(arguments: [
        ([UInt8](repeating: 0x0B, count: 20), "Hi There", "b617318655057264e28bc0b6fb378c8ef146be00"),
        (Array("Jefe".utf8), "what do ya want for nothing?", "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"),
        (Array("12345678901234567890".utf8), "\0\0\0\0\0\0\0\u{1}", "75a48a19d4cbe100644e8ac1397eea747a2d33ab"),
    ])
    func computesHMACWithSHA1(key: [UInt8], message: String, code: String) throws {
        let found = try #require(HMAC.sha1(Array(message.utf8), key: key))
        #expect(found.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == code)
    }

    @Test(arguments: digests)
    func hashesThePublishedExamples(message: String, digest: String) {
        let message = Array(message.utf8)
        #expect(SHA256.digest(of: message) == Hex.bytes(digest))
        let words = message.withUnsafeBytes { SHA256.words(of: $0) }
        let bytes = [words.0, words.1, words.2, words.3].flatMap { word in
            (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) }
        }
        #expect(bytes == Hex.bytes(digest))
    }

    @Test func hashesCorrectlyOnManyThreadsAtOnce() async {
        await withTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<64 { group.addTask { SHA256.digest(of: Array("abc".utf8)) } }
            for await digest in group { #expect(digest == Hex.bytes(Self.digests[1].1)) }
        }
    }

    @Test func returnsDifferentRandomBytesOfTheRequestedCount() {
        #expect(Random.bytes(0).isEmpty)
        let drawn = (0..<100).map { _ in Random.bytes(32) }
        #expect(drawn.allSatisfy { $0.count == 32 })
        #expect(Set(drawn).count == 100)
    }

    @Test func comparesWholeArrays() {
        #expect(ConstantTime.isEqual([], []))
        #expect(ConstantTime.isEqual([1, 2, 3], [1, 2, 3]))
        #expect(!ConstantTime.isEqual([1, 2, 3], [1, 2, 4]))
        #expect(!ConstantTime.isEqual([1, 2, 3], [1, 2]))
    }

    /// The test vectors of RFC 7914 section 12, except the last, which takes a gibibyte.
    static let scryptVectors: [(password: String, salt: String, cost: Scrypt.Cost, key: String)] = [
        (
            "", "", Scrypt.Cost(n: 16, r: 1, p: 1),
            "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442"
                + "fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906"
        ),
        (
            "password", "NaCl", Scrypt.Cost(n: 1024, r: 8, p: 16),
            "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"
                + "2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640"
        ),
        (
            "pleaseletmein", "SodiumChloride", Scrypt.Cost(n: 16384, r: 8, p: 1),
            "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"
                + "d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887"
        ),
    ]

    @Test(arguments: scryptVectors)
    func derivesThePublishedKeys(password: String, salt: String, cost: Scrypt.Cost, key: String) {
        let derived = Scrypt.key(of: Array(password.utf8), salt: Array(salt.utf8), cost: cost, count: 64)
        #expect(derived == Hex.bytes(key))
    }

    /// The cost for passwords exceeds libcrypto's own limit of memory.
    @Test func derivesAKeyAtTheCostForPasswords() {
        #expect(Scrypt.Cost.password == Scrypt.Cost(n: 131_072, r: 8, p: 1))
        let keys = [1, 1, 2].map { Scrypt.key(of: [1], salt: [$0], cost: .password, count: 32) }
        #expect(keys[0]?.count == 32 && keys[0] == keys[1] && keys[0] != keys[2])
    }

    @Test func derivesNoKeyAtACostThatIsNotAllowed() {
        for cost in [
            Scrypt.Cost(n: 0, r: 8, p: 1), Scrypt.Cost(n: 3, r: 8, p: 1), Scrypt.Cost(n: 1, r: 8, p: 1),
            Scrypt.Cost(n: 16, r: 0, p: 1), Scrypt.Cost(n: 16, r: 1, p: 0), Scrypt.Cost(n: .max, r: .max, p: .max),
            Scrypt.Cost(n: 1 << 62, r: 8, p: 1),
        ] {
            #expect(Scrypt.key(of: [1], salt: [1], cost: cost, count: 32) == nil)
        }
        #expect(Scrypt.key(of: [1], salt: [1], cost: Scrypt.Cost(n: 16, r: 1, p: 1), count: 0) == nil)
    }
}
