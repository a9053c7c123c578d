/// The keys of an archive (docs/archive-format.md). The first four are also in PlacekeeperRuntime, in `ReservedKey`.
enum ArchiveKey {
    // At the top level, from UIKit's public constants.
    static let bundleVersion: StaticString = "UIApplicationStateRestorationBundleVersion"
    static let idiom: StaticString = "UIApplicationStateRestorationUserInterfaceIdiom"
    static let timestamp: StaticString = "UIApplicationStateRestorationTimestamp"
    static let systemVersion: StaticString = "UIApplicationStateRestorationSystemVersion"

    // At the top level, Placekeeper's own.
    static let formatVersion: StaticString = "Placekeeper.formatVersion"
    static let stateVersion: StaticString = "Placekeeper.stateVersion"
    static let layout: StaticString = "Placekeeper.layout"
    static let isPlaceOnly: StaticString = "Placekeeper.placeOnly"
    static let application: StaticString = "Placekeeper.application"
    static let objects: StaticString = "Placekeeper.objects"
    static let instances: StaticString = "Placekeeper.instances"
    static let references: StaticString = "Placekeeper.references"
    static let place: StaticString = "Placekeeper.place"
    static let webAddress: StaticString = "Placekeeper.webAddress"

    // In a restorable object.
    static let path: StaticString = "path"
    static let kind: StaticString = "kind"
    static let className: StaticString = "class"
    static let restorationClass: StaticString = "restorationClass"
    static let storyboard: StaticString = "storyboard"
    static let storyboardIdentifier: StaticString = "storyboardIdentifier"
    static let isRegistered: StaticString = "registered"
    static let state: StaticString = "state"

    // In a model reference. Neighbors only have `identifier`, `aliases` and `shared`.
    static let dataSource: StaticString = "dataSource"
    static let identifier: StaticString = "identifier"
    static let aliases: StaticString = "aliases"
    static let sharedAliases: StaticString = "shared"
    static let role: StaticString = "role"
    static let indexPath: StaticString = "indexPath"
    static let before: StaticString = "before"
    static let after: StaticString = "after"
    static let resolutionStep: StaticString = "step"
    static let confidence: StaticString = "confidence"
    static let isAmbiguous: StaticString = "ambiguous"
    static let neighbor: StaticString = "neighbor"
    /// The old name of `neighbor`, in archives served by 0.1.0.
    static let oldNeighbor: StaticString = "neighbour"

    // In a step of the place, whose model references are under `references`.
    static let screen: StaticString = "screen"
    static let title: StaticString = "title"
    static let stepReferences: StaticString = "references"
    static let parameters: StaticString = "parameters"
    static let progress: StaticString = "progress"

    // In state: marks for values without a property list type.
    static let markPrefix: StaticString = "Placekeeper."
    static let null: StaticString = "Placekeeper.null"
    static let objectMark: StaticString = "Placekeeper.object"
    static let referenceMark: StaticString = "Placekeeper.reference"
    static let instanceMark: StaticString = "Placekeeper.instance"
    static let dictionaryMark: StaticString = "Placekeeper.dictionary"

    /// The format version that is written, and the only one that can be read.
    static let currentFormat: Int64 = 1
}

extension StaticString {
    var string: String { withUTF8Buffer { String(decoding: $0, as: UTF8.self) } }
}
