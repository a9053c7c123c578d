import PlacekeeperConcurrency
import PlacekeeperCore

/// Collects answers and reports in memory until they are flushed to the store.
///
/// It keeps each answer that differs from the previous one to the same device about the same scene, and counts repeats
/// (`RestoreAnswer.repeats`). Between two flushes, it accepts at most `limit` answers and `limit` reports per app, and
/// at most `limitOfUser` of each per user. A busy app's log is therefore a sample. Adding to a full log takes almost no
/// time, and no single user can fill the log. Beyond a limit, a device's newest answer replaces the one before it, so
/// the newest is always kept, with the number of omitted ones.
package final class RestoreLog: Sendable {
    static let limit = 1000
    static let limitOfUser = 10

    private struct Question: Hashable {
        var user: UserID
        var device: DeviceID
        var scene: String

        init(_ answer: RestoreAnswer) { self.init(answer.owner, answer.device, answer.scene) }

        init(_ owner: UserKey, _ device: DeviceID, _ scene: String) {
            (user, self.device, self.scene) = (owner.user, device, scene)
        }
    }

    private struct Kept {
        var answer: RestoreAnswer
        var fingerprint: Int

        init(_ answer: RestoreAnswer) { (self.answer, fingerprint) = (answer, answer.fingerprint) }
    }

    private struct Gathered {
        /// The answers to each question, oldest first. No two neighbors are equal.
        var answers: [Question: [Kept]] = [:]
        var reports: [RestoreReport] = []
        var answerCount = 0
        var answersOfUsers: [UserID: Int] = [:]
        var reportsOfUsers: [UserID: Int] = [:]

        mutating func add(_ new: Kept) {
            let question = Question(new.answer)
            let user = question.user
            var kept = answers.removeValue(forKey: question) ?? []
            defer { answers[question] = kept.isEmpty ? nil : kept }
            if let last = kept.indices.last, kept[last].fingerprint == new.fingerprint {
                kept[last].answer.repeats += new.answer.repeats + 1
                kept[last].answer.lastAt = new.answer.lastAt
            } else if hasRoom(for: user) {
                kept.append(new)
                answerCount += 1
                answersOfUsers[user, default: 0] += 1
            } else if let replaced = kept.popLast() {
                kept.append(new)
                kept[kept.count - 1].answer.omitted += replaced.answer.omitted + 1
            }
        }

        private func hasRoom(for user: UserID) -> Bool {
            answerCount < RestoreLog.limit && answersOfUsers[user, default: 0] < RestoreLog.limitOfUser
        }

        func takes(_ question: Question) -> Bool { answers[question] != nil || hasRoom(for: question.user) }

        func takesReports(of user: UserID) -> Bool {
            reports.count < RestoreLog.limit && reportsOfUsers[user, default: 0] < RestoreLog.limitOfUser
        }

        mutating func add(_ report: RestoreReport) {
            guard takesReports(of: report.owner.user) else { return }
            reports.append(report)
            reportsOfUsers[report.owner.user, default: 0] += 1
        }
    }

    private let apps = LockBox<[AppID: Gathered]>([:])
    /// The fingerprint of the last answer to each question.
    private let last = LockBox(GenerationalCache<Question, Int>(capacity: 8192))

    package init() {}

    /// Adds an answer.
    ///
    /// - Parameter wasHeld: whether the device already had the archive. Such an answer is kept only if a newer archive
    ///   was refused and the answer differs from the last one, because devices ask again and again.
    func add(_ choice: Choice, wasHeld: Bool = false) {
        if wasHeld, choice.refused.isEmpty { return }
        let owner = choice.scene.owner
        let question = Question(owner, choice.principal.device.id, choice.scene.name)
        guard apps.withLock({ $0[owner.app]?.takes(question) ?? true }) else { return }
        // Create the answer outside the lock, because other requests wait for it.
        let new = Kept(RestoreAnswer(choice, wasHeld: wasHeld))
        let isRepeat = last.withLock { last in
            defer { last.insert(new.fingerprint, for: question) }
            return last.value(for: question) == new.fingerprint
        }
        if wasHeld, isRepeat { return }
        apps.withLock { $0[owner.app, default: Gathered()].add(new) }
    }

    func takesReports(of owner: UserKey) -> Bool {
        apps.withLock { $0[owner.app]?.takesReports(of: owner.user) ?? true }
    }

    func add(_ report: RestoreReport) {
        apps.withLock { $0[report.owner.app, default: Gathered()].add(report) }
    }

    /// Returns the entries since the last call, grouped by app and oldest first within each app, and clears them.
    func take() -> [RestoreLogEntry] {
        let taken = apps.withLock { apps in
            defer { apps = [:] }
            return apps
        }
        return taken.values.flatMap { gathered in
            let answers = gathered.answers.values.joined().map { RestoreLogEntry.answer($0.answer) }
            return (answers + gathered.reports.map(RestoreLogEntry.report)).sorted { $0.at < $1.at }
        }
    }

    /// Restores entries that could not be written, within the limits.
    func restore(_ entries: some Sequence<RestoreLogEntry>) {
        var restored: [AppID: Gathered] = [:]
        for entry in entries {
            switch entry {
            case .answer(let answer): restored[entry.app, default: Gathered()].add(Kept(answer))
            case .report(let report): restored[entry.app, default: Gathered()].add(report)
            case .note: break
            }
        }
        apps.withLock { apps in
            // The restored entries are older than those that arrived since.
            for (app, newer) in apps {
                for answer in newer.answers.values.joined() { restored[app, default: Gathered()].add(answer) }
                for report in newer.reports { restored[app, default: Gathered()].add(report) }
            }
            apps = restored
        }
    }
}
