public import Foundation
public import PlacekeeperArchive
import PlacekeeperClient

/// The content of an `NSUserActivity` or of a window's restorable state: the scene's name, and its archive if it is
/// small.
///
/// The client keeps the state itself. The system's copy only identifies a window's scene, and Handoff carries the
/// archive to a nearby device. The system's copy is never restored at launch: it may have crashed the app before, or
/// belong to a user who signed out.
public struct PlaceActivity: Sendable, Hashable {
    /// The maximum archive size of an activity, in bytes. Apple recommends at most about 3 KB for Handoff.
    public static let maximumArchiveSize = 3072

    /// The scene's name: `KeptScene.name`.
    public var scene: String
    /// The archive. Nil if it was too large.
    public var archive: StateArchive?

    /// Creates an activity. If the archive is too large, only its place is kept. If the place is too large as well,
    /// there is no archive.
    public init(scene: String, archive: StateArchive? = nil) {
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
    public var titles: [String] { archive?.place?.steps.compactMap(\.title) ?? [] }

    /// Reads an activity's user info. Nil if it wasn't created by `userInfo`. An unreadable archive becomes nil.
    public init?(userInfo: [AnyHashable: Any]?) {
        guard let scene = userInfo?[Key.scene] as? String else { return nil }
        self.init(scene, userInfo?[Key.archive] as? Data)
    }

    /// The values for `NSUserActivity.addUserInfoEntries(from:)`.
    public var userInfo: [String: Any] {
        var info: [String: Any] = [Key.scene: scene]
        info[Key.archive] = archive.flatMap(Self.bytes)
        return info
    }

    /// Reads a window's restorable state. Nil if it wasn't written by `encode(with:)`.
    public init?(coder: NSCoder) {
        guard coder.containsValue(forKey: Key.scene),
            let scene = coder.decodeObject(of: NSString.self, forKey: Key.scene)
        else { return nil }
        let archive = coder.decodeObject(of: NSData.self, forKey: Key.archive)
        self.init("\(scene)", archive.map { Data(referencing: $0) })
    }

    /// Writes a window's restorable state.
    public func encode(with coder: NSCoder) {
        coder.encode(NSString(string: scene), forKey: Key.scene)
        if let bytes = archive.flatMap(Self.bytes) { coder.encode(NSData(data: bytes), forKey: Key.archive) }
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
