import UIKit

/// A photo of the library.
struct Photo: Equatable {
    /// The photo's identifier on this device. Another device has another identifier for the same photo.
    var localIdentifier: String
    /// The photo's address, the same on all devices.
    var address: String
    var title: String
}

/// The photos of this device: the data source of the grid. Screens save a reference to it, so it is registered for state
/// restoration. It has no state of its own.
final class PhotoLibrary: NSObject, UIStateRestoring {
    /// The photos, in the order of the grid.
    var photos: [Photo]

    init(_ photos: [Photo]) {
        self.photos = photos
        super.init()
    }

    func photo(at address: String?) -> Photo? { photos.first { $0.address == address } }
}

extension PhotoLibrary: UICollectionViewDataSource {
    func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int {
        photos.count
    }

    func collectionView(
        _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
    ) -> UICollectionViewCell {
        let cell = UICollectionViewCell(frame: .zero)
        let label = UILabel()
        label.text = photos[indexPath.item].title
        cell.contentView.addSubview(label)
        return cell
    }
}

extension PhotoLibrary: UIDataSourceModelAssociation {
    func modelIdentifierForElement(at idx: IndexPath, in view: UIView) -> String? {
        photos[idx.item].localIdentifier
    }

    func indexPathForElement(withModelIdentifier identifier: String, in view: UIView) -> IndexPath? {
        photos.firstIndex { $0.localIdentifier == identifier }.map { IndexPath(item: $0, section: 0) }
    }
}

/// An effect of a photo. The photo's screen and the inspector share it. It exists only after a person has used it, so a
/// restoration class recreates it.
final class PhotoFilter: NSObject, UIStateRestoring, UIObjectRestoration {
    let name: String
    var isEnabled = true
    var amount = 0.5
    /// Tells apart two filters with the same identifier.
    weak var restorationParent: (any UIStateRestoring)?
    var objectRestorationClass: (any UIObjectRestoration.Type)? { PhotoFilter.self }

    init(_ name: String) {
        self.name = name
        super.init()
    }

    static func object(
        withRestorationIdentifierPath identifierComponents: [String], coder: NSCoder
    ) -> (any UIStateRestoring)? {
        identifierComponents.last.map { PhotoFilter($0) }
    }

    func encodeRestorableState(with coder: NSCoder) {
        coder.encode(isEnabled, forKey: "isEnabled")
        coder.encode(amount, forKey: "amount")
    }

    func decodeRestorableState(with coder: NSCoder) {
        isEnabled = coder.decodeBool(forKey: "isEnabled")
        amount = coder.decodeDouble(forKey: "amount")
    }

    /// The name and the setting.
    var caption: String { "\(name) \(amount)" }
}
