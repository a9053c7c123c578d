import Foundation
import PlacekeeperClient
import PlacekeeperStandIns
import PlacekeeperSampleApps
import PlacekeeperSocketTransport
import PlacekeeperRuntime
import PlacekeeperSceneStorage

/// A device with the photo browser: its files, its network, and the process of the app.
@MainActor
final class Device {
    /// How much of a state the latest launch restored.
    enum Step { case full, place, nothing }

    /// A build of the app. A state of a newer build is restored only as a place.
    struct Build {
        var version = 4
        /// Whether the build crashes while it restores a full state.
        var crashes = false
    }

    let name: String
    let layout: DeviceLayout
    let photos: Catalog
    var build = Build()
    /// The running app. Nil after a crash, and before the first launch.
    private(set) var app: PhotoBrowser?
    /// The result of the latest restore, and its reason in plain words. The step is nil if no restore has ended.
    private(set) var step: Step?
    private(set) var reason = "The app was never opened."
    /// The place of another device that the app offers. The offer of a launch is kept separately until it is taken:
    /// `offers` covers only the newest state of the scene, and would end an offer of an earlier state.
    var offer: Placekeeper.Offer? { newerOffer ?? launchOffer }
    private var newerOffer: Placekeeper.Offer?
    private var launchOffer: Placekeeper.Offer?
    private let server: DemoServer
    private let folder: URL
    private let network: SwitchedTransport
    /// Called when an offer arrives or ends.
    var changed: () -> Void = {}
    private(set) var placekeeper: Placekeeper
    private var life: RestorableApplication?
    private var following: Task<Void, Never>?
    private var wasOpened = false

    /// - Parameter folder: The folder for the device's files.
    init(_ name: String, _ layout: DeviceLayout, _ server: DemoServer, folder: URL) {
        self.name = name
        self.layout = layout
        self.server = server
        self.folder = folder
        photos = Album.photos(on: layout)
        network = SwitchedTransport(SocketTransport(host: server.host, port: server.port))
        placekeeper = Self.client(name, server, network, folder)
    }

    private static func client(
        _ name: String, _ server: DemoServer, _ network: SwitchedTransport, _ folder: URL
    ) -> Placekeeper {
        var options = Placekeeper.Configuration()
        options.deviceName = name
        // Long deadlines, so the demo doesn't depend on the machine's speed.
        let deadline = Duration.seconds(20)
        (options.launchDeadline, options.ownStateDeadline, options.flushDeadline) = (deadline, deadline, deadline)
        return Placekeeper(
            key: server.key, configuration: options, clock: SystemClock(), transport: network,
            files: { DiskFileSystem(root: folder) }, credentials: { FileCredentialStore($0) },
            random: SystemRandomNumberGenerator())
    }

    private var scene: KeptScene { placekeeper.scene() }

    private var context: RestorationContext { layout.context(bundleVersion: "\(build.version)") }

    var isOnline: Bool {
        get { network.isOn }
        set { network.turn(on: newValue) }
    }

    // MARK: - The process of the app

    /// Starts the app in a new process, with the device's files.
    func launch() async {
        endProcess()
        placekeeper = Self.client(name, server, network, folder)
        placekeeper.list(of: photos).update(from: photos)
        // The service must have the photos before it serves the first state.
        if !wasOpened { try? await placekeeper.flush() }
        wasOpened = true
        let launch = await scene.launch(context)
        launchOffer = launch.offer
        await show(launch.restore, because: launch.reason.words)
        guard app != nil else { return }
        following = Task { [weak self, scene] in
            for await offer in scene.offers {
                self?.newerOffer = offer
                self?.changed()
            }
        }
    }

    /// Restores the other device's offered place.
    func takeOffer() async {
        guard let offer else { return }
        do {
            let served = try await scene.take(offer, on: context)
            (launchOffer, newerOffer) = (nil, nil)
            await show(served, because: "The person took the offer.")
        } catch {
            reason = "The offer cannot be taken: \(error.message)"
        }
    }

    /// Recreates the screens, and restores a state.
    private func show(_ served: Served?, because reason: String) async {
        (step, self.reason) = (served.map { $0.fidelity == .full ? .full : .place } ?? .nothing, reason)
        let app = PhotoBrowser(photos, layout: layout)
        app.grid.title = Album.name
        app.grid.list.rowHeight = layout == .tabs ? 44 : 64
        app.grid.list.visibleHeight = Double(Screen.rowCount) * app.grid.list.rowHeight
        if build.crashes, step == .full {
            // The process ends before the app reports the outcome.
            endProcess()
            (step, self.reason) = (nil, "The app crashed while it restored the full state.")
            return
        }
        let storage = KeptSceneStorage(scene, restoring: served)
        let life = RestorableApplication(
            app, environment: app.environment, storage: storage,
            configuration: .init(device: context) { Date().timeIntervalSinceReferenceDate })
        await storage.launch(life)
        (self.app, self.life) = (app, life)
    }

    /// Ends the app's process. The device's files remain.
    func endProcess() {
        following?.cancel()
        (app, life, following, newerOffer, launchOffer) = (nil, nil, nil, nil, nil)
    }

    // MARK: - The person

    /// Scrolls so that a row is at the top.
    func scroll(to row: Int) {
        act { app in app.grid.list.scroll(to: Double(row) * app.grid.list.rowHeight) }
    }

    /// Opens the photo with a title.
    func open(_ title: String) {
        guard let row = photos.items.firstIndex(where: { $0.title == title }) else { return }
        act { open(row, in: $0) }
    }

    private func open(_ row: Int, in app: PhotoBrowser) {
        if openPhoto != nil { app.shell.goBack() }
        app.open(photo: photos.items[row].id)
        reveal(row, in: app)
    }

    private func reveal(_ row: Int, in app: PhotoBrowser) {
        let list = app.grid.list
        let top = Int(list.contentOffset / list.rowHeight)
        let last = max(0, photos.items.count - Screen.rowCount)
        let newTop = row < top ? row : row >= top + Screen.rowCount ? row - Screen.rowCount + 1 : top
        if newTop != top { list.scroll(to: Double(min(newTop, last)) * list.rowHeight) }
    }

    /// Moves the selection by a number of photos.
    func move(by count: Int) {
        act { app in
            let list = app.grid.list
            let row = list.listSelection.first.map { $0.item + count } ?? Int(list.contentOffset / list.rowHeight)
            guard photos.items.indices.contains(row) else { return }
            if openPhoto != nil { return open(row, in: app) }
            list.select(.init(item: row))
            reveal(row, in: app)
        }
    }

    /// Opens the selected photo, or enlarges the open photo.
    func enter() {
        act { app in
            if let openPhoto {
                openPhoto.zoom = openPhoto.zoom < 4 ? openPhoto.zoom * 2 : 1
            } else if let row = app.grid.list.listSelection.first?.item {
                open(row, in: app)
            }
        }
    }

    /// Goes back to the list.
    func goBack() {
        if openPhoto != nil, layout == .tabs { act { $0.shell.goBack() } }
    }

    /// Puts the device down: sends everything that is pending.
    func leave() async { try? await placekeeper.flush() }

    /// Acts on behalf of the user, and saves the state.
    private func act(_ body: (PhotoBrowser) -> Void) {
        guard let app else { return }
        scene.noteInteraction()
        body(app)
        do { try life?.saveState() } catch { reason = "The state cannot be saved: \(error)" }
    }

    /// The screen of the open photo.
    var openPhoto: PhotoScreen? { app?.shell.visible.lazy.compactMap { $0 as? PhotoScreen }.last }
}

extension Placekeeper.Reason {
    /// The reason as a sentence.
    var words: String {
        switch code {
        case .ownState: "This device's own state is the latest."
        case .freshInstallation: "The app is new here: it goes on from the other device."
        case .otherDevice: "The other device has a newer place, which is offered."
        case .alreadyOffered: "The newer place was already shown here."
        case .superseded: "The newest is refused: an earlier one is offered."
        case .nothingStored: "Nothing is stored yet."
        case .crashed: "The last restore did not end."
        case .crashedElsewhere: "Restoring this state crashed the app on another device, so it is offered."
        case .offline: "There is no connection."
        case .deadline, .busy: "The service did not answer."
        case .bundleVersionNewer: "Build \(required ?? "?") is older than \(archive ?? "?"), which saved the state."
        case .quarantined: "The state is quarantined."
        default: code.rawValue
        }
    }
}

extension Placekeeper.Reason.Code {
    fileprivate static let busy = Self(rawValue: "busy")
    fileprivate static let bundleVersionNewer = Self(rawValue: "bundle-version-newer")
    fileprivate static let quarantined = Self(rawValue: "quarantined")
}
