import PlacekeeperSampleApps
import PlacekeeperStandIns
import PlacekeeperRuntime

/// An event between two launches.
enum Situation: String, CaseIterable, Sendable {
    case unchanged = "nothing"
    case reordered = "items changed places"
    case edited = "items were inserted and deleted"
    case otherDevice = "another device with other item identifiers"
    case gone = "the open item is gone"
    case older = "saved by an older version"
    case tooOld = "saved by a version that is no longer supported"
    case newer = "saved by a newer version"
    case crash = "a crash while restoring"
    case locked = "started in the background, locked"

    /// Returns the result of a launch after the event, in the words of docs/restoration-matrix.md. Nil if none of these
    /// words describes the result.
    @MainActor
    func outcome(for sample: Sample, _ layout: DeviceLayout) throws -> String? {
        let first = PlayedDevice(sample, layout, bundleVersion: savingVersion)
        let left = try first.use()
        let device = try next(after: first, layout)
        if self == .locked, try !keepsStateWhileLocked(device) { return nil }
        if self == .crash { _ = device.launch(crashing: true) }

        let seen = device.launched()
        if seen == left { return "everything" }
        if seen == device.fresh().launched() { return "as at the first launch" }
        if seen == (try device.fresh().use(opening: false)) { return "the list at the same row" }
        return nil
    }

    /// Returns the result of a launch that restores the place, as on a device with another layout, in the words of
    /// docs/restoration-matrix.md. Nil if none of these words describes the result.
    @MainActor
    func outcome(for sample: Sample, _ layout: DeviceLayout, on other: DeviceLayout) async throws -> String? {
        let first = PlayedDevice(sample, layout, bundleVersion: savingVersion)
        let left = try first.use()
        let device = try next(after: first, other)
        if self == .locked, try !keepsStateWhileLocked(device) { return nil }
        if self == .crash { try await device.launchEndingOnTheWay() }

        let (app, life, _) = device.launch()
        let restoration = await life.restorePlace()
        let seen = Appearance(app.shell)
        if seen == device.fresh().launched() { return "as at the first launch" }
        let lists = app.shell.screens.compactMap { $0 as? ListScreen }
        let top = lists.first { $0.items === device.items }?.list.listAnchor
        guard top.map({ device.items.items[$0.indexPath.item].title }) == PlayedDevice.topTitle(sample)
        else { return nil }
        if restoration?.stopped != nil { return seen.screensOfItem.isEmpty ? "the list at the same row" : nil }
        return seen.visible.suffix(left.screensOfItem.count) == left.screensOfItem[...] ? "the item" : nil
    }

    private var savingVersion: Int {
        switch self {
        case .older: SampleVersion.oldest
        case .tooOld: SampleVersion.oldest - 1
        case .newer: SampleVersion.current + 1
        default: SampleVersion.current
        }
    }

    /// Returns the device of the next launch. It has the first device's archive, and its items are changed by the
    /// event.
    @MainActor
    private func next(after first: PlayedDevice, _ layout: DeviceLayout) throws -> PlayedDevice {
        let numbers = self == .otherDevice ? "there" : "here"
        let device = PlayedDevice(first.sample, layout, numbers: numbers)
        if let archive = first.storage.archive { try device.storage.writeArchive(archive) }
        switch self {
        case .reordered: device.items.items.reverse()
        case .edited:
            device.items.items.removeSubrange(0..<2)
            device.items.items.removeLast()
            for number in 1...5 {
                let item = Catalog.Item(id: "new-\(number)", serverID: "new/\(number)", title: "New \(number)")
                device.items.items.insert(item, at: number * number)
            }
        case .gone: device.items.items.remove(at: PlayedDevice.openRow)
        default: break
        }
        return device
    }

    /// Returns whether a launch on a locked device restores nothing, saves nothing, and leaves every byte of the stored
    /// archive unchanged.
    @MainActor
    private func keepsStateWhileLocked(_ device: PlayedDevice) throws -> Bool {
        let before = device.storage.archive
        device.storage.isLocked = true
        let (app, life, result) = device.launch()
        let saved = try life.saveState()
        device.storage.isLocked = false
        return result == .locked && saved == nil && device.storage.archive == before
            && Appearance(app.shell) == device.fresh().launched()
    }
}
