/// The name of a file in a scene's folder: the file's state, its sequence number and the archive's id.
///
/// The state is part of the name, so changing the state takes a single rename.
struct FileName: Sendable, Equatable {
    enum State: String, Sendable, Equatable, CaseIterable {
        /// A capture that has not been sent yet.
        case pending
        /// A capture that a process is sending.
        case sending
        /// A capture that the service refused, kept for inspection.
        case refused
        /// An outcome that has not been reported yet.
        case outcome
        /// A screenshot that is sent after its capture.
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

    /// Parses a name. Returns `nil` for any other name, such as that of a temporary file.
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

    /// Orders files for sending: by sequence number, and a screenshot after its capture.
    func isBefore(_ other: FileName) -> Bool {
        func key(_ name: FileName) -> (Int64, String, Int) {
            (name.sequence, name.archive, name.state == .snapshot ? 1 : 0)
        }
        return key(self) < key(other)
    }

    func with(_ state: State) -> FileName { FileName(state, sequence: sequence, archive: archive) }
}
