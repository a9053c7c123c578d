/// A release of an app, and the people who install it.
struct Release: Sendable {
    /// What happens if restores fail.
    enum Breaker: String, Sendable, Codable {
        case off, stop
    }

    var name = "a bad release"
    var devices = 10_000
    var seed: UInt64 = 1
    var breaker = Breaker.stop
    /// The share of the saved states that show the screen which version 2 cannot restore.
    var crashingShare = 0.4
    /// The share of all restores, on both versions, that crash for another reason.
    var noise = 0.0
    /// The share of the sessions without a connection.
    var offlineShare = 0.0
    /// The hours during which the devices install version 2.
    var spreadHours = 24
    /// The hours of the simulation after the release.
    var hours = 36
    /// The number of installations of one attacker. Each is established, and reports that its restores crash on version 2.
    var hostileInstallations = 0
    /// The number of client networks of the attacker.
    var hostileNetworks = 1
}

/// The result of a simulation.
struct ReleaseResult: Sendable, Codable {
    /// A stop of the breaker.
    struct Stop: Sendable, Codable, Equatable {
        /// The minutes after the release.
        var minute: Int
        var sourceVersion: String
        var targetVersion: String
        var idiom: String
        var hours: Double
    }

    var name: String
    var devices: Int
    var breaker: Release.Breaker
    var crashingShare: Double
    var noise: Double
    var offlineShare: Double
    var hostileInstallations: Int
    var hostileNetworks: Int
    /// The number of honest devices that crashed.
    var crashedDevices = 0
    /// The number of these devices on the first day after the release.
    var crashedOnFirstDay = 0
    var crashes = 0
    /// The greatest number of crashes of one device, without crashes for another reason.
    var mostCrashesOfOneDevice = 0
    /// The greatest number of crashes of one device on one archive.
    var mostCrashesOnOneArchive = 0
    var launches = 0
    var restores = 0
    /// The launches without a restore because of a stop, of states that version 2 restores.
    var refusedHealthyStates = 0
    /// The launches without a restore because of a stop, of states that would have crashed.
    var preventedCrashes = 0
    /// The launches of version 1, which is healthy, without a restore because of a stop.
    var refusedOnVersionOne = 0
    var stops: [Stop] = []
    /// The number of crashed devices at the end of each ten minutes after the release.
    var timeline: [Int] = []

    init(_ release: Release) {
        name = release.name
        devices = release.devices
        breaker = release.breaker
        crashingShare = release.crashingShare
        noise = release.noise
        offlineShare = release.offlineShare
        hostileInstallations = release.hostileInstallations
        hostileNetworks = release.hostileNetworks
    }
}
