import PlacekeeperHTTP
import Testing

@testable import PlacekeeperServer

@Suite struct ClientAddressTests {
    struct Case: Sendable {
        var peer: String
        var lines: [String]
        var client: String
        var isExempt = false
    }

    /// Requests behind proxies on this machine.
    static let local = [
        Case(peer: "127.0.0.1", lines: ["203.0.113.7"], client: "203.0.113.7"),
        Case(peer: "::1", lines: ["10.9.9.9, 203.0.113.7"], client: "203.0.113.7"),
        Case(peer: "127.0.0.1", lines: ["203.0.113.7", "203.0.113.8"], client: "203.0.113.8"),
        Case(peer: "127.0.0.1", lines: ["2001:DB8:0:0::1"], client: "2001:db8::1"),
        Case(peer: "127.0.0.1", lines: ["::ffff:203.0.113.7"], client: "203.0.113.7"),
        Case(peer: "127.0.0.1", lines: ["127.0.0.1"], client: "127.0.0.1", isExempt: true),
        Case(peer: "127.0.0.1", lines: ["203.0.113.7, ::1"], client: "203.0.113.7"),
        Case(peer: "127.0.0.1", lines: [], client: "127.0.0.1", isExempt: true),
        Case(peer: "127.0.0.1", lines: ["203.0.113.7, unknown"], client: "127.0.0.1"),
        Case(peer: "127.0.0.1", lines: ["203.0.113.7:80"], client: "127.0.0.1"),
        Case(peer: "127.0.0.1", lines: ["\"203.0.113.7, 203.0.113.8"], client: "203.0.113.8"),
        Case(peer: "127.0.0.1", lines: [""], client: "127.0.0.1"),
        Case(peer: "127.0.0.1", lines: [String(repeating: "1", count: 9000)], client: "127.0.0.1"),
        Case(peer: "203.0.113.9", lines: ["198.51.100.1"], client: "203.0.113.9"),
        Case(peer: "203.0.113.9", lines: ["127.0.0.1"], client: "203.0.113.9"),
    ]

    /// Requests behind proxies in 10.0.0.0/8 and at 2001:db8::7.
    static let chained = [
        Case(peer: "10.0.0.1", lines: ["203.0.113.7"], client: "203.0.113.7"),
        Case(peer: "10.0.0.1", lines: ["198.51.100.1, 203.0.113.7, 10.0.0.3", "2001:db8::7"], client: "203.0.113.7"),
        Case(peer: "::ffff:10.0.0.1", lines: ["203.0.113.7, ::ffff:10.0.0.2"], client: "203.0.113.7"),
        Case(peer: "10.0.0.1", lines: ["10.0.0.3, 10.0.0.2"], client: "10.0.0.3"),
        Case(peer: "10.0.0.1", lines: ["203.0.113.7, unknown, 10.0.0.2"], client: "10.0.0.2"),
        Case(peer: "10.0.0.1", lines: ["127.0.0.1"], client: "127.0.0.1"),
        Case(
            peer: "10.0.0.1", lines: ["203.0.113.7" + (1...16).map { ", 10.0.0.\($0)" }.joined()], client: "10.0.0.1"),
        Case(
            peer: "10.0.0.1", lines: ["203.0.113.7" + (1...15).map { ", 10.0.0.\($0)" }.joined()],
            client: "203.0.113.7"),
        Case(peer: "127.0.0.1", lines: ["203.0.113.7"], client: "127.0.0.1", isExempt: true),
        Case(peer: "2001:db8::8", lines: ["203.0.113.7"], client: "2001:db8::8"),
    ]

    @Test(arguments: local) func usesTheAddressFromALocalProxy(_ example: Case) async throws {
        var configuration = Server.Configuration()
        configuration.clientAddressField = "x-forwarded-for"
        try await check(example, configuration)
    }

    @Test(arguments: chained) func skipsTheAddressesOfTrustedProxies(_ example: Case) async throws {
        var configuration = Server.Configuration()
        configuration.clientAddressField = "X-Forwarded-For"
        configuration.trustedProxies = ["10.0.0.0/8", "2001:db8::7"].compactMap(IPNetwork.init)
        try await check(example, configuration)
    }

    @Test(arguments: local) func ignoresTheAddressFieldUnlessConfigured(_ example: Case) async throws {
        var configuration = Server.Configuration()
        configuration.trustedProxies = ["0.0.0.0/0", "::/0"].compactMap(IPNetwork.init)
        let isLocal = example.peer != "203.0.113.9"
        try await check(
            Case(peer: example.peer, lines: example.lines, client: example.peer, isExempt: isLocal), configuration)
    }

    private func check(_ example: Case, _ configuration: Server.Configuration) async throws {
        let fixture = try await ServerFixture(configuration)
        let head = try ServerFixture.head("GET", "/", fields: example.lines.map { "X-Forwarded-For: \($0)" })
        let client = fixture.server.client(of: Request(head: head, peer: example.peer))
        #expect(client.text == example.client)
        #expect(client.isExempt == example.isExempt)
    }

    @Test(
        arguments: [
            ("203.0.113.7", "203.0.113.7"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
            ("2001:db8::1", "2001:db8::/64"), ("::ffff:203.0.113.7", "203.0.113.7"), ("fe80::1%eth0", "fe80::1%eth0"),
        ])
    func countsAnIPv6NetworkAsOneAddress(_ address: String, _ network: String) {
        #expect(ClientAddress(peer: address, isExempt: false).network == network)
    }

    @Test(
        arguments: [
            ("127.0.0.1", "https", true), ("127.0.0.1", "HTTPS", true), ("127.0.0.1", "http, https", true),
            ("127.0.0.1", "https, http", false), ("127.0.0.1", "http", false), ("127.0.0.1", "", false),
            ("127.0.0.1", "httpss", false), ("203.0.113.9", "https", false), ("127.0.0.1", nil, false),
        ])
    func asksForHTTPSIfATrustedProxyUsedHTTPS(_ peer: String, _ scheme: String?, _ isSecure: Bool) async throws {
        var configuration = Server.Configuration()
        configuration.clientSchemeField = "X-Forwarded-Proto"
        let fixture = try await ServerFixture(configuration)
        let fields = scheme.map { ["X-Forwarded-Proto: \($0)"] } ?? []
        let value = isSecure ? "max-age=31536000" : nil
        // A response, a problem, a request without a token, and a request that the codec refused.
        for target in ["/livez", "/none"] {
            let answer = try await fixture.send(.get, target, fields: fields, peer: peer)
            #expect(answer[.strictTransportSecurity] == value)
        }
        let head = try ServerFixture.head("GET", "/v1/places", fields: fields)
        guard case .refuse(let refused) = fixture.server.admit(head, from: peer) else {
            Issue.record("a request without a token was admitted")
            return
        }
        #expect(refused.fields[.strictTransportSecurity] == value)
        let late = Refusal(.requestTimeout, code: "late", "Late.")
        #expect(fixture.server.response(to: late, of: head, from: peer).fields[.strictTransportSecurity] == value)
        #expect(fixture.server.response(to: late, of: nil, from: peer).fields[.strictTransportSecurity] == nil)
    }

    @Test func ignoresTheSchemeFieldUnlessConfigured() async throws {
        let answer = try await ServerFixture().send(.get, "/livez", fields: ["X-Forwarded-Proto: https"])
        #expect(answer[.strictTransportSecurity] == nil)
    }
}
