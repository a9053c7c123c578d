import PlacekeeperArchive

/// Writes each step of saving and restoring as a line, by default to standard error (row 76).
@MainActor
public final class ConsoleLog: RestorationLog {
    private let write: @MainActor @Sendable (String) -> Void

    /// Creates a log.
    /// - Parameter write: Receives each line, without a line break.
    public init(write: @escaping @MainActor @Sendable (String) -> Void = ConsoleLog.writeToStandardError) {
        self.write = write
    }

    /// Writes a step. Control characters are escaped, because a string in an archive could otherwise control the
    /// terminal.
    public func record(_ event: RestorationEvent) {
        write("state restoration: \(ArchiveInspection.Value.printable(event.description, limit: 4000))")
    }
}

/// Passes each step to both the app's own log and the console log.
@MainActor
final class RelayedLog: RestorationLog {
    private let logs: [any RestorationLog]

    init(_ logs: (any RestorationLog)?...) { self.logs = logs.compactMap { $0 } }

    func record(_ event: RestorationEvent) {
        for log in logs { log.record(event) }
    }
}
