import Foundation
import PlacekeeperKit

// recipe: SwiftData with CloudKit
protocol SyncedModel: AnyObject {
    /// The model's key, and the keys of the models that were merged into it. A new model has `[UUID()]`.
    var keys: [UUID] { get set }
}

extension SyncedModel {
    var keyAliases: [ItemAlias] { keys.map { .unique("key", $0.uuidString) } }

    /// Places of the duplicate then lead to this model. Call it before you delete the duplicate.
    func merge(_ duplicate: Self) { keys += duplicate.keys }
}
// end of recipe
