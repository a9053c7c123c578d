import PlacekeeperCore
import PlacekeeperService
import Testing

/// A choice of a device, usually the fourth, which made no archive. The app allows no places.
private func choice(
    of device: DeviceID? = nil, by asking: UInt64 = 4, bundleVersion: String = "42", launch: LaunchID? = nil,
    holdsAll: Bool = false
) -> Choice {
    var app = makeApp(1)
    app.settings.policy.allowsPlace = false
    let principal = Principal(app: app, device: makeDevice(asking))
    let context = Context(idiom: .phone, layout: .compact, bundleVersion: bundleVersion)
    return Choice(in: scene(), of: device, for: context, principal: principal, at: at(100), launch: launch) { _ in
        holdsAll
    }
}

extension StoreBehavior {
    static let choices = [
        StoreBehavior("chooses the newest archive that is accepted, and returns its bytes") { store async throws in
            try await store.register(1...1)
            try await store.add(capture(1, captured: 1))
            var newer = capture(2, captured: 2)
            newer.context.bundleVersion = "43"
            let head = try await store.add(newer)
            // The second round may be answered from memory.
            for _ in 0..<2 {
                let accepting = try await store.choose(choice(bundleVersion: "43"), limit: 1)
                #expect(accepting.choice.accepted?.archive == head && accepting.bytes == newer.bytes)
                let refusing = try await store.choose(choice(), limit: 5)
                #expect(refusing.choice.accepted?.archive.id == archive(1))
                #expect(refusing.bytes == capture(1, captured: 1).bytes && refusing.choice.head == head.position)
            }
        },
        StoreBehavior("continues a choice below the last archive that it saw") { store async throws in
            try await store.register(1...1)
            for number in 1...3 as ClosedRange<UInt64> {
                try await store.add(capture(number, captured: Double(number)))
            }
            var chosen = try await store.choose(choice(bundleVersion: "41"), limit: 1)
            var seen = [chosen.choice.position?.capturedAt]
            while chosen.hasMore {
                chosen = try await store.choose(chosen.choice, limit: 1)
                seen.append(chosen.choice.position?.capturedAt)
            }
            #expect(seen.prefix(3) == [at(3), at(2), at(1)])
            #expect(chosen.choice.accepted == nil && chosen.bytes == nil)
        },
        StoreBehavior("reads no bytes that a choice does not need") { store async throws in
            try await store.register(1...1)
            try await store.add(capture(1, captured: 1))
            for _ in 0..<2 {
                let chosen = try await store.choose(choice(holdsAll: true), limit: 1)
                #expect(chosen.choice.accepted?.archive.id == archive(1) && chosen.bytes == nil)
            }
        },
        StoreBehavior("shows a choice only one device's archives, with the head of the scene") { store async throws in
            for number in 1...6 as ClosedRange<UInt64> {
                try await store.add(capture(number, by: number % 2, captured: Double(number)))
            }
            let head = try await store.head(of: scene())
            let chosen = try await store.choose(choice(of: device(1)), limit: 1)
            #expect(chosen.choice.accepted?.archive.id == archive(5) && chosen.choice.head == head)
            // The policy refuses all archives.
            var refused = try await store.choose(choice(of: device(1), bundleVersion: "41"), limit: 2)
            #expect(refused.choice.position?.capturedAt == at(3) && refused.hasMore)
            refused = try await store.choose(refused.choice, limit: 2)
            #expect(refused.choice.position?.capturedAt == at(1) && !refused.hasMore)
            let none = try await store.choose(choice(of: device(3)), limit: 1)
            #expect(none.choice.accepted == nil && !none.hasMore)
        },
        StoreBehavior("shows a choice the outcomes of each archive") { store async throws in
            try await store.register(1...2)
            try await store.add(capture(1, captured: 1))
            try await store.add(capture(2, captured: 2))
            _ = try await store.choose(choice(), limit: 1)
            let outcome = Outcome(
                archive: archive(2), device: device(1), result: .crashed,
                context: Context(idiom: .phone, layout: .compact, bundleVersion: "42"), reportedAt: at(3))
            _ = try await store.report(outcome, in: scene())
            let chosen = try await store.choose(choice(), limit: 2)
            #expect(chosen.choice.accepted?.archive.id == archive(1))
        },
        StoreBehavior("refuses an archive to other devices after a failure, and not to the device that made it") {
            store async throws in
            try await store.register(1...2)
            for number in 1...2 as ClosedRange<UInt64> {
                try await store.add(capture(number, captured: Double(number)))
            }
            let context = Context(idiom: .phone, layout: .compact, bundleVersion: "42")
            for (result, caution) in [(.failed, nil), (.crashed, "crashed-elsewhere")] as [(Outcome.Result, String?)] {
                try await store.recordServing(archive(2), in: scene(), to: device(2), at: at(3))
                let outcome = Outcome(
                    archive: archive(2), device: device(2), result: result, context: context, reportedAt: at(3))
                #expect(try await store.report(outcome, in: scene()).value == .recorded)
                #expect(try await store.choose(choice(), limit: 2).choice.accepted?.archive.id == archive(1))
                let own = try await store.choose(choice(by: 1), limit: 2).choice.accepted
                #expect(own?.archive.id == archive(2) && own?.caution?.code == caution)
            }
        },
        StoreBehavior("proves a crash to a request of another version") { store async throws in
            try await store.register(1...2)
            for number in 1...2 as ClosedRange<UInt64> {
                try await store.add(capture(number, captured: Double(number)))
            }
            let began = Outcome(
                archive: archive(2), device: device(1), result: .began,
                context: Context(idiom: .phone, layout: .compact, bundleVersion: "42"), launch: LaunchID("a"),
                reportedAt: at(3))
            #expect(try await store.report(began, in: scene()).value == .recorded)
            let asked = try await store.choose(
                choice(by: 1, bundleVersion: "43", launch: LaunchID("b")), limit: 2
            ).choice
            #expect(asked.accepted?.archive.id == archive(2))
            let crash = try #require(asked.interrupted.first)
            #expect(crash.result == .crashed && crash.context.bundleVersion == "42")
            #expect(try await store.report(crash, in: scene()).value == .recorded)
            #expect(try await store.choose(choice(), limit: 2).choice.accepted?.archive.id == archive(1))
        },
        StoreBehavior("chooses nothing in an empty scene") { store async throws in
            let chosen = try await store.choose(choice(), limit: 1)
            #expect(chosen.choice.accepted == nil && chosen.choice.head == nil && !chosen.hasMore)
        },
    ]
}
