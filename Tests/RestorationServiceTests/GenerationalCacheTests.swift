import Testing

@testable import RestorationService

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
            // Ten of the lightest entries fill a generation.
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
        cache.restoreSeen([first: Timestamp(milliseconds: 5), second: Timestamp(milliseconds: 5)])
        cache.restoreSeen([first: Timestamp(milliseconds: 3)])
        #expect(cache.takeSeen() == [first: Timestamp(milliseconds: 5), second: Timestamp(milliseconds: 5)])
        #expect(cache.takeSeen().isEmpty)
    }
}
