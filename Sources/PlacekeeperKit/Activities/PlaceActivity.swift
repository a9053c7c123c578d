import Foundation
import PlacekeeperArchive
import PlacekeeperClient

/// The content of an `NSUserActivity`: the scene's name, and its archive if it is small.
///
/// The client keeps the state itself. The system's copy only identifies a window's scene, and Handoff carries the
/// archive to a nearby device. The system's copy is never restored at launch: it may have crashed the app before, or
/// belong to a user who signed out.
struct PlaceActivity: Sendable, Hashable {
    /// The maximum archive size of an activity, in bytes. Apple recommends at most about 3 KB for Handoff.
    static let maximumArchiveSize = 3072

    /// The scene's name: `KeptScene.name`.
    var scene: String
    /// The archive. Nil if it was too large.
    var archive: StateArchive?

    /// Creates an activity. If the archive is too large, only its place is kept. If the place is too large as well,
    /// there is no archive.
    init(scene: String, archive: StateArchive? = nil) {
        self.scene = scene
        guard let archive else { return }
        if Self.bytes(of: archive) != nil {
            self.archive = archive
        } else {
            self.archive = archive.placeOnly(within: Self.maximumArchiveSize)?.archive
            guard self.archive == nil else { return }
            DeveloperLog.write(
                "The activity of the scene \(scene) has no place: it would have more than \(Self.maximumArchiveSize) bytes."
            )
        }
    }

    /// The titles of the screens, from the first one on.
    var titles: [String] { archive?.place?.steps.compactMap(\.title).filter { !$0.isEmpty } ?? [] }

    /// Reads an activity's user info. Nil if it wasn't created by `userInfo`. An unreadable archive becomes nil.
    init?(userInfo: [AnyHashable: Any]?) {
        guard let scene = userInfo?[Key.scene] as? String else { return nil }
        self.init(scene, userInfo?[Key.archive] as? Data)
    }

    /// The values for `NSUserActivity.addUserInfoEntries(from:)`.
    var userInfo: [String: Any] {
        var info: [String: Any] = [Key.scene: scene]
        info[Key.archive] = archive.flatMap(Self.bytes)
        return info
    }

    private init(_ scene: String, _ bytes: Data?) {
        self.scene = scene
        guard let bytes, bytes.count <= Self.maximumArchiveSize else { return }
        archive = try? StateArchive(reading: [UInt8](bytes))
    }

    private static func bytes(of archive: StateArchive) -> Data? {
        guard let bytes = try? archive.encoded(), bytes.count <= maximumArchiveSize else { return nil }
        return Data(bytes)
    }

    private enum Key {
        static let scene = "placekeeper.scene"
        static let archive = "placekeeper.archive"
    }
}
