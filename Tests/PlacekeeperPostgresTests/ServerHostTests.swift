import Testing

@testable import PlacekeeperPostgres

@Suite struct ServerHostTests {
    private func split(_ names: String?, _ addresses: String? = nil, _ ports: String? = nil) -> [ServerHost] {
        ServerHost.split(names: names, addresses: addresses, ports: ports, usualPort: "5432")
    }

    @Test func splitsTheListsOfAURL() {
        #expect(
            split("a,b", nil, "5433") == [ServerHost(name: "a", port: "5433"), ServerHost(name: "b", port: "5433")])
        #expect(
            split("a,/run/pg", nil, ",7") == [
                ServerHost(name: "a", port: "5432"), ServerHost(name: "/run/pg", port: "7"),
            ])
        #expect(
            split("a,", "10.0.0.1,10.0.0.2", "1,2") == [
                ServerHost(name: "a", address: "10.0.0.1", port: "1"), ServerHost(address: "10.0.0.2", port: "2"),
            ])
        #expect(split(nil, "::1") == [ServerHost(address: "::1", port: "5432")])
    }

    /// libpq knows the usual socket, and reports lists that don't match.
    @Test func leavesToLibpqWhatOnlyItKnows() {
        #expect(split(nil, nil, "5432") == [ServerHost()])
        #expect(split("a,") == [ServerHost()])
        #expect(split("a,b", "10.0.0.1,") == [ServerHost()])
        #expect(split("a,b", "10.0.0.1") == [ServerHost()])
        #expect(split("a,b,c", nil, "1,2") == [ServerHost()])
        #expect(ServerHost().settings.isEmpty)
    }

    @Test func looksUpNamesOnly() {
        #expect(ServerHost(name: "a").nameToLookUp == "a")
        #expect(ServerHost(name: "a", address: "10.0.0.1").nameToLookUp == nil)
        #expect(ServerHost(name: "/run/pg").nameToLookUp == nil)
        #expect(ServerHost(name: "@pg").nameToLookUp == nil)
        #expect(ServerHost(address: "10.0.0.1").nameToLookUp == nil)
    }
}
