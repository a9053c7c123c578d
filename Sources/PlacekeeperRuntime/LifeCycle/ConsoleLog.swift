import PlacekeeperArchive

/// Writes each step of saving and restoring as a line, by default to the standard error (row 76).
@MainActor
public final class ConsoleLog: RestorationLog {
    private let write: @MainActor @Sendable (String) -> Void

    /// Creates a log.
    /// - Parameter write: Receives each line, without a line break.
    public init(write: @escaping @MainActor @Sendable (String) -> Void = ConsoleLog.writeToStandardError) {
        self.write = write
    }

    /// Writes a step. Control characters are written as their codes, because a string in an archive may contain
    /// characters that control a terminal.
    public func record(_ event: RestorationEvent) {
        write("state restoration: \(ArchiveInspection.Value.printable(event.description, limit: 4000))")
    }
}

/// Passes each step to the app's own log and to the console log.
@MainActor
final class RelayedLog: RestorationLog {
    private let logs: [any RestorationLog]

    init(_ logs: (any RestorationLog)?...) { self.logs = logs.compactMap { $0 } }

    func record(_ event: RestorationEvent) {
        for log in logs { log.record(event) }
    }
}
