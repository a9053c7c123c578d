import Testing

@testable import PlacekeeperTokens

@Suite struct TokenVerificationTests {
    private func subject(
        of token: String, keys: JSONWebKeySet? = nil, issuer: String? = nil, audience: String? = nil,
        at now: Double = Samples.now
    ) throws -> String {
        let expectations = TokenExpectations(
            issuer: issuer, audience: audience ?? "com.example.photos", requiresAudience: audience != nil)
        let keys = try keys ?? Samples.allKeys()
        return String(
            decoding: try keys.subject(of: Array(token.utf8), expecting: expectations, at: now), as: UTF8.self)
    }

    private func header(_ json: String) -> String { Samples.token(header: json) }
    private func claims(_ json: String) -> String { Samples.token(claims: json) }

    @Test(arguments: [
        Samples.token(), Samples.token(header: #"{"alg":"HS256"}"#), Samples.rsaToken, Samples.p256Token,
        Samples.rsaTokenWithoutIdentifier, Samples.p256TokenWithoutIdentifier,
    ])
    func returnsTheSubjectOfAValidToken(token: String) throws {
        #expect(try subject(of: token) == "anna")
    }

    // Algorithms and keys

    @Test(arguments: ["none", "None", "NONE", "nOnE", ""])
    func rejectsTheAlgorithmNone(name: String) {
        let unsigned = header(#"{"alg":"\#(name)","kid":"hmac"}"#)
        let empty = unsigned[...(unsigned.lastIndex(of: ".") ?? unsigned.startIndex)]
        #expect(throws: TokenError.algorithm) { try subject(of: unsigned) }
        #expect(throws: TokenError.algorithm) { try subject(of: String(empty)) }
    }

    @Test(arguments: ["HS512", "hs256", "PS256", "RS512", "ES384", "EdDSA", "HS256 ", "HS256\\u0000"])
    func rejectsOtherAlgorithms(name: String) {
        #expect(throws: TokenError.algorithm) { try subject(of: header(#"{"alg":"\#(name)"}"#)) }
    }

    @Test(arguments: ["{}", #"{"alg":null}"#, #"{"alg":["HS256"]}"#, #"{"alg":1}"#, #"{"alg":"none","alg":"HS256"}"#])
    func rejectsAHeaderWithoutOneAlgorithm(json: String) {
        #expect(throws: TokenError.malformed) { try subject(of: header(json)) }
    }

    /// The bytes of a public key that an attacker knows, in the forms in which a service may have it.
    static let publicBytes: [[UInt8]] = [
        Array(Samples.modulus.utf8), Base64URL.decode(Samples.modulus.utf8) ?? [], Array(Samples.rsaJWK.utf8),
        Array(Samples.x.utf8), Base64URL.decode((Samples.x).utf8) ?? [], Array(Samples.p256JWK.utf8), [],
    ]

    @Test(arguments: publicBytes)
    func neverUsesAPublicKeyAsASecret(secret: [UInt8]) throws {
        let publicKeys = try Samples.keys(Samples.rsaJWK, Samples.p256JWK)
        for kid in ["", #","kid":"rsa""#, #","kid":"curve""#] {
            let token = Samples.token(header: #"{"alg":"HS256"\#(kid)}"#, secret: secret)
            #expect(throws: TokenError.unknownKey) { try subject(of: token, keys: publicKeys) }
        }
    }

    @Test(arguments: [("RS256", "hmac"), ("RS256", "curve"), ("ES256", "rsa"), ("HS256", "rsa"), ("HS256", "curve")])
    func bindsAKeyToItsAlgorithm(algorithm: String, identifier: String) {
        let token = header(#"{"alg":"\#(algorithm)","kid":"\#(identifier)"}"#)
        #expect(throws: TokenError.unknownKey) { try subject(of: token) }
    }

    @Test(arguments: ["RS256", "ES256"])
    func rejectsASignatureOfAnotherAlgorithm(algorithm: String) {
        #expect(throws: TokenError.signature) { try subject(of: header(#"{"alg":"\#(algorithm)"}"#)) }
    }

    /// An attacker's own key, as the header may embed it or point to it.
    static let embedded = [
        #""jwk":\#(Samples.hmacJWK.replacing("hmac", with: "own"))"#, #""jku":"https://attacker.example/keys""#,
        #""x5u":"https://attacker.example/chain""#, #""x5c":["MIIB"]"#, #""x5t":"AA""#,
    ]

    @Test(arguments: embedded)
    func ignoresKeysOfTheHeader(member: String) throws {
        let other = try Samples.keys(#"{"kty":"oct","kid":"hmac","k":"\#(JSONWebKeySetTests.long)"}"#)
        for kid in ["", #","kid":"hmac""#] {
            let token = header(#"{"alg":"HS256"\#(kid),\#(member)}"#)
            #expect(throws: TokenError.signature) { try subject(of: token, keys: other) }
            // The token is otherwise verified with the configured key.
            #expect(try subject(of: token) == "anna")
        }
    }

    @Test(arguments: [
        "", "HMAC", "hmac ", "hmac\\u0000", "../hmac", "/dev/null", "hmac' OR '1'='1", "*", "hm\u{200B}ac",
        "https://attacker.example/key",
    ])
    func looksAKeyIdentifierUpOnlyInTheSet(identifier: String) {
        let token = header(#"{"alg":"HS256","kid":"\#(identifier)"}"#)
        #expect(throws: TokenError.unknownKey) { try subject(of: token) }
    }

    @Test func usesNoOtherKeyThanTheIdentifiedKey() throws {
        let anonymous = Samples.hmacJWK.replacing(#""kid":"hmac","#, with: "")
        #expect(throws: TokenError.unknownKey) { try subject(of: Samples.token(), keys: try Samples.keys(anonymous)) }
        let set = try Samples.keys(
            #"{"kty":"oct","kid":"other","k":"\#(JSONWebKeySetTests.long)"}"#, Samples.hmacJWK)
        #expect(throws: TokenError.signature) {
            try subject(of: header(#"{"alg":"HS256","kid":"other"}"#), keys: set)
        }
        #expect(throws: TokenError.malformed) { try subject(of: header(#"{"alg":"HS256","kid":1}"#), keys: set) }
        // Without an identifier, each key of the algorithm is tried.
        #expect(try subject(of: header(#"{"alg":"HS256"}"#), keys: set) == "anna")
    }

    @Test func rejectsEveryTokenIfThereAreNoKeys() {
        #expect(throws: TokenError.unknownKey) { try subject(of: Samples.token(), keys: JSONWebKeySet()) }
    }

    @Test(arguments: [Samples.token(), Samples.rsaToken, Samples.p256Token])
    func rejectsATokenWithAChangedBit(token: String) throws {
        let parts = token.split(separator: ".").map { Base64URL.decode($0.utf8) ?? [] }
        for part in 1...2 {
            for position in parts[part].indices.filter({ $0 % 7 == 0 }) {
                var changed = parts
                changed[part][position] ^= 1
                let token = changed.map(Base64URL.encode).joined(separator: ".")
                #expect(throws: TokenError.signature) { try subject(of: token) }
            }
        }
    }

    @Test(arguments: [Samples.token(), Samples.rsaToken, Samples.p256Token])
    func rejectsASignatureOfAnotherLength(token: String) {
        let end = token.lastIndex(of: ".") ?? token.endIndex
        let signature = Base64URL.decode(token[token.index(after: end)...].utf8) ?? []
        for other in [[], Array(signature.dropLast()), signature + [0], [0] + signature] {
            let token = token[...end] + Base64URL.encode(other)
            #expect(throws: TokenError.signature) { try subject(of: String(token)) }
        }
    }

    // The form

    @Test(arguments: [
        "", ".", "..", "...", "a.b", "eyJhbGciOiJIUzI1NiJ9.e30", Samples.token() + ".", Samples.token() + ".e30",
        Samples.token() + "=", Samples.token() + " ", " " + Samples.token(), Samples.token() + "\n",
        Samples.token().replacing(".", with: "=."), "e30.e30.e30.e30.e30",
    ])
    func rejectsTokensOfAnotherForm(token: String) {
        #expect(throws: TokenError.malformed) { try subject(of: token) }
    }

    @Test func rejectsANoncanonicalEncodingOfASignature() throws {
        // The last digit of a signature of 32 bytes has two unused bits.
        let token = Samples.token()
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        let digit = try #require(token.last)
        let last = try #require(digits.firstIndex(of: digit))
        for unused in 1...3 {
            #expect(throws: TokenError.malformed) { try subject(of: token.dropLast() + String(digits[last + unused])) }
        }
    }

    @Test(arguments: ["null", "[]", "1", "\"HS256\"", "{", "{\"alg\":\"HS256\",}", "\u{FEFF}{\"alg\":\"HS256\"}"])
    func rejectsAHeaderThatIsNotAnObject(json: String) {
        #expect(throws: TokenError.malformed) { try subject(of: header(json)) }
    }

    @Test(arguments: [
        "null", "[]", "anna", "{", #"{"sub":"anna","exp":1800000600,"sub":"berta"}"#,
        #"{"sub":"anna","exp":1800000600,"\u0073ub":"berta"}"#, #"{"sub":"\ud800","exp":1800000600}"#,
        #"{"sub":"anna","exp":1800000600,"x":"# + String(repeating: "[", count: 100)
            + String(repeating: "]", count: 100) + "}",
    ])
    func rejectsMalformedClaims(json: String) {
        #expect(throws: TokenError.malformed) { try subject(of: claims(json)) }
    }

    @Test func limitsTheLengthOfAToken() {
        func token(padding: Int) -> String {
            claims(#"{"sub":"anna","exp":1800000600,"x":"\#(String(repeating: "x", count: padding))"}"#)
        }
        var padding = 6000
        while token(padding: padding + 1).utf8.count <= 8192 { padding += 1 }
        #expect(throws: Never.self) { try subject(of: token(padding: padding)) }
        #expect(throws: TokenError.tooLong) { try subject(of: token(padding: padding + 1)) }
        #expect(throws: TokenError.tooLong) { try subject(of: String(repeating: ".", count: 1 << 20)) }
        #expect(throws: TokenError.malformed) { try subject(of: String(repeating: ".", count: 8192)) }
    }

    @Test(arguments: [#"["exp"]"#, #"["b64"]"#, "[]", "null", "1"])
    func rejectsCriticalExtensions(value: String) {
        #expect(throws: TokenError.criticalExtension) {
            try subject(of: header(#"{"alg":"HS256","crit":\#(value),"b64":false}"#))
        }
    }

    @Test func acceptsOnlyTheTypesOfATokenForSigningIn() throws {
        for name in ["JWT", "jwt", "Jwt", "at+jwt", "AT+JWT"] {
            #expect(try subject(of: header(#"{"alg":"HS256","typ":"\#(name)"}"#)) == "anna")
        }
        for name in ["", "JOSE", "JWE", "secevent+jwt", "dpop+jwt", "jwt ", "\u{17F}wt"] {
            #expect(throws: TokenError.type) { try subject(of: header(#"{"alg":"HS256","typ":"\#(name)"}"#)) }
        }
        #expect(throws: TokenError.malformed) { try subject(of: header(#"{"alg":"HS256","typ":null}"#)) }
    }

    // Claims

    @Test(arguments: [(600.0, true), (659.9, true), (660, false), (661, false), (1e300, false), (-1e300, true)])
    func acceptsATokenUntilAMinuteAfterItsExpiration(offset: Double, isValid: Bool) {
        let valid = (try? subject(of: Samples.token(), at: Samples.now + offset)) != nil
        #expect(valid == isValid)
    }

    @Test(arguments: ["nbf", "iat"], [(0.0, true), (60, true), (60.5, false), (61, false), (-1000, true)])
    func acceptsATokenFromAMinuteBeforeItsStart(name: String, start: (offset: Double, isValid: Bool)) {
        let token = claims(#"{"sub":"anna","exp":1900000000,"\#(name)":\#(Samples.now + start.offset)}"#)
        if start.isValid {
            #expect(throws: Never.self) { try subject(of: token) }
        } else {
            #expect(throws: TokenError.notYetValid) { try subject(of: token) }
        }
    }

    @Test(arguments: [
        ("", TokenError.expired), (#","exp":0"#, .expired), (#","exp":-1e300"#, .expired),
        (#","exp":"1800000600""#, .malformed), (#","exp":null"#, .malformed), (#","exp":1e999"#, .malformed),
        (#","exp":1800000600,"nbf":"0""#, .malformed), (#","exp":1800000600,"iat":null"#, .malformed),
        (#","exp":1800000600,"nbf":1e300"#, .notYetValid), (#","exp":1800000600,"nbf":-1e999"#, .malformed),
        (#","exp":1800000600,"iat":9223372036854775808"#, .notYetValid),
    ])
    func rejectsInvalidTimes(members: String, fault: TokenError) {
        #expect(throws: fault) { try subject(of: claims(#"{"sub":"anna"\#(members)}"#)) }
    }

    @Test(arguments: ["1800000600.5", "18000006e2", "1e300", "9223372036854775808"])
    func acceptsFractionalAndLargeTimes(number: String) throws {
        #expect(try subject(of: claims(#"{"sub":"anna","exp":\#(number)}"#)) == "anna")
    }

    @Test(arguments: ["", #","sub":"""#, #","sub":null"#, #","sub":1"#, #","sub":["anna"]"#])
    func requiresASubject(member: String) {
        #expect(throws: TokenError.subject) { try subject(of: claims(#"{"exp":1800000600\#(member)}"#)) }
    }

    @Test(arguments: [
        (#","iss":"https://example.com""#, true), ("", false), (#","iss":"https://example.com/""#, false),
        (#","iss":["https://example.com"]"#, false), (#","iss":null"#, false),
        (#","iss":"HTTPS://EXAMPLE.COM""#, false),
    ])
    func requiresTheConfiguredIssuer(member: String, isValid: Bool) throws {
        let token = claims(#"{"sub":"anna","exp":1800000600\#(member)}"#)
        #expect(try subject(of: token) == "anna")
        if isValid {
            #expect(try subject(of: token, issuer: "https://example.com") == "anna")
        } else {
            #expect(throws: TokenError.issuer) { try subject(of: token, issuer: "https://example.com") }
        }
    }

    @Test(arguments: [
        (#","aud":"photos""#, true), (#","aud":["other","photos"]"#, true), ("", false), (#","aud":"other""#, false),
        (#","aud":[]"#, false), (#","aud":["photo","s"]"#, false), (#","aud":[["photos"]]"#, false),
        (#","aud":{"photos":1}"#, false), (#","aud":"photos ""#, false),
    ])
    func requiresTheConfiguredAudience(member: String, isValid: Bool) throws {
        let token = claims(#"{"sub":"anna","exp":1800000600\#(member)}"#)
        if isValid {
            #expect(try subject(of: token, audience: "photos") == "anna")
        } else {
            #expect(throws: TokenError.audience) { try subject(of: token, audience: "photos") }
        }
    }

    @Test(arguments: [
        ("", true), (#","aud":"com.example.photos""#, true), (#","aud":["a","com.example.photos"]"#, true),
        (#","aud":"com.example.other""#, false), (#","aud":[]"#, false), (#","aud":null"#, false),
    ])
    func refusesATokenForAnotherRecipientIfNoAudienceIsConfigured(member: String, isValid: Bool) throws {
        let token = claims(#"{"sub":"anna","exp":1800000600\#(member)}"#)
        if isValid {
            #expect(try subject(of: token) == "anna")
        } else {
            #expect(throws: TokenError.audience) { try subject(of: token) }
        }
    }
}
