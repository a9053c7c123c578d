import PlacekeeperConcurrency
import PlacekeeperCore

/// Collects answers and reports in memory until they are flushed to the store.
///
/// Between two flushes, it accepts at most `limit` answers and `limit` reports per app, and at most `limitOfUser` of
/// each per user. A busy app's log is therefore a sample. Adding to a full log takes almost no time, and no single user
/// can fill the log.
package final class RestoreLog: Sendable {
    static let limit = 1000
    static let limitOfUser = 10

    private struct Question: Hashable {
        var device: DeviceID
        var scene: String
    }

    private struct Gathered {
        var answers: [Question: RestoreAnswer] = [:]
        var reports: [RestoreReport] = []
        var answersOfUsers: [UserID: Int] = [:]
        var reportsOfUsers: [UserID: Int] = [:]

        /// Adds an answer. Replaces an earlier answer to the same question.
        mutating func add(_ answer: RestoreAnswer, to question: Question) {
            if answers.updateValue(answer, forKey: question) == nil {
                answersOfUsers[answer.owner.user, default: 0] += 1
            }
        }

        func hasRoom(for question: Question, of user: UserID) -> Bool {
            answers[question] != nil
                || answers.count < RestoreLog.limit && answersOfUsers[user, default: 0] < RestoreLog.limitOfUser
        }

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

    package init() {}

    /// Adds an answer. Replaces an earlier answer for the same device and scene.
    func add(_ choice: Choice) {
        let owner = choice.scene.owner
        let question = Question(device: choice.principal.device.id, scene: choice.scene.name)
        let hasRoom = apps.withLock { $0[owner.app]?.hasRoom(for: question, of: owner.user) ?? true }
        guard hasRoom else { return }
        // Create the answer outside the lock, because other requests wait for it.
        let answer = RestoreAnswer(choice)
        apps.withLock { $0[owner.app, default: Gathered()].add(answer, to: question) }
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
            let answers = gathered.answers.values.map(RestoreLogEntry.answer)
            return (answers + gathered.reports.map(RestoreLogEntry.report)).sorted { $0.at < $1.at }
        }
    }

    /// Restores entries that could not be written, within the limits.
    func restore(_ entries: some Sequence<RestoreLogEntry>) {
        apps.withLock { apps in
            for entry in entries {
                var gathered = apps.removeValue(forKey: entry.app) ?? Gathered()
                switch entry {
                case .answer(let answer):
                    let question = Question(device: answer.device, scene: answer.scene)
                    if gathered.answers[question] == nil, gathered.hasRoom(for: question, of: answer.owner.user) {
                        gathered.add(answer, to: question)
                    }
                case .report(let report):
                    gathered.add(report)
                case .note: break
                }
                apps[entry.app] = gathered
            }
        }
    }
}
