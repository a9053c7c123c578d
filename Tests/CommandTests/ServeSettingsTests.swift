import PlacekeeperSockets
import Testing

@testable import placekeeper

@Suite struct ServeSettingsTests {
    func arguments(_ flags: [String: String]) -> Arguments {
        var arguments = Arguments()
        arguments.flags = flags.mapValues { [$0] }
        return arguments
    }

    @Test(arguments: [
        ("8080", "127.0.0.1:8080"), ("0", "127.0.0.1:0"), ("127.0.0.1:80", "127.0.0.1:80"), ("[::1]:80", "[::1]:80"),
        ("0.0.0.0:80", "0.0.0.0:80"), ("localhost:80", "localhost:80"),
    ])
    func listensOnThisMachineIfOnlyAPortIsGiven(text: String, address: String) throws {
        #expect(try arguments(["listen": text]).listenAddress().description == address)
    }

    @Test(arguments: [
        (":8080", "\":8080\": give 127.0.0.1:8080 for this machine alone, or 0.0.0.0:8080 for all networks"),
        ("65536", "--listen is \"65536\": give an address and a port"), ("", "--listen is \"\": give an address"),
        ("a.name:80", "give an address and a port"), (":", "give an address and a port"),
        ("80a", "give an address and a port"),
    ])
    func refusesOtherAddresses(text: String, says: String) {
        let failure = #expect(throws: CommandFailure.self) { try arguments(["listen": text]).listenAddress() }
        #expect(failure?.message.contains(says) == true, "\(failure?.message ?? "")")
    }

    @Test func takesTheURLOfAProxyForLinks() throws {
        #expect(try arguments(["url": "https://places.example.com/"]).url() == "https://places.example.com")
        #expect(arguments(["url": "https://places.example.com"]).serviceURL == "https://places.example.com")
        #expect(arguments(["listen": "0.0.0.0:80"]).serviceURL == "http://127.0.0.1:80")
        #expect(arguments(["listen": "wrong"]).serviceURL == "http://127.0.0.1:8080")
        var given = arguments([:])
        given.environment["PLACEKEEPER_URL"] = "ftp://a"
        let failure = #expect(throws: CommandFailure.self) { try given.url() }
        #expect(failure?.exit == .configuration)
        #expect(failure?.message.hasPrefix("PLACEKEEPER_URL needs a URL") == true)
    }

    @Test func suggestsTheNearestWord() throws {
        #expect(try arguments(["log": "all"]).logsAccess())
        #expect(try !arguments([:]).logsAccess())
        for (text, says) in [
            ("al", "did you mean all?"), ("All", "did you mean all?"), ("most", "set it to all or errors"),
        ] {
            let failure = #expect(throws: CommandFailure.self) { try arguments(["log": text]).logsAccess() }
            #expect(failure?.message == "--log is \"\(text)\": \(says)")
        }
    }

    @Test func repeatsFlagsAsAShellReadsThem() {
        let given = arguments(["data": "it's here", "config": "/etc/f", "listen": "80", "metrics": ""])
        #expect(given.sharedFlags == " --config /etc/f --data 'it'\\''s here'")
        #expect(given.flagText(of: [.metrics, .listen, .log]) == " --metrics --listen 80")
        #expect(Arguments().sharedFlags.isEmpty)
    }
}
