import Foundation
import PlacekeeperRuntime
import PlacekeeperTesting
import PlacekeeperUIKit
import Testing
import UIKit

/// An object whose code ends the process while it is restored.
@MainActor
@Suite(.serialized)
struct CrashTests {
    /// A container with two panes that exist at each launch, and a page above it.
    private func stack(_ change: (Page, Page) -> Void = { _, _ in }) -> UINavigationController {
        let (left, right) = (FirstPage("Left"), FirstPage("Right"))
        change(left, right)
        return UINavigationController("Stack", TwoPanes(left, right))
    }

    private func open(
        _ device: Device, _ change: (Page, Page) -> Void = { _, _ in }
    ) async -> SmallWindow<UINavigationController> {
        await SmallApp(device).open { stack(change) }
    }

    /// A device with the notes "left", "right" and "top".
    private func prepare(_ device: Device) async throws {
        let first = await open(device) { ($0.note, $1.note) = ("left", "right") }
        first.play { $0.pushViewController(Page("Top", "top"), animated: false) }
        try await first.leave()
    }

    private func notes(_ window: SmallWindow<UINavigationController>) -> [String] {
        let panes = window.root.viewControllers.first?.children ?? []
        return (panes + window.root.viewControllers.dropFirst()).map { ($0 as? Page)?.note ?? "?" }
    }

    @Test("the next launch leaves out the object that ended the process, and restores the rest")
    func leavesOutObject() async throws {
        let service = try await TestService()
        let device = Device(.phone, service)
        try await prepare(device)
        _ = await open(device) { left, _ in left.onDecode = { device.virtual?.kill() } }
        let second = await open(device)
        #expect(notes(second) == ["", "right", "top"])
        // The state without it is the app's state now.
        await service.advance(by: 60)
        try await second.leave()
        #expect(notes(await open(device)) == ["", "right", "top"])
    }

    @Test("a pushed screen that ended the process is left out with the screens above it")
    func leavesOutPushedScreen() async throws {
        let device = Device(.phone, try await TestService())
        try await prepare(device)
        CrashingPage.onDecode = { device.virtual?.kill() }
        defer { CrashingPage.onDecode = nil }
        let first = await open(device)
        first.play { $0.pushViewController(CrashingPage("Crashing"), animated: false) }
        try await first.leave()
        _ = await open(device)
        let second = await open(device)
        #expect(notes(second) == ["left", "right", "top"])
    }

    @Test("two objects are left out, and after a third, nothing is restored")
    func leavesOutTwoObjects() async throws {
        let device = Device(.phone, try await TestService())
        let first = await open(device) { ($0.note, $1.note) = ("left", "right") }
        first.play { $0.pushViewController(CrashingPage("Crashing"), animated: false) }
        try await first.leave()
        _ = await open(device) { left, _ in left.onDecode = { device.virtual?.kill() } }
        _ = await open(device) { _, right in right.onDecode = { device.virtual?.kill() } }
        CrashingPage.onDecode = { device.virtual?.kill() }
        let third = await open(device)
        CrashingPage.onDecode = nil
        #expect(notes(third).prefix(2) == ["", ""])
        #expect(third.root.viewControllers.count == 2)
        #expect(await open(device).root.viewControllers.count == 1)
    }

    @Test("a window that is kept in a folder leaves the object out, too")
    func leavesOutObjectInFolder() async throws {
        let device = Device(.phone)
        try await prepare(device)
        // The folder as it is when the process ends.
        let copy = Device(.phone)
        _ = await open(device) { _, right in
            right.onDecode = { try? FileManager.default.copyItem(at: device.folder, to: copy.folder) }
        }
        let second = await open(copy)
        #expect(notes(second) == ["left", "", "top"])
        try await second.leave()
        #expect(notes(await open(copy)) == ["left", "", "top"])
    }
}

/// A screen with two children.
private final class TwoPanes: UIViewController {
    private let panes: [UIViewController]

    init(_ panes: UIViewController...) {
        self.panes = panes
        super.init(nibName: nil, bundle: nil)
        restorationIdentifier = "Panes"
    }
    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
        super.viewDidLoad()
        for pane in panes {
            addChild(pane)
            view.addSubview(pane.view)
            pane.didMove(toParent: self)
        }
    }
}

final class CrashingPage: UIViewController, UIViewControllerRestoration {
    static var onDecode: (() -> Void)?

    init(_ identifier: String?) {
        super.init(nibName: nil, bundle: nil)
        (restorationIdentifier, restorationClass) = (identifier, CrashingPage.self)
    }
    required init?(coder: NSCoder) { nil }

    static func viewController(
        withRestorationIdentifierPath identifierComponents: [String], coder: NSCoder
    ) -> UIViewController? { CrashingPage(identifierComponents.last) }

    override func decodeRestorableState(with coder: NSCoder) { Self.onDecode?() }
}
