import Testing

@testable import PlacekeeperSockets

@Suite struct ConfigurationTests {
    @Test func hasTheDocumentedDefaults() {
        let configuration = HTTPServer.Configuration()
        #expect(configuration.deadlines.head == .seconds(10))
        #expect(configuration.deadlines.body == .seconds(30))
        #expect(configuration.deadlines.wholeBody == .seconds(60))
        #expect(configuration.deadlines.bodyRate == 1024)
        #expect(configuration.deadlines.idle == .seconds(75))
        #expect(configuration.deadlines.write == .seconds(30))
        #expect(configuration.deadlines.linger == .seconds(2))
        #expect(configuration.bufferLimit == 134_217_728)
        #expect(configuration.unsentLimit == 65_536)
        #expect(configuration.connectionLimit == 20_000)
        #expect(configuration.backlog == 4096)
        #expect(configuration.workers >= 1)
    }
}
