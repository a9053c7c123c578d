import Foundation
import PlacekeeperClient
import PlacekeeperTesting
import PlacekeeperUIKit
import Testing
import UIKit

/// Windows whose state is kept on the service.
@MainActor
struct ServiceTests {
    private typealias Window = SmallWindow<UINavigationController>

    private func begin(_ app: SmallApp, _ opening: SmallApp.Opening = .init()) -> Window {
        app.begin(opening) { UINavigationController("Stack", FirstPage("First")) }
    }

    private func open(_ device: Device, _ opening: SmallApp.Opening = .init()) async -> Window {
        let window = begin(SmallApp(device), opening)
        await window.restoration.launched()
        return window
    }

    private func push(_ note: String, in window: Window) {
        window.play { $0.pushViewController(Page("Page", note), animated: false) }
    }

    /// A phone with a saved page.
    private func phone(_ note: String, _ service: TestService) async throws -> Device {
        let device = Device(.phone, service)
        let window = await open(device)
        push(note, in: window)
        try await window.leave()
        return device
    }

    private func take(_ offer: Placekeeper.Offer?, in window: Window) async throws {
        let offer = try #require(offer)
        _ = try await window.app.application.asShared { try await window.restoration.take(offer) }
    }

    /// Waits until the window has an offer, or none.
    private func settle(_ service: TestService, until isDone: () -> Bool) async {
        for _ in 0..<1000 where !isDone() {
            await service.settle()
            await Task.yield()
        }
    }

    // MARK: What the user opened

    @Test("after a link, nothing is restored, and the state is offered until the user takes it")
    func offersAfterLink() async throws {
        let service = try await TestService()
        let device = try await phone("saved", service)
        let link = try #require(URL(string: "https://example.com/other"))
        let window = await open(device, .init(links: [link]))
        #expect(window.root.notes == [""])
        await settle(service) { window.restoration.offer != nil }
        try await take(window.restoration.offer, in: window)
        #expect(window.root.notes == ["", "saved"])
        // The place that was taken is the newest now.
        try await window.leave()
        #expect(await open(device).root.notes == ["", "saved"])
    }

    @Test("after a touch before the state arrives, nothing is restored, and the state is offered")
    func offersAfterTouch() async throws {
        let service = try await TestService()
        let device = try await phone("saved", service)
        let window = begin(SmallApp(device))
        window.play { stack in
            guard let view = stack.topViewController?.view else { return }
            view.window?.double.touch(view)
        }
        var offered: [Placekeeper.Offer?] = []
        window.restoration.offerDidChange = { offered.append($0) }
        await window.restoration.launched()
        #expect(window.root.notes == [""])
        await settle(service) { window.restoration.offer != nil }
        #expect(offered == [window.restoration.offer])
        try await take(window.restoration.offer, in: window)
        #expect(window.root.notes == ["", "saved"])
    }

    @Test("work after a link is saved, and restored at the next launch")
    func savesWorkAfterLink() async throws {
        let device = try await phone("saved", TestService())
        let link = try #require(URL(string: "https://example.com/other"))
        let window = await open(device, .init(links: [link]))
        push("linked", in: window)
        try await window.leave()
        #expect(await open(device).root.notes == ["", "linked"])
    }

    @Test("without a link or a touch, the state is restored and not offered")
    func restoresWithoutInput() async throws {
        let service = try await TestService()
        let device = try await phone("saved", service)
        let window = await open(device)
        await service.settle()
        for _ in 0..<20 { await Task.yield() }
        #expect(window.root.notes == ["", "saved"])
        #expect(window.restoration.offer == nil)
    }

    // MARK: Other devices

    @Test("another device's newer place is offered, and replaces the screens when the user takes it")
    func offersNewerPlace() async throws {
        let service = try await TestService()
        let phone = Device(.phone, service)
        let other = try await Device(.phone, service, linkedTo: phone)
        let window = await open(phone)
        push("here", in: window)
        window.play { _ in window.restoration.save() }
        try await phone.virtual?.placekeeper.flush()
        var offered: [String?] = []
        window.restoration.offerDidChange = { offered.append($0?.place.archive) }

        let elsewhere = await open(other)
        #expect(elsewhere.root.notes == ["", "here"])
        push("there", in: elsewhere)
        await service.advance(by: 60)
        try await elsewhere.leave()
        await settle(service) { window.restoration.offer != nil }
        let offer = try #require(window.restoration.offer)
        #expect(offered.compactMap { $0 }.last == offer.place.archive)
        #expect(window.root.notes == ["", "here"])
        try await take(offer, in: window)
        #expect(window.root.notes == ["", "here", "there"])
        await settle(service) { window.restoration.offer == nil }
        #expect(window.restoration.offer == nil)
    }

    @Test("an offer that can't be taken leaves the screens as they are")
    func keepsScreensWithoutService() async throws {
        let service = try await TestService()
        let device = try await phone("saved", service)
        let client = try #require(device.virtual?.placekeeper)
        try await client.signIn { TestService.signInToken(of: "ada") }
        let link = try #require(URL(string: "https://example.com/other"))
        let window = await open(device, .init(links: [link]))
        await settle(service) { window.restoration.offer != nil }
        let offer = try #require(window.restoration.offer)
        push("linked", in: window)
        try await client.signOut(unsent: .discard)
        await #expect(throws: PlacekeeperError.self) { try await take(offer, in: window) }
        #expect(window.root.notes == ["", "linked"])
    }

    // MARK: Accounts

    @Test("after a sign-out, the screens aren't saved for the next account until launchAgain()")
    func keepsAccountsApart() async throws {
        let service = try await TestService()
        let device = Device(.phone, service)
        let client = try #require(device.virtual?.placekeeper)
        try await client.signIn { TestService.signInToken(of: "ada") }
        let window = await open(device)
        push("of Ada", in: window)
        window.play { _ in window.restoration.save() }
        try await client.signOut(unsent: .send(within: .seconds(10)))
        try await client.signIn { TestService.signInToken(of: "bob") }
        // The app still shows Ada's screens.
        push("of Ada, too", in: window)
        let error = await #expect(throws: PlacekeeperError.self) { try await window.enterBackground() }
        #expect(error?.code == .accountChanged)

        let other = Device(.phone, service)
        try await other.virtual?.placekeeper.signIn { TestService.signInToken(of: "bob") }
        #expect(await open(other).root.notes == [""])

        // The app shows its first screen, and launches for Bob.
        window.play { stack in
            stack.popToRootViewController(animated: false)
            window.scene.double.activate()
            window.restoration.launchAgain()
        }
        await window.restoration.launched()
        push("of Bob", in: window)
        try await window.leave()
        #expect(await open(device).root.notes == ["", "of Bob"])
        #expect(await open(other).root.notes == ["", "of Bob"])

        let third = Device(.phone, service)
        try await third.virtual?.placekeeper.signIn { TestService.signInToken(of: "ada") }
        #expect(await open(third).root.notes == ["", "of Ada"])
    }

    // MARK: Windows

    @Test("each window has a scene of its own, and keeps it")
    func keepsWindowsApart() async throws {
        let device = Device(.pad, try await TestService())
        let app = SmallApp(device)
        let names = ["window", "second"]
        var windows: [Window] = []
        for name in names { windows.append(begin(app, .init(name: name))) }
        for (window, name) in zip(windows, names) {
            await window.restoration.launched()
            push(name, in: window)
        }
        #expect(windows.map { $0.restoration.scene?.name } == ["main", "main-2"])
        for window in windows { try await window.enterBackground() }
        device.virtual?.kill()

        // The system opens them in another order.
        let next = SmallApp(device)
        for name in names.reversed() {
            let window = begin(next, .init(name: name))
            await window.restoration.launched()
            #expect(window.root.notes == ["", name])
        }
    }

    // MARK: When the state is saved

    @Test("the state is saved when the scene is deactivated, and sent when it enters the background")
    func savesAndSends() async throws {
        let service = try await TestService()
        let device = Device(.phone, service)
        let virtual = try #require(device.virtual)
        func sent() -> Int { virtual.network.requests.count { $0.hasPrefix("PUT") } }
        let window = await open(device)
        await service.advance(by: 60)
        push("first", in: window)
        let before = sent()
        window.play { _ in window.scene.double.deactivate() }
        await service.settle()
        #expect(sent() == before)
        virtual.kill()

        // The process ended before anything was sent, and the state is on the device.
        let second = await open(device)
        #expect(second.root.notes == ["", "first"])
        await service.advance(by: 60)
        push("second", in: second)
        let later = sent()
        second.play { _ in second.scene.double.enterBackground() }
        await service.settle()
        #expect(sent() > later)
    }

    @Test("nothing is saved before the state has arrived")
    func savesNothingBeforeLaunch() async throws {
        let device = try await phone("saved", TestService())
        let window = begin(SmallApp(device))
        window.play { _ in window.restoration.save() }
        await window.restoration.launched()
        #expect(window.root.notes == ["", "saved"])
    }

    @Test("a window that opens on a locked device is restored at the first activation after the unlock")
    func restoresAfterUnlock() async throws {
        let device = try await phone("saved", TestService())
        device.virtual?.reboot(isLocked: true)
        let window = await open(device)
        #expect(window.root.notes == [""])
        window.play { _ in window.scene.double.deactivate() }
        device.virtual?.unlock()
        window.play { _ in window.scene.double.activate() }
        await window.restoration.launched()
        #expect(window.root.notes == ["", "saved"])
        // A later activation restores nothing again.
        window.play { stack in
            stack.popViewController(animated: false)
            window.scene.double.deactivate()
            window.scene.double.activate()
        }
        await window.restoration.launched()
        #expect(window.root.notes == [""])
    }
}
