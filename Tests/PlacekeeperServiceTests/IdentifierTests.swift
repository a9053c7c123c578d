import PlacekeeperCore
import Testing

@testable import PlacekeeperService

struct IdentifierTests {
    @Test func readsAndWritesUUIDText() throws {
        let text = "0123abcd-ef01-4234-89ab-cdef01234567"
        let id = try #require(ArchiveID(text))
        #expect(id.description == text)
        #expect(ArchiveID(text.uppercased()) == id)
    }

    @Test(arguments: [
        "", "0123abcd", "0123abcd-ef01-4234-89ab-cdef0123456", "0123abcd-ef01-4234-89ab-cdef012345678",
        "0123abcdef01-4234-89ab-cdef-01234567", "0123abcg-ef01-4234-89ab-cdef01234567",
        "{0123abcd-ef01-4234-89ab-cdef01234567}", "0123abcd_ef01-4234-89ab-cdef01234567",
    ])
    func rejectsOtherText(_ text: String) { #expect(ArchiveID(text) == nil) }

    @Test func makesRandomIdentifiersOfVersionFour() {
        let random = SeededRandom(seed: 3)
        let ids = (0..<100).map { _ in ArchiveID.random(random) }
        #expect(Set(ids).count == 100)
        for text in ids.map(\.description) {
            let characters = Array(text)
            #expect(characters[14] == "4" && "89ab".contains(characters[19]))
        }
    }

    /// The test vectors of RFC 4648 section 10, in the URL-safe alphabet and without padding.
    @Test(arguments: [
        ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
        ("foobar", "Zm9vYmFy"),
    ])
    func encodesBase64URL(_ plain: String, _ encoded: String) {
        #expect(Token.base64url(Array(plain.utf8)) == encoded)
    }

    @Test func usesTheURLSafeAlphabet() { #expect(Token.base64url([0xFB, 0xEF, 0xFF]) == "--__") }

    @Test func readsAndWritesBytesOfDigest() throws {
        let bytes = (0..<32).map { UInt8($0 * 7) }
        let digest = try #require(Digest(bytes: bytes))
        #expect(digest.bytes == bytes)
        #expect(Digest(bytes: bytes.dropLast()) == nil)
        for index in bytes.indices {
            var other = bytes
            other[index] ^= 1
            #expect(Digest(bytes: other) != digest)
        }
    }
}
