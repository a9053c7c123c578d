import Foundation
import PlacekeeperUIKit
import Testing
import UIKit

/// Modal screens.
@MainActor
struct ModalTests {
    private let device = Device(.phone)

    /// Opens the window.
    /// - Parameter late: Whether the screens appear after `scene(_:willConnectTo:options:)`.
    private func open(late: Bool = false) async -> SmallWindow<UINavigationController> {
        await SmallApp(device).open(.init(appearsInForeground: late)) {
            UINavigationController("Stack", FirstPage("First"))
        }
    }

    /// The notes of the modal screens over a screen, from below.
    private func modals(over controller: UIViewController) -> [String] {
        guard let next = controller.presentedViewController else { return [] }
        return [(next as? Page)?.note ?? "?"] + modals(over: next)
    }

    @Test("a modal screen over a modal screen comes back", arguments: [false, true])
    func restoresModalOverModal(_ late: Bool) async throws {
        let first = await open(late: late)
        first.play { stack in
            let lower = Page("Lower", "lower")
            stack.present(lower, animated: false)
            lower.present(Page("Upper", "upper"), animated: false)
        }
        try await first.leave()
        let second = await open(late: late)
        #expect(modals(over: second.root) == ["lower", "upper"])
        try await second.leave()
        #expect(await modals(over: open(late: late).root) == ["lower", "upper"])
    }

    @Test("a modal screen over a pushed screen comes back over it", arguments: [false, true])
    func restoresModalOverPushedScreen(_ late: Bool) async throws {
        let first = await open(late: late)
        first.play { stack in
            stack.pushViewController(Page("Second", "second"), animated: false)
            stack.topViewController?.present(Page("Modal", "modal"), animated: false)
        }
        try await first.leave()
        let second = await open(late: late)
        #expect(second.root.notes == ["", "second"])
        #expect(modals(over: second.root) == ["modal"])
    }

    @Test("a modal screen with a stack of its own comes back with the stack")
    func restoresModalStack() async throws {
        let delegate = SmallAppDelegate()
        delegate.make = { path, _ in
            guard path.last == "Sheet" else { return nil }
            let sheet = UINavigationController(navigationBarClass: nil, toolbarClass: nil)
            sheet.restorationIdentifier = "Sheet"
            return sheet
        }
        func open() async -> SmallWindow<UINavigationController> {
            await SmallApp(device, delegate).open { UINavigationController("Stack", FirstPage("First")) }
        }
        let first = await open()
        first.play { stack in
            let sheet = UINavigationController("Sheet", Page("One", "one"))
            sheet.pushViewController(Page("Two", "two"), animated: false)
            stack.present(sheet, animated: false)
        }
        try await first.leave()
        let sheet = await open().root.presentedViewController as? UINavigationController
        #expect(sheet?.notes == ["one", "two"])
    }

    @Test("a modal screen over a screen that is gone doesn't come back")
    func leavesOutModalOverMissingScreen() async throws {
        let first = await open()
        first.play { stack in
            stack.pushViewController(Page("Second", "gone"), animated: false)
            stack.topViewController?.present(Page("Modal", "modal"), animated: false)
        }
        try await first.leave()
        let second = await open()
        #expect(second.root.notes == [""])
        #expect(modals(over: second.root) == [])
    }

    @Test("an alert isn't restored, even by an app that could make it, and the screen below comes back")
    func leavesOutAlert() async throws {
        let delegate = SmallAppDelegate()
        delegate.make = { path, _ in path.last == "Alert" ? alert() : nil }
        func alert() -> UIAlertController {
            let alert = UIAlertController(title: "Delete?", message: nil, preferredStyle: .alert)
            alert.restorationIdentifier = "Alert"
            return alert
        }
        func open() async -> SmallWindow<UINavigationController> {
            await SmallApp(device, delegate).open { UINavigationController("Stack", FirstPage("First")) }
        }
        let first = await open()
        first.play { stack in
            stack.pushViewController(Page("Second", "second"), animated: false)
            stack.present(alert(), animated: false)
        }
        try await first.leave()
        let second = await open()
        #expect(second.root.notes == ["", "second"])
        #expect(second.root.presentedViewController == nil)
    }

    @Test(
        "a log-in that the launch presents stays, and the saved modal screen comes after it", arguments: [false, true])
    func keepsLogIn(_ late: Bool) async throws {
        let first = await open()
        first.play { $0.present(Page("Modal", "modal"), animated: false) }
        try await first.leave()

        // The app presents its log-in as soon as the window can show it.
        let second = await SmallApp(device).open(.init(appearsInForeground: late)) { LogInStack() }
        #expect(modals(over: second.root) == ["log-in"])
        second.play { stack in
            stack.dismiss(animated: false)
            second.restoration.presentRestored()
        }
        #expect(modals(over: second.root) == ["modal"])
    }

    @Test("a state that is saved during the log-in contains the modal screen that waits", arguments: [false, true])
    func savesWaitingModal(_ late: Bool) async throws {
        let first = await open()
        first.play { $0.present(Page("Modal", "modal"), animated: false) }
        try await first.leave()
        let second = await SmallApp(device).open(.init(appearsInForeground: late)) { LogInStack() }
        #expect(modals(over: second.root) == ["log-in"])
        try await second.leave()
        #expect(await modals(over: open().root) == ["modal"])
    }
}

/// A stack that presents a log-in when it appears.
private final class LogInStack: UINavigationController {
    private var hasAsked = false

    convenience init() {
        self.init(rootViewController: FirstPage("First"))
        restorationIdentifier = "Stack"
    }

    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        guard !hasAsked else { return }
        hasAsked = true
        present(Page(nil, "log-in"), animated: false)
    }
}
