import PlacekeeperCore
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

extension StoreBehavior {
    static let lookups = [
        StoreBehavior("returns no bytes for a deleted archive") { store async throws in
            let stored = try await store.add(capture(1, captured: 10))
            _ = try await store.delete(archive(1), in: scene(), at: at(20))
            #expect(try await store.bytes(of: stored) == nil)
        }
    ]

    static let retention = [
        StoreBehavior("keeps the newest archives of each idiom") { store async throws in
            for number in 1...5 as ClosedRange<UInt64> {
                try await store.add(capture(number, captured: Double(number)), retention: 3)
            }
            #expect(try await store.history() == [5, 4, 3])
            #expect(try await store.archive(archive(1), in: scene()) == .none)
        },
        StoreBehavior("keeps a pad's only archive") { store async throws in
            try await store.add(capture(100, by: 2, idiom: .pad, captured: 0), retention: 3)
            for number in 1...9 as ClosedRange<UInt64> {
                try await store.add(capture(number, by: 1, captured: Double(number)), retention: 3)
            }
            #expect(try await store.history() == [9, 8, 7, 100])
        },
        StoreBehavior("keeps an inactive device's only archive") { store async throws in
            try await store.register(2...3)
            try await store.add(capture(100, by: 2, captured: 0), retention: 2)
            try await store.add(capture(101, by: 3, captured: 0), retention: 2)
            for number in 1...9 as ClosedRange<UInt64> {
                try await store.add(capture(number, by: 1, captured: Double(number)), retention: 2)
            }
            #expect(try await store.history() == [9, 8, 101, 100])
        },
        StoreBehavior("keeps the archive before a device's crashed head") { store async throws in
            try await store.register(2...2)
            try await store.add(capture(100, by: 2, captured: 0), retention: 2)
            try await store.add(capture(101, by: 2, captured: 1), retention: 2)
            let outcome = Outcome(
                archive: archive(101), device: device(2), result: .crashed,
                context: Context(idiom: .phone, bundleVersion: "42"), reportedAt: at(2))
            #expect(try await store.report(outcome, in: scene()).value == .recorded)
            for number in 1...5 as ClosedRange<UInt64> {
                try await store.add(capture(number, by: 1, captured: Double(number + 2)), retention: 2)
            }
            #expect(try await store.history() == [5, 4, 101, 100])
        },
        StoreBehavior("keeps each device's newest archive with a place") { store async throws in
            try await store.register(1...1)
            try await store.add(capture(100, captured: 0), retention: 2)
            for number in 1...5 as ClosedRange<UInt64> {
                var plain = capture(number, captured: Double(number))
                plain.summary.place = []
                try await store.add(plain, retention: 2)
            }
            #expect(try await store.history() == [5, 4, 100])
        },
        StoreBehavior("keeps the archive that a device was served last, until it is served another or revoked") {
            store async throws in
            for (number, idiom) in [(1, .phone), (2, .pad), (3, .pad)] as [(UInt64, Idiom)] {
                _ = try await store.register(makeDevice(number, idiom: idiom), token: digest(number), linkCode: nil)
            }
            for number in 1...2 as ClosedRange<UInt64> {
                try await store.add(capture(number, captured: Double(number)), retention: 2)
                try await store.recordServing(archive(number), in: scene(), to: device(2), at: at(Double(number)))
            }
            try await store.recordServing(archive(1), in: scene(), to: device(3), at: at(3))
            for number in 3...5 as ClosedRange<UInt64> {
                try await store.add(capture(number, captured: Double(number)), retention: 2)
            }
            #expect(try await store.history() == [5, 4, 2, 1])
            #expect(try await store.revoke(device(3), of: user(1), at: at(6)).value)
            try await store.recordServing(archive(5), in: scene(), to: device(2), at: at(7))
            try await store.add(capture(6, captured: 6), retention: 2)
            #expect(try await store.history() == [6, 5])
        },
        StoreBehavior("keeps only the newest archives of each idiom of revoked devices") { store async throws in
            try await store.register(1...1)
            for number in 2...40 as ClosedRange<UInt64> {
                try await store.register(number...number)
                try await store.add(capture(number, by: number, captured: Double(number)), retention: 3)
                try await store.recordServing(archive(number), in: scene(), to: device(number), at: at(Double(number)))
                #expect(try await store.revoke(device(number), of: user(1), at: at(Double(number))).value)
            }
            try await store.add(capture(41, captured: 41), retention: 3)
            #expect(try await store.history() == [41, 40, 39])
        },
        StoreBehavior("keeps only a crashed archive after a later restore of it succeeds") {
            store async throws in
            try await store.register(1...2)
            try await store.add(capture(1, by: 1, captured: 1))
            try await store.add(capture(2, by: 1, captured: 2))
            func report(_ result: Outcome.Result, at time: Double) async throws {
                let outcome = Outcome(
                    archive: archive(2), device: device(1), result: result,
                    context: Context(idiom: .phone, bundleVersion: "42"), reportedAt: at(time))
                #expect(try await store.report(outcome, in: scene()).value == .recorded)
            }
            try await report(.crashed, at: 3)
            for number in 3...6 as ClosedRange<UInt64> {
                try await store.add(capture(number, by: 2, captured: Double(number)), retention: 1)
            }
            #expect(try await store.history() == [6, 2, 1])
            try await report(.restored, at: 7)
            try await store.add(capture(7, by: 2, captured: 7), retention: 1)
            #expect(try await store.history() == [7, 2])
        },
        StoreBehavior("keeps and releases the last served archive of each of many devices") {
            store async throws in
            try await store.register(1...9)
            for number in 1...8 as ClosedRange<UInt64> {
                try await store.add(capture(number, by: 9, captured: Double(number)), retention: 2)
                try await store.recordServing(archive(number), in: scene(), to: device(number), at: at(Double(number)))
            }
            try await store.add(capture(9, by: 9, captured: 9), retention: 2)
            #expect(try await store.history() == [9, 8, 7, 6, 5, 4, 3, 2, 1])
            // One device is served another archive, one is revoked, and one device's archive is deleted.
            try await store.recordServing(archive(9), in: scene(), to: device(3), at: at(10))
            #expect(try await store.revoke(device(4), of: user(1), at: at(11)).value)
            #expect(try await store.delete(archive(5), in: scene(), at: at(12)).value)
            try await store.add(capture(10, by: 9, captured: 13), retention: 2)
            #expect(try await store.history() == [10, 9, 8, 7, 6, 2, 1])
            // Devices 3 and 6 are served archive 9. When device 3 is served another archive, archive 9 stays for device
            // 6.
            try await store.recordServing(archive(9), in: scene(), to: device(6), at: at(14))
            try await store.recordServing(archive(10), in: scene(), to: device(3), at: at(15))
            for number in 11...13 as ClosedRange<UInt64> {
                try await store.add(capture(number, by: 9, captured: Double(number + 5)), retention: 2)
            }
            #expect(try await store.history() == [13, 12, 10, 9, 8, 7, 2, 1])
        },
        StoreBehavior("applies retention to each scene and user separately") { store async throws in
            try await store.add(capture(100, in: scene("editor"), captured: 0), retention: 1)
            try await store.add(capture(101, in: scene(of: user(2)), captured: 0), retention: 1)
            for number in 1...3 as ClosedRange<UInt64> {
                try await store.add(capture(number, captured: Double(number)), retention: 1)
            }
            #expect(try await store.history() == [3])
            #expect(try await store.history(scene("editor")) == [100])
            #expect(try await store.history(scene(of: user(2))) == [101])
        },
        StoreBehavior("keeps a late upload beyond the limit until the next upload") {
            store async throws in
            for number in 1...3 as ClosedRange<UInt64> {
                try await store.add(capture(number, captured: Double(10 + number)), retention: 3)
            }
            try await store.add(capture(9, captured: 10.9, received: 20), retention: 3)
            #expect(try await store.history() == [3, 2, 1, 9])
            try await store.add(capture(4, captured: 14), retention: 3)
            #expect(try await store.history() == [4, 3, 2])
        },
        StoreBehavior("keeps the place before a pause when many archives follow") { store async throws in
            try await store.add(capture(1, captured: 0), retention: 3)
            try await store.add(capture(2, captured: 600), retention: 3)
            for number in 3...42 as ClosedRange<UInt64> {
                try await store.add(capture(number, captured: 90_000 + 3 * Double(number)), retention: 3)
            }
            #expect(try await store.history() == [42, 41, 2])
        },
        StoreBehavior("stores no archive of a device that was revoked or moved while its write waited") {
            store async throws in
            for number in 1...2 as ClosedRange<UInt64> {
                _ = try await store.register(makeDevice(number), token: digest(number), linkCode: nil)
            }
            try await store.makeUser(user(2))
            try await store.create(LinkCode(digest: digest(77), owner: user(2), expiresAt: at(60)))
            #expect(try await store.revoke(device(1), of: user(1), at: at(1)).value)
            #expect(
                try await store.move(device(2), of: user(1), linkCode: digest(77), at: at(1), retention: 20).value
                    .device
                    != nil)
            for number in 1...2 as ClosedRange<UInt64> {
                var late = capture(number, by: number, captured: 2)
                late.actor = device(number)
                #expect(try await store.put(late, retention: 20).value == .actorGone)
            }
            #expect(try await store.history() == [])
            var moved = capture(3, in: scene(of: user(2)), by: 2, captured: 3)
            moved.actor = device(2)
            #expect(try await store.add(moved).id == archive(3))
        },
    ]

    static let deletion = [
        StoreBehavior("refuses the id of a deleted archive") { store async throws in
            try await store.add(capture(1, captured: 10))
            let head = try await store.add(capture(2, captured: 20))
            #expect(try await store.delete(archive(1), in: scene(), at: at(30)).value)
            #expect(try await store.archive(archive(1), in: scene()) == .deleted)
            #expect(try await store.history() == [2])
            let again = try await store.put(capture(1, captured: 40), retention: 20).value
            #expect(again == .deleted(head: head.revision))
            let other = try await store.put(capture(1, content: 9, captured: 40), retention: 20).value
            #expect(other == .deleted(head: head.revision))
        },
        StoreBehavior("deleting the head makes the next older archive the head") { store async throws in
            let first = try await store.add(capture(1, captured: 10))
            try await store.add(capture(2, captured: 20))
            #expect(try await store.delete(archive(2), in: scene(), at: at(30)).value)
            #expect(try await store.head(of: scene()) == first.position)
        },
        StoreBehavior("deleting an unknown archive returns false") { store async throws in
            try await store.add(capture(1, captured: 10))
            #expect(try await !store.delete(archive(2), in: scene(), at: at(30)).value)
            #expect(try await !store.delete(archive(1), in: scene("editor"), at: at(30)).value)
            #expect(try await !store.delete(archive(1), in: scene(of: user(2)), at: at(30)).value)
            #expect(try await store.delete(archive(1), in: scene(), at: at(30)).value)
            #expect(try await !store.delete(archive(1), in: scene(), at: at(31)).value)
        },
        StoreBehavior("keeps a tombstone for thirty days") { store async throws in
            try await store.add(capture(1, captured: 10))
            _ = try await store.delete(archive(1), in: scene(), at: at(0))
            try await store.prune(at: at(30 * 86_400))
            #expect(try await store.archive(archive(1), in: scene()) == .deleted)
            try await store.prune(at: at(30 * 86_400 + 1))
            #expect(try await store.archive(archive(1), in: scene()) == .none)
            try await store.add(capture(1, captured: 30 * 86_400 + 2))
        },
        StoreBehavior("forgetting a scene keeps the other scenes") { store async throws in
            try await store.add(capture(1, captured: 10))
            try await store.add(capture(2, in: scene("editor"), captured: 10))
            try await store.add(capture(3, in: scene(of: user(2)), captured: 10))
            _ = try await store.forget(scene(), at: at(20))
            #expect(try await store.history().isEmpty)
            #expect(try await store.history(scene("editor")) == [2])
            #expect(try await store.history(scene(of: user(2))) == [3])
        },
    ]

    static let screenshots = [
        StoreBehavior("stores, replaces and deletes a screenshot with its archive") { store async throws in
            try await store.add(capture(1, captured: 10))
            let png = Screenshot(format: .png, bytes: [1, 2, 3])
            let jpeg = Screenshot(format: .jpeg, bytes: [4])
            #expect(try await store.screenshot(for: archive(1), in: scene()) == nil)
            #expect(try await store.putScreenshot(png, for: archive(1), in: scene()).value)
            #expect(try await store.screenshot(for: archive(1), in: scene()) == png)
            #expect(try await store.putScreenshot(jpeg, for: archive(1), in: scene()).value)
            #expect(try await store.screenshot(for: archive(1), in: scene()) == jpeg)
            let listed = try await store.history(of: scene(), below: nil, limit: 1).archives
            #expect(listed.first?.hasScreenshot == true)
            _ = try await store.delete(archive(1), in: scene(), at: at(20))
            #expect(try await store.screenshot(for: archive(1), in: scene()) == nil)
        },
        StoreBehavior("refuses a screenshot without an archive") { store async throws in
            let png = Screenshot(format: .png, bytes: [1])
            #expect(try await !store.putScreenshot(png, for: archive(1), in: scene()).value)
            #expect(try await store.screenshot(for: archive(1), in: scene()) == nil)
        },
    ]
}
