import Concurrency
import RestorationService

/// Reads the versions of users from the database, many users with one query. While queries run, the users of further
/// requests are gathered for the next query. So each answer is read after its request began.
final class FreshnessProbes: Sendable {
    private typealias Caller = CheckedContinuation<Result<Freshness, StoreError>, Never>

    private struct State {
        var waiting: [UserKey: [Caller]] = [:]
        /// The number of waiting callers.
        var count = 0
        var running = 0
    }

    /// The number of queries at the same time.
    private static let width = 2

    private let state = LockBox(State())
    private let limit: Int
    private let read: @Sendable ([UserKey]) async throws(StoreError) -> [Freshness]

    /// - Parameters:
    ///   - limit: the maximum number of waiting requests. Further requests are refused.
    ///   - read: reads the versions of users, in the order of the users.
    init(limit: Int, _ read: @escaping @Sendable ([UserKey]) async throws(StoreError) -> [Freshness]) {
        self.limit = limit
        self.read = read
    }

    func freshness(of owner: UserKey) async throws(StoreError) -> Freshness {
        let result: Result<Freshness, StoreError> = await withCheckedContinuation { caller in
            let (isRefused, mustStart) = state.withLock { state in
                guard state.count < limit else { return (true, false) }
                state.waiting[owner, default: []].append(caller)
                state.count += 1
                guard state.running < Self.width else { return (false, false) }
                state.running += 1
                return (false, true)
            }
            if isRefused {
                caller.resume(
                    returning: .failure(StoreError(.unavailable, "Too many requests wait for the database.")))
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
            defer { (state.waiting, state.count) = ([:], 0) }
            return state.waiting
        }
    }
}
