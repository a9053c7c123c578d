@testable import PlacekeeperHTTP
import Testing

@Suite struct AuthorityTests {
    private static func isValid(_ text: String, count: Int? = nil) -> Bool {
        Array(text.utf8).withUnsafeBytes { Authority.isValid(0..<(count ?? $0.count), of: $0) }
    }

    @Test(arguments: [
        "", "a", "a:", "a:80", "a.example:65536", "127.0.0.1", "[::1]", "[::1]:", "[::1]:8443", "[1]",
        "[::ffff:1.2.3.4]",
        "%c3%b1", "a-b_c~!$&'()*+,;=", "%41:1",
    ])
    func acceptsAHostWithAnOptionalPort(text: String) {
        #expect(Self.isValid(text))
    }

    @Test(arguments: [
        ":", ":80", "a:b", "a:8:0", "a:80x", "a b", "a/b", "a@b", "[", "[]", "[::1", "[::1]x", "[::1]8", "[::1]:x",
        "[g]", "[::1]]", "%", "%4", "%4g", "%g4", "%gg", "a%4", "a\u{7F}",
    ])
    func refusesMalformedAuthorities(text: String) {
        #expect(!Self.isValid(text))
    }

    @Test(arguments: [("[::1]", 4), ("%41", 2), ("%41", 1)])
    func readsNothingAfterTheRange(text: String, count: Int) {
        #expect(!Self.isValid(text, count: count))
    }
}
