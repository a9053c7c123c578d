import Foundation
import PlacekeeperArchive
import PlacekeeperModels
import Testing

@testable import PlacekeeperClient

/// Situations of launches with the client's decisions, for clients in other languages (docs/clients.md). The file
/// `Tests/Vectors/launch.json` has them, one to a line.
@Suite struct LaunchVectorTests {
    private static let file = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../Vectors/launch.json").standardized

    /// `PLACEKEEPER_WRITE_VECTORS=1` writes the file anew.
    @Test func vectorsAreTheDecisionsOfThisClient() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let lines = try LaunchSituation.varied().map { situation in
            String(decoding: try encoder.encode(LaunchVector(situation)), as: UTF8.self)
        }
        let text = "[\n" + lines.joined(separator: ",\n") + "\n]\n"
        if ProcessInfo.processInfo.environment["PLACEKEEPER_WRITE_VECTORS"] != nil {
            try Data(text.utf8).write(to: Self.file)
        }
        let known = try String(contentsOf: Self.file, encoding: .utf8)
        let differing = zip(text.split(separator: "\n"), known.split(separator: "\n")).first { $0 != $1 }
        #expect(text == known, "\(differing.map { "\($0) is not \($1)" } ?? "another number of vectors")")
    }
}

/// A situation, and the decision about it.
private struct LaunchVector: Encodable {
    var situation: LaunchSituation
    var decision: Decision

    struct Decision: Encodable, Hashable {
        var restore: String?
        var offer: Offer?
        var reason: String
    }

    struct Offer: Encodable, Hashable {
        var archive: String
        var age: Double?
    }

    init(_ situation: LaunchSituation) {
        self.situation = situation
        decision = situation.decision
    }
}

private struct LaunchSituation: Encodable, Hashable {
    /// The newest state on the device.
    struct Local: Encodable, Hashable {
        var archive = "own"
        /// Stands for the screens of the state, their items and their parameters.
        var place: String
        var isPending: Bool
        var revision: Int64?
        var origin: Origin?
        var age: Double?
        var caution: String?
    }

    struct Origin: Encodable, Hashable {
        var archive: String
        var revision: Int64
    }

    struct Remote: Encodable, Hashable {
        var kind: String
        var archive: String?
        var place: String?
        var isOwn: Bool?
        var revision: Int64?
        var isSuperseded: Bool?
        var head: Int64?
        var age: Double?
        var caution: String?
        var reason: String?
    }

    var local: Local?
    var localFault: String?
    var remote: Remote
    var mode: ClientCore.Mode
    var isUnused: Bool
    var hasCrashedOften: Bool
    var dismissed: [String]
    var withheld: [String]

    enum CodingKeys: CodingKey {
        case local, localFault, remote, mode, isUnused, hasCrashedOften, dismissed, withheld
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(local, forKey: .local)
        try members.encodeIfPresent(localFault, forKey: .localFault)
        try members.encode(remote, forKey: .remote)
        try members.encode(mode.rawValue, forKey: .mode)
        try members.encode(isUnused, forKey: .isUnused)
        try members.encode(hasCrashedOften, forKey: .hasCrashedOften)
        try members.encode(dismissed, forKey: .dismissed)
        try members.encode(withheld, forKey: .withheld)
    }
}

// MARK: - Deciding

extension LaunchSituation {
    var decision: LaunchVector.Decision {
        let decision = LaunchDecision(
            local: local.map(state), localFault: localFault.map(reason), remote: answer, mode: mode,
            isUnused: isUnused, hasCrashedOften: hasCrashedOften, isDismissed: { dismissed.contains($0) },
            isWithheld: { withheld.contains($0.id) })
        return .init(
            restore: decision.restore?.id,
            offer: decision.offer.map { .init(archive: $0.served.id, age: $0.age) },
            reason: decision.reason.code.rawValue)
    }

    private func reason(_ code: String) -> Placekeeper.Reason { .init(.init(rawValue: code)) }

    private func served(_ id: String, _ place: String, isOwn: Bool, _ revision: Int64?) -> Served {
        Served(
            id: id, scene: "main", archive: StateArchive(place: Place([.init(screen: place)])), fidelity: .full,
            isOwn: isOwn, revision: revision, context: RestorationContext(idiom: .phone), bytes: [])
    }

    private func state(_ local: Local) -> LaunchDecision.Local {
        var state = LaunchDecision.Local(
            served: served(local.archive, local.place, isOwn: true, local.revision), isPending: local.isPending,
            origin: local.origin?.archive, age: local.age, caution: local.caution.map(reason))
        state.served.origin = local.origin.map { .init(archive: $0.archive, revision: $0.revision) }
        return state
    }

    private var answer: LaunchDecision.Remote {
        switch remote.kind {
        case "served":
            var answer = LatestAnswer(
                served: served(
                    remote.archive ?? "", remote.place ?? "", isOwn: remote.isOwn == true, remote.revision),
                superseded: remote.isSuperseded == true ? "\(remote.head ?? 0); seconds=1" : nil,
                caution: remote.caution)
            answer.age = remote.age
            return .served(answer)
        case "notModified":
            return .notModified(isSuperseded: remote.isSuperseded == true, caution: remote.caution.map(reason))
        case "nothingStored": return .nothingStored
        case "incompatible": return .incompatible(reason(remote.reason ?? ""))
        case "unavailable": return .unavailable(reason(remote.reason ?? ""))
        default: return .notAsked
        }
    }
}

// MARK: - Varying

extension LaunchSituation {
    /// Situations that differ in what a decision can depend on. They are the same in each run.
    static func varied() -> [LaunchSituation] {
        var random = SeededRandom(seed: 48)
        var found: [LaunchSituation] = []
        // A draw that repeats what a decision depends on adds nothing.
        var kinds: Set<Kind> = []
        var orders: Set<Order> = []
        for _ in 0..<40_000 {
            let situation = LaunchSituation(&random)
            let isNewKind = kinds.insert(situation.kind).inserted
            let isNewOrder = situation.order.map { orders.insert($0).inserted } ?? false
            if isNewKind || isNewOrder { found.append(situation) }
        }
        return found
    }

    /// What the vectors have once.
    private struct Kind: Hashable {
        var remote: String
        var local: [Bool]
        var decision: LaunchVector.Decision
    }

    private var kind: Kind {
        var decision = decision
        if let age = decision.offer?.age { decision.offer?.age = age.sign == .minus ? -1 : 1 }
        return Kind(
            remote: "\(remote.kind) \(remote.isOwn == true) \(remote.isSuperseded == true) \(remote.caution != nil)",
            local: [local != nil, local?.isPending == true, local?.origin != nil, local?.caution != nil],
            decision: decision)
    }

    /// How the state on the device and the served archive are ordered.
    private struct Order: Hashable {
        var isCopy: Bool
        /// Whether the served archive is of this device, if a revision is unknown.
        var isOwn: Bool?
        /// The device's revision compared with that of the served archive, and whether it is the head's.
        var revisions: [Int?]
        var ages: [Int?]
    }

    /// The order, if nothing else decides whether the state on the device is restored.
    private var order: Order? {
        guard let local, !local.isPending, local.caution == nil, remote.isSuperseded == true, mode == .auto,
            !hasCrashedOften, decision.offer?.archive == remote.archive, decision.reason == "superseded"
        else { return nil }
        func compare<Value: Comparable>(_ value: Value?, _ other: Value?) -> Int? {
            guard let value, let other else { return nil }
            return value < other ? -1 : value == other ? 0 : 1
        }
        let own = local.origin?.revision ?? local.revision
        let revisions = [compare(own, remote.revision), own == remote.head ? 0 : nil]
        guard own != nil, remote.revision != nil else {
            return Order(isCopy: local.origin != nil, isOwn: remote.isOwn, revisions: revisions, ages: [])
        }
        let ages = [compare(local.age, remote.age), local.age.map { _ in 1 }, remote.age.map { _ in 1 }]
        return Order(isCopy: local.origin != nil, revisions: revisions, ages: ages)
    }

    private init(_ random: inout SeededRandom) {
        func pick<Value>(_ values: [Value]) -> Value { values[random.below(values.count)] }
        let archives = ["own", "earlier", "other"]
        if pick([true, true, true, false]) {
            let isPending = pick([true, false])
            let origin = pick([nil, "earlier", "other"] as [String?])
            local = Local(
                place: pick(["p", "q"]), isPending: isPending,
                revision: isPending ? nil : pick([nil, 5, 7, 9]),
                origin: origin.map { Origin(archive: $0, revision: pick([4, 7, 9])) },
                age: pick([nil, 10, 20, 30]), caution: isPending ? nil : pick([nil, nil, "crashed-elsewhere"]))
        }
        localFault = local == nil ? pick([nil, "crashed", "bundle-version-newer"]) : nil
        switch pick([
            "served", "served", "served", "served", "notModified", "nothingStored", "incompatible",
            "unavailable", "notAsked",
        ])
        {
        case "served":
            let isSuperseded = pick([true, false])
            let archive = pick(archives)
            remote = Remote(
                kind: "served", archive: archive, place: pick(["p", "q"]), isOwn: archive != "other",
                revision: pick([nil, 5, 6, 8]), isSuperseded: isSuperseded, head: isSuperseded ? pick([7, 9]) : nil,
                age: pick([nil, 10, 20, 30]), caution: pick([nil, nil, "crashed-elsewhere"]))
        case "notModified":
            remote = Remote(
                kind: "notModified", isSuperseded: pick([true, false]), caution: pick([nil, "crashed-elsewhere"]))
        case "incompatible": remote = Remote(kind: "incompatible", reason: pick(["quarantined", "too-old"]))
        case "unavailable": remote = Remote(kind: "unavailable", reason: pick(["deadline", "offline"]))
        case let kind: remote = Remote(kind: kind)
        }
        mode = pick([.auto, .auto, .auto, .offer, .off])
        isUnused = pick([true, false])
        hasCrashedOften = pick([false, false, true])
        dismissed = archives.filter { _ in pick([true, false, false]) }
        withheld = archives.filter { _ in pick([true, false, false]) }
    }
}
