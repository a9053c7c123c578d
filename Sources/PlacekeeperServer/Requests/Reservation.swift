import HTTPCodec
import PlacekeeperAPI
import Synchronization

/// Bytes that a request holds besides its body as it came. They count against the server's budget until the request is
/// answered.
final class Reservation: Sendable {
    private let budget: any MemoryBudget
    private let bodyCount: Int
    private let held = Atomic(0)

    /// nil where nothing is to be counted.
    init?(for request: Request) {
        guard let budget = request.budget, !request.body.isEmpty else { return nil }
        self.budget = budget
        bodyCount = request.body.count
    }

    deinit { budget.release(held.load(ordering: .relaxed)) }

    /// Says how many bytes the request holds now.
    func hold(_ count: Int) throws(Problem) {
        let before = held.load(ordering: .relaxed)
        if count <= before {
            budget.release(before - count)
        } else if !budget.charge(count - before, holding: bodyCount + before) {
            throw Problem.overloaded
        }
        held.store(count, ordering: .relaxed)
    }
}

extension Problem {
    /// The server holds as much as it may.
    static var overloaded: Problem {
        var problem = Problem(.overloaded, "The server holds as much content as it may: try again shortly.")
        problem.retry(after: .seconds(1))
        return problem
    }
}
