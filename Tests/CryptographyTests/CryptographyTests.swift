import Testing

@testable import Cryptography

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

    @Test func sealsWithANewNonceEachTime() throws {
        let key = Random.bytes(AESGCM.keyCount)
        let message = Array("where they were".utf8)
        let first = try AESGCM.seal(message, key: key, authenticating: [1])
        let second = try AESGCM.seal(message, key: key, authenticating: [1])
        #expect(first.nonce != second.nonce)
        #expect(first.ciphertext != second.ciphertext)
        #expect(try AESGCM.open(first, key: key, authenticating: [1]) == message)
        #expect(throws: AESGCM.Failure.notAuthentic) { try AESGCM.open(first, key: key, authenticating: [2]) }
        #expect(throws: AESGCM.Failure.notAuthentic) {
            try AESGCM.open(first, key: Random.bytes(32), authenticating: [1])
        }
    }

    @Test func refusesKeysAndBoxesOfOtherSizes() throws {
        let key = Random.bytes(AESGCM.keyCount)
        let box = try AESGCM.seal([1, 2, 3], key: key)
        #expect(throws: AESGCM.Failure.keySize) { try AESGCM.seal([], key: []) }
        #expect(throws: AESGCM.Failure.keySize) { try AESGCM.open(box, key: Array(key.dropLast())) }
        #expect(throws: AESGCM.Failure.boxSize) {
            try AESGCM.open(
                .init(nonce: box.nonce, ciphertext: box.ciphertext, tag: Array(box.tag.dropLast())), key: key)
        }
    }

    @Test func derivesNoKeyOverTheMaximumLength() {
        #expect(HKDF.sha256(secret: [1], info: [], count: HKDF.maximumCount)?.count == HKDF.maximumCount)
        #expect(HKDF.sha256(secret: [1], info: [], count: HKDF.maximumCount + 1) == nil)
        #expect(HKDF.sha256(secret: [1], info: [], count: -1) == nil)
        #expect(HKDF.sha256(secret: [1], info: [], count: 0) == [])
    }
}
