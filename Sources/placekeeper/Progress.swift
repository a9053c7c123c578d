import PlacekeeperSystem
import PlacekeeperSQLite
import Synchronization

/// Shows the progress of long work as one line on standard error. Shows nothing if standard error isn't a terminal.
final class Progress: Sendable {
    private let isShown = isatty(STDERR_FILENO) == 1
    /// The current text of the line. Empty if there is no line.
    private let line = Mutex("")

    @Sendable func show(_ step: Backup.Step) {
        switch step {
        case .copying(let share): write("copying: \(Int(share * 100)) %")
        case .verifying: write("checking")
        case .checking(let share): write("checking the archives: \(Int(share * 100)) %")
        }
    }

    /// Shows any text.
    func show(_ text: String) { write(text) }

    /// Removes the line.
    func end() { write("") }

    private func write(_ text: String) {
        guard isShown else { return }
        line.withLock { line in
            guard line != text else { return }
            line = text
            // A carriage return and the control sequence that erases the line.
            Output.report(Array("\r\u{1B}[K\(text)".utf8))
        }
    }
}
