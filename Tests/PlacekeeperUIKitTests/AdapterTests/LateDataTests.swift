import Foundation
import PlacekeeperUIKit
import Testing
import UIKit

/// An editor of a note. Its class makes it only if the note has been loaded.
final class LateEditor: UIViewController, UIViewControllerRestoration {
    var note = ""
    var draft = ""

    init(_ note: String) {
        self.note = note
        super.init(nibName: nil, bundle: nil)
        restorationIdentifier = "Editor"
        restorationClass = LateEditor.self
    }
    required init?(coder: NSCoder) { nil }

    static func viewController(
        withRestorationIdentifierPath identifierComponents: [String], coder: NSCoder
    ) -> UIViewController? {
        guard let note = coder.decodeObject(of: NSString.self, forKey: "note") as String?,
            LateDataTests.loaded.contains(note)
        else { return nil }
        return LateEditor(note)
    }
    override func encodeRestorableState(with coder: NSCoder) {
        super.encodeRestorableState(with: coder)
        coder.encode(note, forKey: "note")
        coder.encode(draft, forKey: "draft")
    }
    override func decodeRestorableState(with coder: NSCoder) {
        super.decodeRestorableState(with: coder)
        draft = coder.decodeObject(of: NSString.self, forKey: "draft") as String? ?? ""
    }
}

/// An app whose restoration classes need data that arrives after the launch.
@MainActor
struct LateDataTests {
    private final class App: NSObject, UIApplicationDelegate {}
    /// The notes that the app has loaded.
    @TaskLocal fileprivate static var loaded: Set<String> = []

    private func stack() -> UINavigationController {
        let list = UIViewController(nibName: nil, bundle: nil)
        list.restorationIdentifier = "List"
        let stack = UINavigationController(rootViewController: list)
        stack.restorationIdentifier = "Stack"
        return stack
    }

    private func launch(_ device: Device, _ stack: UINavigationController) async throws -> Launch<ListingScene> {
        try await device.launch(App()) { _ in ListingScene(root: stack) }
    }

    /// Leaves the app with an open note, and launches it before the note has arrived.
    private func launchBeforeData(
        _ journey: Journey
    ) async throws -> (devices: Devices, launch: Launch<ListingScene>, stack: UINavigationController) {
        let devices = try await Devices(journey)
        let before = stack()
        let first = try await launch(devices.first, before)
        first.play { _ in
            let editor = LateEditor("note 3")
            editor.draft = "half a sen"
            before.pushViewController(editor, animated: false)
        }
        _ = try await first.leave()
        let after = stack()
        let second = try await launch(devices.second, after)
        #expect(after.viewControllers.count == 1)
        return (devices, second, after)
    }

    private func draft(in stack: UINavigationController) -> String? { (stack.topViewController as? LateEditor)?.draft }

    @Test("a screen whose data arrives after the launch comes back", arguments: [Journey.folder, .service])
    func restoresScreenWhenDataArrives(_ journey: Journey) async throws {
        let (_, second, after) = try await launchBeforeData(journey)
        Self.$loaded.withValue(["note 3"]) { second.play { _ in second.restoration.itemsDidArrive() } }
        #expect(draft(in: after) == "half a sen")
    }

    @Test("a screen that waits for data is kept if the person only looked", arguments: [Journey.folder, .service])
    func keepsScreenThatWaits(_ journey: Journey) async throws {
        let (devices, second, _) = try await launchBeforeData(journey)
        _ = try await second.leave()
        let later = stack()
        _ = try await Self.$loaded.withValue(["note 3"]) { try await launch(devices.second, later) }
        #expect(draft(in: later) == "half a sen")
    }

    @Test("what the person does meanwhile stays, and is saved", arguments: [Journey.folder, .service])
    func keepsWhatThePersonDid(_ journey: Journey) async throws {
        let (devices, second, after) = try await launchBeforeData(journey)
        Self.$loaded.withValue(["note 3", "note 5"]) {
            second.play { _ in
                after.pushViewController(LateEditor("note 5"), animated: false)
                second.restoration.itemsDidArrive()
            }
        }
        #expect((after.topViewController as? LateEditor)?.note == "note 5")
        _ = try await second.leave()
        let later = stack()
        _ = try await Self.$loaded.withValue(["note 3", "note 5"]) { try await launch(devices.second, later) }
        #expect((later.topViewController as? LateEditor)?.note == "note 5")
    }
}
