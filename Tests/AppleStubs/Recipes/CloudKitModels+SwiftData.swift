import Foundation
import PlacekeeperKit
import SwiftData

// recipe: SwiftData with CloudKit
extension Trip: SyncedModel, PlaceItem {
    var placeAliases: [ItemAlias] { keyAliases }

    /// The persistent identifier as text. Sorted keys make it the same each time.
    var placeID: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(persistentModelID)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
// end of recipe

/// The model. In an app, the macro `@Model` writes the conformance. The stubs have no macro.
final class Trip: PersistentModel {
    var keys = [UUID()]
    var persistentModelID: PersistentIdentifier { fatalError() }
}
