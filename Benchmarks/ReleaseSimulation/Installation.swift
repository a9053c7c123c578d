import PlacekeeperArchive
import PlacekeeperClient
import PlacekeeperTesting
import PlacekeeperRuntime

/// An installation of the app on a device, and the person who uses it.
struct Installation {
    let device: VirtualDevice
    let isHostile: Bool
    /// Whether the person used the app for more than a week before the release.
    let isEstablished: Bool
    /// The seconds after the release at which the device installs version 2.
    let updatesAt: Double
    var crashes = 0
    /// The number of crashes of each archive.
    var crashesOfArchives: [String: Int] = [:]
    /// The screen of the newest saved state.
    var screen = ""

    /// Sets the version of the app for the next process.
    func install(_ version: Int) {
        var context = device.configuration.device
        context.bundleVersion = "\(version)"
        device.configuration.device = context
    }
}

extension StateArchive {
    /// The state of a version of the app that shows a screen.
    static func showing(_ screen: String, title: String, version: Int) -> StateArchive {
        var archive = StateArchive(bundleVersion: "\(version)", idiom: 0)
        // Each session is work, so each state differs from the one before by more than its title.
        archive.place = Place([.init(screen: screen, title: title, parameters: ["item": .string(title)])])
        return archive
    }

    var screen: String { place?.steps.last?.screen ?? "" }
}

/// A random number generator whose numbers follow from a seed (splitmix64), so that a simulation repeats exactly.
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}
