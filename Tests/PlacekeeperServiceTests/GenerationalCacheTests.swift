import PlacekeeperCore
import Testing

@testable import PlacekeeperService

struct GenerationalCacheTests {
    @Test func limitsEntriesToTwoGenerations() {
        var cache = GenerationalCache<Int, Int>(capacity: 10)
        for number in 0..<1000 {
            cache.insert(number, for: number)
            #expect(cache.count <= 20)
            #expect(cache.value(for: number) == number)
        }
        #expect(cache.value(for: 0) == nil)
    }

    @Test func keepsEntriesInUse() {
        var cache = GenerationalCache<Int, Int>(capacity: 10)
        cache.insert(-1, for: -1)
        for number in 0..<1000 {
            cache.insert(number, for: number)
            #expect(cache.value(for: -1) == -1)
        }
    }

    @Test func limitsWeightOfEntries() {
        var cache = GenerationalCache<Int, Int>(capacity: 100)
        for number in 0..<1000 {
            cache.insert(number, for: number % 50, weight: 10 + number % 7 * 10)
            #expect(cache.value(for: number % 50) == number)
            // Ten of the lightest entries fill a generation, and the cache has two generations.
            #expect(cache.count <= 20)
        }
        cache.removeAll()
        for number in 0..<1000 { cache.insert(number, for: number, weight: 60) }
        #expect(cache.count == 2)
    }

    @Test func releasesWeightOfReplacedAndRemovedEntries() {
        var cache = GenerationalCache<Int, Int>(capacity: 100)
        cache.insert(0, for: 0, weight: 40)
        for _ in 0..<10 { cache.insert(1, for: 1, weight: 60) }
        cache.remove(1)
        #expect(cache.value(for: 1) == nil)
        cache.insert(2, for: 2, weight: 60)
        #expect(cache.value(for: 0) == 0 && cache.count == 2)
    }

    @Test func releasesWeightOfRemovedEntry() {
        var cache = GenerationalCache<Int, Int>(capacity: 100)
        cache.insert(0, for: 0, weight: 60)
        cache.remove(0)
        for (number, weight) in [(1, 60), (2, 30), (3, 30), (4, 60)] {
            cache.insert(number, for: number, weight: weight)
        }
        #expect(cache.count == 4)
    }

    @Test func removesFromBothGenerations() {
        var cache = GenerationalCache<Int, Int>(capacity: 2)
        for number in 0..<4 { cache.insert(number, for: number) }
        cache.removeAll()
        #expect(cache.count == 0)
    }
}

struct PrincipalCacheTests {
    @Test func keepsLatestTimesOfUseThatCouldNotBeWritten() {
        let cache = PrincipalCache()
        let (first, second) = (DeviceID(high: 0, low: 1), DeviceID(high: 0, low: 2))
        let times = [first: Timestamp(milliseconds: 5), second: Timestamp(milliseconds: 5)]
        cache.restoreSeen([Fixture.owner: times])
        cache.restoreSeen([Fixture.owner: [first: Timestamp(milliseconds: 3)]])
        #expect(cache.takeSeen() == [Fixture.owner: times])
        #expect(cache.takeSeen().isEmpty)
    }

    @Test func gathersTimesOfUseByUser() {
        let cache = PrincipalCache()
        let app = App(id: Fixture.owner.app, bundleIdentifier: "a.b", publishableKey: "pk_", createdAt: at(0))
        let other = UserKey(app: app.id, user: UserID(high: 2, low: 2))
        func use(_ number: UInt64, of owner: UserKey, at milliseconds: Int64) {
            let device = Device(
                id: DeviceID(high: 0, low: number), owner: owner, idiom: .phone, createdAt: at(0), lastSeenAt: at(0))
            cache.insert(
                .init(principal: Principal(app: app, device: device), access: 0), for: Digest(0, 0, 0, number),
                at: at(milliseconds))
        }
        let (first, second) = (DeviceID(high: 0, low: 1), DeviceID(high: 0, low: 2))
        use(1, of: Fixture.owner, at: 5)
        use(2, of: other, at: 6)
        #expect(cache.takeSeen() == [Fixture.owner: [first: at(5)], other: [second: at(6)]])
        // The device moved to another user before the time of its last use by the former user could be written.
        use(1, of: other, at: 8)
        cache.restoreSeen([Fixture.owner: [first: at(5)], other: [second: at(6)]])
        #expect(cache.takeSeen() == [other: [first: at(8), second: at(6)]])
    }

    private func at(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds) }
}
