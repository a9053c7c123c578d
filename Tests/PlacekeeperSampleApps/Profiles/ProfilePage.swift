package import PlacekeeperStandIns
package import PlacekeeperRuntime
import PlacekeeperArchive

/// A page with a profile. It saves the profile, the selected image, and the name as typed so far.
@MainActor
package final class ProfilePage: ViewController, ViewControllerRestoration, PlaceProviding, ItemShowing {
    private enum Key {
        static let profiles = "profiles", profile = "profileID", image = "imageID", name = "name"
    }

    /// The shown profile. Nil until the profile is loaded.
    package private(set) var profile: Catalog.Item?
    package var imageID = 0
    package var name = ""
    private var shown: ShownElement?
    private var profiles: Catalog?

    package override init() {
        super.init()
        restorationIdentifier = "ProfilePage"
        restorationClass = ProfilePage.self
    }

    package static func viewController(
        withRestorationIdentifierPath path: [String], coder: StateDecoder
    ) -> (any RestorableViewController)? {
        guard let profiles: Catalog = coder.decodeObject(forKey: Key.profiles),
            profiles.shownItem(from: coder, forKey: Key.profile) != nil
        else { return nil }
        return ProfilePage()
    }

    /// Shows a profile and its stored name.
    package func show(_ shown: ShownElement, of profiles: Catalog) {
        (self.shown, self.profiles) = (shown, profiles)
        fetchProfile()
        name = profile?.title ?? ""
    }

    private func fetchProfile() {
        profile = shown?.identifier.flatMap { profiles?[$0] }
        title = profile?.title
    }

    package func itemsArrived() {
        if shown?.lookAgain() == true { fetchProfile() }
    }

    package override func encodeRestorableState(with coder: StateEncoder) {
        coder.encode(profiles, forKey: Key.profiles)
        if let shown { coder.encode(shown, forKey: Key.profile) }
        for (key, value) in choices { coder.encode(value, forKey: key) }
        super.encodeRestorableState(with: coder)
    }

    package override func decodeRestorableState(with coder: StateDecoder) throws {
        profiles = coder.decodeObject(forKey: Key.profiles)
        shown = profiles?.shownItem(from: coder, forKey: Key.profile)
        decodeChoices(from: coder)
        try super.decodeRestorableState(with: coder)
    }

    package override func applicationFinishedRestoringState() { fetchProfile() }

    private var choices: [String: StateValue] { [Key.image: .integer(Int64(imageID)), Key.name: .string(name)] }

    /// Restores the selected image and the typed name.
    func decodeChoices(from coder: StateDecoder) {
        imageID = coder.decodeInteger(forKey: Key.image)
        name = coder.decodeString(forKey: Key.name) ?? name
    }

    package func encodePlace(with coder: PlaceEncoder) {
        guard let reference = shown?.reference else { return }
        coder.addStep(screen: "Profile", title: title, elements: [reference], parameters: choices)
    }
}
