import Foundation
import PlacekeeperClient

/// The files of a device, in a new folder on the disk. The folder is removed when no client uses the files any more.
final class DeviceFiles: Sendable {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    deinit { remove() }

    /// Opens the files for a process of the app.
    @Sendable func open() -> any FileSystem { DiskFileSystem(root: folder) }

    /// Removes the files of a device whose app is not deallocated.
    func remove() { try? FileManager.default.removeItem(at: folder) }
}
