public import Foundation
package import PlacekeeperModels

extension Placekeeper {
    /// The settings of a client.
    public struct Configuration: Sendable {
        /// The longest time that a scene waits for the service at launch.
        public var launchDeadline: Duration = .seconds(1)
        /// How long the client waits before it sends a state, because a later one may replace it. `flush()` doesn't
        /// wait.
        public var sendDelay: Duration = .seconds(2)
        /// Whether a device without an account registers as an anonymous user. If false, nothing is sent until the app
        /// signs the user in or links the device.
        public var registersAnonymously = true
        /// The client's folder. An app and its extensions share a folder in their app group. Defaults to `Placekeeper`
        /// in the application support folder.
        public var folder: URL?
        /// Earlier addresses of the service. If the device has an account at one of them and none at the current
        /// address, the account and the unsent states move to the current address, once. Until the service at the
        /// current address has confirmed that it knows the device, nothing else is sent and nothing is removed.
        public var formerServers: [URL] = []
        /// The device's name, which other devices show with an offer. Nil, the default, keeps it private.
        public var deviceName: String?
        /// The version number of the app's state. Increase it when a state has another meaning than before: a device
        /// with a lower number then restores nothing of it. Not needed for new screens and new values.
        public var stateVersion: Int? {
            get { device.stateVersion.map { Int($0) } }
            set { device.stateVersion = newValue.map { Int64($0) } }
        }
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

        /// The device's idiom and versions.
        package var device = RestorationContext.ofThisDevice
        /// The device's model, such as `iPhone16,1`. Other devices show its kind with an offer.
        package var model: String? = RestorationContext.modelOfThisDevice
        /// Whether this process is an extension or a widget, which may save a state but never restores one.
        package var isExtension = Bundle.main.bundleURL.pathExtension == "appex"
        /// How long the client waits for a response.
        package var requestDeadline: Duration = .seconds(30)
        /// How long a launch waits for a newer place before it restores this device's own state. Too short to notice,
        /// and long enough for a nearby service to answer.
        package var ownStateDeadline: Duration = .milliseconds(50)
        /// The default deadline of `Placekeeper.flush(deadline:)`.
        package var flushDeadline: Duration = .seconds(5)

        /// Creates the default settings.
        public init() {}
    }
}
