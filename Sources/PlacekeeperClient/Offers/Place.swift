public import Foundation

extension Placekeeper {
    /// A stored state of a scene, without its content.
    public struct Place: Sendable, Hashable, Identifiable {
        /// Identifies a place on all devices.
        public struct ID: Sendable, Hashable {
            /// The archive's id, a UUID.
            package let archive: String
            package init(_ archive: String) { self.archive = archive }
        }

        /// The identifier.
        public let id: ID
        /// The name of the scene.
        public let scene: String
        /// The titles of the screens that have one, from the first to the frontmost.
        public let titles: [String]
        /// The device that saved the state.
        public let device: Device
        /// The time of the user's last interaction, by this device's clock.
        public let date: Date
        /// Whether this is the newest state of its scene.
        public let isLatest: Bool
        /// Whether the state, or at least its screens, may be restored on this device.
        public let isRestorable: Bool
        /// Whether a screenshot is stored with the state.
        public let hasSnapshot: Bool
        /// The number of the place's owner.
        package let owner: Int

        package init(
            _ archive: String, scene: String, titles: [String], device: Device, date: Date, isLatest: Bool,
            isRestorable: Bool = true, hasSnapshot: Bool = false, owner: Int
        ) {
            (id, self.scene, self.device) = (ID(archive), scene, device)
            self.titles = titles.filter { !$0.isEmpty }
            (self.date, self.isLatest, self.isRestorable) = (date, isLatest, isRestorable)
            (self.hasSnapshot, self.owner) = (hasSnapshot, owner)
        }

        /// The archive's id, a UUID.
        package var archive: String { id.archive }
    }

    /// A device of the user.
    public struct Device: Sendable, Hashable {
        /// The device's name, if its app sets `Configuration.deviceName`.
        public let name: String?
        /// The model, such as `iPad13,1`.
        public let model: String?
        /// Whether this is the device on which the app runs.
        public let isThisDevice: Bool

        package init(name: String? = nil, model: String? = nil, isThisDevice: Bool) {
            (self.name, self.model, self.isThisDevice) = (name, model, isThisDevice)
        }
    }

    /// A place where the user may continue, for the app to offer.
    public struct Offer: Sendable, Hashable {
        /// The place.
        public internal(set) var place: Place
        /// This device's own newest place, to show beside the offered one. Nil if there is none, or if this device's own
        /// state is offered.
        public internal(set) var ownPlace: Place?
        /// How far the place is ahead of this device's own place, or behind it. Nil if the two are in different items,
        /// or if the app doesn't say how far the user is.
        public internal(set) var progress: Progress?
        /// Whether the place is behind and `Configuration.placesBehind` is `quiet`: show the offer without interrupting
        /// the user.
        public internal(set) var isQuiet = false

        package init(place: Place, ownPlace: Place? = nil, progress: Progress? = nil, isQuiet: Bool = false) {
            (self.place, self.ownPlace, self.progress, self.isQuiet) = (place, ownPlace, progress, isQuiet)
        }

        /// The progress of the offered place and of this device's own place in the same item.
        public struct Progress: Sendable, Hashable {
            /// The progress of the offered place, from 0 to 1.
            public let offered: Double
            /// The progress of this device's own place, from 0 to 1.
            public let own: Double

            package init(offered: Double, own: Double) { (self.offered, self.own) = (offered, own) }
        }
    }

    /// Why a state is restored or not: a stable code, and the two compared values. The description is a sentence.
    public struct Reason: Sendable, Hashable {
        /// A reason's code, such as `own-state` or `state-version-newer`. docs/client.md lists them. The set is open,
        /// because some codes come from the service.
        public struct Code: RawRepresentable, Sendable, Hashable {
            /// The code, in kebab case.
            public let rawValue: String
            /// Creates a code.
            public init(rawValue: String) { self.rawValue = rawValue }
        }

        /// The code.
        public let code: Code
        /// The state's value, if one was compared.
        public let archive: String?
        /// The value that this device requires.
        public let required: String?

        package init(_ code: Code, archive: String? = nil, required: String? = nil) {
            (self.code, self.archive, self.required) = (code, archive, required)
        }
    }
}

extension Placekeeper.Offer.Progress {
    /// Whether the offered place is ahead of this device's own place.
    public var isAhead: Bool { offered > own }
    /// Whether the offered place is behind this device's own place.
    public var isBehind: Bool { offered < own }
    /// The distance between the two places, from 0 to 1.
    package var distance: Double { abs(offered - own) }
}
