import PlacekeeperCore
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

extension StoreBehavior {
    static let puts = [
        StoreBehavior("stores an archive completely and makes it the head") { store async throws in
            let new = capture(1, captured: 10, sequence: 7)
            guard case .created(let stored, let head) = try await store.put(new, retention: 20).value else {
                return #expect(Bool(false), "not created")
            }
            #expect(head == stored.revision)
            #expect(stored.id == new.id && stored.scene == new.scene && stored.device == new.device)
            #expect(stored.capturedAt == at(10) && stored.receivedAt == at(10) && stored.sequence == 7)
            #expect(stored.context == new.context && stored.summary == new.summary && stored.digest == new.digest)
            #expect(stored.size == new.bytes.count && !stored.hasScreenshot && !stored.hasOutcomes)
            #expect(try await store.archive(new.id, in: new.scene) == .stored(stored))
            #expect(try await store.bytes(of: stored) == new.bytes)
            #expect(try await store.head(of: new.scene) == stored.position)
        },
        StoreBehavior("stores every field of a context, and its absence") { store async throws in
            let contexts = [
                Context(idiom: .phone),
                Context(idiom: .vision, layout: .regular, bundleVersion: "", systemVersion: "17.4", stateVersion: 0),
                Context(
                    idiom: .unspecified, layout: .compact, bundleVersion: "1.é", systemVersion: nil,
                    stateVersion: .min),
                Context(idiom: .carPlay, stateVersion: .max),
            ]
            for (number, context) in contexts.enumerated() {
                var new = capture(UInt64(number), captured: Double(number))
                new.context = context
                new.sequence = number == 0 ? nil : Int64.max - Int64(number)
                new.summary = Archive.Summary()
                let stored = try await store.add(new)
                #expect(stored.context == context)
                #expect(try await store.archive(new.id, in: new.scene) == .stored(stored))
            }
        },
        StoreBehavior("increases a user's revision with every archive") { store async throws in
            let first = try await store.add(capture(1, captured: 1))
            let second = try await store.add(capture(2, in: scene("editor"), captured: 2))
            _ = try await store.add(capture(3, in: scene(of: user(2)), captured: 3))
            let third = try await store.add(capture(4, captured: 4))
            #expect(first.revision < second.revision && second.revision < third.revision)
        },
        StoreBehavior("a byte-equal repeat returns the stored archive and changes nothing") { store async throws in
            let stored = try await store.add(capture(1, captured: 10))
            let head = try await store.add(capture(2, captured: 20))
            let latest = try await store.changes(of: user(1), after: stored.revision, limit: 10).latest
            let repeated = try await store.put(capture(1, by: 2, captured: 30), retention: 20).value
            #expect(repeated == .identical(stored, head: head.revision))
            #expect(try await store.history() == [2, 1])
            #expect(try await store.changes(of: user(1), after: stored.revision, limit: 10).latest == latest)
        },
        StoreBehavior("recognizes a repeat before it checks the precondition") { store async throws in
            let stored = try await store.add(capture(1, captured: 10, precondition: HeadPrecondition.none))
            let again = capture(1, captured: 11, precondition: HeadPrecondition.none)
            #expect(try await store.put(again, retention: 20).value == .identical(stored, head: stored.revision))
        },
        StoreBehavior("refuses other bytes under the same id") { store async throws in
            let stored = try await store.add(capture(1, captured: 10))
            let other = capture(1, content: 99, captured: 20)
            #expect(try await store.put(other, retention: 20).value == .differs(head: stored.revision))
            #expect(try await store.bytes(of: stored) == bytes(1))
        },
        StoreBehavior("separates equal ids of different users and scenes") { store async throws in
            let first = try await store.add(capture(1, captured: 10))
            let second = try await store.add(capture(1, content: 2, in: scene("editor"), captured: 10))
            let third = try await store.add(capture(1, content: 3, in: scene(of: user(2)), captured: 10))
            let fourth = try await store.add(capture(1, content: 4, in: scene(of: user(1, app: 2)), captured: 10))
            for (archive, content) in [(first, 1), (second, 2), (third, 3), (fourth, 4)] as [(Archive, UInt64)] {
                #expect(try await store.bytes(of: archive) == bytes(content))
                #expect(try await store.history(archive.scene) == [1])
            }
        },
        StoreBehavior("deleting an archive keeps the equal bytes of another") { store async throws in
            _ = try await store.add(capture(1, content: 5, captured: 10))
            let second = try await store.add(capture(2, content: 5, captured: 20))
            #expect(try await store.delete(archive(1), in: scene(), at: at(30)).value)
            #expect(try await store.bytes(of: second) == bytes(5))
        },
        StoreBehavior("If-Head none is true only for an empty scene") { store async throws in
            let head = try await store.add(capture(1, captured: 10, precondition: HeadPrecondition.none))
            let second = capture(2, captured: 20, precondition: HeadPrecondition.none)
            #expect(try await store.put(second, retention: 20).value == .headMoved(head: head.revision))
            #expect(try await store.history() == [1])
        },
        StoreBehavior("If-Head is true only for the head's revision") { store async throws in
            let absent = capture(1, captured: 10, precondition: .revision(Revision(rawValue: 1)))
            #expect(try await store.put(absent, retention: 20).value == .headMoved(head: nil))
            let first = try await store.add(capture(1, captured: 10))
            let second = try await store.add(capture(2, captured: 20, precondition: .revision(first.revision)))
            let third = capture(3, captured: 30, precondition: .revision(first.revision))
            #expect(try await store.put(third, retention: 20).value == .headMoved(head: second.revision))
        },
        StoreBehavior("stores one of several concurrent captures with the same precondition") { store async throws in
            let head = try await store.add(capture(1, captured: 10))
            let created = await withTaskGroup(of: Bool.self) { group in
                for number in 2..<18 as Range<UInt64> {
                    group.addTask {
                        let new = capture(number, captured: 20, precondition: .revision(head.revision))
                        guard case .created? = try? await store.put(new, retention: 20).value else { return false }
                        return true
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(created == 1)
        },
        StoreBehavior("stores concurrent captures with distinct revisions") { store async throws in
            let revisions = await withTaskGroup(of: Revision?.self) { group in
                for number in 1...32 as ClosedRange<UInt64> {
                    group.addTask {
                        let result = try? await store.put(capture(number, captured: 20), retention: 100).value
                        guard case .created(let archive, _)? = result else { return nil }
                        return archive.revision
                    }
                }
                return await group.reduce(into: Set<Revision?>()) { $0.insert($1) }
            }
            #expect(revisions.count == 32 && !revisions.contains(nil))
            #expect(try await store.history().count == 32)
        },
        StoreBehavior("limits known scenes, including forgotten ones") { store async throws in
            try await store.makeUser(user(1))
            // A store limits the number of waiting writes, so only 256 writes run at once.
            for start in stride(from: 0, to: Limits.knownScenes + 256, by: 256) {
                try await withThrowingTaskGroup { group in
                    for number in start..<start + 256 {
                        group.addTask { _ = try await store.forget(scene("scene-\(number)"), at: at(0)) }
                    }
                    try await group.waitForAll()
                }
            }
            let changes = try await store.changes(of: user(1), after: Revision(rawValue: 0), limit: 1).latest
            // The first change is the registration of the user's device.
            #expect(changes.rawValue == Int64(Limits.knownScenes) + 1)
            var unknown = capture(1, in: scene("another"), captured: 20)
            unknown.quotas = App.Settings.Quotas()
            #expect(try await store.put(unknown, retention: 20).value == .tooManyScenes)
            let known = try await store.changes(of: user(1), after: Revision(rawValue: changes.rawValue - 1), limit: 1)
            let name = try #require(known.changes.first?.scene)
            try await store.add(capture(2, in: scene(name), captured: 20))
        },
        StoreBehavior("limits a user's scenes with archives, and forgetting a scene makes room") {
            store async throws in
            try await store.makeUser(user(1))
            for name in ["forgotten", "never used"] { _ = try await store.forget(scene(name), at: at(0)) }
            let scenes = (1...5 as ClosedRange<UInt64>).map { (number: $0, key: scene("document-\($0)")) }
            func limited(_ number: UInt64, in scene: SceneKey, captured: Double, to scenes: Int = 5) -> NewArchive {
                var new = capture(number, in: scene, captured: captured)
                new.quotas.userScenes = scenes
                return new
            }
            try await withThrowingTaskGroup { group in
                for (number, key) in scenes {
                    let new = limited(number, in: key, captured: 10)
                    group.addTask { try await store.add(new) }
                }
                try await group.waitForAll()
            }
            let before = try await store.changes(of: user(1), after: Revision(rawValue: 0), limit: 1).latest
            let another = limited(1000, in: scene("another"), captured: 20)
            #expect(try await store.put(another, retention: 20).value == .tooManyScenes)
            #expect(
                try await store.put(limited(1001, in: scene("forgotten"), captured: 20), retention: 20).value
                    == .tooManyScenes)
            let fewer = limited(1001, in: scene("another"), captured: 20, to: 4)
            #expect(try await store.put(fewer, retention: 20).value == .tooManyScenes)
            #expect(try await store.changes(of: user(1), after: Revision(rawValue: 0), limit: 1).latest == before)
            try await store.add(limited(1002, in: scenes[0].key, captured: 20, to: 4))
            try await store.add(capture(1003, in: scene("another", of: user(2)), captured: 20))

            _ = try await store.forget(scenes[1].key, at: at(30))
            try await store.add(another)
            let next = limited(1004, in: scenes[1].key, captured: 40)
            #expect(try await store.put(next, retention: 20).value == .tooManyScenes)
            #expect(try await store.delete(archive(3), in: scenes[2].key, at: at(50)).value)
            try await store.add(next)
            try await store.add(limited(1005, in: scene("one more"), captured: 60, to: 6))
        },
    ]
}
