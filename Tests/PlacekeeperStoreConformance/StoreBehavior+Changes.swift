import PlacekeeperCore
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

extension StoreBehavior {
    private static func outcome(
        _ result: Outcome.Result, of number: UInt64 = 1, by reporter: UInt64, at time: Double = 20,
        launch: LaunchID? = nil, details: Outcome.Details = Outcome.Details()
    ) -> Outcome {
        Outcome(
            archive: archive(number), device: device(reporter), result: result,
            context: Context(
                idiom: .pad, layout: .regular, bundleVersion: "43", systemVersion: "18.0", stateVersion: 2),
            launch: launch, details: details, reportedAt: at(time))
    }

    static let outcomes = [
        StoreBehavior("accepts outcomes only from the archive's own device and from devices that were served it") {
            store async throws in
            try await store.add(capture(1, by: 1, captured: 10))
            #expect(try await store.report(outcome(.restored, by: 1), in: scene()).value == .recorded)
            #expect(try await store.report(outcome(.restored, by: 2), in: scene()).value == .notServed)
            try await store.recordServing(archive(1), in: scene(), to: device(2), at: at(15))
            try await store.recordServing(archive(1), in: scene(), to: device(2), at: at(16))
            #expect(try await store.report(outcome(.restored, by: 2), in: scene()).value == .recorded)
            #expect(try await store.report(outcome(.restored, by: 3), in: scene()).value == .notServed)
        },
        StoreBehavior("refuses an outcome of an unknown archive") { store async throws in
            #expect(try await store.report(outcome(.began, by: 1), in: scene()).value == .noArchive)
            try await store.recordServing(archive(1), in: scene(), to: device(1), at: at(15))
            #expect(try await store.report(outcome(.began, by: 1), in: scene()).value == .noArchive)
        },
        StoreBehavior("returns all outcomes, oldest first, and marks their archive") { store async throws in
            try await store.add(capture(1, by: 1, captured: 10))
            let reported = [
                outcome(.began, by: 1, at: 20, launch: LaunchID("A.b_c-1")),
                outcome(
                    .failed, by: 1, at: 20,
                    details: Outcome.Details(path: "root/Liste é", step: 0, duration: .milliseconds(1250))),
                outcome(.crashed, by: 1, at: 20), outcome(.restored, by: 1, at: 21),
            ]
            for outcome in reported { #expect(try await store.report(outcome, in: scene()).value == .recorded) }
            #expect(try await store.outcomes(of: archive(1), in: scene()) == reported)
            #expect(try await store.outcomes(of: archive(1), in: scene("editor")).isEmpty)
            let listed = try await store.history(of: scene(), below: nil, limit: 1).archives
            #expect(listed.first?.hasOutcomes == true)
        },
        StoreBehavior("keeps an archive's newest hundred outcomes") { store async throws in
            try await store.add(capture(1, by: 1, captured: 10))
            for second in 0..<(Retention.outcomes + 5) {
                _ = try await store.report(outcome(.began, by: 1, at: Double(20 + second)), in: scene())
            }
            let kept = try await store.outcomes(of: archive(1), in: scene())
            #expect(kept.count == Retention.outcomes)
            #expect(kept.first?.reportedAt == at(25))
        },
    ]

    static let changes = [
        StoreBehavior("logs every change once, in the order of revisions") { store async throws in
            _ = try await store.register(makeDevice(1), token: digest(1), linkCode: nil)
            let stored = try await store.add(capture(1, captured: 10))
            _ = try await store.report(outcome(.began, by: 1), in: scene())
            _ = try await store.delete(archive(1), in: scene(), at: at(30))
            _ = try await store.forget(scene(), at: at(40))
            _ = try await store.revoke(device(1), of: user(1), at: at(50))
            let page = try await store.changes(of: user(1), after: Revision(rawValue: 0), limit: 100)
            #expect(
                page.changes.map(\.kind) == [
                    .deviceRegistered, .archiveStored, .outcomeReported, .archiveDeleted, .sceneForgotten,
                    .deviceRevoked,
                ])
            #expect(zip(page.changes, page.changes.dropFirst()).allSatisfy { $0.revision < $1.revision })
            #expect(page.latest == page.changes.last?.revision && !page.isTruncated)
            let archiveStored = Change(
                revision: stored.revision, kind: .archiveStored, scene: "main", archive: archive(1), device: device(1),
                at: at(10))
            #expect(page.changes.dropFirst().first == archiveStored)
            #expect(page.changes.last?.scene == nil && page.changes.last?.device == device(1))
        },
        StoreBehavior("returns the changes after a revision") { store async throws in
            for number in 1...5 as ClosedRange<UInt64> {
                try await store.add(capture(number, captured: Double(number)))
            }
            let first = try await store.changes(of: user(1), after: Revision(rawValue: 0), limit: 2)
            #expect(first.changes.map(\.archive?.low) == [1, 2])
            guard let last = first.changes.last else { return }
            let rest = try await store.changes(of: user(1), after: last.revision, limit: 10)
            #expect(rest.changes.map(\.archive?.low) == [3, 4, 5])
            let none = try await store.changes(of: user(1), after: rest.latest, limit: 10)
            #expect(none.changes.isEmpty && none.latest == rest.latest && !none.isTruncated)
        },
        StoreBehavior("returns only the user's own changes") { store async throws in
            try await store.add(capture(1, captured: 1))
            let other = try await store.changes(of: user(2), after: Revision(rawValue: 0), limit: 10)
            #expect(other.changes.isEmpty && other.latest == Revision(rawValue: 0) && !other.isTruncated)
        },
        StoreBehavior("reports truncation to a reader behind pruned changes or ahead of all") { store async throws in
            try await store.makeUser(user(1))
            let old = try await store.add(capture(1, captured: 0))
            let kept = try await store.add(capture(2, captured: 86_400))
            try await store.prune(at: at(30 * 86_400 + 1))
            let behind = try await store.changes(of: user(1), after: Revision(rawValue: 0), limit: 10)
            #expect(behind.isTruncated)
            let beside = try await store.changes(of: user(1), after: old.revision, limit: 10)
            #expect(!beside.isTruncated && beside.changes.map(\.revision) == [kept.revision])
            try await store.prune(at: at(40 * 86_400))
            let emptied = try await store.changes(of: user(1), after: kept.revision, limit: 10)
            #expect(!emptied.isTruncated && emptied.latest == kept.revision)
            let ahead = try await store.changes(of: user(1), after: Revision(rawValue: 999), limit: 10)
            #expect(ahead.isTruncated)
        },
        StoreBehavior("reports truncation to a reader more than Limits.changesBehind behind") { store async throws in
            try await store.makeUser(user(1))
            let groups = 10
            for _ in 0..<groups {
                try await withThrowingTaskGroup { group in
                    for _ in 0..<Limits.changesBehind / groups {
                        group.addTask { _ = try await store.forget(scene(), at: at(1)) }
                    }
                    try await group.waitForAll()
                }
            }
            // Revision 1 is the registration of the user's device.
            let all = try await store.changes(of: user(1), after: Revision(rawValue: 1), limit: 2)
            #expect(!all.isTruncated && all.changes.map(\.revision.rawValue) == [2, 3])
            _ = try await store.forget(scene(), at: at(2))
            let behind = try await store.changes(of: user(1), after: Revision(rawValue: 1), limit: 2)
            #expect(behind.isTruncated && behind.latest.rawValue == Int64(Limits.changesBehind + 2))
            let beside = try await store.changes(of: user(1), after: Revision(rawValue: 2), limit: 2)
            #expect(!beside.isTruncated && beside.changes.map(\.revision.rawValue) == [3, 4])
        },
        StoreBehavior("revisions keep increasing after changes were pruned") { store async throws in
            try await store.makeUser(user(1))
            let old = try await store.add(capture(1, captured: 0))
            try await store.prune(at: at(90 * 86_400))
            let new = try await store.add(capture(2, captured: 90 * 86_400))
            #expect(new.revision > old.revision)
        },
    ]

    static let upkeep = [
        StoreBehavior("adds up counts by hour, app, name and label") { store async throws in
            let hour = at(0).hour
            let first = Counter(hour: hour, app: app(1), name: "refusal", label: "no-place")
            let second = Counter(hour: hour + 1, app: nil, name: "request", label: "GET /v1/places 200")
            try await store.add([first: 2, second: 1])
            try await store.add([first: 3])
            #expect(try await store.counts(from: at(0), to: at(0)) == [first: 5])
            #expect(try await store.counts(from: at(0), to: at(3600)) == [first: 5, second: 1])
            #expect(try await store.counts(from: at(7200), to: at(9000)).isEmpty)
        },
        StoreBehavior("deletes counts after ninety days") { store async throws in
            let counter = Counter(hour: at(0).hour, app: app(1), name: "outcome", label: "crashed")
            try await store.add([counter: 1])
            try await store.prune(at: at(90 * 86_400))
            #expect(try await store.counts(from: at(0), to: at(0)) == [counter: 1])
            try await store.prune(at: at(90 * 86_400 + 3600))
            #expect(try await store.counts(from: at(0), to: at(0)).isEmpty)
        },
        StoreBehavior("passes the health check") { store async throws in try await store.check() },
    ]
}
