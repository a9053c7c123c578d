import Foundation
import Glibc
import PlacekeeperService
import Testing

@testable import PlacekeeperSQLite

/// Opens mutated databases with the real store, in other processes, because a trap ends a process.
@Suite struct MutationTests {
    /// The number of mutated databases: half of `PLACEKEEPER_MUTATIONS`. Exports are the other half.
    static let count = (ProcessInfo.processInfo.environment["PLACEKEEPER_MUTATIONS"].flatMap { UInt64($0) } ?? 100) / 2
    /// The first seed, to repeat a run from a seed.
    static let first = ProcessInfo.processInfo.environment["PLACEKEEPER_MUTATION_SEED"].flatMap { UInt64($0) } ?? 1
    /// The number of databases that one process opens.
    private static let step: UInt64 = 25

    /// A mutated database is refused or read. The work for one user's damaged row fails for this user alone.
    @Test(arguments: stride(from: first, to: first + count, by: UInt64.Stride(step)).map { $0 })
    func readsOrRefusesMutatedDatabases(from seed: UInt64) async throws {
        let directory = try DataDirectory()
        try await MutatedSample.make(in: directory.path)
        let (sample, end) = (directory.path, min(seed + Self.step, Self.first + Self.count))
        let result = await #expect(processExitsWith: .success) {
            [sample = sample as String, seed = seed as UInt64, end = end as UInt64] in
            for number in seed..<end { try await use(mutation: number, of: sample) }
        }
        guard result == nil else { return }
        let log = try String(contentsOfFile: directory.path + "/log", encoding: .utf8)
        Issue.record("\(log.suffix(2000))")
    }
}

/// Uses a mutated copy of the sample. Exits with 1 if a fault is not the fault of the damaged row's user.
private func use(mutation seed: UInt64, of path: String) async throws {
    let sample = try MutatedSample(path)
    let directory = try DataDirectory()
    try sample.copy(to: directory.path)
    guard let mutation = try DatabaseMutation(seed: seed, of: directory.database) else { return }
    let log = Log(path: path + "/log")
    log.note("seed \(seed): \(mutation.description)")
    defer { try? FileManager.default.removeItem(atPath: directory.path) }
    let store: SQLiteStore
    do {
        store = try DatabaseFixture.store(in: directory.path)
    } catch {
        if mutation.scope != .everything { log.fail(["the store does not open: \(error)"]) }
        return
    }
    var faults: [String] = []
    var all = StoreUse(store, sample)
    await all.useForAll()
    if mutation.scope != .everything { faults += all.faults }
    for user in sample.users {
        var use = StoreUse(store, sample)
        await use.use(user)
        let mayFail = mutation.scope == .everything || mutation.scope == .user(user.row)
        if !mayFail { faults += use.faults.map { "user \(user.number): \($0)" } }
    }
    _ = try? await store.findings()
    await store.close()
    if !faults.isEmpty { log.fail(faults) }
}

/// The file in which the process notes what it does. The test shows it if the process does not end well.
private struct Log {
    let path: String

    func note(_ line: String) {
        guard let file = try? File(path, O_WRONLY | O_CREAT | O_APPEND) else { return }
        _ = try? file.write(Array((line + "\n").utf8))
    }

    func fail(_ faults: [String]) {
        note(faults.joined(separator: "\n"))
        exit(1)
    }
}
