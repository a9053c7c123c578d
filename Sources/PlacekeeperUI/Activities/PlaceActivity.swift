public import Foundation
public import PlacekeeperArchive
import PlacekeeperClient

/// The content of an `NSUserActivity` or of a window's restorable state: the name of the scene, and an archive if it is
/// small.
///
/// The client keeps the state itself. So the system's copy says which scene a window has, and Handoff carries the archive
/// to a nearby device. The system's copy is never restored at launch: it possibly crashed the app before, or belongs to
/// a person who signed out.
public struct PlaceActivity: Sendable, Hashable {
    /// The largest archive of an activity, in bytes. Apple advises at most about 3 KB for Handoff.
    public static let maximumArchiveSize = 3072

    /// The name of the scene: `KeptScene.name`.
    public var scene: String
    /// The archive. Nil if it was too large.
    public var archive: StateArchive?

    /// Creates an activity. If the archive is too large, only its place is kept, and if the place is too large, no
    /// archive.
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

    /// The titles of the screens, the first screen first.
    public var titles: [String] { archive?.place?.steps.compactMap(\.title) ?? [] }

    /// Reads the user info of an activity. Nil if it is not from `userInfo`. An unreadable archive becomes nil.
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

    /// Reads the restorable state of a window. Nil if `encode(with:)` did not write it.
    public init?(coder: NSCoder) {
        guard coder.containsValue(forKey: Key.scene),
            let scene = coder.decodeObject(of: NSString.self, forKey: Key.scene)
        else { return nil }
        let archive = coder.decodeObject(of: NSData.self, forKey: Key.archive)
        self.init("\(scene)", archive.map { Data(referencing: $0) })
    }

    /// Writes the restorable state of a window.
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
