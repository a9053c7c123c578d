import PlacekeeperSockets
import Testing

@testable import placekeeper

@Suite struct HTTPProbeTests {
    static let targets: [(url: String, host: String, port: UInt16, path: String)] = [
        ("http://127.0.0.1:8080", "127.0.0.1", 8080, "/readyz"),
        ("http://[::1]:9/", "::1", 9, "/readyz"),
        ("http://service", "service", 80, "/readyz"),
        ("http://service/livez?a=b", "service", 80, "/livez?a=b"),
    ]

    @Test(arguments: targets)
    func parsesAURL(url: String, host: String, port: UInt16, path: String) throws {
        let target = try HTTPProbe.Target(url)
        #expect(target.address == SocketAddress(host: host, port: port))
        #expect(target.path == path)
    }

    static let wrong: [(url: String, says: String)] = [
        ("127.0.0.1:8080", "give the whole URL: http://127.0.0.1:8080"),
        ("service", "give the whole URL: http://service"),
        ("https://service", "is not an http:// URL"),
        ("http://", "is not a URL"), ("http:///livez", "is not a URL"), ("http://a:b", "is not a URL"),
        ("http://a/ b", "is not a URL"), ("http://a/\r\nX: y", "is not a URL"),
    ]

    @Test(arguments: wrong)
    func rejectsAnInvalidURLInOneLine(url: String, says: String) {
        let failure = #expect(throws: HTTPProbe.Failure.self) { try HTTPProbe.Target(url) }
        #expect(failure?.message.contains(says) == true, "\(failure?.message ?? "")")
        #expect(failure?.message.contains("\n") == false)
    }
}
