import PlacekeeperCore
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

/// An answer with a member of each kind.
func makeAnswer(
    _ seconds: Double, of owner: UserKey = user(1), device number: UInt64 = 1, scene: String = "main"
) -> RestoreAnswer {
    let context = Context(
        idiom: .pad, layout: .regular, bundleVersion: "43", systemVersion: "18.1", stateVersion: -7)
    let place = RestoreCandidate(context: context, capturedAt: at(-5), hasPlace: true)
    let plain = RestoreCandidate(context: Context(idiom: .phone), capturedAt: at(-6), hasPlace: false)
    return RestoreAnswer(
        at: at(seconds), owner: owner, device: device(number), scene: scene, asked: context,
        candidates: [
            .init(
                archive: archive(9), facts: plain,
                exclusion: Reason(code: "quarantined", archive: "crashed", blocks: .place),
                fidelity: nil, reasons: ["too-old", "quarantined"]),
            .init(archive: archive(8), facts: place, fidelity: .place, reasons: ["layout-differs"]),
        ], wasHeld: true, repeats: 3, lastAt: at(seconds + 0.5), omitted: 200)
}

func makeReport(
    _ seconds: Double, _ result: Outcome.Result = .failed, of owner: UserKey = user(1), device number: UInt64 = 1
) -> RestoreReport {
    RestoreReport(
        at: at(seconds), owner: owner, device: device(number), scene: "main", archive: archive(9), result: result,
        path: result == .failed ? "root/list" : nil, duration: .milliseconds(250),
        source: Context(idiom: .phone, bundleVersion: "41"),
        target: Context(idiom: .phone, layout: .compact, bundleVersion: "42", stateVersion: 3),
        network: seconds == 2 ? .max : 7)
}

extension StoreBehavior {
    private static func reports(
        _ store: any Store, of number: UInt64 = 1, below position: Int64? = nil, limit: Int = 100
    ) async throws -> [RestoreReport] {
        try await store.restoreLog(.report, of: app(number), below: position, limit: limit).entries.compactMap {
            entry in
            if case .report(let report) = entry { report } else { nil }
        }
    }

    /// The users of all entries of an app.
    static func usersInLog(_ store: any Store) async throws -> [UserKey] {
        var owners: [UserKey] = []
        for kind in [RestoreLogEntry.Kind.answer, .report] {
            owners += try await store.restoreLog(kind, of: app(1), below: nil, limit: 1000).entries
                .compactMap { $0.party?.owner }
        }
        return owners
    }

    static let restoreLog = [
        StoreBehavior("keeps all members of the entries of the restore log") { store async throws in
            try await store.register(1...1)
            let pair = RestorePair(sourceVersion: "41", targetVersion: "42", idiom: .phone)
            let note = BreakerTransition(at: at(3), app: app(1), pair: pair, state: .stopped, until: at(9))
            let other = BreakerTransition(at: at(4), app: app(1), pair: pair, state: .normal)
            try await store.log([.answer(makeAnswer(1)), .report(makeReport(2)), .note(note), .note(other)])
            let answers = try await store.restoreLog(.answer, of: app(1), below: nil, limit: 9)
            #expect(answers.entries == [.answer(makeAnswer(1))] && answers.next == nil)
            var report = makeReport(2)
            report.tenure = RestoreReport.UserTenure(createdAt: at(0), restoredOnTwoDays: false)
            #expect(try await reports(store) == [report])
            #expect(
                try await store.restoreLog(.note, of: app(1), below: nil, limit: 9).entries == [
                    .note(other), .note(note),
                ])
        },
        StoreBehavior("returns the restore log of an app in pages, the newest entry first") { store async throws in
            try await store.register(1...1)
            try await store.register(2...2, of: user(1, app: 2))
            for second in 1...5 { try await store.log([.report(makeReport(Double(second)))]) }
            try await store.log([.report(makeReport(6, of: user(1, app: 2), device: 2)), .answer(makeAnswer(7))])
            let first = try await store.restoreLog(.report, of: app(1), below: nil, limit: 2)
            #expect(first.entries.map(\.at) == [at(5), at(4)])
            let second = try await store.restoreLog(.report, of: app(1), below: first.next, limit: 2)
            #expect(second.entries.map(\.at) == [at(3), at(2)])
            let last = try await store.restoreLog(.report, of: app(1), below: second.next, limit: 2)
            #expect(last.entries.map(\.at) == [at(1)] && last.next == nil)
            #expect(try await reports(store, of: 2).map(\.at) == [at(6)])
        },
        StoreBehavior("returns the answers to one user's devices in pages, the newest first") { store async throws in
            try await store.register(1...2)
            try await store.register(3...3, of: user(2))
            for second in 1...3 {
                try await store.log([
                    .answer(makeAnswer(Double(second))), .report(makeReport(Double(second))),
                    .answer(makeAnswer(Double(second), of: user(2), device: 3)),
                ])
            }
            try await store.log([.answer(makeAnswer(4, device: 2))])
            let first = try await store.restoreAnswers(to: user(1), of: nil, below: nil, limit: 2)
            #expect(first.entries == [.answer(makeAnswer(4, device: 2)), .answer(makeAnswer(3))])
            let last = try await store.restoreAnswers(to: user(1), of: nil, below: first.next, limit: 3)
            #expect(last.entries == [.answer(makeAnswer(2)), .answer(makeAnswer(1))] && last.next == nil)
            #expect(first.positions.count == 2 && first.positions.last == first.next)
            let second = try await store.restoreAnswers(to: user(1), of: device(2), below: nil, limit: 9)
            #expect(second.entries == [.answer(makeAnswer(4, device: 2))])
            #expect(try await store.restoreAnswers(to: user(9), of: nil, below: nil, limit: 9).entries.isEmpty)
        },
        StoreBehavior("logs nothing for a device that left its user") { store async throws in
            try await store.register(1...3)
            try await store.register(4...4, of: user(2))
            try await store.create(LinkCode(digest: digest(7), owner: user(2), expiresAt: at(600)))
            _ = try await store.move(device(1), of: user(1), linkCode: digest(7), at: at(1), retention: 20)
            _ = try await store.revoke(device(2), of: user(1), at: at(2))
            _ = try await store.erase(user(2))
            for number in 1...4 as ClosedRange<UInt64> {
                for owner in [user(1), user(2)] {
                    try await store.log([
                        .answer(makeAnswer(3, of: owner, device: number)),
                        .report(makeReport(4, .restored, of: owner, device: number)),
                    ])
                }
            }
            let logged = try await store.restoreLog(.answer, of: app(1), below: nil, limit: 9).entries
            #expect(logged == [.answer(makeAnswer(3, device: 3))])
            #expect(try await reports(store).map(\.device) == [device(3)])
            #expect(try await store.facts(of: user(2)) == nil)
        },
        StoreBehavior("moves the log's entries of a device, and of a user whose last device moves") {
            store async throws in
            try await store.register(1...2)
            try await store.register(3...3, of: user(2))
            for number in 1...2 as ClosedRange<UInt64> {
                try await store.log([
                    .answer(makeAnswer(1, device: number)), .report(makeReport(1, device: number)),
                ])
            }
            for code in 7...8 as ClosedRange<UInt64> {
                try await store.create(LinkCode(digest: digest(code), owner: user(2), expiresAt: at(600)))
            }
            _ = try await store.move(device(1), of: user(1), linkCode: digest(7), at: at(1), retention: 20)
            #expect(try await usersInLog(store) == [user(1), user(2), user(1), user(2)])
            // The device 2 is revoked, so nobody could ask for an erasure of its entries.
            try await store.register(4...4)
            _ = try await store.revoke(device(2), of: user(1), at: at(2))
            _ = try await store.create(LinkCode(digest: digest(9), owner: user(2), expiresAt: at(600)))
            _ = try await store.move(device(4), of: user(1), linkCode: digest(9), at: at(3), retention: 20)
            #expect(Set(try await usersInLog(store)) == [user(2)])
            #expect(try await reports(store).map(\.device) == [device(2), device(1)])
        },
        StoreBehavior("drops the log's entries of a user whose data ends") { store async throws in
            try await store.register(1...1)
            try await store.register(2...2, of: user(2))
            try await store.log([
                .answer(makeAnswer(1)), .report(makeReport(1)), .report(makeReport(2, of: user(2), device: 2)),
            ])
            _ = try await store.erase(user(1))
            #expect(try await usersInLog(store) == [user(2)])
            _ = try await store.revoke(device(2), of: user(2), at: at(1))
            // The log keeps an entry as long as a user without devices, so this entry is newer.
            try await store.prune(at: at(1.5) + Retention.usersWithoutDevices)
            #expect(try await store.facts(of: user(2)) == nil)
            #expect(try await usersInLog(store).isEmpty)
        },
        StoreBehavior("drops entries of the restore log after 30 days") { store async throws in
            try await store.register(1...1)
            try await store.log([.answer(makeAnswer(0)), .report(makeReport(0)), .report(makeReport(100))])
            try await store.prune(at: at(0) + Retention.restoreLog)
            #expect(try await reports(store).map(\.at) == [at(100), at(0)])
            try await store.prune(at: at(1) + Retention.restoreLog)
            #expect(try await reports(store).map(\.at) == [at(100)])
            #expect(try await store.restoreLog(.answer, of: app(1), below: nil, limit: 9).entries.isEmpty)
        },
        StoreBehavior("keeps the newest entries of each kind of an app") { store async throws in
            try await store.register(1...1)
            try await store.register(2...2, of: user(1, app: 2))
            try await store.log([.answer(makeAnswer(1)), .report(makeReport(1, of: user(1, app: 2), device: 2))])
            let count = Retention.restoreLogEntries
            var entries = (0..<count + 2).map { RestoreLogEntry.report(makeReport(Double($0))) }[...]
            while !entries.isEmpty {
                try await store.log(Array(entries.prefix(2000)))
                entries = entries.dropFirst(2000)
            }
            let kept = try await reports(store, limit: count + 9)
            #expect(kept.count == count && kept.first?.at == at(Double(count + 1)) && kept.last?.at == at(2))
            #expect(try await reports(store, of: 2).count == 1)
            #expect(try await store.restoreLog(.answer, of: app(1), below: nil, limit: 9).entries.count == 1)
        },
        StoreBehavior("tells whether a user restored archives on two different days") { store async throws in
            try await store.register(1...1)
            try await store.register(2...2, of: user(2))
            let day = 86_400.0
            for (seconds, result, expected) in [
                (0, .restored, false), (60, .restored, false), (day, .failed, false), (2 * day, .restored, true),
                (3 * day, .crashed, true),
            ] as [(Double, Outcome.Result, Bool)] {
                try await store.log([.report(makeReport(seconds, result))])
                #expect(try await reports(store).first?.tenure?.restoredOnTwoDays == expected, "\(seconds)")
            }
            // The other user's reports do not count, and the days outlive the entries.
            try await store.log([.report(makeReport(4 * day, .restored, of: user(2), device: 2))])
            #expect(try await reports(store).first?.tenure?.restoredOnTwoDays == false)
            try await store.prune(at: at(40 * day))
            try await store.log([.report(makeReport(40 * day))])
            #expect(try await reports(store).first?.tenure?.restoredOnTwoDays == true)
        },
    ]
}
