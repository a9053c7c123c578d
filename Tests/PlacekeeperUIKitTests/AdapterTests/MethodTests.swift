import Foundation
import PlacekeeperRuntime
import PlacekeeperTesting
import PlacekeeperUIKit
import Testing
import UIKit

/// Which of the app's overrides are called. The coder isn't UIKit's, so UIKit's own implementations must not get it.
@MainActor
struct MethodTests {
    /// Saves and restores a root view controller. Returns the app's methods that were called.
    private func calls<Made: UIViewController & Noting>(_ make: @MainActor () -> Made) async throws -> [String] {
        let device = Device(.phone)
        let calls = Calls()
        func open() async -> SmallWindow<Made> {
            await SmallApp(device).open {
                let made = make()
                (made.restorationIdentifier, made.calls) = ("Own", calls)
                return made
            }
        }
        try await open().leave()
        _ = await open()
        expectNoCallsOfUIKitsCoding()
        return calls.names
    }

    /// Saves and restores a view. Returns the app's methods that were called.
    private func calls<Made: UIView & Noting>(in make: @escaping @MainActor () -> Made) async throws -> [String] {
        let device = Device(.phone)
        let calls = Calls()
        func open() async -> SmallWindow<ViewPage> {
            await SmallApp(device).open {
                ViewPage {
                    let made = make()
                    (made.restorationIdentifier, made.calls) = ("Own", calls)
                    return [made]
                }
            }
        }
        try await open().leave()
        _ = await open()
        expectNoCallsOfUIKitsCoding()
        return calls.names
    }

    @Test("overrides are called in subclasses of UIViewController and UIView, and of classes that inherit from these")
    func callsOverrides() async throws {
        let all = ["encode", "decode", "finish"]
        #expect(try await calls { OwnController() } == all)
        #expect(try await calls { OwnTableController(style: .plain) } == all)
        #expect(
            try await calls { OwnPageController(transitionStyle: .scroll, navigationOrientation: .horizontal) } == all)
        #expect(try await calls(in: { OwnView() }) == all)
    }

    @Test("no override is called in subclasses of containers and views that save state themselves")
    func leavesOverridesOfStatefulClasses() async throws {
        #expect(try await calls { OwnNavigation(rootViewController: UIViewController()) } == [])
        #expect(try await calls { OwnTabs() } == [])
        #expect(try await calls { OwnSplit(style: .doubleColumn) } == [])
        #expect(try await calls(in: { OwnScroll() }) == [])
        #expect(try await calls(in: { OwnTable() }) == [])
        #expect(try await calls(in: { OwnField() }) == [])
        #expect(try await calls(in: { OwnText() }) == [])
    }

    @Test("the methods of RestorableSubclass are called instead, with what they saved")
    func callsMethodsOfRestorableSubclass() async throws {
        let own = ["encode subclass", "decode subclass 7"]
        #expect(try await calls { SubclassNavigation(rootViewController: UIViewController()) } == own)
        #expect(try await calls { SubclassTabs() } == own)
        #expect(try await calls { SubclassSplit(style: .doubleColumn) } == own)
        #expect(try await calls(in: { SubclassScroll() }) == own)
        #expect(try await calls(in: { SubclassTable() }) == own)
        #expect(try await calls(in: { SubclassField() }) == own)
    }

    @Test("with RestorableSubclass, what UIKit's class shows comes back, too")
    func restoresSuperclassOfRestorableSubclass() async throws {
        let device = Device(.phone)
        func open() async -> SmallWindow<ViewPage> {
            await SmallApp(device).open {
                ViewPage {
                    let scroll = SubclassScroll()
                    scroll.restorationIdentifier = "Scroll"
                    return [scroll]
                }
            }
        }
        let first = await open()
        first.play { $0.view(as: SubclassScroll.self)?.contentOffset = CGPoint(x: 3, y: 70) }
        try await first.leave()
        let second = await open()
        #expect(second.root.view(as: SubclassScroll.self)?.contentOffset == CGPoint(x: 3, y: 70))
    }

    @Test("an error that an override reports fails its object, and the others come back")
    func failsOneObject() async throws {
        let device = Device(.phone, try await TestService())
        func window() -> SmallWindow<UINavigationController> {
            SmallApp(device).begin { UINavigationController("Stack", FirstPage("First")) }
        }
        let first = window()
        await first.restoration.launched()
        first.play { stack in
            stack.pushViewController(FailingPage("Failing"), animated: false)
            stack.pushViewController(Page("Last", "last"), animated: false)
        }
        try await first.leave()

        let second = window()
        let result = await second.restoration.launched()
        guard case .restored(let restoration) = result else {
            Issue.record("\(String(describing: result))")
            return
        }
        #expect(restoration.failed == ["Stack/Failing"])
        #expect(second.root.notes.last == "last")
    }
}

final class FailingPage: UIViewController, UIViewControllerRestoration {
    init(_ identifier: String?) {
        super.init(nibName: nil, bundle: nil)
        (restorationIdentifier, restorationClass) = (identifier, FailingPage.self)
    }
    required init?(coder: NSCoder) { nil }

    static func viewController(
        withRestorationIdentifierPath identifierComponents: [String], coder: NSCoder
    ) -> UIViewController? { FailingPage(identifierComponents.last) }

    override func decodeRestorableState(with coder: NSCoder) {
        super.decodeRestorableState(with: coder)
        coder.failWithError(CocoaError(.coderReadCorrupt))
    }
}
