import Concurrency

/// Gathers answers and reports in memory, until they are flushed to the store. Between two flushes it takes at most
/// `limit` answers and `limit` reports of each app. So the log of a busy app is a sample, and a full log costs almost
/// nothing.
package final class RestoreLog: Sendable {
    static let limit = 1000

    private struct Question: Hashable {
        var device: DeviceID
        var scene: String
    }

    private struct Gathered {
        var answers: [Question: RestoreAnswer] = [:]
        var reports: [RestoreReport] = []
    }

    private let apps = LockBox<[AppID: Gathered]>([:])

    package init() {}

    /// Adds an answer. It replaces an earlier answer for the same device and scene.
    func add(_ choice: Choice) {
        let app = choice.scene.owner.app
        let question = Question(device: choice.caller.device.id, scene: choice.scene.name)
        apps.withLock { apps in
            let hasRoom = apps[app].map { $0.answers.count < Self.limit || $0.answers[question] != nil } ?? true
            if hasRoom { apps[app, default: Gathered()].answers[question] = RestoreAnswer(choice) }
        }
    }

    func takesReports(of app: AppID) -> Bool { apps.withLock { ($0[app]?.reports.count ?? 0) < Self.limit } }

    func add(_ report: RestoreReport) {
        apps.withLock { apps in
            guard (apps[report.owner.app]?.reports.count ?? 0) < Self.limit else { return }
            apps[report.owner.app, default: Gathered()].reports.append(report)
        }
    }

    /// Returns the entries since the last call, the oldest first, and clears them.
    func take() -> [RestoreLogEntry] {
        let taken = apps.withLock { apps in
            defer { apps = [:] }
            return apps.values.flatMap { gathered in
                gathered.answers.values.map(RestoreLogEntry.answer) + gathered.reports.map(RestoreLogEntry.report)
            }
        }
        return taken.sorted { $0.at < $1.at }
    }

    /// Puts back entries that could not be written, within the limits.
    func restore(_ entries: some Sequence<RestoreLogEntry>) {
        apps.withLock { apps in
            for entry in entries {
                var gathered = apps.removeValue(forKey: entry.app) ?? Gathered()
                switch entry {
                case .answer(let answer):
                    let question = Question(device: answer.device, scene: answer.scene)
                    if gathered.answers.count < Self.limit, gathered.answers[question] == nil {
                        gathered.answers[question] = answer
                    }
                case .report(let report):
                    if gathered.reports.count < Self.limit { gathered.reports.append(report) }
                case .note: break
                }
                apps[entry.app] = gathered
            }
        }
    }
}
