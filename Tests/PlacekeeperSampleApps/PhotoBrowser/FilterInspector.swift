import PlacekeeperArchive
package import PlacekeeperStandIns
package import PlacekeeperRuntime

/// A screen with the settings of an effect, presented over the photo's screen. The inspector saves only a reference to
/// the effect.
@MainActor
package final class FilterInspector: ViewController, PlaceProviding {
    package var filter: Filter?

    package init(_ origin: StoryboardOrigin) {
        super.init()
        restorationIdentifier = "Inspector"
        storyboardOrigin = origin
        title = "Inspector"
    }

    package override func encodeRestorableState(with coder: StateEncoder) {
        super.encodeRestorableState(with: coder)
        coder.encode(filter, forKey: "filter")
    }

    package override func decodeRestorableState(with coder: StateDecoder) throws {
        try super.decodeRestorableState(with: coder)
        filter = coder.decodeObject(forKey: "filter")
    }

    package func encodePlace(with coder: PlaceEncoder) {
        guard let filter else { return }
        coder.addStep(screen: "Inspector", parameters: ["filter": .string(filter.name)])
    }
}
