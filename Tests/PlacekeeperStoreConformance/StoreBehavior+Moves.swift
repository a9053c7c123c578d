import PlacekeeperCore
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

extension StoreBehavior {
    static let moves = [
        StoreBehavior("moves a device's archives with new revisions in the same order") {
            store async throws in
            _ = try await store.register(makeDevice(1, of: user(1)), token: digest(1), linkCode: nil)
            try await store.register(2...2, of: user(2))
            try await store.register(5...5, of: user(2))
            try await store.add(capture(9, in: scene(of: user(1)), by: 1, captured: 50))
            for (number, captured) in [(1, 30), (2, 40), (3, 20)] as [(UInt64, Double)] {
                try await store.add(capture(number, in: scene(of: user(2)), by: 2, captured: captured))
            }
            try await store.add(capture(8, in: scene(of: user(2)), by: 5, captured: 10))
            try await store.create(LinkCode(digest: digest(7), owner: user(1), expiresAt: at(600)))
            let before = try await store.changes(of: user(1), after: Revision(rawValue: 0), limit: 100).latest
            let moved = try await store.move(device(2), of: user(2), linkCode: digest(7), at: at(100), retention: 20)
                .value
            #expect(moved.device?.owner == user(1) && moved.device?.id == device(2))
            #expect(try await store.device(token: digest(2))?.value.owner == user(1))
            #expect(try await store.history(scene(of: user(1))) == [9, 2, 1, 3])
            #expect(try await store.history(scene(of: user(2))) == [8])
            guard case .stored(let archive) = try await store.archive(archive(2), in: scene(of: user(1))) else {
                return #expect(Bool(false), "not moved")
            }
            #expect(archive.revision > before && archive.capturedAt == at(40) && archive.scene.owner == user(1))
            #expect(try await store.bytes(of: archive) == bytes(2))
            let stored = try await store.changes(of: user(1), after: before, limit: 100).changes
            #expect(stored.filter { $0.kind == .archiveStored }.map(\.archive?.low) == [1, 2, 3])
            #expect(stored.contains { $0.kind == .deviceRegistered && $0.device == device(2) })
        },
        StoreBehavior("places a first screen below all work, whatever arrives first, and whoever joins whom") {
            store async throws in
            for (index, order) in [[1, 2], [2, 1]].enumerated() {
                let owner = user(UInt64(10 + index))
                try await store.register(UInt64(20 + index)...UInt64(20 + index), of: owner)
                for number in order {
                    try await store.add(
                        number == 1
                            ? capture(1, in: scene(of: owner), captured: 10)
                            : capture(2, in: scene(of: owner), captured: 50, restoredFrom: Revision(rawValue: 0)))
                }
                #expect(try await store.history(scene(of: owner)) == [1, 2])
            }
            // The account has an episode. A new phone shows its log-in screen, and then joins the account.
            try await store.register(1...1)
            try await store.register(2...2, of: user(2))
            try await store.add(capture(1, captured: 10))
            let login = capture(2, in: scene(of: user(2)), by: 2, captured: 100, restoredFrom: Revision(rawValue: 0))
            try await store.add(login)
            #expect(try await store.history(scene(of: user(2))) == [2])
            try await store.create(LinkCode(digest: digest(7), owner: user(1), expiresAt: at(600)))
            _ = try await store.move(device(2), of: user(2), linkCode: digest(7), at: at(200), retention: 20)
            #expect(try await store.history() == [1, 2])
            // Late work of another device stands above it, too.
            _ = try await store.delete(archive(1), in: scene(), at: at(210))
            #expect(try await store.history() == [2])
            try await store.add(capture(3, by: 3, captured: 5, received: 300))
            #expect(try await store.history() == [3, 2])
        },
        StoreBehavior("places a view below all work of its new user if the work that it shows stays behind") {
            store async throws in
            try await store.register(1...1)
            try await store.register(2...3, of: user(2))
            try await store.add(capture(1, captured: 10))
            // Device 2 looks at the work of device 3, and then works. Its look at its own work comes along.
            let seen = try await store.add(capture(2, in: scene(of: user(2)), by: 3, captured: 100))
            try await store.add(capture(3, in: scene(of: user(2)), by: 2, captured: 110, restoredFrom: seen.revision))
            let work = try await store.add(capture(4, in: scene(of: user(2)), by: 2, captured: 120))
            try await store.add(capture(5, in: scene(of: user(2)), by: 2, captured: 130, restoredFrom: work.revision))
            #expect(try await store.history(scene(of: user(2))) == [4, 5, 2, 3])
            try await store.create(LinkCode(digest: digest(7), owner: user(1), expiresAt: at(600)))
            _ = try await store.move(device(2), of: user(2), linkCode: digest(7), at: at(200), retention: 20)
            #expect(try await store.history() == [4, 5, 1, 3])
            guard case .stored(let view) = try await store.archive(archive(3), in: scene()) else {
                return #expect(Bool(false), "not stored")
            }
            #expect(view.stateTime == at(110))
        },
        StoreBehavior("moves many archives into a scene with many deleted archives") { store async throws in
            try await store.register(1...1)
            try await store.register(2...2, of: user(2))
            for number in 1...70 as ClosedRange<UInt64> {
                try await store.add(capture(number, captured: Double(number)), retention: 100)
                try await store.add(
                    capture(100 + number, in: scene(of: user(2)), by: 2, captured: Double(100 + number)), retention: 100
                )
            }
            _ = try await store.forget(scene(), at: at(80))
            // One of the moving archives was deleted for this user.
            try await store.add(capture(101, captured: 101), retention: 100)
            #expect(try await store.delete(archive(101), in: scene(), at: at(102)).value)
            try await store.create(LinkCode(digest: digest(7), owner: user(1), expiresAt: at(600)))
            let moved = try await store.move(device(2), of: user(2), linkCode: digest(7), at: at(200), retention: 100)
            #expect(moved.value.device?.owner == user(1))
            #expect(try await store.history() == (102...170).reversed())
            let head = try await store.head(of: scene())?.revision
            for number in [1, 70, 101] as [UInt64] {
                #expect(
                    try await store.put(capture(number, captured: 300), retention: 100).value == .deleted(head: head))
            }
        },
        StoreBehavior("keeps the order of captures of the same time when their device moves") {
            store async throws in
            try await store.register(1...1)
            try await store.register(2...3, of: user(2))
            let source = scene(of: user(2))
            // The captures 1 to 4 of a device, in another order of arrival, among captures of another device.
            for (id, maker, sequence) in [
                (4, 2, 4), (8, 3, 1), (1, 2, 1), (3, 2, 3), (9, 3, 2), (2, 2, 2),
            ] as [(UInt64, UInt64, Int64)] {
                try await store.add(capture(id, in: source, by: maker, captured: 50, sequence: sequence))
            }
            let before = try await store.history(source)
            #expect(before == [9, 8, 4, 3, 2, 1])
            // The capture that the others are ordered with is gone.
            #expect(try await store.delete(archive(4), in: source, at: at(60)).value)
            for (number, mover) in [(7, 2), (6, 3)] as [(UInt64, UInt64)] {
                try await store.create(LinkCode(digest: digest(number), owner: user(1), expiresAt: at(600)))
                _ = try await store.move(
                    device(mover), of: user(2), linkCode: digest(number), at: at(100), retention: 20)
            }
            #expect(try await store.history(scene()).filter { $0 < 8 } == [3, 2, 1])
            #expect(try await store.history(scene()).filter { $0 > 7 } == [9, 8])
            try await store.add(capture(5, by: 2, captured: 50, sequence: 0))
            #expect(try await store.history(scene()).filter { $0 < 8 } == [3, 2, 1, 5])
        },
        StoreBehavior("keeps the order of all archives of a user whose last device moves") { store async throws in
            try await store.register(1...1)
            try await store.register(2...3, of: user(2))
            for (id, maker, sequence) in [
                (4, 2, 4), (8, 3, 1), (3, 2, 3), (9, 3, 2), (1, 2, 1),
            ] as [(UInt64, UInt64, Int64)] {
                try await store.add(
                    capture(id, in: scene(of: user(2)), by: maker, captured: 50, sequence: sequence))
            }
            #expect(try await store.delete(archive(4), in: scene(of: user(2)), at: at(60)).value)
            _ = try await store.revoke(device(3), of: user(2), at: at(30))
            try await store.create(LinkCode(digest: digest(7), owner: user(1), expiresAt: at(600)))
            _ = try await store.move(device(2), of: user(2), linkCode: digest(7), at: at(100), retention: 20)
            #expect(try await store.history(scene()) == [9, 8, 3, 1])
        },
        StoreBehavior("moves all archives of a user whose last device moves") { store async throws in
            try await store.register(1...1)
            try await store.register(2...3, of: user(2))
            try await store.add(capture(3, in: scene(of: user(2)), by: 3, captured: 10))
            try await store.add(capture(2, in: scene(of: user(2)), by: 2, captured: 20))
            _ = try await store.revoke(device(3), of: user(2), at: at(30))
            try await store.create(LinkCode(digest: digest(7), owner: user(1), expiresAt: at(600)))
            _ = try await store.move(device(2), of: user(2), linkCode: digest(7), at: at(100), retention: 20)
            #expect(try await store.history(scene(of: user(1))) == [2, 3])
            #expect(try await store.history(scene(of: user(2))) == [])
            let stored = try await store.changes(of: user(1), after: Revision(rawValue: 0), limit: 100).changes
                .filter { $0.kind == .archiveStored }
            #expect(stored.map(\.device) == [device(3), device(2)])
        },
        StoreBehavior("moves outcomes and screenshots with their archives") { store async throws in
            _ = try await store.register(makeDevice(2, of: user(2)), token: digest(2), linkCode: nil)
            let source = scene(of: user(2))
            try await store.add(capture(1, in: source, by: 2, captured: 10))
            _ = try await store.putScreenshot(Screenshot(format: .png, bytes: [1, 2]), for: archive(1), in: source)
            let outcome = Outcome(
                archive: archive(1), device: device(2), result: .crashed, context: Context(idiom: .phone),
                reportedAt: at(20))
            #expect(try await store.report(outcome, in: source).value == .recorded)
            try await store.makeUser(user(1))
            try await store.create(LinkCode(digest: digest(7), owner: user(1), expiresAt: at(600)))
            _ = try await store.move(device(2), of: user(2), linkCode: digest(7), at: at(100), retention: 20)
            #expect(try await store.outcomes(of: archive(1), in: scene(of: user(1))) == [outcome])
            #expect(try await store.screenshot(for: archive(1), in: scene(of: user(1)))?.bytes == [1, 2])
            #expect(
                try await store.history(of: scene(), below: nil, limit: 1).archives.first?.hasOutcomes == true)
        },
        StoreBehavior("recognizes a repeated upload after a move") { store async throws in
            _ = try await store.register(makeDevice(2, of: user(2)), token: digest(2), linkCode: nil)
            try await store.add(capture(1, in: scene(of: user(2)), by: 2, captured: 10))
            try await store.makeUser(user(1))
            try await store.create(LinkCode(digest: digest(7), owner: user(1), expiresAt: at(600)))
            _ = try await store.move(device(2), of: user(2), linkCode: digest(7), at: at(100), retention: 20)
            let again = try await store.put(capture(1, in: scene(of: user(1)), by: 2, captured: 10), retention: 20)
                .value
            guard case .identical = again else { return #expect(Bool(false), "stored anew: \(again)") }
        },
        StoreBehavior("applies retention to the scenes that receive a moved device's archives") {
            store async throws in
            _ = try await store.register(makeDevice(1, of: user(1)), token: digest(1), linkCode: nil)
            _ = try await store.register(makeDevice(2, of: user(2)), token: digest(2), linkCode: nil)
            for number in 1...3 as ClosedRange<UInt64> {
                try await store.add(capture(number, by: 1, captured: Double(number)))
                try await store.add(capture(10 + number, in: scene(of: user(2)), by: 2, captured: Double(10 + number)))
                try await store.add(capture(20 + number, in: scene("own"), by: 1, captured: Double(number)))
                let other = scene("editor", of: user(2))
                try await store.add(capture(30 + number, in: other, by: 2, idiom: .pad, captured: Double(number)))
            }
            try await store.recordServing(archive(32), in: scene("editor", of: user(2)), to: device(2), at: at(20))
            let outcome = Outcome(
                archive: archive(33), device: device(2), result: .crashed, context: Context(idiom: .pad),
                reportedAt: at(21))
            #expect(try await store.report(outcome, in: scene("editor", of: user(2))).value == .recorded)
            try await store.create(LinkCode(digest: digest(7), owner: user(1), expiresAt: at(600)))
            let moved = try await store.move(
                device(2), of: user(2), linkCode: digest(7), at: at(100), retention: 2
            ).value
            #expect(moved.device?.owner == user(1))
            #expect(try await store.history() == [13, 3, 2])
            #expect(try await store.history(scene("editor")) == [33, 32])
            #expect(try await store.history(scene("own")) == [23, 22, 21])
            #expect(try await store.archive(archive(11), in: scene()) == .none)
        },
        StoreBehavior("refuses a move with a wrong, used or expired code, and of another user's device") {
            store async throws in
            _ = try await store.register(makeDevice(2, of: user(2)), token: digest(2), linkCode: nil)
            try await store.makeUser(user(1))
            try await store.create(LinkCode(digest: digest(7), owner: user(1), expiresAt: at(600)))
            try await store.create(LinkCode(digest: digest(8), owner: user(1), expiresAt: at(600)))
            #expect(
                try await store.move(device(2), of: user(2), linkCode: digest(9), at: at(1), retention: 20).value
                    == .codeInvalid)
            #expect(
                try await store.move(device(2), of: user(2), linkCode: digest(7), at: at(600), retention: 20).value
                    == .codeInvalid)
            #expect(
                try await store.move(device(2), of: user(3), linkCode: digest(7), at: at(1), retention: 20).value
                    == .codeInvalid)
            #expect(
                try await store.move(device(2), of: user(2), linkCode: digest(7), at: at(1), retention: 20).value.device
                    != nil)
            try await store.register(3...3, of: user(3))
            #expect(
                try await store.move(device(3), of: user(3), linkCode: digest(7), at: at(1), retention: 20).value
                    == .codeInvalid)
            #expect(try await store.device(token: digest(2))?.value.owner == user(1))
            #expect(try await store.device(token: digest(3))?.value.owner == user(3))
        },
        StoreBehavior("refuses a whole move that would exceed the limit of scenes with archives") {
            store async throws in
            try await store.register(1...1)
            try await store.register(2...2, of: user(2))
            for number in 1...4 as ClosedRange<UInt64> {
                try await store.add(capture(number, in: scene("document-\(number)"), captured: 10))
            }
            for (number, name) in [(1001, "document-1"), (1002, "new"), (1003, "newer")] as [(UInt64, String)] {
                try await store.add(capture(number, in: scene(name, of: user(2)), by: 2, captured: 20))
            }
            try await store.create(LinkCode(digest: digest(7), owner: user(1), expiresAt: at(600)))
            func move() async throws -> JoinResult {
                var quotas = App.Settings.Quotas.none
                quotas.userScenes = 5
                let committed = try await store.move(
                    device(2), of: user(2), linkCode: digest(7), at: at(100), retention: 20, quotas: quotas)
                return committed.value
            }
            #expect(try await move() == .tooManyScenes)
            #expect(try await store.device(token: digest(2))?.value.owner == user(2))
            #expect(try await store.history(scene("new", of: user(2))) == [1002])
            #expect(try await store.history(scene("document-1")) == [1])
            // The link code stays valid. After the deletion, the move does not exceed the limit: it adds one scene,
            // and an archive to a scene that already has archives.
            #expect(try await store.delete(archive(1003), in: scene("newer", of: user(2)), at: at(101)).value)
            #expect(try await move().device?.owner == user(1))
            #expect(try await store.history(scene("new")) == [1002])
            #expect(try await store.history(scene("document-1")) == [1001, 1])
        },
        StoreBehavior("leaves out archives captured before the new user forgot the scene") {
            store async throws in
            try await store.register(1...1)
            try await store.register(2...2, of: user(2))
            for (number, captured) in [(1, 10), (2, 30), (3, 20), (4, 29.999)] as [(UInt64, Double)] {
                try await store.add(capture(number, in: scene(of: user(2)), by: 2, captured: captured))
            }
            try await store.add(capture(5, in: scene("editor", of: user(2)), by: 2, captured: 10))
            _ = try await store.forget(scene(), at: at(30))
            try await store.create(LinkCode(digest: digest(7), owner: user(1), expiresAt: at(600)))
            let moved = try await store.move(device(2), of: user(2), linkCode: digest(7), at: at(100), retention: 20)
                .value
            #expect(moved.device?.owner == user(1))
            #expect(try await store.history() == [2])
            #expect(try await store.history(scene("editor")) == [5])
            #expect(try await store.history(scene(of: user(2))).isEmpty)
        },
        StoreBehavior("does not mistake a moved device's archive for one that the new user forgot") {
            store async throws in
            try await store.register(1...1)
            try await store.register(2...2, of: user(2))
            let source = try await store.add(capture(1, in: scene("other", of: user(2)), by: 2, captured: 10))
            for _ in 0..<4 { _ = try await store.forget(scene(), at: at(20)) }
            try await store.create(LinkCode(digest: digest(7), owner: user(1), expiresAt: at(600)))
            _ = try await store.move(device(2), of: user(2), linkCode: digest(7), at: at(100), retention: 20)
            // The revision of the archive's source belongs to the former user. This revision is lower than the revision
            // at which the new user forgot the scene.
            try await store.add(capture(2, by: 2, captured: 110, restoredFrom: source.revision))
            // Archives that the user forgets from now on stay forgotten.
            _ = try await store.forget(scene(), at: at(120))
            let look = capture(3, by: 2, captured: 130, restoredFrom: source.revision)
            #expect(try await store.put(look, retention: 20).value == .forgotten(head: nil))
        },
        StoreBehavior("places a moved device's archive by its new user's archive only if it was served that archive") {
            store async throws in
            try await store.register(1...1)
            try await store.register(2...2, of: user(2))
            for number in 1...3 as ClosedRange<UInt64> {
                try await store.add(capture(number, by: 1, captured: Double(number * 10)))
            }
            guard case .stored(let old) = try await store.archive(archive(1), in: scene()) else {
                return #expect(Bool(false), "not stored")
            }
            try await store.create(LinkCode(digest: digest(7), owner: user(1), expiresAt: at(600)))
            _ = try await store.move(device(2), of: user(2), linkCode: digest(7), at: at(100), retention: 20)
            // The device was not served the new user's archive, so the store treats this revision as one of the former
            // user. The former user has no such archive here, so the new archive is placed below all work.
            let unknown = try await store.add(capture(4, by: 2, captured: 200, restoredFrom: old.revision))
            #expect(unknown.capturedAt == .belowAllWork && unknown.stateTime == at(200))
            try await store.recordServing(archive(1), in: scene(), to: device(2), at: at(210))
            let known = try await store.add(capture(5, by: 2, captured: 220, restoredFrom: old.revision))
            #expect(known.capturedAt < at(10))
            // Archives that the new user stores from now on have revisions that the former user never had.
            let new = try await store.add(capture(6, by: 1, captured: 230))
            #expect(
                try await store.add(capture(7, by: 2, captured: 240, restoredFrom: new.revision)).capturedAt > at(229))
            #expect(try await store.history() == [6, 7, 3, 2, 1, 5, 4])
        },
        StoreBehavior("revisions after a move are greater than all revisions of both users") { store async throws in
            try await store.register(1...1)
            try await store.register(2...2, of: user(2))
            for _ in 0..<30 { _ = try await store.forget(scene("other", of: user(2)), at: at(5)) }
            let last = try await store.add(capture(1, in: scene(of: user(2)), by: 2, captured: 10))
            try await store.create(LinkCode(digest: digest(7), owner: user(1), expiresAt: at(600)))
            _ = try await store.move(device(2), of: user(2), linkCode: digest(7), at: at(100), retention: 20)
            #expect(try await store.add(capture(2, by: 1, captured: 110)).revision > last.revision)
            guard case .stored(let moved) = try await store.archive(archive(1), in: scene()) else {
                return #expect(Bool(false), "not moved")
            }
            #expect(moved.revision > last.revision)
        },
        StoreBehavior("keeps last served archives only for the user's own devices") { store async throws in
            try await store.register(1...3)
            try await store.register(4...4, of: user(2))
            try await store.add(capture(1, by: 1, captured: 1), retention: 1)
            for served in [device(2), device(3)] {
                try await store.recordServing(archive(1), in: scene(), to: served, at: at(2))
            }
            try await store.recordServing(archive(1), in: scene(), to: device(1), at: at(2))
            for number in 7...9 as ClosedRange<UInt64> {
                try await store.create(LinkCode(digest: digest(number), owner: user(2), expiresAt: at(600)))
            }
            // Device 2 moves without the archive, and device 1 takes its own archive along.
            _ = try await store.move(device(2), of: user(1), linkCode: digest(7), at: at(3), retention: 1)
            #expect(try await store.history() == [1])
            _ = try await store.move(device(1), of: user(1), linkCode: digest(8), at: at(4), retention: 1)
            for number in 2...4 as ClosedRange<UInt64> {
                try await store.add(
                    capture(number, in: scene(of: user(2)), by: 1, captured: Double(number)), retention: 1)
            }
            #expect(try await store.history(scene(of: user(2))) == [4, 1])
            _ = try await store.revoke(device(1), of: user(2), at: at(5))
            try await store.add(capture(5, in: scene(of: user(2)), by: 4, captured: 6), retention: 1)
            #expect(try await store.history(scene(of: user(2))) == [5])
        },
        StoreBehavior("a move to the device's own user changes nothing") { store async throws in
            let phone = makeDevice(1)
            _ = try await store.register(phone, token: digest(1), linkCode: nil)
            let stored = try await store.add(capture(1, captured: 10))
            try await store.create(LinkCode(digest: digest(7), owner: user(1), expiresAt: at(600)))
            #expect(
                try await store.move(device(1), of: user(1), linkCode: digest(7), at: at(1), retention: 20).value
                    == .joined(phone))
            #expect(try await store.archive(archive(1), in: scene()) == .stored(stored))
        },
    ]
}
