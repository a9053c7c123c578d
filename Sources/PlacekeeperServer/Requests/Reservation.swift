import PlacekeeperConcurrency
import PlacekeeperHTTP
import PlacekeeperAPI

/// The memory that a request holds in addition to its body. It is charged to the server's memory budget until the
/// request is answered.
final class Reservation: Sendable {
    private let budget: any MemoryBudget
    private let bodyCount: Int
    private let held = LockBox(0)

    /// Nil if the request has no body or no memory budget.
    init?(for request: Request) {
        guard let budget = request.budget, !request.body.isEmpty else { return nil }
        self.budget = budget
        bodyCount = request.body.count
    }

    deinit { budget.release(held.withLock(\.self)) }

    /// Sets the number of bytes that the request currently holds.
    func hold(_ count: Int) throws(Problem) {
        let before = held.withLock(\.self)
        if count <= before {
            budget.release(before - count)
        } else if !budget.charge(count - before, holding: bodyCount + before) {
            throw Problem.overloaded
        }
        held.withLock { $0 = count }
    }
}

extension Problem {
    /// The problem for a request that exceeds the server's memory budget.
    static var overloaded: Problem {
        var problem = Problem(.overloaded, "The server has no memory left for content. Try again shortly.")
        problem.retry(after: .seconds(1))
        return problem
    }
}
