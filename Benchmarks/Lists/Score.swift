/// A way to find items on another device.
enum Approach: String, CaseIterable, Sendable {
    /// The service and the client's runtime, as they are.
    case placekeeper
    /// The reference: everything that the evidence allows.
    case exhaustive
    /// An alias that exactly one item of the device has.
    case aliasesAlone = "aliases without alignment"
    case identifiers = "identifiers as they are"
    case indexPath = "index path"
}

/// How an answer compares with the truth.
enum Verdict: String, CaseIterable, Sendable {
    case right
    /// A neighbor that is beside the thing, or beside the place where the thing would be.
    case beside
    /// A neighbor that is farther away.
    case far
    /// Another item as the thing itself.
    case wrong
    case nothing
}

/// The results of a simulation: numbers of references.
struct Score: Sendable {
    struct Case: Hashable, Sendable {
        var kind: Kind
        var isFirstVisible: Bool
        /// Whether the requesting device has the thing.
        var hasThing: Bool
        /// Whether the requesting device has registered the thing.
        var isRegistered: Bool
        /// Which sides registered, and whether the archive has aliases.
        var mode: String
        /// Whether nothing distinguishes the thing from a copy beside it.
        var isIndistinguishable = false
    }

    struct Answered: Hashable, Sendable {
        var subject: Case
        var approach: Approach
        var verdict: Verdict
    }

    struct Step: Hashable, Sendable {
        var kind: Kind
        var isFirstVisible: Bool
        var name: String
        var sharedAliases: Int
    }

    struct Cause: Hashable, Sendable {
        var kind: Kind
        var approach: Approach
        var verdict: Verdict
        var isFirstVisible: Bool
        var text: String
    }

    var answered: [Answered: Int] = [:]
    /// The references to a device's own items, by the verdict of the service.
    var own: [Verdict: Int] = [:]
    /// The identifiers that the service served, and how many of them are right.
    var steps: [Step: (count: Int, right: Int, confidence: Double)] = [:]
    var causes: [Cause: Int] = [:]
    var people = 0
    var archives = 0

    mutating func add(_ other: Score) {
        answered.merge(other.answered, uniquingKeysWith: +)
        own.merge(other.own, uniquingKeysWith: +)
        causes.merge(other.causes, uniquingKeysWith: +)
        steps.merge(other.steps) { ($0.count + $1.count, $0.right + $1.right, $0.confidence + $1.confidence) }
        people += other.people
        archives += other.archives
    }

    /// Counts the references for which a condition holds, by the verdict.
    func verdicts(of approach: Approach, where condition: (Case) -> Bool) -> [Verdict: Int] {
        var counts: [Verdict: Int] = [:]
        for (key, count) in answered where key.approach == approach && condition(key.subject) {
            counts[key.verdict, default: 0] += count
        }
        return counts
    }
}
