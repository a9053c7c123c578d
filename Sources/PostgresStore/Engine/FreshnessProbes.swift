import Concurrency
import RestorationService

/// Reads the versions of users from the database, many users with one query. While queries run, the users of further
/// requests are gathered for the next query. So each answer is read after its request began.
final class FreshnessProbes: Sendable {
    private typealias Caller = CheckedContinuation<Result<Freshness, StoreError>, Never>

    private struct State {
        var waiting: [UserKey: [Caller]] = [:]
        var running = 0
    }

    /// The number of queries at the same time, and of users in one query.
    private static let (width, limit) = (2, 500)

    private let state = LockBox(State())
    private let read: @Sendable ([UserKey]) async throws(StoreError) -> [Freshness]

    /// - Parameter read: reads the versions of users, in the order of the users.
    init(_ read: @escaping @Sendable ([UserKey]) async throws(StoreError) -> [Freshness]) { self.read = read }

    func freshness(of owner: UserKey) async throws(StoreError) -> Freshness {
        let result: Result<Freshness, StoreError> = await withCheckedContinuation { caller in
            let mustStart = state.withLock { state in
                state.waiting[owner, default: []].append(caller)
                guard state.running < Self.width else { return false }
                state.running += 1
                return true
            }
            if mustStart { Task { await run() } }
        }
        return try result.get()
    }

    private func run() async {
        while let group = take() {
            let owners = Array(group.keys)
            let result: Result<[Freshness], StoreError>
            do throws(StoreError) {
                let found = try await read(owners)
                guard found.count == owners.count else { throw .corrupt("The database has no row of the store.") }
                result = .success(found)
            } catch {
                result = .failure(error)
            }
            for (index, owner) in owners.enumerated() {
                for caller in group[owner] ?? [] { caller.resume(returning: result.map { $0[index] }) }
            }
        }
    }

    private func take() -> [UserKey: [Caller]]? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.running -= 1
                return nil
            }
            guard state.waiting.count > Self.limit else {
                defer { state.waiting = [:] }
                return state.waiting
            }
            let group = Dictionary(uniqueKeysWithValues: state.waiting.prefix(Self.limit).map { ($0.key, $0.value) })
            for owner in group.keys { state.waiting[owner] = nil }
            return group
        }
    }
}
