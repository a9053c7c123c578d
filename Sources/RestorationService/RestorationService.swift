/// The domain: registers devices, takes archives, decides which of them may be restored where and how much of it, and
/// says why. It knows neither HTTP nor SQL.
package struct RestorationService: Sendable {
    package let store: any Store
    package let clock: any Clock
    package let random: any RandomSource
    package let hashing: any Hashing

    package init(store: any Store, clock: any Clock, random: any RandomSource, hashing: any Hashing) {
        self.store = store
        self.clock = clock
        self.random = random
        self.hashing = hashing
    }
}

/// Who asks: a device, with the app that it is of.
package struct Caller: Sendable, Hashable {
    package var app: App
    package var device: Device
    package var owner: UserKey { device.owner }
    package init(app: App, device: Device) {
        self.app = app
        self.device = device
    }
}

/// Why the service refuses. `code` is stable and the same on the wire; the message is safe to show.
package struct ServiceError: Error, Sendable {
    package struct Code: RawRepresentable, Sendable, Hashable {
        package var rawValue: String
        package init(rawValue: String) { self.rawValue = rawValue }
    }

    package var code: Code
    package var message: String
    /// For logs only.
    package var cause: String?

    package init(_ code: Code, _ message: String, cause: String? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }
}
