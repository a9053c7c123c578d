import Foundation
import PlacekeeperArchive
import PlacekeeperCore
import PlacekeeperService

/// Archives that resemble an app's archives. Each object has twenty keys, with mostly different values.
enum Workload {
    static func archive(objectCount: Int) -> StateArchive {
        let objects = (0..<objectCount).map { number in
            RestorableObject(
                path: "Tabs/Navigation/Screen\(number)", kind: .viewController, className: "ScreenController",
                restorationClass: "ScreenController", state: state(number))
        }
        let references = (0..<8).map { number in
            ModelReference(
                dataSource: "photos",
                element: .init("x-coredata://0A1B/Photo/p\(number)", aliases: ["sha256:\(number)"]),
                role: .selected)
        }
        return StateArchive(
            bundleVersion: "42", idiom: 0, timestamp: 800_000_000, systemVersion: "17.4", stateVersion: 3,
            layout: .compact, objects: objects, references: references,
            place: Place([
                .init(screen: "albums", title: "Albums"), .init(screen: "album", title: "Summer", references: [0]),
                .init(screen: "photo", title: "Beach", references: [1], parameters: ["zoom": .real(2)]),
            ]))
    }

    /// The archive that the policy evaluates.
    static let storedArchive = Archive(
        id: ArchiveID(high: 0, low: 1),
        scene: SceneKey(owner: UserKey(app: AppID(high: 0, low: 1), user: UserID(high: 0, low: 1)), name: "main"),
        device: DeviceID(high: 0, low: 1), revision: Revision(rawValue: 7),
        capturedAt: Timestamp(milliseconds: 1_750_000_000_000), receivedAt: Timestamp(milliseconds: 1_750_000_000_000),
        sequence: nil,
        context: Context(idiom: .phone, layout: .compact, bundleVersion: "42", systemVersion: "17.4"),
        digest: Digest(0, 0, 0, 0), size: 4096, summary: .init(place: ["Albums", "Lisbon"]))

    private static func state(_ number: Int) -> [String: StateValue] {
        var state: [String: StateValue] = ["photo": .reference(number % 8)]
        for key in 0..<7 { state["offset\(key)"] = .real(Double(number * 7 + key) / 3) }
        for key in 0..<6 { state["row\(key)"] = .integer(Int64(number * 6 + key)) }
        for key in 0..<4 { state["title\(key)"] = .string("Title \(number) of \(key)") }
        state["isEditing"] = .boolean(number % 2 == 0)
        state["selection"] = .array([.integer(Int64(number)), .integer(0)])
        return state
    }

    /// Returns an archive's state as objects for Foundation's archiver.
    static func foundationObjects(_ archive: StateArchive) -> NSArray {
        archive.objects.map { object in
            NSDictionary(dictionary: [
                "path": object.path as NSString, "kind": object.kind.rawValue as NSString,
                "class": object.className as NSString, "state": foundationObject(.dictionary(object.state)),
            ])
        } as NSArray
    }

    private static func foundationObject(_ value: StateValue) -> NSObject {
        switch value {
        case .boolean(let value): NSNumber(value: value)
        case .integer(let value): NSNumber(value: value)
        case .real(let value): NSNumber(value: value)
        case .string(let value): value as NSString
        case .reference(let index): NSNumber(value: index)
        case .array(let elements): elements.map(foundationObject) as NSArray
        case .dictionary(let entries): entries.mapValues(foundationObject) as NSDictionary
        default: NSNull()
        }
    }
}
