import Testing

@testable import placekeeper

@Suite struct AddressTests {
    static let addresses: [(text: String, host: String, port: UInt16)] = [
        ("127.0.0.1:8080", "127.0.0.1", 8080), ("localhost:0", "localhost", 0), ("[::1]:65535", "::1", 65535),
    ]

    @Test(arguments: addresses)
    func readsHostAndPortAndWritesThemTheSame(text: String, host: String, port: UInt16) {
        #expect(Address(text) == Address(host: host, port: port))
        #expect(Address(text)?.description == text)
    }

    @Test(arguments: [
        "", "8080", ":8080", "host", "host:", "host:65536", "host:-1", "::1:80", "a b:80", "u@h:80", "h/p:80",
    ])
    func refusesWhatIsNoAddress(text: String) {
        #expect(Address(text) == nil)
    }

    static let targets: [(url: String, host: String, port: UInt16, path: String)] = [
        ("http://127.0.0.1:8080", "127.0.0.1", 8080, "/readyz"),
        ("http://[::1]:9/", "::1", 9, "/readyz"),
        ("http://service", "service", 80, "/readyz"),
        ("http://service/livez?a=b", "service", 80, "/livez?a=b"),
    ]

    @Test(arguments: targets)
    func takesAURLApart(url: String, host: String, port: UInt16, path: String) {
        let target = HTTPProbe.Target(url)
        #expect(target?.address == Address(host: host, port: port))
        #expect(target?.path == path)
    }

    @Test(arguments: ["https://service", "service", "http://", "http:///livez", "http://a/ b", "http://a/\r\nX: y"])
    func asksNothingButURLsOfHTTP(url: String) {
        #expect(HTTPProbe.Target(url) == nil)
    }
}
