import Foundation
import PlacekeeperClient
import PlacekeeperRuntime
import PlacekeeperTesting
import Testing
import UIKit

@testable import PlacekeeperUIKit

/// A launch of an app, whose window is restored.
@MainActor
final class Launch<Scene: RestorableScene> {
    let device: Device
    let restoration: RestorableWindow
    private let application: UIApplication
    private let windowScene: UIWindowScene
    private let scene: Scene

    fileprivate init(
        _ device: Device, _ restoration: RestorableWindow, _ application: UIApplication, _ windowScene: UIWindowScene,
        _ scene: Scene
    ) {
        (self.device, self.restoration, self.application) = (device, restoration, application)
        (self.windowScene, self.scene) = (windowScene, scene)
    }

    /// Does what a person does, or reads what is there.
    @discardableResult
    func play<Result>(_ action: @MainActor (Scene) throws -> Result) rethrows -> Result {
        try application.asShared { try action(scene) }
    }

    /// What is on the screen.
    var seen: [String] { play { $0.seen } }

    /// The app enters the background, where its process ends. Its objects can still be read.
    /// - Returns: What was on the screen.
    func leave() async throws -> [String] {
        let left = seen
        application.asShared {
            windowScene.double.enterBackground()
        }
        device.sessions["window"] = windowScene.session.userInfo
        expectNoCallsOfUIKitsCoding()
        if let virtual = device.virtual {
            try await virtual.placekeeper.flush()
            virtual.kill()
        }
        return left
    }
}

extension Device {
    /// Launches an app: its delegate, its scene with the window, and the restoration.
    func launch<App: UIApplicationDelegate, Scene: RestorableScene>(
        _ app: App, _ makeScene: (App) -> Scene
    ) async throws -> Launch<Scene> {
        _ = Self.storyboards
        let application = UIApplication.double(delegate: app, idiom: idiom)
        addStoryboards(to: application)
        var restoration: RestorableWindow?
        let (windowScene, scene) = application.asShared {
            application.double.launch()
            let scene = makeScene(app)
            scene.restore = { window, options in
                let made = self.restoration(of: window, options)
                restoration = made
                return made
            }
            let windowScene = application.double.openScene("window", userInfo: sessions["window"])
            windowScene.double.connect(scene)
            windowScene.double.activate()
            return (windowScene, scene)
        }
        let made = try #require(restoration)
        await made.launched()
        expectNoCallsOfUIKitsCoding()
        return Launch(self, made, application, windowScene, scene)
    }

    func restoration(of window: UIWindow, _ options: UIScene.ConnectionOptions) -> RestorableWindow {
        guard let virtual else {
            let device = RestorationContext(idiom: idiom == .pad ? .pad : .phone, bundleVersion: bundleVersion)
            return RestorableWindow(window, keptIn: folder, restoring: options, device: device)
        }
        return RestorableWindow(window, virtual.placekeeper, restoring: options)
    }

    /// What the apps call in place of `UIApplication.registerObject(forStateRestoration:restorationIdentifier:)`.
    static func register(_ object: any UIStateRestoring, _ identifier: String) {
        RestorableWindow.registerObject(forStateRestoration: object, restorationIdentifier: identifier)
    }
}

/// Checks that no implementation of UIKit's got a coder that isn't UIKit's: nobody has shown that they accept one.
@MainActor
func expectNoCallsOfUIKitsCoding() { #expect(UIKitDouble.foreignCoderCalls.isEmpty) }

// MARK: - Storyboards

extension Device {
    private func addStoryboards(to application: UIApplication) {
        application.asShared {
            add("MyViewController", to: "Main") { MyViewController() }
            add("FilterInspector", to: "Main") { FilterViewController() }
            add("PhotoFilterInspector", to: "Photos") { FilterInspectorViewController() }
        }
    }

    /// Adds a view controller with the setting "Use Storyboard ID" for its restoration identifier.
    private func add(
        _ identifier: String, to storyboard: String, _ make: @escaping @MainActor () -> UIViewController
    ) {
        UIStoryboard.double.add(storyboard: storyboard, identifier: identifier) {
            let controller = make()
            controller.restorationIdentifier = identifier
            return controller
        }
    }

    /// Writes the index of the compiled storyboards, as Xcode does, and lets the adapter read it.
    private static let storyboards: Void = {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("storyboards-" + UUID().uuidString)
        let identifiers = ["Main": ["MyViewController", "FilterInspector"], "Photos": ["PhotoFilterInspector"]]
        do {
            for (name, identifiers) in identifiers {
                let storyboard = folder.appendingPathComponent(name + ".storyboardc")
                try FileManager.default.createDirectory(at: storyboard, withIntermediateDirectories: true)
                let names = Dictionary(uniqueKeysWithValues: identifiers.map { ($0, $0) })
                let info = ["UIViewControllerIdentifiersToNibNames": names]
                let data = try PropertyListSerialization.data(fromPropertyList: info, format: .xml, options: 0)
                try data.write(to: storyboard.appendingPathComponent("Info.plist"))
            }
        } catch {
            Issue.record(error)
        }
        if let bundle = Bundle(path: folder.path) { AppStoryboards.current = AppStoryboards(in: bundle) }
        try? FileManager.default.removeItem(at: folder)
    }()
}
