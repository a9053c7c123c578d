import Foundation
import PlacekeeperClient

/// A new folder on the disk, with the files of a device. The folder is removed at the end of this object.
final class DeviceFiles: Sendable {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Opens the files for a process of the app.
    @Sendable func open() -> any FileSystem { DiskFileSystem(root: folder) }
}
