import PlacekeeperCore
import PlacekeeperMemoryStore
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

/// Uploads the same captures in different orders, and compares the scene with simple rules.
struct ArrivalOrderTests {
    /// A capture of a device. Its sequence is its time.
    private struct Event {
        var device: DeviceID
        var time: Int64
        /// The index of the restored event, if the user did not interact since the restore.
        var source: Int?
    }

    /// A history in which each device gives correct times. Two interactions are at least two milliseconds apart, so that a
    /// view-only capture is between its source and the capture below.
    private static func history(_ random: SeededRandom) -> [Event] {
        var events: [Event] = []
        for index in 0..<12 {
            let isViewOnly = index > 0 && random.below(3) == 0
            events.append(
                Event(
                    device: DeviceID(high: 0, low: UInt64(random.below(3))), time: 1000 + 10 * Int64(index),
                    source: isViewOnly ? random.below(index) : nil))
        }
        return events
    }

    /// The time that decides the place of an event: its own time, or a millisecond before its source.
    private static func place(of index: Int, in events: [Event]) -> Int64 {
        events[index].source.map { place(of: $0, in: events) - 1 } ?? events[index].time
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func ordersCapturesIndependentlyOfTheirArrival(_ seed: UInt64) async throws {
        let random = SeededRandom(seed: seed)
        let events = Self.history(random)
        let store = InMemoryStore()
        var revisions: [Int: Revision] = [:]
        while revisions.count < events.count {
            // A view-only capture arrives after the archive that it names.
            let ready = events.indices.filter { index in
                revisions[index] == nil && (events[index].source.map { revisions[$0] != nil } ?? true)
            }
            let index = ready[random.below(ready.count)]
            let event = events[index]
            let new = Fixture.capture(
                UInt64(index), device: event.device, capturedAt: Timestamp(milliseconds: event.time),
                receivedAt: Timestamp(milliseconds: 5000), sequence: event.time,
                restoredFrom: event.source.flatMap { revisions[$0] })
            guard case .created(let archive, _) = try await store.put(new, retention: 1000).value else {
                Issue.record("not created")
                return
            }
            revisions[index] = archive.revision
        }
        let stored = await store.history(
            of: SceneKey(owner: Fixture.owner, name: "main"), below: nil, limit: 100
        ).archives.map { Int($0.id.low) }
        let places = stored.map { Self.place(of: $0, in: events) }
        #expect(places == places.sorted(by: >))
        for device in Set(events.map(\.device)) {
            let own = stored.filter { events[$0].device == device }
            let expected = own.sorted { left, right in
                let (first, second) = (Self.place(of: left, in: events), Self.place(of: right, in: events))
                return (first, events[left].time) > (second, events[right].time)
            }
            #expect(own == expected)
        }
    }

    /// Clocks, networks and clients give any times. The sequences decide nevertheless.
    @Test(arguments: 0..<200 as Range<UInt64>)
    func ordersCapturesOfADeviceByTheirSequences(_ seed: UInt64) async throws {
        let random = SeededRandom(seed: seed)
        let store = InMemoryStore()
        // Sequences next to one another, and far from one another.
        let step: Int64 = random.below(2) == 0 ? 1 : 1 << 50
        for number in (0..<40).shuffled(by: random) {
            let new = Fixture.capture(
                UInt64(number), device: DeviceID(high: 0, low: UInt64(number % 2)),
                capturedAt: Timestamp(milliseconds: 1000 + Int64(random.below(4))),
                receivedAt: Timestamp(milliseconds: 5000), sequence: Int64(number) * step)
            guard case .created = try await store.put(new, retention: 1000).value else {
                Issue.record("not created")
                return
            }
        }
        let stored = await store.history(
            of: SceneKey(owner: Fixture.owner, name: "main"), below: nil, limit: 100
        ).archives.map { Int($0.id.low) }
        #expect(stored.filter { $0 % 2 == 0 } == (0..<40).reversed().filter { $0 % 2 == 0 })
        #expect(stored.filter { $0 % 2 == 1 } == (0..<40).reversed().filter { $0 % 2 == 1 })
    }
}

extension Range<Int> {
    fileprivate func shuffled(by random: SeededRandom) -> [Int] {
        var values = Array(self)
        for index in values.indices.reversed() { values.swapAt(index, random.below(index + 1)) }
        return values
    }
}
