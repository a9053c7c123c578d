import Dispatch
import PlacekeeperServer
import PlacekeeperService
import Synchronization

/// Tells the alerts to the operator's command, one after the other: the alert is a JSON object on standard input, and exit
/// code 0 means that somebody was told.
final class AlertCommand: Sendable {
    private let program: ChildProgram
    private let log: @Sendable (_ level: String, _ message: String) -> Void
    private let queue = Mutex(AlertQueue())
    private let isStopped = Atomic(false)
    private let thread = DispatchQueue(label: "placekeeper.alerts")

    /// - Parameter log: logs a failure of the command.
    init(
        _ path: String, deadline: Duration = .seconds(30),
        log: @escaping @Sendable (_ level: String, _ message: String) -> Void
    ) {
        program = ChildProgram(path: path, deadline: deadline)
        self.log = log
    }

    func tell(_ change: AlertChange) { queue.withLock { $0.add(change, at: .now) } }

    /// Runs the command for each alert until the task is canceled. Then a running command is killed.
    func run() async {
        await withTaskCancellationHandler {
            while !isStopped.load(ordering: .relaxed) {
                if let (change, failures) = queue.withLock({ $0.next(at: .now) }) {
                    await deliver(change, after: failures)
                } else {
                    do { try await Task.sleep(for: .milliseconds(250)) } catch { return }
                }
            }
        } onCancel: {
            isStopped.store(true, ordering: .relaxed)
        }
    }

    private func deliver(_ change: AlertChange, after failures: Int) async {
        let input = Array((change.line + "\n").utf8)
        let (end, output) = await withCheckedContinuation { continuation in
            thread.async { [self] in
                continuation.resume(returning: program.run(input) { isStopped.load(ordering: .relaxed) })
            }
        }
        guard end != .exit(0), end != .stopped else { return }
        let isTriedAgain = queue.withLock { $0.retry(change, after: failures + 1, at: .now) }
        let firstLine = output.prefix { $0 != "\n" }
        let text = firstLine.isEmpty ? "" : ": " + firstLine
        if isTriedAgain {
            log("warning", "the alert command \(end.text) and is tried again\(text)")
        } else {
            log("error", "the alert command \(end.text), and nobody was told of \(change.alert.kind.rawValue)\(text)")
        }
    }
}

extension ChildProgram.End {
    fileprivate var text: String {
        switch self {
        case .exit(let code): "ended with \(code)"
        case .signal(let number): "ended by signal \(number)"
        case .late: "took too long, and was killed"
        case .stopped: "was stopped"
        case .unstartable(let code): "cannot be started (errno \(code))"
        }
    }
}

extension AlertChange {
    /// The members of the object for the command and for the log.
    func add(to line: inout LogLine) {
        line.add("alert", alert.kind.rawValue)
        line.add("state", endedAt == nil ? "started" : "ended")
        line.add("subject", alert.subject)
        line.add("message", alert.message)
        line.add("startedAt", startedAt.text)
        if let endedAt { line.add("endedAt", endedAt.text) }
    }

    /// The JSON object for the command.
    var line: String {
        var line = LogLine()
        add(to: &line)
        return line.whole
    }
}
