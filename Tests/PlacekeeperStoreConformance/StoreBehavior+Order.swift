import PlacekeeperCore
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

extension StoreBehavior {
    static let order = [
        StoreBehavior("orders archives by capture time, then by revision") { store async throws in
            for (number, captured) in [(1, 10), (2, 30), (3, 20), (4, 30)] as [(UInt64, Double)] {
                try await store.add(capture(number, captured: captured, received: 40))
            }
            #expect(try await store.history() == [4, 2, 3, 1])
        },
        StoreBehavior("places a late upload below the head and returns the head") { store async throws in
            let head = try await store.add(capture(1, by: 1, captured: 100))
            let late = try await store.put(capture(2, by: 2, captured: 50, received: 200), retention: 20).value
            guard case .created(let archive, let reported) = late else { return #expect(Bool(false), "not created") }
            #expect(reported == head.revision && archive.revision > head.revision)
            #expect(try await store.history() == [1, 2])
        },
        StoreBehavior("keeps a delayed upload below its device's later one") { store async throws in
            try await store.add(capture(2, captured: 100, sequence: 2))
            let slow = try await store.add(capture(1, captured: 110, sequence: 1))
            #expect(slow.capturedAt == at(100))
            #expect(try await store.history() == [2, 1])
            #expect(try await store.heads(of: user(1), below: nil, limit: 9).map(\.archive.id.low) == [2])
            #expect(try await store.sceneHeads(of: user(1), behind: nil, limit: 9).map(\.id.low) == [2])
        },
        StoreBehavior("places a late capture between two of its device's, whatever their times say") {
            store async throws in
            for (name, times) in [
                ("a", [90, 90, 90]), ("b", [90, 50, 100]), ("c", [10, 100, 20]), ("d", [90, 90, 100]),
            ] as [(String, [Double])] {
                // Another device's capture has the same time as the first capture.
                try await store.add(capture(1, in: scene(name), by: 1, captured: times[0], sequence: 1))
                try await store.add(capture(9, in: scene(name), by: 2, captured: times[0], sequence: 2))
                try await store.add(
                    capture(3, in: scene(name), by: 1, captured: times[2], received: 200, sequence: 3))
                try await store.add(
                    capture(2, in: scene(name), by: 1, captured: times[1], received: 300, sequence: 2))
                let history = try await store.history(of: scene(name), below: nil, limit: 9)
                #expect(history.archives.map(\.id.low).filter { $0 != 9 } == [3, 2, 1], "\(name)")
                #expect(history.head == history.archives.first?.revision)
                #expect(try await store.head(of: scene(name)) == history.archives.first?.position)
            }
        },
        StoreBehavior("orders a device's captures by their sequences in every order of arrival") {
            store async throws in
            for (number, order) in permutations(of: [1, 2, 3, 4]).enumerated() {
                let name = scene("s\(number)")
                // The times contradict the sequences, or are equal.
                for sequence in order {
                    let time = [30.0, 10, 30, 20][sequence - 1]
                    let id = UInt64(sequence)
                    try await store.add(
                        capture(id, in: name, captured: time, received: 100, sequence: Int64(sequence) << 40))
                    try await store.add(capture(10 + id, in: name, by: 2, captured: time, received: 100))
                }
                let history = try await store.history(of: name, below: nil, limit: 9).archives
                #expect(history.map(\.id.low).filter { $0 < 9 } == [4, 3, 2, 1], "\(order)")
                // Pages and the device's own list have the same order.
                var paged: [Archive] = []
                while case let page = try await store.history(of: name, below: paged.last?.position, limit: 1).archives,
                    !page.isEmpty
                { paged += page }
                #expect(paged == history)
            }
        },
        StoreBehavior("orders view-only captures at one archive by their sequences in every order of arrival") {
            store async throws in
            for (number, order) in permutations(of: [1, 2, 3]).enumerated() {
                let name = scene("s\(number)")
                let source = try await store.add(capture(9, in: name, by: 2, captured: 50))
                for sequence in order {
                    try await store.add(
                        capture(
                            UInt64(sequence), in: name, captured: 100, sequence: Int64(sequence),
                            restoredFrom: source.revision))
                }
                #expect(
                    try await store.history(of: name, below: nil, limit: 9).archives.map(\.id.low) == [9, 3, 2, 1])
            }
        },
        StoreBehavior("does not place a late capture below a later view-only capture of an older archive") {
            store async throws in
            let source = try await store.add(capture(1, by: 2, captured: 50))
            try await store.add(capture(2, captured: 90, sequence: 1))
            try await store.add(capture(3, captured: 120, sequence: 3, restoredFrom: source.revision))
            try await store.add(capture(4, captured: 110, received: 130, sequence: 2))
            #expect(try await store.history() == [4, 2, 1, 3])
            // A late view-only capture is below a later capture of an interaction, but not below a later view-only capture of an older archive.
            try await store.add(capture(5, captured: 125, received: 140, sequence: 0, restoredFrom: source.revision))
            let own = try await store.history(of: scene(), below: nil, limit: 9).archives
            #expect(own.map(\.id.low) == [4, 2, 1, 3, 5])
            #expect(own.map(\.isViewOnly) == [false, false, false, true, true])
        },
        StoreBehavior("places a capture above the device's older archive that was made the head") {
            store async throws in
            try await store.add(capture(1, captured: 100, sequence: 1))
            // A copy has no sequence, and is captured at the same time as the device's last capture.
            try await store.add(capture(2, captured: 110, sequence: 3))
            try await store.add(capture(3, captured: 110))
            #expect(try await store.history() == [3, 2, 1])
            try await store.add(capture(4, captured: 110, sequence: 2))
            #expect(try await store.history() == [3, 2, 4, 1])
        },
        StoreBehavior("restores a deleted archive between two captures of its device") { store async throws in
            for (id, sequence) in [(1, 1), (3, 3), (2, 2)] as [(UInt64, Int64)] {
                try await store.add(capture(id, captured: 90, sequence: sequence))
            }
            #expect(try await store.delete(archive(2), in: scene(), at: at(100), isUndoable: true).value)
            #expect(try await store.history() == [3, 1])
            #expect(
                try await store.undelete(archive(2), in: scene(), at: at(110), quotas: .none).value == .restored)
            #expect(try await store.history() == [3, 2, 1])
        },
        StoreBehavior("places a capture above its device's earlier one") { store async throws in
            try await store.add(capture(1, captured: 100, sequence: 1))
            try await store.add(capture(2, captured: 90, received: 120, sequence: 2))
            #expect(try await store.history() == [2, 1])
        },
        StoreBehavior("keeps the time when identifiers were written") { store async throws in
            let first = try await store.add(capture(1, captured: 100, sequence: 1))
            try await store.add(capture(2, captured: 90, received: 120, sequence: 2))
            try await store.add(capture(3, by: 2, captured: 200, restoredFrom: first.revision))
            var copy = capture(4, captured: 300)
            copy.writtenAt = first.writtenAt
            try await store.add(copy)
            let stored = try await store.history(of: scene(), below: nil, limit: 10).archives
            #expect(stored.map(\.writtenAt) == [at(100), at(90), at(100), at(200)])
        },
        StoreBehavior("ignores sequences of other devices and scenes") { store async throws in
            try await store.add(capture(1, by: 1, captured: 100, sequence: 9))
            try await store.add(capture(2, in: scene("editor"), by: 2, captured: 100, sequence: 9))
            try await store.add(capture(3, by: 2, captured: 110, sequence: 1))
            #expect(try await store.history() == [3, 1])
        },
        StoreBehavior("places a view-only capture right below its source") { store async throws in
            let source = try await store.add(capture(1, by: 1, captured: 100))
            try await store.add(capture(2, by: 1, captured: 50, received: 101))
            try await store.add(capture(3, by: 2, captured: 200, restoredFrom: source.revision))
            #expect(try await store.history() == [1, 3, 2])
        },
        StoreBehavior("does not make a view-only capture of a deleted archive the head") { store async throws in
            let source = try await store.add(capture(1, by: 1, captured: 100))
            try await store.add(capture(2, by: 1, captured: 120))
            _ = try await store.delete(archive(1), in: scene(), at: at(130))
            try await store.add(capture(3, by: 2, captured: 200, restoredFrom: source.revision))
            #expect(try await store.history() == [2, 3])
        },
        StoreBehavior("refuses archives captured before their scene was forgotten") { store async throws in
            try await store.add(capture(1, captured: 100))
            _ = try await store.forget(scene(), at: at(200))
            #expect(try await store.history().isEmpty)
            #expect(try await store.head(of: scene()) == nil)
            #expect(
                try await store.put(capture(2, captured: 199, received: 300), retention: 20).value
                    == .forgotten(head: nil))
            #expect(
                try await store.put(capture(1, captured: 100, received: 300), retention: 20).value
                    == .deleted(head: nil))
            try await store.add(capture(3, captured: 200, received: 300))
            try await store.add(capture(4, in: scene("editor"), captured: 50, received: 300))
        },
        StoreBehavior("refuses a view-only capture of a forgotten archive") { store async throws in
            let source = try await store.add(capture(1, captured: 100))
            _ = try await store.forget(scene(), at: at(200))
            let look = capture(2, captured: 300, restoredFrom: source.revision)
            #expect(try await store.put(look, retention: 20).value == .forgotten(head: nil))
        },
        StoreBehavior("refuses a view-only capture of a forgotten archive after pruning") {
            store async throws in
            let source = try await store.add(capture(1, captured: 100))
            let kept = try await store.add(capture(2, in: scene("editor"), captured: 100))
            _ = try await store.forget(scene(), at: at(200))
            let now = 31.0 * 86_400
            try await store.add(capture(3, in: scene("editor"), captured: now))
            try await store.prune(at: at(now))
            let look = capture(4, captured: now, restoredFrom: source.revision)
            #expect(try await store.put(look, retention: 20).value == .forgotten(head: nil))
            let other = capture(5, in: scene("editor"), captured: now, restoredFrom: kept.revision)
            #expect(try await store.add(other).capturedAt < at(100))
            try await store.add(capture(6, captured: now))
            #expect(try await store.history() == [6])
        },
    ]

    static let histories = [
        StoreBehavior("returns the history in pages, starting with the head") { store async throws in
            for number in 1...7 as ClosedRange<UInt64> {
                try await store.add(capture(number, captured: Double(number / 2)))
            }
            var seen: [UInt64] = []
            var position: Archive.Position?
            while true {
                let page = try await store.history(of: scene(), below: position, limit: 3).archives
                seen += page.map(\.id.low)
                guard let last = page.last, page.count == 3 else { break }
                position = last.position
            }
            #expect(seen == [7, 6, 5, 4, 3, 2, 1])
        },
        StoreBehavior("returns the scene's head with every page of history") { store async throws in
            for number in 1...4 as ClosedRange<UInt64> {
                try await store.add(capture(number, by: number % 2, captured: Double(number)))
            }
            let head = try await store.head(of: scene())?.revision
            #expect(head == Revision(rawValue: 4))
            let last = try await store.history(of: scene(), below: nil, limit: 3).archives.last
            let rest = try await store.history(of: scene(), below: last?.position, limit: 3)
            #expect(rest.archives.map(\.id.low) == [1] && rest.head == head)
            #expect(
                try await store.history(of: scene("editor"), below: nil, limit: 1)
                    == HistoryPage(archives: [], head: nil))
        },
        StoreBehavior("returns nothing for an unused scene") { store async throws in
            #expect(try await store.history().isEmpty)
            #expect(try await store.head(of: scene()) == nil)
            #expect(try await store.archive(archive(1), in: scene()) == .none)
            #expect(try await store.heads(of: user(1), below: nil, limit: 9).isEmpty)
        },
        StoreBehavior("returns each device's newest archive in each scene, newest first") { store async throws in
            try await store.add(capture(1, by: 1, captured: 10))
            try await store.add(capture(2, by: 1, captured: 20))
            try await store.add(capture(3, by: 2, captured: 15))
            try await store.add(capture(4, in: scene("editor"), by: 1, captured: 30))
            try await store.add(capture(5, in: scene("editor"), by: 1, captured: 25))
            try await store.add(capture(6, in: scene(of: user(2)), by: 3, captured: 99))
            let heads = try await store.heads(of: user(1), below: nil, limit: 9)
            #expect(heads.map(\.archive.id.low) == [4, 2, 3])
            #expect(heads.map(\.isSceneHead) == [true, true, false])
        },
        StoreBehavior("returns heads in pages below a position") { store async throws in
            for number in 1...30 as ClosedRange<UInt64> {
                // Seven scenes, five devices, and several captures with the same capture time.
                try await store.add(
                    capture(number, in: scene("s\(number % 7)"), by: number % 5, captured: Double(number / 3)))
            }
            // The device of archive 1 now has a newer archive in this scene, captured at the same time as archive 17.
            try await store.add(capture(31, in: scene("s1"), by: 1, captured: 5))
            let all = try await store.heads(of: user(1), below: nil, limit: 100)
            #expect(all.map(\.archive.id.low) == Array((18...30).reversed()) + [31] + (2...17).reversed())
            var paged: [DeviceHead] = []
            while true {
                let page = try await store.heads(of: user(1), below: paged.last?.archive.position, limit: 7)
                paged += page
                guard page.count == 7 else { break }
            }
            #expect(paged == all)
            let newest = Dictionary(grouping: all, by: \.archive.scene.name).values.compactMap(\.first)
            #expect(Set(all.filter(\.isSceneHead)) == Set(newest))
        },
        StoreBehavior("returns heads of many hours in pages, also after deletions, forgetting and thinning") {
            store async throws in
            // In each of 12 scenes, two devices capture every ten minutes. Retention keeps two archives of each device.
            for number in 1...240 as ClosedRange<UInt64> {
                try await store.add(
                    capture(number, in: scene("s\(number % 12)"), by: number / 12 % 2, captured: Double(600 * number)),
                    retention: 4)
            }
            for number in [240, 239, 230, 217] as [UInt64] {
                #expect(try await store.delete(archive(number), in: scene("s\(number % 12)"), at: at(200_000)).value)
            }
            _ = try await store.forget(scene("s3"), at: at(200_001))
            // A capture that is older than the scene's head may be the newest one of its device.
            try await store.add(capture(300, in: scene("s4"), by: 2, captured: 600))
            try await store.add(capture(301, in: scene("s5"), by: 1, captured: 600))
            var expected: [Archive] = []
            for name in 0..<12 {
                var devices: Set<DeviceID> = []
                let archives = try await store.history(of: scene("s\(name)"), below: nil, limit: 1000).archives
                expected += archives.filter { devices.insert($0.device).inserted }
            }
            expected.sort { $0.position > $1.position }
            #expect(expected.count == 23)
            for limit in [1, 3, 22, 23, 24] {
                var paged: [Archive] = []
                while true {
                    let page = try await store.heads(of: user(1), below: paged.last?.position, limit: limit)
                    paged += page.map(\.archive)
                    guard page.count == limit else { break }
                }
                #expect(paged == expected, "pages of \(limit)")
            }
        },
        StoreBehavior("returns the heads of scenes in the order of the scenes' names") {
            store async throws in
            for (number, name, time) in [
                (1, "b", 10), (2, "b", 30), (3, "b", 20), (4, "a", 5), (5, "c", 1), (6, "B", 2),
            ]
                as [(UInt64, String, Double)]
            {
                try await store.add(capture(number, in: scene(name), by: number, captured: time))
            }
            // Of two archives captured at the same time, the archive with the later revision is the head.
            try await store.add(capture(7, in: scene("a"), by: 2, captured: 5))
            try await store.add(capture(8, in: scene("b", of: user(2)), by: 9, captured: 99))
            func heads(_ scene: String? = nil, _ limit: Int = 9) async throws -> [UInt64] {
                try await store.sceneHeads(of: user(1), behind: scene, limit: limit).map(\.id.low)
            }
            #expect(try await heads() == [6, 7, 2, 5])
            #expect(try await heads("a") == [2, 5])
            #expect(try await heads(nil, 2) == [6, 7])
            #expect(try await store.delete(archive(5), in: scene("c"), at: at(50)).value)
            #expect(try await heads("b").isEmpty)
        },
    ]
}

/// Returns all orders of some values.
private func permutations<Value>(of values: [Value]) -> [[Value]] {
    guard !values.isEmpty else { return [[]] }
    return values.indices.flatMap { index in
        var rest = values
        let first = rest.remove(at: index)
        return permutations(of: rest).map { [first] + $0 }
    }
}
