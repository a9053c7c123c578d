import PlacekeeperCryptography
import Testing

@testable import PlacekeeperTokens

@Suite struct JSONWebKeySetTests {
    static let long = Base64URL.encode([UInt8](repeating: 7, count: 32))

    @Test func readsEachTypeOfKey() throws {
        let keys = try Samples.allKeys().keys
        #expect(keys.map(\.algorithm) == [.hs256, .rs256, .es256])
        #expect(keys.map(\.identifier) == ["hmac", "rsa", "curve"])
        #expect(keys.map(\.isSecret) == [true, false, false])
    }

    @Test func bindsAKeyWithoutAnAlgorithmToTheOnlyAlgorithmOfItsType() throws {
        let set = try Samples.keys(
            #"{"kty":"oct","k":"\#(Self.long)"}"#, #"{"kty":"RSA","n":"\#(Samples.modulus)","e":"AQAB"}"#,
            #"{"kty":"EC","crv":"P-256","x":"\#(Samples.x)","y":"\#(Samples.y)"}"#)
        #expect(set.keys.map(\.algorithm) == [.hs256, .rs256, .es256])
    }

    /// Keys that a set may have, but that are not for the tokens of this service.
    static let skipped = [
        #"{"kty":"OKP","crv":"Ed25519","x":"AA"}"#, #"{"kty":"new"}"#, #"{"kty":"oct","alg":"HS512","k":"\#(long)"}"#,
        #"{"kty":"RSA","alg":"PS256","n":"AA","e":"AQAB"}"#, #"{"kty":"RSA","use":"enc","n":"AA","e":"AQAB"}"#,
        #"{"kty":"RSA","key_ops":["encrypt"],"n":"AA","e":"AQAB"}"#, #"{"kty":"EC","crv":"P-384","x":"AA","y":"AA"}"#,
        #"{"kty":"EC","alg":"ES384","crv":"P-384","x":"AA","y":"AA"}"#,
    ]

    @Test(arguments: skipped)
    func skipsKeysForOtherPurposes(key: String) throws {
        #expect(try Samples.keys(key, Samples.hmacJWK).keys.map(\.identifier) == ["hmac"])
        #expect(throws: JSONWebKeyError.self) { try JSONWebKeySet.keys(json: Array(key.utf8)) }
    }

    static let malformed = [
        "1", "null", "{}", #"{"kty":1}"#, #"{"kty":"oct"}"#, #"{"kty":"oct","k":1}"#, #"{"kty":"oct","k":""}"#,
        #"{"kty":"oct","k":"\#(long)="}"#, #"{"kty":"oct","k":"\#(long)","kid":7}"#,
        #"{"kty":"oct","k":"\#(long)","kid":""}"#, #"{"kty":"oct","k":"\#(long)","use":null}"#,
        #"{"kty":"oct","k":"\#(long)","key_ops":"verify"}"#, #"{"kty":"oct","k":"\#(long)","key_ops":[1]}"#,
        #"{"kty":"oct","alg":"RS256","k":"\#(long)"}"#,
        #"{"kty":"RSA","alg":"HS256","n":"\#(Samples.modulus)","e":"AQAB"}"#,
        #"{"kty":"RSA","alg":"RS256","e":"AQAB"}"#, #"{"kty":"RSA","alg":"RS256","n":"AQAB","e":"AQAB"}"#,
        #"{"kty":"RSA","n":"\#(Samples.modulus)","e":"AQ"}"#,
        #"{"kty":"RSA","n":"\#(Samples.modulus)","e":"AQAB","d":"AQAB"}"#,
        #"{"kty":"EC","crv":"P-256","x":"\#(Samples.y)","y":"\#(Samples.y)"}"#,
        #"{"kty":"EC","crv":"P-256","x":"\#(Samples.x)"}"#, #"{"kty":"EC","x":"\#(Samples.x)","y":"\#(Samples.y)"}"#,
        #"{"kty":"EC","alg":"ES256","crv":"P-384","x":"\#(Samples.x)","y":"\#(Samples.y)"}"#,
        #"{"kty":"oct","kty":"oct","k":"\#(long)"}"#,
    ]

    @Test(arguments: malformed)
    func rejectsTheSetIfAKeyIsMalformed(key: String) {
        let fault = #expect(throws: JSONWebKeyError.self) { try Samples.keys(Samples.rsaJWK, key) }
        #expect(fault?.message.contains(Self.long) == false)
    }

    @Test func requiresSecretsOf32Bytes() throws {
        let short = Base64URL.encode([UInt8](repeating: 7, count: 31))
        #expect(throws: JSONWebKeyError("a secret has less than 32 bytes")) {
            try Samples.keys(#"{"kty":"oct","k":"\#(short)"}"#)
        }
        #expect(try Samples.keys(#"{"kty":"oct","k":"\#(Self.long)"}"#).keys.count == 1)
    }

    @Test func rejectsAPublicKeyAsASecret() {
        let pem = Array("-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n".utf8)
        #expect(throws: JSONWebKeyError("a secret is a key in PEM")) {
            try Samples.keys(#"{"kty":"oct","k":"\#(Base64URL.encode(pem))"}"#)
        }
    }

    @Test func rejectsDuplicateIdentifiers() throws {
        let other = #"{"kty":"oct","k":"\#(Self.long)","kid":"rs\u0061"}"#
        #expect(throws: JSONWebKeyError("two keys have the same identifier (kid)")) {
            try Samples.keys(Samples.rsaJWK, other)
        }
        // Keys without identifiers, and identifiers that only look the same, are not duplicates.
        let anonymous = #"{"kty":"oct","k":"\#(Self.long)"}"#
        let names = ["K", "\u{212A}"].map { #"{"kty":"oct","k":"\#(Self.long)","kid":"\#($0)"}"# }
        #expect(try Samples.keys(anonymous, anonymous, names[0], names[1]).keys.count == 4)
    }

    @Test(arguments: [
        "", "{", "[]", "null", "{}", #"{"keys":{}}"#, #"{"keys":[]}x"#, #"{"keys":[],"keys":[]}"#, "{\"keys\":[\u{0}]}",
    ])
    func rejectsDocumentsThatAreNotASet(text: String) {
        #expect(throws: JSONWebKeyError.self) { try JSONWebKeySet(json: Array(text.utf8)) }
    }

    @Test func limitsTheBytesTheKeysAndTheDepthOfADocument() throws {
        let spaces = String(repeating: " ", count: JSONWebKeySet.maximumBytes - 11)
        #expect(try JSONWebKeySet(json: Array(#"{"keys":[]}"#.utf8) + Array(spaces.utf8)).keys.isEmpty)
        #expect(throws: JSONWebKeyError("it has more than 262144 bytes")) {
            try JSONWebKeySet(json: Array(#"{"keys":[]}"#.utf8) + Array(spaces.utf8) + [0x20])
        }
        let unknown = [String](repeating: #"{"kty":"new"}"#, count: 101).joined(separator: ",")
        #expect(throws: JSONWebKeyError("it has more than 100 keys")) { try Samples.keys(unknown) }
        let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
        #expect(throws: JSONWebKeyError.self) { try Samples.keys(deep) }
    }

    @Test func makesTheThumbprintOfTheSpecification() throws {
        // The example of RFC 7638 section 3.1.
        let modulus =
            "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4"
            + "n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7"
            + "d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF"
            + "44-csFCur-kEgU8awapJzKnqDKgw"
        let set = try Samples.keys(#"{"kty":"RSA","n":"\#(modulus)","e":"AQAB","alg":"RS256","kid":"2011-04-29"}"#)
        #expect(set.keys.map(\.thumbprint) == ["NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs"])
    }

    @Test func writesKeysThatItReadsAgain() throws {
        let keys = try Samples.allKeys().keys
        let again = try JSONWebKeySet(members: keys.map(\.members)).keys
        #expect(again.map(\.thumbprint) == keys.map(\.thumbprint))
        #expect(again.map(\.identifier) == keys.map(\.identifier))
        #expect(again.map(\.members) == keys.map(\.members))
    }
}
