import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperService

extension JSONTree {
    private init(_ version: RestoreHealth.Version) {
        self = ["bundleVersion": version.bundleVersion.map(JSONTree.text), "idiom": .text(version.idiom.name)]
    }

    private init(_ versions: RestoreHealth.Versions) {
        self = ["source": JSONTree(versions.source), "target": JSONTree(versions.target)]
    }

    init(_ restores: RestoreHealth.Restores) {
        func count(_ result: Outcome.Result) -> JSONTree { .number(restores.counts[result] ?? 0) }
        self = .joined([
            JSONTree(restores.versions),
            [
                "restored": count(.restored), "failed": count(.failed), "crashed": count(.crashed),
                "users": .number(restores.users.count), "failingUsers": .number(restores.failingUsers.count),
                "medianMilliseconds": restores.medianMilliseconds.map(JSONTree.number),
            ],
        ])
    }

    init(_ path: RestoreHealth.FailingPath) {
        self = .joined([
            [
                "path": .text(path.path), "failures": .number(path.failures), "users": .number(path.users.count),
                "lastAt": .time(path.lastAt),
            ], JSONTree(path.versions),
        ])
    }

    /// - Parameter subject: nil if the user is anonymous, or if texts are redacted.
    init(_ failure: RestoreReport, _ subject: Subject?) {
        self = .joined([
            [
                "at": .time(failure.at), "user": .id(failure.owner.user), "subject": (subject?.text).map(JSONTree.text),
                "device": .id(failure.device), "scene": .text(failure.scene), "archive": .id(failure.archive),
                "result": .text(failure.result.rawValue), "path": failure.path.map(JSONTree.text),
            ], JSONTree(RestoreHealth.Versions(failure)),
        ])
    }

    /// - Parameter subject: that of the user of the newest failure.
    init(_ group: FailureGroup, by key: FailureGroup.Key, _ subject: Subject?) {
        self = [
            "user": key == .user ? .id(group.last.owner.user) : nil,
            "path": key == .path ? group.last.path.map(JSONTree.text) : nil,
            "failures": .number(group.failures), "crashes": .number(group.crashes),
            "users": .number(group.users.count), "last": JSONTree(group.last, subject),
        ]
    }

    init(_ health: RestoreBreaker.PairHealth) {
        self = [
            "sourceVersion": health.sourceVersion.map(JSONTree.text),
            "targetVersion": health.targetVersion.map(JSONTree.text), "idiom": .text(health.idiom),
            "users": .number(health.users), "failingUsers": .number(health.failingUsers),
            "share": .encoded(Array("\(health.share)".utf8)), "state": .text(health.state.rawValue),
            "since": health.since.map(JSONTree.time), "until": health.until.map(JSONTree.time),
            "by": health.by.map { .text($0.rawValue) },
        ]
    }

    init(_ dryRun: PolicyDryRun) {
        self = [
            "answers": .number(dryRun.answers), "unchanged": .number(dryRun.unchanged),
            "unchangedReasons": .list(
                dryRun.blockers.map { blocker in
                    [
                        "code": .text(blocker.reason.code),
                        "blocks": .text(Wire.Reason.Block(blocker.reason.blocks).rawValue),
                        "answers": .number(blocker.answers), "users": .number(blocker.users.count),
                    ]
                }),
            "from": dryRun.from.map(JSONTree.time), "to": dryRun.to.map(JSONTree.time),
            "changes": .list(
                PolicyDryRun.Kind.allCases.compactMap { kind in
                    dryRun.changes[kind].map { change in
                        [
                            "kind": .text(kind.rawValue), "count": .number(change.count),
                            "users": .number(change.users.count),
                            "examples": .list(change.examples.map { JSONTree($0) }),
                        ]
                    }
                }),
        ]
    }

    private init(_ example: PolicyDryRun.Example) {
        let answer = example.answer
        self = [
            "at": .time(answer.at), "user": .id(answer.owner.user), "device": .id(answer.device),
            "scene": .text(answer.scene), "asked": JSONTree(answer.asked), "before": .served(example.before),
            "after": .served(example.after),
            "reasons": .list(example.reasons.map { JSONTree($0) }),
        ]
    }

    init(_ answer: RestoreAnswer) {
        self = [
            "at": .time(answer.at), "device": .id(answer.device), "scene": .text(answer.scene),
            "asked": JSONTree(answer.asked),
            "served": .served(answer.served.flatMap { served in served.fidelity.map { (served.archive, $0) } }),
            "held": .truth(answer.wasHeld), "repeats": .number(answer.repeats), "lastAt": .time(answer.lastAt),
            "omitted": .number(answer.omitted),
            "candidates": .list(answer.candidates.map { JSONTree($0, asked: answer.asked) }),
        ]
    }

    private init(_ candidate: RestoreAnswer.Candidate, asked: Context) {
        self = [
            "archive": .id(candidate.archive), "capturedAt": .time(candidate.facts.capturedAt),
            "context": JSONTree(candidate.facts.context), "fidelity": candidate.fidelity.map(JSONTree.fidelity),
            "reasons": .list(
                candidate.reasons.map { code in
                    // The log keeps the result of a restore that failed, but not the values of the other reasons.
                    let reason =
                        candidate.exclusion.flatMap { $0.code == code ? $0 : nil }
                        ?? Reason(logged: code, of: candidate.facts.context, for: asked)
                    return ["code": .text(code), "text": .text(reason.text)]
                }),
        ]
    }

    static func fidelity(_ fidelity: Fidelity) -> JSONTree { .text(fidelity == .full ? "full" : "place") }

    private static func served(_ served: (archive: ArchiveID, fidelity: Fidelity)?) -> JSONTree {
        guard let served else { return .encoded(Array("null".utf8)) }
        return ["archive": .id(served.archive), "fidelity": .fidelity(served.fidelity)]
    }

    init(_ reason: Reason) {
        self = [
            "code": .text(reason.code), "archive": reason.archive.map(JSONTree.text),
            "required": reason.required.map(JSONTree.text),
            "blocks": .text(Wire.Reason.Block(reason.blocks).rawValue), "text": .text(reason.text),
        ]
    }
}
