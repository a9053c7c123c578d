public import Foundation
public import PlacekeeperRuntime

extension Placekeeper {
    /// The settings of a client.
    public struct Options: Sendable {
        /// The seconds within which `KeptScene.launch(_:)` returns.
        public var launchDeadline: Double = 1
        /// The seconds for which the client waits for a later state of the scene before it sends a state. `flush()` does not
        /// wait.
        public var sendDelay: Double = 2
        /// The seconds within which the service must answer a request.
        public var requestDeadline: Double = 30
        /// Whether a device without an account registers as an anonymous user. If false, nothing is sent until the app signs
        /// the person in or links the device.
        public var registersAnonymously = true
        /// The folder of the client. An app and its extensions share a folder of their app group. The default is the folder
        /// `Placekeeper` in the application support folder.
        public var folder: URL?
        /// Earlier addresses of the service. If the device has an account with one of them, and none with the present address,
        /// the account and the states that wait move to the present address, once. Nothing else is sent and nothing is removed
        /// before the service at the present address has confirmed that it knows the device.
        public var formerly: [URL] = []
        /// Whether this process is an app or an extension of the app.
        public var process = Process.app
        /// The device's idiom and versions.
        public var device = RestorationContext.ofThisDevice
        /// The device's model, such as `iPhone16,1`, which another device shows with an offer.
        public var model: String? = RestorationContext.modelOfThisDevice
        /// The device's name, which another device shows with an offer. Nil if the app does not want to tell the name.
        public var name: String?

        /// What happens with a newer place of another device that is behind this device's own place in the same item
        /// (`Offer.progress`), such as the page of a person who rereads a book.
        public var placesBehind = PlacesBehind.offered

        /// The use of another device's place that is behind this device's own place in the same item.
        public enum PlacesBehind: Sendable, Hashable {
            /// It is offered as any other place.
            case offered
            /// It is offered with `Offer.isQuiet`: show it without interrupting the person.
            case quiet
            /// It is not offered. `Placekeeper.places()` still has it.
            case never
        }

        /// The kind of a process.
        public enum Process: Sendable, Hashable {
            /// The app, which launches scenes.
            case app
            /// An extension or a widget, which may save state but restores none.
            case `extension`
        }

        /// The seconds that a launch waits for a newer place before it restores this device's own state. A person does not
        /// notice them, and a service that is near has answered.
        package var ownStateDeadline = 0.05
        /// The seconds within which `Placekeeper.flush(deadline:)` returns without a deadline of its own.
        package var flushDeadline = 5.0

        /// Creates the default settings.
        public init() {}
    }
}
