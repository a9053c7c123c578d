import RestorationService
import Testing

@testable import PostgresStore

@Suite struct KnownPrimaryTests {
    private func server(_ cluster: Int64, _ timeline: Int64) -> ServerIdentity {
        ServerIdentity(cluster: cluster, timeline: timeline)
    }

    @Test func refusesServersOfOlderTimelinesAndOfOtherClusters() throws {
        let primary = KnownPrimary(path: nil)
        try primary.note(server(1, 3))
        try primary.note(server(1, 4))
        try primary.note(nil)
        #expect(throws: StoreError.self) { try primary.note(server(1, 3)) }
        #expect(throws: StoreError.self) { try primary.note(server(2, 9)) }
        #expect(primary.accepts(server(1, 4)) && primary.accepts(nil))
        #expect(!primary.accepts(server(1, 3)) && !primary.accepts(server(2, 9)))
        try primary.note(server(1, 5))
        #expect(!primary.accepts(server(1, 4)))
    }
}
