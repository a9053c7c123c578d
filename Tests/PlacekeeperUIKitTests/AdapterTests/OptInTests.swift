import Foundation
import PlacekeeperTesting
import Testing
import UIKit

/// What the app's delegate decides.
@MainActor
struct OptInTests {
    private func open(_ device: Device, _ delegate: SmallAppDelegate) async -> SmallWindow<UINavigationController> {
        await SmallApp(device, delegate).open { UINavigationController("Stack", FirstPage("First")) }
    }

    /// A delegate that declines, once.
    private func delegate(_ change: (SmallAppDelegate) -> Void = { _ in }) -> SmallAppDelegate {
        let delegate = SmallAppDelegate()
        change(delegate)
        return delegate
    }

    private static func devices() async throws -> [Device] {
        [Device(.phone), Device(.phone, try await TestService())]
    }

    @Test("an app that declines to save leaves no state, in a folder or on the service")
    func savesNothing() async throws {
        for device in try await Self.devices() {
            let first = await open(device, delegate { $0.savesState = false })
            first.play { $0.pushViewController(Page("Second", "unsaved"), animated: false) }
            try await first.leave()
            if device.virtual == nil {
                let files = try? FileManager.default.contentsOfDirectory(atPath: device.folder.path)
                #expect((files ?? []) == [])
            } else {
                #expect(device.virtual?.network.requests.contains { $0.hasPrefix("PUT") } == false)
            }
            #expect(await open(device, delegate()).root.notes == [""])
        }
    }

    @Test("an app that declines to save keeps the state that it saved before")
    func keepsEarlierState() async throws {
        let device = Device(.phone, try await TestService())
        let first = await open(device, delegate())
        first.play { $0.pushViewController(Page("Second", "saved"), animated: false) }
        try await first.leave()
        let second = await open(device, delegate { $0.savesState = false })
        #expect(second.root.notes == ["", "saved"])
        second.play { $0.popViewController(animated: false) }
        try await second.leave()
        #expect(await open(device, delegate()).root.notes == ["", "saved"])
    }

    @Test("an app that declines to restore begins on its first screen")
    func restoresNothing() async throws {
        for device in try await Self.devices() {
            let first = await open(device, delegate())
            first.play { $0.pushViewController(Page("Second", "saved"), animated: false) }
            try await first.leave()
            var hasDecoded = false
            let second = await open(
                device,
                delegate {
                    $0.restoresState = false
                    $0.onDecode = { _ in hasDecoded = true }
                })
            #expect(second.root.notes == [""])
            #expect(!hasDecoded)
        }
    }

    @Test("the delegate restores what it saved for the whole app")
    func restoresStateOfApp() async throws {
        for device in try await Self.devices() {
            let first = await open(device, delegate { $0.onEncode = { $0.encode("warm", forKey: "note") } })
            try await first.leave()
            var note: String?
            _ = await open(device, delegate { $0.onDecode = { note = $0.note } })
            #expect(note == "warm")
        }
    }

    @Test("the delegate makes the view controllers that have no restoration class, and sees their state")
    func makesViewControllers() async throws {
        for device in try await Self.devices() {
            let first = await open(device, delegate())
            first.play { stack in
                let page = Page("Second", "two")
                page.restorationClass = nil
                stack.pushViewController(page, animated: false)
                stack.pushViewController(Page("Third", "three"), animated: false)
            }
            try await first.leave()
            var notes: [String?] = []
            let delegate = delegate { delegate in
                delegate.make = { path, coder in
                    guard path.last == "Second" else { return nil }
                    notes.append(coder.note)
                    let page = Page(path.last)
                    page.restorationClass = nil
                    return page
                }
            }
            let second = await open(device, delegate)
            #expect(second.root.notes == ["", "two", "three"])
            #expect(notes == ["two"])
            // A restoration class comes before the delegate.
            #expect(delegate.asked.contains(["Stack", "Second"]))
            #expect(!delegate.asked.contains(["Stack", "Third"]))
        }
    }

    @Test("a state of another app version is restored unless the app declines")
    func decidesByVersion() async throws {
        let device = Device(.phone)
        try await open(device, delegate()).leave()
        device.bundleVersion = "4"
        var version: Any?
        _ = await open(
            device,
            delegate {
                $0.onDecode = { version = $0.decodeObject(forKey: UIApplication.stateRestorationBundleVersionKey) }
            })
        #expect(version as? String == "3")
    }
}
