import Foundation
import PlacekeeperTesting
import PlacekeeperUIKit
import Testing
import UIKit

/// The adapter keeps none of the app's objects alive.
@MainActor
struct MemoryTests {
    /// Weak references to objects of the app.
    private struct Weak {
        weak var object: AnyObject?
        let name: String
    }

    /// Opens a window with a stack, a table, a text field and a modal screen, and closes it. Returns references to its
    /// objects.
    private func openAndClose(_ device: Device, _ rows: Rows) async throws -> [Weak] {
        let window = await SmallApp(device).open { UINavigationController("Stack", Master(rows)) }
        if window.root.viewControllers.count == 1 {
            window.play { stack in
                stack.pushViewController(Page("Pushed", "pushed"), animated: false)
                stack.topViewController?.present(Page("Modal", "modal"), animated: false)
            }
        }
        #expect(window.root.notes.last == "pushed")
        let master = try #require(window.root.viewControllers.first as? Master)
        let modal = try #require(window.root.presentedViewController)
        let references = [
            Weak(object: window.root, name: "stack"), Weak(object: master, name: "master"),
            Weak(object: master.tableView, name: "table"), Weak(object: master.field, name: "field"),
            Weak(object: window.root.viewControllers.last, name: "pushed"), Weak(object: modal, name: "modal"),
            Weak(object: window.root.viewIfLoaded?.window, name: "window"),
            Weak(object: window.restoration, name: "restoration"), Weak(object: window.scene, name: "scene"),
        ]
        try await window.enterBackground()
        window.play { _ in window.scene.double.disconnect() }
        device.virtual?.kill()
        return references
    }

    @Test("a window and its view controllers are released after a save and after a restore", arguments: [false, true])
    func releasesWindow(_ usesService: Bool) async throws {
        let device = usesService ? Device(.phone, try await TestService()) : Device(.phone)
        let rows = NamedRows((0..<40).map { "row \($0)" })
        for _ in 0..<2 {
            let references = try await openAndClose(device, rows)
            // Tasks of the client may still hold the window for a moment.
            for _ in 0..<100 where references.contains(where: { $0.object != nil }) { await Task.yield() }
            #expect(references.filter { $0.object != nil }.map(\.name) == [])
        }
    }

    @Test("screens that the user closes are released while the window remains")
    func releasesClosedScreens() async throws {
        let device = Device(.phone)
        let rows = NamedRows((0..<40).map { "row \($0)" })
        let first = await SmallApp(device).open { UINavigationController("Stack", FirstPage("First")) }
        first.play { stack in
            stack.pushViewController(Page("Pushed", "pushed"), animated: false)
            stack.topViewController?.present(Page("Modal", "modal"), animated: false)
        }
        try await first.leave()

        let second = await SmallApp(device).open { UINavigationController("Stack", FirstPage("First")) }
        weak let pushed = second.root.viewControllers.last
        weak let modal = second.root.presentedViewController
        #expect(pushed != nil && modal != nil)
        second.play { stack in
            stack.dismiss(animated: false)
            stack.popViewController(animated: false)
        }
        #expect(pushed == nil && modal == nil)

        weak var master: Master?
        second.play { stack in
            let screen = Master(rows)
            master = screen
            stack.pushViewController(screen, animated: false)
            second.restoration.save()
            stack.popViewController(animated: false)
        }
        #expect(master == nil)
    }

    @Test("an object that was registered isn't kept alive")
    func releasesRegisteredObject() async throws {
        let app = SmallApp(Device(.phone))
        let window = await app.open { UINavigationController("Stack", FirstPage("First")) }
        weak var reference: Model?
        app.play {
            let model = Model()
            reference = model
            RestorableWindow.registerObject(forStateRestoration: model, restorationIdentifier: "Model")
            window.restoration.save()
        }
        #expect(reference == nil)
    }

    @Test("a saved view controller that the restore made and the app doesn't use is released")
    func releasesUnusedViewController() async throws {
        let device = Device(.phone)
        let first = await SmallApp(device).open { UINavigationController("Stack", FirstPage("First")) }
        first.play { $0.present(Page("Modal", "modal"), animated: false) }
        try await first.leave()
        weak var modal: UIViewController?
        let delegate = SmallAppDelegate()
        let second = await SmallApp(device, delegate).open { UINavigationController("Stack", FirstPage("First")) }
        modal = second.root.presentedViewController
        #expect(modal != nil)
        second.play { $0.dismiss(animated: false) }
        #expect(modal == nil)
    }
}

/// A table that is its own data source.
final class Master: UITableViewController, UIDataSourceModelAssociation {
    let field = UITextField()
    private let rows: Rows

    init(_ rows: Rows) {
        self.rows = rows
        super.init(style: .plain)
        restorationIdentifier = "Master"
    }
    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
        super.viewDidLoad()
        (tableView.restorationIdentifier, field.restorationIdentifier) = ("Table", "Field")
        tableView.tableHeaderView = field
    }
    override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
        rows.sections[section].count
    }
    func modelIdentifierForElement(at idx: IndexPath, in view: UIView) -> String? { rows.sections[0][idx.row] }
    func indexPathForElement(withModelIdentifier identifier: String, in view: UIView) -> IndexPath? {
        rows.sections[0].firstIndex(of: identifier).map { IndexPath(row: $0, section: 0) }
    }
}

private final class Model: NSObject, UIStateRestoring {
    func encodeRestorableState(with coder: NSCoder) { coder.encode("kept", forKey: "note") }
}
