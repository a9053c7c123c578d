import Testing

@testable import PlacekeeperTokens

@Suite struct Base64URLTests {
    @Test(arguments: [
        ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
        ("foobar", "Zm9vYmFy"), ("??>>", "Pz8-Pg"), ("???", "Pz8_"),
    ])
    func encodesAndDecodes(bytes: String, text: String) {
        #expect(Base64URL.encode(Array(bytes.utf8)) == text)
        #expect(Base64URL.decode(text.utf8) == Array(bytes.utf8))
    }

    @Test(arguments: ["Zg==", "Zh", "Zm9=", "Zm+v", "Zm/v", "Z", "Zm9vY", " Zg", "Zg\n", "Zé", "Zm8A\0"])
    func rejectsEveryOtherEncoding(text: String) {
        #expect(Base64URL.decode(text.utf8) == nil)
    }

    @Test func encodesAndDecodesEveryByte() {
        let bytes = (0...255).map { UInt8($0) } + (0...255).map { UInt8($0) }
        for count in 0...bytes.count {
            #expect(Base64URL.decode(Base64URL.encode(Array(bytes.prefix(count))).utf8) == Array(bytes.prefix(count)))
        }
    }
}
