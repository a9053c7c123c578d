import PlacekeeperArchive
package import PlacekeeperStandIns
package import PlacekeeperRuntime

/// A page of help that is part of the app. The page exists only after a person opens it, so it needs a restoration
/// class. The initializer needs the page's file name, so the page saves this name.
@MainActor
package final class HelpPage: ViewController, ViewControllerRestoration, PlaceProviding {
    static let pageFileNameKey = "RTRunHelpSRKeyPageFileName"

    package let pageFileName: String
    package var hidesBottomBarWhenPushed = true

    package init(_ pageFileName: String) {
        self.pageFileName = pageFileName
        super.init()
        restorationIdentifier = "HelpVC"
        restorationClass = HelpPage.self
        title = pageFileName
    }

    package static func viewController(
        withRestorationIdentifierPath path: [String], coder: StateDecoder
    ) -> (any RestorableViewController)? {
        coder.decodeString(forKey: pageFileNameKey).map { HelpPage($0) }
    }

    package override func encodeRestorableState(with coder: StateEncoder) {
        coder.encode(pageFileName, forKey: Self.pageFileNameKey)
        super.encodeRestorableState(with: coder)
    }

    package func encodePlace(with coder: PlaceEncoder) {
        coder.addStep(screen: "Help", title: title, parameters: [Self.pageFileNameKey: .string(pageFileName)])
    }
}
