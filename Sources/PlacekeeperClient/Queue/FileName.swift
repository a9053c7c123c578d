/// The name of a file in the folder of a scene: the file's state, its sequence number and the archive's id.
///
/// The state is part of the name, so a change of the state is one rename.
struct FileName: Sendable, Hashable {
    enum State: String, Sendable, Hashable, CaseIterable {
        /// A capture that waits to be sent.
        case pending
        /// A capture that a process is sending.
        case sending
        /// A capture that the service refuses, kept for inspection.
        case refused
        /// An outcome that waits to be reported.
        case outcome
        /// A snapshot of the screen that waits until its capture was sent.
        case snapshot
    }

    var state: State
    var sequence: Int64
    var archive: String

    init(_ state: State, sequence: Int64, archive: String) {
        self.state = state
        self.sequence = sequence
        self.archive = archive
    }

    /// Parses a name. Nil for a name of another form, such as the name of a temporary file.
    init?(_ text: String) {
        guard text.utf8.count <= 100 else { return nil }
        let parts = text.split(separator: "-", maxSplits: 2)
        guard parts.count == 3, let state = State(rawValue: String(parts[0])), let sequence = Int64(parts[1]),
            sequence >= 0, parts[2].utf8.count == 36,
            parts[2].utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) || $0 == 0x2D })
        else { return nil }
        self.init(state, sequence: sequence, archive: String(parts[2]))
    }

    var text: String { "\(state.rawValue)-\(sequence)-\(archive)" }

    /// The order in which files are sent: by their sequence, and a snapshot after its capture.
    func isBefore(_ other: FileName) -> Bool {
        func key(_ name: FileName) -> (Int64, String, Int) {
            (name.sequence, name.archive, name.state == .snapshot ? 1 : 0)
        }
        return key(self) < key(other)
    }

    func with(_ state: State) -> FileName { FileName(state, sequence: sequence, archive: archive) }
}
