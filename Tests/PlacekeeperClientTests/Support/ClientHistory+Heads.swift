import PlacekeeperTesting

@testable import PlacekeeperClient

// What all devices see at the end of a history.
extension ClientHistory {
    /// Checks that all devices of a user see the same newest archive, and that it is among the places.
    mutating func checkHeads() async {
        var heads: [String: Set<String>] = [:]
        var latest: [String: Set<String>] = [:]
        for (index, device) in devices.enumerated() {
            // A copy may have moved this device to another user, which this device doesn't know.
            guard let places = await device.places(), let registration = device.registration,
                let user = await user(of: index)
            else { continue }
            let newest = places.filter { $0.scene == "main" && $0.isLatest }.map(\.archive)
            heads[user, default: []].insert(newest.joined(separator: " "))
            let response = await ask("GET", Self.latest, registration.token)
            // A device may get its own state although a restore of it failed on another device.
            if response?["placekeeper-device"] == registration.device { continue }
            latest[user, default: []].insert(
                response?["placekeeper-archive"] ?? response.map { String(decoding: $0.body, as: UTF8.self) } ?? "-")
        }
        for (user, ids) in heads where ids.count > 1 { faults.append("devices of \(user) have the heads \(ids)") }
        for (user, ids) in latest where ids.count > 1 { faults.append("devices of \(user) are served \(ids)") }
    }

    private static let latest = "/v1/scenes/main/archives/latest?idiom=phone&bundleVersion=42&systemVersion=17.4"

    /// Checks that nothing is sent when nothing changes.
    mutating func checkQuiet() async {
        for (index, device) in devices.enumerated() {
            let count = device.network.requests.count
            service.clock.advance(by: 3600)
            await device.settle()
            let later = device.network.requests.dropFirst(count).filter { $0.method == "PUT" }
            if device.hasLooped { faults.append("device \(index) sends without an end") }
            if !later.isEmpty { faults.append("device \(index) still uploads: \(later.map(\.target))") }
            if device.last.status.unsentCount > 0, device.registration != nil {
                faults.append("device \(index) has \(device.last.status.unsentCount) states that wait")
            }
        }
    }
}
