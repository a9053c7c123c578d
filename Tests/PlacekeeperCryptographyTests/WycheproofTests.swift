import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperCryptography

@Suite(.enabled(if: Corpora.folder != nil, "PLACEKEEPER_CORPORA is not set"))
struct WycheproofTests {
    struct Authentication: Decodable, Sendable {
        var tcId: Int
        var key, msg, tag: Hex
        var result: String
    }

    @Test func authenticatesTheVectors() throws {
        var run = 0
        for group in try Vectors<Authentication>.read("hmac_sha256_test.json").testGroups {
            for test in group.tests {
                run += 1
                // A truncated tag is the start of the complete tag (RFC 2104 section 5).
                let tag = Array(HMAC.sha256(test.msg.bytes, key: test.key.bytes).prefix((group.tagSize ?? 256) / 8))
                #expect(
                    ConstantTime.isEqual(tag, test.tag.bytes) == (test.result == "valid"), "test \(test.tcId)")
            }
        }
        #expect(run > 100)
    }

    struct Signature: Decodable, Sendable {
        var tcId: Int
        var msg, sig: Hex
        var result: String
    }

    @Test func verifiesTheRSASignatures() throws {
        var run = 0
        for group in try Vectors<Signature>.read("rsa_signature_2048_sha256_test.json").testGroups {
            let parts = try #require(group.publicKey)
            let (modulus, exponent) = (try #require(parts.modulus).bytes, try #require(parts.publicExponent).bytes)
            let key = try #require(RSAPublicKey(modulus: modulus, exponent: exponent))
            guard case .rsa(let read) = SubjectPublicKey(der: try #require(group.publicKeyDer).bytes) else {
                Issue.record("the encoded key cannot be read")
                continue
            }
            #expect(read.modulus == key.modulus && read.exponent == key.exponent)
            for test in group.tests {
                run += 1
                #expect(!key.verifies([0] + test.sig.bytes, of: test.msg.bytes), "test \(test.tcId)")
                // The only acceptable test leaves out a part of the encoding that RFC 8017 requires.
                #expect(
                    key.verifies(test.sig.bytes, of: test.msg.bytes) == (test.result == "valid"), "test \(test.tcId)")
            }
        }
        #expect(run > 200)
    }

    @Test func verifiesTheP256Signatures() throws {
        var run = 0
        for group in try Vectors<Signature>.read("ecdsa_secp256r1_sha256_p1363_test.json").testGroups {
            let point = try #require(group.publicKey?.uncompressed).bytes
            let key = try #require(P256PublicKey(x: Array(point[1..<33]), y: Array(point[33...])))
            guard case .p256(let read) = SubjectPublicKey(der: try #require(group.publicKeyDer).bytes) else {
                Issue.record("the encoded key cannot be read")
                continue
            }
            #expect(read.x == key.x && read.y == key.y)
            for test in group.tests {
                run += 1
                let (r, s) = (test.sig.bytes.prefix(32), test.sig.bytes.dropFirst(32))
                #expect(!key.verifies(r + [0] + s, of: test.msg.bytes), "test \(test.tcId)")
                #expect(
                    key.verifies(test.sig.bytes, of: test.msg.bytes) == (test.result == "valid"), "test \(test.tcId)")
            }
        }
        #expect(run > 200)
    }
}
