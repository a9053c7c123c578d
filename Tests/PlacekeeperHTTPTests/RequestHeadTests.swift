@testable import PlacekeeperHTTP
import Testing

extension RequestHead {
    /// Returns the head of `GET target` with these field lines. Each line is `Name: value`.
    static func get(_ target: String = "/", _ lines: String...) throws -> RequestHead {
        try read("GET \(target) HTTP/1.1\r\nHost: a\r\n" + lines.map { $0 + "\r\n" }.joined() + "\r\n")
    }

    static func read(_ text: String) throws -> RequestHead {
        var decoder = RequestDecoder()
        switch Array(text.utf8).withUnsafeBytes({ decoder.next($0) }).event {
        case .head(let head): return head
        case .refused(let refusal): throw refusal
        case .needsMore, .body, .end: throw Refusal(.messageIncomplete)
        }
    }

    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
}

@Suite struct RequestHeadTests {
    @Test func findsFieldsInOrderIgnoringCase() throws {
        let head = try RequestHead.get("/", "LINK: <a>", "accept: x", "Link: <b>")
        #expect(head[.link].map { String(decoding: $0, as: UTF8.self) } == "<a>")
        #expect(head.values(of: .link).map { String(decoding: $0, as: UTF8.self) } == ["<a>", "<b>"])
        #expect(head[.accept].map { String(decoding: $0, as: UTF8.self) } == "x")
        #expect(head[.acceptEncoding] == nil)
        #expect(head.values(of: .origin).isEmpty)
    }

    @Test func readsListMembersFromAllLines() throws {
        let head = try RequestHead.get("/", "Accept: a, \"b, \\\" c\",,", "Accept: ", "Accept: d")
        #expect(head.members(of: .accept).map { String(decoding: $0, as: UTF8.self) } == ["a", "\"b, \\\" c\"", "d"])
    }

    @Test func readsMembersOfANamedFieldFromTheLast() throws {
        let head = try RequestHead.get("/", "X-Client: a, \"b , c", "X-Other: x", "x-client:", "X-CLIENT: d ,, e")
        let members = head.membersFromLast(of: "X-client").map { String(decoding: $0, as: UTF8.self) }
        #expect(members == ["e", "", "d", "", "c", "\"b", "a"])
        #expect(head.membersFromLast(of: "X-Clients").map(Array.init).isEmpty)
    }

    @Test(
        arguments: [
            ("/a%2Fb", "/a/b"), ("/%e2%82%ac+x", "/€+x"), ("/%2e%2E/x", "/../x"), ("/%252e", "/%2e"),
            ("/%ff", nil), ("/a/%C0%AF", nil), ("/%ED%A0%80", nil), ("/%00", nil), ("/a%E2%82", nil),
        ] as [(String, String?)])
    func decodesTextsOnce(target: String, text: String?) throws {
        let head = try RequestHead.get(target)
        #expect(head.percentDecoded(head.path) == text)
    }

    @Test(
        arguments: [
            ("/?idiom=pad", "pad"), ("/?x=1&idiom=pad&idiom=phone", "pad"), ("/?&&idiom=a%26b%3D", "a&b="),
            ("/?%69dio%6D=p+q", "p+q"), ("/?idiom", ""), ("/?idiom=", ""), ("/?idiom==x", "=x"),
            ("/?idiom=x#idiom=y", "x"),
            ("/", nil), ("/?", nil), ("/?idiomx=1", nil), ("/?idio=1", nil), ("/?Idiom=1", nil), ("/?x=idiom", nil),
        ] as [(String, String?)])
    func findsTheFirstQueryParameterByName(target: String, value: String?) throws {
        let head = try RequestHead.get(target)
        let parameter = head.queryParameter("idiom")
        #expect(parameter.flatMap { head.percentDecoded($0.value) } == value)
        #expect((parameter == nil) == (value == nil))
    }

    @Test func distinguishesInvalidParameterFromAbsentParameter() throws {
        let head = try RequestHead.get("/?idiom=%FF")
        let parameter = try #require(head.queryParameter("idiom"))
        #expect(head.percentDecoded(parameter.value) == nil)
    }

    @Test(
        arguments: [
            ("Bearer abc", "abc"), ("bearer   a-._~+/0==", "a-._~+/0=="), ("BEARER x ", "x"),
            ("Bearer 09AZaz", "09AZaz"),
            ("Bearer", nil), ("Bearer ", nil), ("Bearerabc", nil), ("Basic abc", nil), ("Bearer a b", nil),
            ("Bearer a=b", nil), ("Bearer =", nil), ("Bearer a,b", nil), ("Bearer\tabc", nil), ("", nil),
        ] as [(String, String?)])
    func readsABearerToken(value: String, token: String?) throws {
        let head = try RequestHead.get("/", "Authorization: \(value)")
        #expect(head.bearerToken.map { String(decoding: $0, as: UTF8.self) } == token)
    }

    @Test func ignoresTokensInRepeatedAuthorizationFields() throws {
        #expect(try RequestHead.get("/", "Authorization: Bearer a", "Authorization: Bearer a").bearerToken == nil)
        #expect(try RequestHead.get("/").bearerToken == nil)
    }
}
