import PlacekeeperArchive
import PlacekeeperClient
import PlacekeeperTesting

extension StateArchive {
    /// The state of an app that shows a screen.
    static func showing(_ title: String) -> StateArchive {
        var archive = StateArchive(bundleVersion: "1", idiom: 0)
        archive.place = Place([.init(screen: title.lowercased(), title: title)])
        return archive
    }

    var title: String? { place?.steps.last?.title }
}

extension Launch {
    /// The title of the restored screen.
    var title: String? { restore?.archive.title }
}

extension VirtualDevice {
    /// Saves a state that shows a screen, and sends it.
    func saveAndFlush(_ title: String) async throws {
        placekeeper.scene().save(.showing(title))
        try await placekeeper.flush()
    }
}
