import Foundation
import PlacekeeperClient
import PlacekeeperStandIns
import PlacekeeperSampleApps
import PlacekeeperRuntime

/// The two devices, the events of their service, and the screen that shows them.
@MainActor
final class Stage {
    struct Failure: Error { var message: String }

    let phone: Device
    let pad: Device
    private(set) var events: [String] = []
    var title = ""
    var footer = ""
    /// The device that the user is holding.
    var active: Device
    /// Called when the screen may have changed.
    var changed: () -> Void = {}
    private let server: DemoServer
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var following: Task<Void, Never>?

    init(_ server: DemoServer, folder: URL) {
        self.server = server
        phone = Device("phone", .tabs, server, folder: folder.appendingPathComponent("phone"))
        pad = Device("pad", .split, server, folder: folder.appendingPathComponent("pad"))
        active = phone
        for device in [phone, pad] { device.changed = { [weak self] in self?.notify() } }
        following = Task { [weak self] in
            for await event in server.events {
                self?.events.append(event)
                self?.notify()
            }
        }
    }

    var other: Device { active === phone ? pad : phone }

    /// Links the iPad to the phone's user.
    func link() async throws {
        do { try await pad.placekeeper.link(try await phone.placekeeper.linkCode().code) } catch {
            throw Failure(
                message: "the pad cannot join the user of the phone: \(error). Check that a service answers at "
                    + "http://\(server.host):\(server.port), and that \(server.key) is the publishable key of an app")
        }
    }

    /// Waits until a condition is true, checking it after each event and each offer.
    func wait(for what: String, until holds: () -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(30)
        let alarm = Task { [weak self] in
            try await Task.sleep(until: deadline, clock: .continuous)
            self?.notify()
        }
        defer { alarm.cancel() }
        while !holds() {
            guard ContinuousClock.now < deadline else { throw Failure(message: "waited for \(what)") }
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    private func notify() {
        let ready = waiting
        waiting = []
        for continuation in ready { continuation.resume() }
        changed()
    }

    // MARK: - Drawing

    var screen: Screen {
        Screen(
            title: title, phone: panel(of: phone), pad: panel(of: pad), events: events, footer: footer)
    }

    private func panel(of device: Device) -> Screen.Panel {
        var panel = Screen.Panel(
            name: device.name, state: "build \(device.build.version)\(device.isOnline ? "" : " · offline")",
            isActive: device === active, isSplit: device.layout == .split, step: device.step, reason: device.reason,
            offer: device.offer?.place.titles.joined(separator: " › "))
        guard let list = device.app?.grid.list else { return panel }
        let photos = device.photos.items
        let selected = Set(list.listSelection.map(\.item))
        panel.top = list.listVisible.first?.indexPath.item ?? 0
        panel.count = photos.count
        panel.rows = photos.indices.dropFirst(panel.top).prefix(Screen.rowCount).map { row in
            .init(title: photos[row].title, id: photos[row].id, isSelected: selected.contains(row))
        }
        if let open = device.openPhoto, let id = open.photo.identifier,
            let row = photos.firstIndex(where: { $0.id == id })
        {
            panel.photo = .init(title: photos[row].title, id: id, zoom: open.zoom, seed: row)
        }
        return panel
    }
}
