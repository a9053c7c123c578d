import PlacekeeperKit
import PlacekeeperTesting

/// The state of an app that shows a screen.
struct Shown: Codable, Hashable {
    var title: String
}

extension Shown: PlaceScreen {
    var placeTitle: String? { title }
}

@MainActor
extension VirtualDevice {
    /// The scene of the running process.
    var scene: Placekeeper.Scene<Shown> { placekeeper.scene(Shown.self) }

    /// Saves a state that shows a screen.
    func save(_ title: String) { scene.save(Shown(title: title)) }

    /// Saves a state that shows a screen, and sends it.
    func saveAndFlush(_ title: String) async throws {
        save(title)
        try await placekeeper.flush()
    }

    /// Launches the app, and returns the title of the restored screen.
    func restoredTitle() async -> String? { await scene.restore().value?.title }

    /// The titles of the stored states, newest first.
    func storedTitles() async throws -> [[String]] { try await scene.history().map(\.titles) }
}
