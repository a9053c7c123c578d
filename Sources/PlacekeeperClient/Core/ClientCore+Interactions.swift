import PlacekeeperArchive

// Detects apps that save every state without an interaction, and never report an interaction.
extension ClientCore {
    /// The number of different view-only captures, without any interaction, after which the status lists a scene.
    private static let viewOnlyLimit = 3

    /// The record of a scene's interactions since the app was installed.
    private struct InteractionRecord: Codable {
        var viewOnlyCount = 0
        var hasInteraction = false

        /// The file uses the names of version 0.1.0.
        enum CodingKeys: String, CodingKey { case viewOnlyCount = "glanceCount", hasInteraction }
    }

    /// Records that the app reported an interaction with a scene.
    func noteInteractionIsTold(in scene: String) {
        guard let state = scenes[scene], !state.knowsInteraction else { return }
        state.knowsInteraction = true
        var record = record(of: scene)
        guard !record.hasInteraction else { return }
        record.hasInteraction = true
        write(record, of: scene)
        scenesWithoutInteractions.remove(scene)
    }

    /// Counts a state that the app saves without an interaction after a restore, if it differs from the restored state.
    func countViewOnly(_ archive: StateArchive, in scene: String) {
        guard let state = scenes[scene], let restored = state.restored, !state.hasInteracted, !state.knowsInteraction,
            !restored.archive.equals(archive), state.lastViewOnly.map({ !$0.equals(archive) }) ?? true
        else { return }
        state.lastViewOnly = archive
        var record = record(of: scene)
        state.knowsInteraction = record.hasInteraction
        guard !record.hasInteraction else { return }
        if record.viewOnlyCount < Self.viewOnlyLimit {
            record.viewOnlyCount += 1
            write(record, of: scene)
        }
        guard record.viewOnlyCount == Self.viewOnlyLimit, scenesWithoutInteractions.insert(scene).inserted else {
            return
        }
        DeveloperLog.write(
            """
            The app saves each state of the scene \(scene) without an interaction, so its states are view-only captures, which never \
            replace the restored state. Save the user's work with the default interaction.
            """)
    }

    private func path(of scene: String) -> String { "\(deviceFolder)/scenes/s.\(scene)/interactions" }

    private func record(of scene: String) -> InteractionRecord {
        let bytes = try? files.read(path(of: scene), limit: 4096)
        return bytes.flatMap { try? ChecksummedFile.decode(InteractionRecord.self, $0).header } ?? InteractionRecord()
    }

    /// Writes a record. Losing it only delays a hint.
    private func write(_ record: InteractionRecord, of scene: String) {
        try? files.writeUnsynced(ChecksummedFile.encode(record, []), to: path(of: scene))
    }
}
