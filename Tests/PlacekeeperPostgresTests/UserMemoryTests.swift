import PlacekeeperCore
import PlacekeeperService
import PlacekeeperStoreConformance
import Testing

@testable import PlacekeeperPostgres

@Suite struct UserMemoryTests {
    private let owner = Agreement.owner()

    private func entry(_ age: Duration = .zero) -> UserMemory.Entry {
        UserMemory.Entry(user: UserState(owner), usage: Usage(), server: nil, readAt: .now - age)
    }

    /// A write changes the state, and the state is right again only after the write is stored.
    @Test func givesAStateOnce() {
        let memory = UserMemory()
        memory.keep(entry())
        #expect(memory.take(owner) != nil)
        #expect(memory.take(owner) == nil)
    }

    /// Only the data in memory counts, and not how often it was kept.
    @Test func manyWritesOfOneUserLeaveTheOtherUsers() {
        let memory = UserMemory()
        let other = UserMemory.Entry(
            user: UserState(Agreement.owner(2)), usage: Usage(), server: nil, readAt: .now + .seconds(600))
        memory.keep(other)
        for _ in 0..<200_000 {
            memory.keep(entry())
            _ = memory.take(owner)
        }
        #expect(memory.take(Agreement.owner(2)) != nil)
    }

    /// The usage of the app is only read with the data. If each write renewed the data's age, the app could exceed its
    /// quota without a limit.
    @Test func givesNoDataThatWasReadLongAgoAlsoAfterFurtherWrites() throws {
        let memory = UserMemory()
        memory.keep(entry(.seconds(5)))
        let young = try #require(memory.take(owner))
        #expect(young.readAt < .now - .seconds(4))
        memory.keep(entry(.seconds(11)))
        #expect(memory.take(owner) == nil)
    }
}
