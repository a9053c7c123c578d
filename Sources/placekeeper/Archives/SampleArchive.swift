import PlacekeeperArchive
import PlacekeeperCore
import PlacekeeperService

/// A sample archive: the state of a photo app with a photo open.
struct SampleArchive {
    var context: Context
    /// The archive's timestamp.
    var savedAt: Timestamp
    var hasPlace = true

    func encoded() throws(CommandFailure) -> [UInt8] {
        do throws(ArchiveWritingError) {
            return try archive.encoded()
        } catch {
            throw CommandFailure(.failure, "the sample cannot be written: \(error)")
        }
    }

    private var archive: StateArchive {
        StateArchive(
            bundleVersion: context.bundleVersion, idiom: Int64(context.idiom.rawValue),
            timestamp: savedAt.referenceSeconds,
            systemVersion: context.systemVersion, stateVersion: context.stateVersion,
            layout: context.layout.map { $0 == .compact ? .compact : .regular },
            application: ["lastTab": .integer(1)], objects: objects, references: [album, photo],
            place: hasPlace ? place : nil)
    }

    /// The tab bar, the navigation stack, the album with its grid, the photo, and a filter.
    private var objects: [RestorableObject] {
        let stack = "Tabs/Albums"
        return [
            RestorableObject(
                path: "Tabs", kind: .viewController, className: "UITabBarController",
                state: ["selected": .object(path: stack)]),
            RestorableObject(
                path: stack, kind: .viewController, className: "UINavigationController",
                state: ["children": .array([.object(path: stack + "/Album"), .object(path: stack + "/Photo")])]),
            RestorableObject(
                path: stack + "/Album", kind: .viewController, className: "AlbumViewController",
                storyboard: "Main", state: ["album": .reference(0)]),
            RestorableObject(
                path: stack + "/Album/Grid", kind: .view, className: "UICollectionView",
                state: ["selection": .array([.reference(1)]), "contentOffset": .array([.real(0), .real(1284.5)])]),
            RestorableObject(
                path: stack + "/Photo", kind: .viewController, className: "PhotoViewController",
                restorationClass: "PhotoViewController",
                state: ["photo": .reference(1), "zoomScale": .real(1.5), "barsHidden": .boolean(true)]),
            RestorableObject(
                path: "Filter", kind: .object, className: "PhotoFilter", isRegistered: true,
                state: ["name": .string("Noir"), "intensity": .real(0.6)]),
        ]
    }

    private var album: ModelReference {
        ModelReference(
            dataSource: "albums", element: .init("x-coredata://7F2C/Album/p3", aliases: ["server:album/lisbon"]),
            role: .selected)
    }

    private var photo: ModelReference {
        ModelReference(
            dataSource: "photos", element: .init("x-coredata://7F2C/Photo/p128", aliases: ["sha256:4fb3a1"]),
            role: .selected,
            before: [.init("x-coredata://7F2C/Photo/p127", aliases: ["sha256:90c2d7"])],
            after: [.init("x-coredata://7F2C/Photo/p131", aliases: ["sha256:e81b55"])])
    }

    private var place: PlacekeeperArchive.Place {
        PlacekeeperArchive.Place([
            .init(screen: "albums", title: "Albums"),
            .init(screen: "album", title: "Lisbon", references: [0]),
            .init(screen: "photo", title: "Tram 28", references: [1], parameters: ["showsInfo": .boolean(false)]),
        ])
    }
}
