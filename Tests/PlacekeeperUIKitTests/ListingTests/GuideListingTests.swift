import Foundation
import Testing
import UIKit

/// The listings of S0 and S2, in UIKit's spelling.
@MainActor
struct GuideListingTests {
    /// An app delegate that opts in.
    private final class Delegate: UIResponder, UIApplicationDelegate {
        func application(_ application: UIApplication, shouldSaveSecureApplicationState coder: NSCoder) -> Bool {
            true
        }
        func application(_ application: UIApplication, shouldRestoreSecureApplicationState coder: NSCoder) -> Bool {
            true
        }
    }

    // MARK: - S0

    private func launchNumbers(_ device: Device) async throws -> Launch<ListingScene> {
        try await device.launch(Delegate()) { _ in
            let root = UIViewController()
            root.restorationIdentifier = "Root"
            let stack = UINavigationController(rootViewController: root)
            stack.restorationIdentifier = "Navigation"
            return ListingScene(root: stack)
        }
    }

    @Test(
        "seed 90 · S0's listings 4-1 and 4-2: the number's screen is made from the storyboard in its coder",
        .tags(.seed), arguments: Journey.allCases)
    func restoresNumberFromStoryboard(_ journey: Journey) async throws {
        let devices = try await Devices(journey)
        let first = try await launchNumbers(devices.first)
        try first.play { scene in
            let made = UIStoryboard(name: "Main", bundle: nil).instantiateViewController(
                withIdentifier: "MyViewController")
            let vc = try #require(made as? MyViewController)
            vc.restorationIdentifier = "MyViewController"
            vc.restorationClass = MyViewController.self
            vc.number = 70_007
            (scene.window?.rootViewController as? UINavigationController)?.pushViewController(vc, animated: false)
        }
        _ = try await first.leave()
        // Saves the restored state once more.
        _ = try await launchNumbers(devices.first).leave()

        let second = try await launchNumbers(devices.second)
        second.play { scene in
            let stack = scene.window?.rootViewController as? UINavigationController
            let restored = stack?.topViewController as? MyViewController
            #expect(restored?.number == 70_007)
            #expect(restored?.restorationIdentifier == "MyViewController")
            #expect(restored?.storyboard != nil)
        }
    }

    private func launchText(_ device: Device) async throws -> Launch<ListingScene> {
        try await device.launch(Delegate()) { _ in
            let root = UIViewController()
            root.restorationIdentifier = "Root"
            let text = MyTextView(frame: .zero)
            text.restorationIdentifier = "Text"
            text.setSelectionRange(NSRange(location: 9, length: 9))
            root.view.addSubview(text)
            return ListingScene(root: root)
        }
    }

    @Test(
        "seed 90 · S0's listing 4-3: a custom view's selection comes back, unless nothing was selected", .tags(.seed),
        arguments: [(NSRange(location: 3, length: 4), NSRange(location: 3, length: 4)), (NSRange(), NSRange(9..<18))])
    func restoresSelection(_ selected: NSRange, _ expected: NSRange) async throws {
        for journey in Journey.allCases {
            let devices = try await Devices(journey)
            let first = try await launchText(devices.first)
            first.play { $0.text?.setSelectionRange(selected) }
            _ = try await first.leave()
            #expect(try await launchText(devices.second).play { $0.text?.selectionRange } == expected)
        }
    }

    // MARK: - S2

    private func launchName(_ device: Device) async throws -> Launch<ListingScene> {
        try await device.launch(NameAppDelegate()) { _ in
            let vc = NameViewController()
            vc.restorationIdentifier = "Name"
            return ListingScene(root: vc)
        }
    }

    @Test(
        "seed 90 · S2's listings: user, unsaved text and active field come back", .tags(.seed),
        arguments: [0, 1, 2])
    func restoresUnsavedText(_ active: Int) async throws {
        for journey in Journey.allCases {
            let devices = try await Devices(journey)
            let first = try await launchName(devices.first)
            first.play { scene in
                scene.name?.setUserID(identifier: "user-18")
                let field = [nil, scene.name?.firstNameField, scene.name?.lastNameField][active]
                field?.becomeFirstResponder()
                field?.text = "Amazing"
            }
            _ = try await first.leave()

            let second = try await launchName(devices.second)
            second.play { scene in
                let (firstName, lastName) = (scene.name?.firstNameField, scene.name?.lastNameField)
                #expect(scene.name?.userID == "user-18")
                #expect(firstName?.text == (active == 1 ? "Amazing" : "Grace"))
                #expect(lastName?.text == (active == 2 ? "Amazing" : "Hopper"))
                #expect(firstName?.isFirstResponder == (active == 1))
                #expect(lastName?.isFirstResponder == (active == 2))
            }
        }
    }
}

extension ListingScene {
    fileprivate var text: MyTextView? {
        window?.rootViewController?.view.subviews.lazy.compactMap { $0 as? MyTextView }.first
    }
    fileprivate var name: NameViewController? { window?.rootViewController as? NameViewController }
}
