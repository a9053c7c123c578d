import PlacekeeperCore
import PlacekeeperMatching
import PlacekeeperService
import PlacekeeperTestSupport
import Synchronization
import Testing

/// Texts of users that were damaged after they were sealed.
@Suite struct UnreadableTextTests {
    /// Opens only the texts of other users.
    private struct DamagedTexts: Sealing {
        var owners: Set<UserKey>

        func seal(_ text: [UInt8], for owner: UserKey) -> [UInt8] { text }

        func open(_ sealed: [UInt8], for owner: UserKey) throws(StoreError) -> [UInt8] {
            guard !owners.contains(owner) else { throw .corrupt("A text cannot be opened.") }
            return sealed
        }
    }

    private final class Reports: Sendable {
        private let lines = Mutex<[String]>([])
        var count: Int { lines.withLock { $0.count } }
        @Sendable func add(_ line: String) { lines.withLock { $0.append(line) } }
    }

    @Test func leavesOutItemsAndSubjectsThatCannotBeRead() async throws {
        let fixture = try await IdentityFixture()
        let (stranger, anna) = (try await fixture.fixture.join(), try await fixture.fixture.join())
        let device = try await fixture.service.accounts.signIn(anna, with: "subject anna")
        for principal in [fixture.phone, stranger] {
            try await fixture.register(Item("p1", aliases: ["a"]), on: principal)
        }
        let reports = Reports()
        let service = RestorationService(
            store: fixture.fixture.store, clock: fixture.fixture.clock, random: SeededRandom(seed: 2),
            hashing: SpreadingHash(), sealing: DamagedTexts(owners: [fixture.phone.owner, device.owner]),
            report: reports.add)
        let found = try await service.browsing.items("p1", or: nil, in: fixture.fixture.app.id, after: nil)
        #expect(found.items.map(\.list.owner) == [stranger.owner])
        #expect(reports.count == 1)
        #expect(try await service.accounts.listedSubject(of: device.owner) == nil)
        #expect(reports.count == 2)
        #expect(try await fixture.service.accounts.listedSubject(of: device.owner)?.text == "anna")
    }
}
