import PlacekeeperUIKit
import UIKit

// The photos have other identifiers on each device. Their addresses are the same.
extension PhotoLibrary: AliasedModelAssociation {
    var listName: String { "photos" }

    func aliases(forElementWithModelIdentifier identifier: String) -> [ItemAlias] {
        photos.filter { $0.localIdentifier == identifier }.map { .unique("address", $0.address) }
    }
}
