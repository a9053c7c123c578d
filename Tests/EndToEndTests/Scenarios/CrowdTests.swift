import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperService
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite(.timeLimit(.minutes(20))) struct CrowdTests {
    /// Devices of one person upload archives, delete archives, and make archives the head at the same time. In the end
    /// the change log, the event stream, the history and the head agree.
    @Test func keepsLogStreamHistoryAndHeadConsistentUnderConcurrency() async throws {
        try await withService { service in
            let person = try await service.person { $0.retainedArchives = 1000 }
            var devices: [TestDevice] = []
            for _ in 0..<4 { devices.append(try await person.device(.phone)) }
            let events = try await devices[0].events()
            try await events.begin()
            let beginning = try #require(Int64(events.lastEventID))

            let (stored, deleted) = try await withThrowingTaskGroup(of: (Set<Int64>, Set<String>).self) { group in
                for (number, device) in devices.enumerated() {
                    group.addTask { try await Self.work(on: device, seed: UInt64(number)) }
                }
                return try await group.reduce(into: (Set<Int64>(), Set<String>())) {
                    $0 = ($0.0.union($1.0), $0.1.union($1.1))
                }
            }

            var changes: [Wire.Change] = []
            var position: Int64? = beginning
            while let after = position {
                let page = try await devices[0].changes(after: after).json(Wire.Page<Wire.Change>.self)
                changes += page.items
                position = page.next.flatMap { Int64($0) }
            }
            #expect(changes.map(\.revision) == Set(changes.map(\.revision)).sorted())
            #expect(Set(changes.filter { $0.kind == .archiveStored }.map(\.revision)) == stored)
            #expect(try await events.changes(changes.count) == changes)

            let history = try await devices[1].history(limit: 7)
            #expect(history.count == stored.count - deleted.count)
            #expect(deleted.isDisjoint(with: history.map { $0.id.lowercased() }))
            let order = history.map { [$0.capturedAt.milliseconds, $0.revision] }
            #expect(order == order.sorted { $1.lexicographicallyPrecedes($0) })
            for device in devices {
                let latest = try await device.latestOnce()
                #expect(latest.headRevision == history.first?.revision)
                #expect(latest.served?.archive == history.first?.id.lowercased())
            }
            #expect(try await devices[2].manifest().scenes.map(\.head) == history.prefix(1).map(\.revision))
        }
    }

    /// Runs random operations of a device. Returns the revisions of the archives that the device stored, and the ids of
    /// the archives that it deleted.
    private static func work(on device: TestDevice, seed: UInt64) async throws -> (Set<Int64>, Set<String>) {
        var random = SplitMix(state: seed)
        var own: [Upload] = []
        var stored: Set<Int64> = []
        var deleted: Set<String> = []
        for _ in 0..<25 {
            switch Int.random(in: 0..<4, using: &random) {
            case 0 where !own.isEmpty:
                let gone = own.remove(at: Int.random(in: own.indices, using: &random))
                #expect(try await device.request("DELETE", gone.path).status == 204)
                #expect(try await device.read(gone).status == 410)
                deleted.insert(gone.id)
            case 1 where !own.isEmpty:
                var made = own[Int.random(in: own.indices, using: &random)]
                let source = made.path
                made.id = UUID().uuidString.lowercased()
                let reply = try await device.request("POST", source + "/head", json: Wire.NewHead(id: made.id))
                #expect(reply.status == 201)
                made.revision = try #require(reply.revision)
                stored.insert(made.revision)
                own.append(made)
                #expect(try await device.latestOnce().headRevision ?? 0 >= made.revision)
            default:
                let age = Duration.seconds(Int.random(in: 0..<600, using: &random))
                let upload = try await device.upload("Albums") { $0.age = age }
                stored.insert(upload.revision)
                own.append(upload)
                #expect(try await device.read(upload).body == upload.bytes)
            }
        }
        return (stored, deleted)
    }
}
