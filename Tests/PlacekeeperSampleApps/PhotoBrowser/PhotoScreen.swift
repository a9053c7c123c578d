package import PlacekeeperStandIns
package import PlacekeeperRuntime
import PlacekeeperArchive

/// A screen with an enlarged photo and unsaved effects.
@MainActor
package final class PhotoScreen: ViewController, ViewControllerRestoration, PlaceProviding, ItemShowing {
    private enum Key {
        static let photos = "photos", photo = "photo", zoom = "zoom", hidesBars = "hidesBars", filters = "filters"
    }

    package private(set) var photo: ShownElement
    package var zoom = 1.0
    package var hidesBars = false
    package private(set) var filters: [String: Filter] = [:]
    /// A description of the drawn image.
    package private(set) var image = ""
    private let photos: Catalog

    package init(_ photo: ShownElement, of photos: Catalog) {
        self.photo = photo
        self.photos = photos
        super.init()
        restorationIdentifier = "Photo"
        restorationClass = PhotoScreen.self
        updateImage()
    }

    package func itemsArrived() {
        if photo.lookAgain() { updateImage() }
    }

    /// Adds or changes an effect.
    @discardableResult
    package func apply(_ name: String, amount: Double, isEnabled: Bool = true) -> Filter {
        let filter = filters[name] ?? Filter(name)
        (filter.amount, filter.isEnabled) = (amount, isEnabled)
        filters[name] = filter
        updateImage()
        return filter
    }

    private func updateImage() {
        title = photo.identifier.flatMap { photos[$0]?.title }
        let effects = filters.values.filter(\.isEnabled).map { "\($0.name) \($0.amount)" }.sorted()
        image = ([title ?? ""] + effects).joined(separator: " + ")
    }

    // MARK: - State

    package static func viewController(
        withRestorationIdentifierPath path: [String], coder: StateDecoder
    ) -> (any RestorableViewController)? {
        // If its photo no longer exists, the screen is not restored.
        guard let photos: Catalog = coder.decodeObject(forKey: Key.photos),
            let photo = photos.shownItem(from: coder, forKey: Key.photo)
        else { return nil }
        return PhotoScreen(photo, of: photos)
    }

    package override func encodeRestorableState(with coder: StateEncoder) {
        super.encodeRestorableState(with: coder)
        coder.encode(photos, forKey: Key.photos)
        coder.encode(photo, forKey: Key.photo)
        coder.encode(zoom, forKey: Key.zoom)
        coder.encode(hidesBars, forKey: Key.hidesBars)
        coder.encode(filters, forKey: Key.filters)
    }

    package override func decodeRestorableState(with coder: StateDecoder) throws {
        try super.decodeRestorableState(with: coder)
        zoom = coder.decodeDouble(forKey: Key.zoom)
        hidesBars = coder.decodeBool(forKey: Key.hidesBars)
        filters = coder.decodeObjectsByName(forKey: Key.filters)
    }

    /// Redraws the image, because only now all filters have decoded their state.
    package override func applicationFinishedRestoringState() { updateImage() }

    // MARK: - Place

    package func encodePlace(with coder: PlaceEncoder) {
        let effects = filters.mapValues { filter in
            StateValue.array([.real(filter.amount), .boolean(filter.isEnabled)])
        }
        coder.addStep(
            screen: "Photo", title: title, elements: [photo.reference].compactMap { $0 },
            parameters: [
                Key.zoom: .real(zoom), Key.hidesBars: .boolean(hidesBars), Key.filters: .dictionary(effects),
            ])
    }

    /// Restores the zoom, the hidden bars and the effects from a step of a place.
    func show(_ step: PlaceStep) {
        zoom = step.parameters.decodeDouble(forKey: Key.zoom)
        hidesBars = step.parameters.decodeBool(forKey: Key.hidesBars)
        guard case .dictionary(let effects)? = step.parameters.value(forKey: Key.filters) else { return }
        for case (let name, .array(let values)) in effects {
            if case .real(let amount)? = values.first, case .boolean(let isEnabled)? = values.last {
                apply(name, amount: amount, isEnabled: isEnabled)
            }
        }
    }
}
