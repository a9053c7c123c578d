public import Foundation
public import PlacekeeperRuntime

extension Placekeeper {
    /// The settings of a client.
    public struct Options: Sendable {
        /// The maximum duration of `KeptScene.launch(_:)`, in seconds.
        public var launchDeadline: Double = 1
        /// The seconds that the client waits before it sends a state, because a later one may replace it. `flush()`
        /// does not wait.
        public var sendDelay: Double = 2
        /// The deadline for the service's response to a request, in seconds.
        public var requestDeadline: Double = 30
        /// Whether a device without an account registers as an anonymous user. If false, nothing is sent until the app
        /// signs the user in or links the device.
        public var registersAnonymously = true
        /// The client's folder. An app and its extensions share a folder in their app group. Defaults to `Placekeeper`
        /// in the application support folder.
        public var folder: URL?
        /// Earlier addresses of the service. If the device has an account at one of them and none at the current
        /// address, the account and the pending states move to the current address, once. Until the service at the
        /// current address has confirmed that it knows the device, nothing else is sent and nothing is removed.
        public var formerly: [URL] = []
        /// Whether this process is the app or one of its extensions.
        public var process = Process.app
        /// The device's idiom and versions.
        public var device = RestorationContext.ofThisDevice
        /// The device's model, such as `iPhone16,1`. Other devices show it with an offer.
        public var model: String? = RestorationContext.modelOfThisDevice
        /// The device's name. Other devices show it with an offer. `nil` to keep the name private.
        public var name: String?

        /// How to treat a newer place of another device that is behind this device's own place in the same item
        /// (`Offer.progress`), such as the page of somebody who rereads a book.
        public var placesBehind = PlacesBehind.offered

        /// How to treat a place of another device that is behind this device's own place in the same item.
        public enum PlacesBehind: Sendable, Hashable {
            /// Offered like any other place.
            case offered
            /// Offered with `Offer.isQuiet`: show it without interrupting the user.
            case quiet
            /// Not offered. `Placekeeper.places()` still returns it.
            case never
        }

        /// The kind of a process.
        public enum Process: Sendable, Hashable {
            /// The app, which launches scenes.
            case app
            /// An extension or a widget, which may save state but never restores it.
            case `extension`
        }

        /// The seconds that a launch waits for a newer place before it restores this device's own state. Too short to
        /// notice, and long enough for a nearby service to answer.
        package var ownStateDeadline = 0.05
        /// The default deadline of `Placekeeper.flush(deadline:)`, in seconds.
        package var flushDeadline = 5.0

        /// Creates the default settings.
        public init() {}
    }
}
