import PlacekeeperCore
import Testing

@testable import PlacekeeperService

struct UserVersionsTests {
    private let users = (0..<40 as Range<UInt64>).map { number in
        UserKey(app: AppID(high: 0, low: 1), user: UserID(high: 7, low: number))
    }

    @Test func raisesOnlyTheUsersOfAWrite() {
        let versions = UserVersions(count: 64)
        let before = users.map(versions.userVersion)
        versions.apply(.write(to: users[3]))
        versions.apply(.access(of: users[5], true))
        for (index, user) in users.enumerated() {
            let after = versions.userVersion(of: user)
            #expect((after.version != before[index].version) == [3, 5].contains(index))
            #expect((after.access != before[index].access) == (index == 5))
        }
    }

    @Test func raisesAllUsers() {
        let versions = UserVersions(count: 1)
        let before = users.map(versions.userVersion)
        versions.apply(.settings(true))
        #expect(zip(users, before).allSatisfy { versions.userVersion(of: $0).access > $1.access })
        #expect(zip(users, before).allSatisfy { versions.userVersion(of: $0).version == $1.version })
        versions.apply(.foreign)
        #expect(zip(users, before).allSatisfy { versions.userVersion(of: $0).version > $1.version })
    }

    /// The userVersion must not be newer than the value. Otherwise, a cache would use an old value forever.
    @Test func readsAgainIfAccessChangesDuringTheRead() {
        let versions = UserVersions(count: 64)
        var reads = 0
        let found = versions.fresh(ownedBy: { (_: Int) in users[1] }) {
            reads += 1
            if reads == 1 { versions.apply(.access(of: users[1], true)) }
            return reads
        }
        #expect(found?.value == 2 && found?.userVersion == versions.userVersion(of: users[1]))
        #expect(versions.fresh(ownedBy: { (_: Int) in users[1] }) { nil } == nil)
    }
}
